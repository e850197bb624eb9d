package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// watcher is a running "cp memory watch".
type watcher struct {
	s      *scene
	cmd    *exec.Cmd
	passes chan map[string]any // one for each line of its output; closed at its end
}

// watch starts a watcher and waits for its first pass.
func (s *scene) watch(args ...string) *watcher {
	s.t.Helper()
	cmd := exec.Command(s.cp, append([]string{"memory", "watch", "-o", "jsonl"}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.home, "GIT_CONFIG_NOSYSTEM=1", "CP_VAULT=", "CP_AGENT=")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	w := &watcher{s: s, cmd: cmd, passes: make(chan map[string]any, 1000)}
	go func() {
		defer close(w.passes)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var pass map[string]any
			if json.Unmarshal(lines.Bytes(), &pass) == nil {
				w.passes <- pass
			}
		}
	}()
	s.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	select {
	case <-w.passes:
	case <-time.After(time.Minute):
		s.t.Fatal("the watcher does not begin")
	}
	return w
}

func (w *watcher) signal(sig os.Signal) {
	w.s.t.Helper()
	if err := w.cmd.Process.Signal(sig); err != nil {
		w.s.t.Fatal(err)
	}
}

// fresh checks that a list knows a title that a file has just been given.
func (s *scene) fresh(when string, i int) {
	s.t.Helper()
	title := fmt.Sprintf("Title %d", i)
	s.write("a.md", "---\nid: pf-aaa\ntitle: "+title+"\n---\n")
	if out := s.must(s.cp, "memory", "list"); !strings.Contains(out, title) {
		s.t.Errorf("%s the answer is older than the disk: no %q in\n%s", when, title, out)
	}
}

// Whatever becomes of the watcher, no answer is older than the disk, and none
// waits for it.
func TestAnswersBesideAWatcher(t *testing.T) {
	s := newScene(t)
	s.fresh("without a watcher", 1)
	w := s.watch()
	for i := range 5 {
		s.fresh("beside a watcher", 10+i)
	}
	w.signal(syscall.SIGSTOP)
	for i := range 5 {
		s.fresh("beside a stopped watcher", 20+i)
	}
	w.signal(syscall.SIGCONT)
	for i := range 5 {
		s.fresh("after it goes on", 30+i)
	}
	w.signal(syscall.SIGKILL)
	_ = w.cmd.Wait()
	s.fresh("after it was killed", 40)
	if out := s.must(s.cp, "status"); !strings.Contains(out, "Watcher:     none") {
		t.Errorf("after it was killed:\n%s", out)
	}
	s.watch()
	s.fresh("beside the next one", 50)
	s.must("git", "add", "-A")
	s.must("git", "commit", "-qm", "by hand")
	s.healthy()
}

// What git ignores changes in the vault, in the git directory, in a person's own file and
// in git's index; an answer beside a watcher knows it as one without a watcher does.
func TestIgnoredBesideAWatcher(t *testing.T) {
	s := newScene(t)
	s.write("b.md", "# Draft\n")
	s.watch()
	for _, row := range []struct {
		do   string
		seen bool
	}{
		{"true", true},
		{"echo b.md >.gitignore", false},
		{"git add -f b.md", true},
		{"git rm -q --cached b.md", false},
		{"echo >.gitignore", true},
		{"echo b.md >.git/info/exclude", false},
		{"echo >.git/info/exclude", true},
		{"echo b.md >../mine; git config core.excludesFile \"$PWD/../mine\"", false},
		{"git config --unset core.excludesFile", true},
	} {
		s.must("sh", "-c", row.do)
		if out := s.must(s.cp, "memory", "list"); strings.Contains(out, "Draft") != row.seen {
			t.Errorf("after %s:\n%s", row.do, out)
		}
	}
}

// A second watcher says who watches and exits with 1; status and doctor tell;
// an interrupt ends the first one cleanly.
// Faults M7.
func TestOneWatcher(t *testing.T) {
	testlevel.Check(t)
	s := newScene(t)
	w := s.watch("--commit")
	pid := fmt.Sprint(w.cmd.Process.Pid)
	if _, err := s.run(s.cp, "memory", "watch"); err == nil || !strings.Contains(err.Error(), "exit status 1") || !strings.Contains(err.Error(), pid) {
		t.Errorf("the second one: %v", err)
	}
	for _, command := range []string{"status", "doctor"} {
		if out := s.must(s.cp, command); !strings.Contains(out, "process "+pid+", commits finished edits") {
			t.Errorf("%s:\n%s", command, out)
		}
	}
	var status struct {
		Watcher struct{ PID int }
	}
	if err := json.Unmarshal([]byte(s.must(s.cp, "status", "-o", "json")), &status); err != nil || fmt.Sprint(status.Watcher.PID) != pid {
		t.Errorf("status: %+v %v", status, err)
	}
	w.signal(os.Interrupt)
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
	left, err := os.ReadDir(filepath.Join(s.dir, ".git", "cp", "root", "watch"))
	if err != nil || len(left) != 1 || left[0].Name() != "lock" {
		t.Errorf("left behind: %v %v", left, err)
	}
	s.healthy()
}

// Writers and a person beside a watcher that commits: every edit is committed,
// the pointers are whole, and what cp wrote is not committed twice.
func TestWatcherBesideWriters(t *testing.T) {
	s := newScene(t)
	parent := s.add("Shared parent")
	w := s.watch("--commit", "--quiet", "200ms")
	for i := range 10 {
		s.must(s.cp, "memory", "add-sub", parent, "--title", fmt.Sprint("Child ", i), "--body", "text", "--summary", "When in doubt")
		s.write("note.md", fmt.Sprintf("---\nid: pf-note\ntitle: Note\n---\nEdit %d of a person.\n", i))
	}
	committed := false
	for deadline := time.After(time.Minute); !committed; {
		select {
		case pass := <-w.passes:
			out, err := s.run("git", "show", "HEAD:note.md")
			committed = err == nil && strings.Contains(out, "Edit 9")
			if left, _ := pass["left"].([]any); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		case <-deadline:
			t.Fatalf("the last edit is not committed:\n%s", s.must("git", "log", "--oneline"))
		}
	}
	if out := s.must("git", "status", "--porcelain"); out != "" {
		t.Errorf("not committed:\n%s", out)
	}
	if n := strings.Count(s.must("git", "log", "--format=%s"), "add-sub"); n != 10 {
		t.Errorf("%d commits of ten add-subs", n)
	}
	w.signal(os.Interrupt)
	_ = w.cmd.Wait()
	s.healthy()
}
