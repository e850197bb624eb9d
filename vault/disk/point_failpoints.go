//go:build failpoints

package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// FaultEnv names the environment variable that sets the fault of a test build:
// "N:kill" kills the process before its N-th change (1-based), "N:stop" stops it
// there until SIGCONT, "N:ENOSPC" (or
// EIO, EROFS, EACCES, EMFILE) fails that change, "N+:ENOSPC" fails it and all
// that follow. CP_FAULT_COUNT names a file that is told the number of changes so far.
const FaultEnv = "CP_FAULT"

var changes atomic.Int64

// injectFault counts a change and injects the fault that FaultEnv asks for.
func injectFault(op, path string) error {
	n := changes.Add(1)
	if log := os.Getenv("CP_FAULT_COUNT"); log != "" {
		_ = os.WriteFile(log, []byte(strconv.FormatInt(n, 10)), 0o644)
	}
	at, what, ok := strings.Cut(os.Getenv(FaultEnv), ":")
	if !ok {
		return nil
	}
	from := strings.TrimSuffix(at, "+")
	want, err := strconv.ParseInt(from, 10, 64)
	if err != nil || (n != want && (from == at || n < want)) || want == 0 {
		return nil
	}
	if what == "kill" {
		fmt.Fprintf(os.Stderr, "fault: killed before %s %s\n", op, path)
		sysfile.KillSelf()
	}
	if what == "stop" {
		return sysfile.StopSelf()
	}
	return &os.PathError{Op: op, Path: path, Err: sysfile.Faults[what]}
}

// Done is one line of the file that CP_DISK_LOG names: a change that was made.
// With it a test can tell what a power cut would have left (faults, M3).
type Done struct {
	Op   string `json:"op"` // create, write (at the end), fsync, rename, exchange, link, remove, mkdir, rmdir, sync-dir, sync-fs
	Path string `json:"path"`
	From string `json:"from,omitempty"`
	Data []byte `json:"data,omitempty"`
}

func logChange(op, path, from string, b []byte) {
	log := os.Getenv("CP_DISK_LOG")
	if log == "" {
		return
	}
	line, err := json.Marshal(Done{op, path, from, b})
	if err != nil {
		panic(err)
	}
	f, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	_, err = f.Write(append(line, '\n'))
	if err := errors.Join(err, f.Close()); err != nil {
		panic(err)
	}
}
