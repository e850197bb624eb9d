package main_test

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// browsing starts "cp memory browse -o jsonl" and returns the links that it tells, each of which
// logs in once. The server ends with the test.
func browsing(t *testing.T, cmd *exec.Cmd) (links []string) {
	t.Helper()
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	var served struct{ Links []string }
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&served); err != nil {
		_ = cmd.Wait()
		t.Fatalf("%v: %s", err, said.String())
	}
	return served.Links
}
