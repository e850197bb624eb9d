package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// TestReadersBesideALiveWriter stops a write before a change to the disk and lets
// readers ask: while the write is not finished they tell what was there before it,
// at once, and nothing twice; when it goes on it is done.
// Faults O7.
func TestReadersBesideALiveWriter(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := sweepScene(t)
	for _, sw := range sweeps {
		if !slices.Contains([]string{"add-sub", "move", "delete", "sync", "undo", "pull"}, sw.name) {
			continue
		}
		t.Run(sw.name, func(t *testing.T) {
			t.Parallel()
			s := template.copy(t)
			s.prepare(sw.prep)
			s.must(s.cp, "memory", "list") // the index knows all that was typed
			total, _, _, states := s.outcomes(faulty, sw)
			for _, n := range points("beside "+sw.name, total) {
				s.askedBeside(faulty, sw, n, states)
			}
		})
	}
}

func (s *scene) askedBeside(faulty string, sw sweep, n int, states []*scene) {
	c := s.copy(s.t)
	writer := c.stopped(faulty, n, sw.line())
	intents, _ := filepath.Glob(filepath.Join(c.dir, ".git/cp/*/tx/*.json"))
	if len(intents) > 0 {
		states = states[:1]
	}
	for _, r := range readers[:4] { // what is shown in full is read from the file, as it is by now; pull makes two commits
		told := newTold(states)
		told.any = r.name == "show" || sw.name == "pull"
		told.check(c, fmt.Sprintf("stopped before %d, intents %d", n, len(intents)), r)
	}
	if err := writer.Process.Signal(syscall.SIGCONT); err != nil {
		s.t.Fatal(err)
	}
	if err := writer.Wait(); err != nil {
		s.t.Errorf("stopped before %d: %v\n%s", n, err, writer.Stderr)
	}
	c.untouched("after it went on")
}

// stopped starts a program that stops itself before its n-th change.
func (s *scene) stopped(program string, n int, args []string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stderr = s.dir, new(bytes.Buffer)
	cmd.Env = append(os.Environ(), "HOME="+s.home, "GIT_CONFIG_NOSYSTEM=1", "CP_VAULT=", "CP_AGENT=")
	cmd.Env = append(append(cmd.Env, s.env...), fmt.Sprintf("CP_FAULT=%d:stop", n))
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		if err != nil {
			s.t.Fatal(err)
		}
		_, state, _ := strings.Cut(string(stat), ") ")
		if state[0] == 'T' || state[0] == 'Z' { // a zombie has done it all
			return cmd
		}
		time.Sleep(time.Millisecond)
	}
}
