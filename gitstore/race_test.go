package gitstore

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// A person commits with git while we publish, both as fast as they can. Every
// commit that was acknowledged is there afterwards, ours and theirs.
//
// On a tmpfs it fails in one of some fifteen runs, and that is git's own: git commit
// reads the index before it locks it. Where we commit in between, it puts the old
// index back, sees that HEAD has moved and gives up; the next git commit takes away
// what that index lacks. Two gits do so to each other as well. On a disk that syncs
// we are too slow to fit in between.
func TestBesideGit(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		w.write("parent.md", "parent\n")
		w.sh("git add . && git commit -qm 1")
		r, state := w.open(plumbing)
		rounds := testlevel.Rounds(40)
		var theirs, refused, ours []string
		var both sync.WaitGroup
		both.Go(func() {
			for i := range rounds {
				name := fmt.Sprintf("theirs%d.txt", i)
				w.write(name, "x\n")
				if _, err := w.try("git add " + name + " && git commit -qm " + name); err == nil {
					theirs = append(theirs, name)
				} else {
					refused = append(refused, name)
				}
			}
		})
		both.Go(func() {
			for i := range rounds {
				name := fmt.Sprintf("dir/ours%d.md", i)
				edits := []vault.Edit{create(name, name+"\n"), {Path: "parent.md", Steps: appendStep(name + "\n")}}
				_, err := r.Publish(context.Background(), newCommit("op-"+name, edits...), state)
				switch vault.CodeOf(err) {
				case "":
					ours = append(ours, name)
				case vault.CodeBusy:
				default:
					t.Errorf("%s: %v", name, err)
				}
			}
		})
		both.Wait()
		t.Logf("acknowledged: %d of ours, %d of git's", len(ours), len(theirs))
		if len(ours) == 0 || len(theirs) == 0 {
			t.Error("one side never got through")
		}
		files, log, parent := w.sh("git ls-tree -r --name-only HEAD"), w.sh("git log --format=%s%n%B"), w.committed("parent.md")
		for _, name := range append(ours, theirs...) {
			if !strings.Contains(files, name+"\n") || !strings.Contains(log, name+"\n") {
				t.Errorf("%s is lost", name)
			}
		}
		for _, name := range ours {
			if strings.Count(parent, name+"\n") != 1 {
				t.Errorf("parent.md names %s %d times", name, strings.Count(parent, name+"\n"))
			}
		}
		w.sound(r, state)
		// A git commit that came too late leaves its file staged, for the next one.
		w.sh("git checkout -q -- .")
		for staged := range strings.FieldsSeq(w.sh("git diff --cached --name-only HEAD")) {
			if !slices.Contains(refused, staged) {
				t.Errorf("%s is staged, and nobody staged it", staged)
			}
		}
	})
}

// Two vaults of one repository, each in a linked work tree, publish side by side.
// Faults H10.
func TestTwoWorkTrees(t *testing.T) {
	w := newWorld(t).init("")
	w.sh("git commit -q --allow-empty -m 1 && git worktree add -q -b side ../linked")
	worlds := []world{w, w.in(w.dir + "/../linked")}
	var both sync.WaitGroup
	for i, side := range worlds {
		r, state := side.open(false)
		both.Go(func() {
			for n := range 20 {
				name := fmt.Sprintf("m%d-%d.md", i, n)
				if _, err := r.Publish(context.Background(), newCommit("op-"+name, create(name, name)), state); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	both.Wait()
	for _, side := range worlds {
		if got := strings.Count(side.sh("git ls-tree -r --name-only HEAD"), "\n"); got != 20 {
			t.Errorf("%s holds %d files", side.dir, got)
		}
		r, state := side.open(false)
		side.sound(r, state)
	}
}

// A git gc that prunes all that is in no branch runs all the time, and takes
// neither the repository's objects nor ours.
// Faults M5.
func TestBesideGC(t *testing.T) {
	testlevel.Check(t)
	w := newWorld(t).init("")
	w.sh("git commit -q --allow-empty -m 1")
	r, state := w.open(false)
	var done sync.WaitGroup
	stop := make(chan struct{})
	done.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = w.try("git gc -q --prune=now")
			}
		}
	})
	for n := range 15 {
		name := fmt.Sprintf("m%d.md", n)
		w.publish(r, state, newCommit("op-"+name, create(name, name)))
	}
	close(stop)
	done.Wait()
	if got := strings.Count(w.sh("git ls-tree -r --name-only HEAD"), "\n"); got != 15 {
		t.Errorf("HEAD holds %d files", got)
	}
	w.sound(r, state)
}
