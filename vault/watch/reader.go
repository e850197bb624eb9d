package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// limit bounds how long a reader waits for an answer. A watcher on an idle
// machine answers in less than 1 ms when nothing has changed; a scan of 10,000
// files takes about as long as this. One that did not answer is stopped or has
// much to do, and is not asked again for a while.
const (
	limit     = 50 * time.Millisecond
	silentFor = 3 * time.Second
)

// Reader asks the watcher of a vault, if there is one, for the mirror's position.
type Reader struct {
	Place string // see Place
	Build string // of the mirror that is read: a watcher of another build keeps another one
}

// Current returns the position of a mirror that held everything on disk at the time of the
// call. ok is false if nobody can say within 50 ms, or could not a moment ago.
func (r Reader) Current(ctx context.Context) (vault.Generation, bool) {
	asks := askFolder(r.Place)
	if !isFolder(asks) || r.isSilent() || !isLocked(r.Place) {
		return vault.Generation{}, false
	}
	name := r.Build + "-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	fresh := filepath.Join(r.Place, "new-"+name)
	if disk.MakePipe(fresh, 0o600) != nil {
		return vault.Generation{}, false
	}
	pipe, err := sysfile.Open(fresh, sysfile.NoLink)
	if err != nil {
		_ = disk.Remove(fresh)
		return vault.Generation{}, false
	}
	defer pipe.Close()
	asked := filepath.Join(asks, "ask-"+name)
	if disk.Rename(fresh, asked) != nil {
		_ = disk.Remove(fresh)
		return vault.Generation{}, false
	}
	answer, ok := await(ctx, pipe)
	if !ok {
		_ = disk.Remove(asked)
		r.hush()
	}
	return parseAnswer(answer)
}

func silentFile(place string) string { return filepath.Join(place, "silent") }

// isSilent reports whether the watcher did not answer a moment ago.
func (r Reader) isSilent() bool {
	info, err := os.Lstat(silentFile(r.Place))
	if err != nil {
		return false
	}
	ago := time.Since(info.ModTime())
	return ago >= 0 && ago < silentFor
}

// hush notes for later readers that the watcher did not answer.
func (r Reader) hush() {
	if disk.Remove(silentFile(r.Place)) == nil {
		_ = disk.Write(silentFile(r.Place), nil, 0o600)
	}
}

func isFolder(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// await reads what the watcher writes into an open pipe.
func await(ctx context.Context, pipe sysfile.Handle) (string, bool) {
	var b [64]byte
	for end := time.Now().Add(limit); ctx.Err() == nil; {
		left := time.Until(end)
		if left <= 0 {
			return "", false
		}
		ready, err := pipe.Await(left)
		if err != nil {
			return "", false
		}
		if ready {
			n, err := pipe.Read(b[:])
			return string(b[:n]), err == nil && n > 0
		}
	}
	return "", false
}

// An answer is one line: "current <epoch> <generation>", or "unknown".
func formatAnswer(s vault.Generation, ok bool) []byte {
	if !ok {
		return []byte("unknown\n")
	}
	return fmt.Appendf(nil, "current %d %d\n", s.Epoch, s.Number)
}

func parseAnswer(line string) (s vault.Generation, ok bool) {
	if !strings.HasSuffix(line, "\n") {
		return s, false
	}
	n, err := fmt.Sscanf(line, "current %d %d\n", &s.Epoch, &s.Number)
	return s, err == nil && n == 2
}
