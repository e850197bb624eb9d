//go:build failpoints

package gitstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// sweepEnv tells the child of the sweep where to publish.
const sweepEnv = "CP_TEST_SWEEP"

func sweepCommit() vault.Commit {
	return newCommit("op-sweep", create("dir/new.md", "new\n"), vault.Edit{Path: "parent.md", Steps: appendStep("once\n")})
}

// TestSweepChild publishes in a process of its own, which the sweep kills.
func TestSweepChild(t *testing.T) {
	dir := os.Getenv(sweepEnv)
	if dir == "" {
		t.Skip("only as a child of TestSweep")
	}
	dir, plumbing := strings.CutPrefix(dir, "plumbing:")
	r, err := FindRepo(dir)
	if err != nil {
		t.Fatal(err)
	}
	r.plumbingOnly = plumbing
	if _, err := r.Publish(context.Background(), sweepCommit(), r.GitDir()+"/cp/test"); err != nil {
		t.Fatal(err)
	}
}

// The process is killed, or its change fails, before each change it makes to the disk in
// turn. What git sees is never behind; recovery and another try end with
// everything done once.
func TestSweep(t *testing.T) {
	for _, fault := range []string{"kill", "ENOSPC"} {
		for name, plumbing := range map[string]string{"native": "", "plumbing": "plumbing:"} {
			t.Run(fault+"/"+name, func(t *testing.T) {
				template := newWorld(t).init("")
				template.write("parent.md", "parent\n")
				template.sh("git add . && git commit -qm 1 && echo staged > s && git add s && sed -i '1i staged' parent.md && git add parent.md && mkdir -p .git/cp/test")
				for n := 1; ; n++ {
					w := template.in(fmt.Sprintf("%s-%d", template.dir, n))
					template.sh("cp -a . " + w.dir)
					done := sweepOnce(w, plumbing, fmt.Sprintf("%d:%s", n, fault))
					if t.Failed() {
						t.Fatalf("at change %d", n)
					}
					template.sh("rm -rf " + w.dir)
					if done {
						t.Logf("%d changes", n-1)
						return
					}
				}
			})
		}
	}
}

// sweepOnce reports whether the child got through to the end without coming to the fault.
func sweepOnce(w world, plumbing, fault string) bool {
	w.Helper()
	counter := w.dir + ".count"
	before := w.sh("git rev-parse HEAD")
	cmd := exec.Command(os.Args[0], "-test.run=^TestSweepChild$")
	cmd.Env = append(os.Environ(), sweepEnv+"="+plumbing+w.dir, disk.FaultEnv+"="+fault, "CP_FAULT_COUNT="+counter)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signaled() != strings.HasSuffix(fault, "kill")) {
		w.Fatalf("%v\n%s", err, out)
	}
	moved := w.sh("git rev-parse HEAD") != before
	if got := w.stagedLines(); strings.Contains(got, "-once") || strings.Contains(got, "-new") {
		w.Errorf("the index is behind HEAD:\n%s", got)
	}
	r, state := w.open(plumbing != "")
	for range 2 {
		if err := r.Recover(context.Background(), state); err != nil {
			w.Fatal(err)
		}
	}
	if got := w.stagedLines(); !moved && strings.Contains(got, "once") {
		w.Errorf("recovery left the index ahead:\n%s", got)
	}
	if held, err := r.Holds(context.Background(), "op-sweep", state); held != moved || err != nil {
		w.Errorf("holds: %v, moved: %v, %v", held, moved, err)
	}
	w.publish(r, state, sweepCommit())
	if got := strings.Count(w.committed("parent.md"), "once\n"); got != 1 || w.committed("dir/new.md") != "new\n" {
		w.Errorf("parent.md was appended to %d times", got)
	}
	if got := w.sh("git rev-list --count HEAD"); got != "2\n" {
		w.Errorf("%s commits", got)
	}
	if got := w.stagedLines(); strings.Contains(got, "once") || strings.Count(got, "+staged") != 2 {
		w.Errorf("staged:\n%s", got)
	}
	w.sound(r, state)
	count, rerr := os.ReadFile(counter)
	var n, at int
	_, serr := fmt.Sscanf(string(count)+" "+fault, "%d %d", &n, &at)
	if rerr != nil || serr != nil {
		w.Fatal(rerr, serr)
	}
	return err == nil && n < at
}
