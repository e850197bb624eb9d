package gitstore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// A branch whose commit lost objects to a prune goes back, and the index with it.
func TestRecoverTakesTheBranchBack(t *testing.T) {
	for _, unborn := range []bool{false, true} {
		w := newWorld(t).init("")
		w.write("a.md", "a\n")
		w.sh("git add a.md")
		if !unborn {
			w.sh("git commit -qm 1 && echo staged >> a.md && git add a.md")
		}
		r, state := w.open(false)
		status, index := w.sh("git status --porcelain -b"), w.read(".git/index")
		if err := os.Link(filepath.Join(w.dir, ".git/index"), filepath.Join(w.dir, ".git/kept")); err != nil {
			t.Fatal(err)
		}
		done := w.publish(r, state, newCommit("op-1", create("b.md", "lost\n")))
		if err := os.Rename(filepath.Join(w.dir, ".git/kept"), markPath(state, oldIndex)); err != nil { // as if killed right after
			t.Fatal(err)
		}
		lost := r.BlobID([]byte("lost\n"))
		w.sh("rm -f .git/objects/" + lost[:2] + "/" + lost[2:]) // a neighbour may be the old commit
		for range 2 {
			if err := r.Recover(context.Background(), state); err != nil {
				t.Fatal(err)
			}
		}
		head, err := r.Head(context.Background())
		if err != nil || head.Commit != done.Before {
			t.Errorf("HEAD is %+v, want %q: %v", head, done.Before, err)
		}
		if got := w.sh("git status --porcelain -b"); got != status || w.read(".git/index") != index {
			t.Errorf("status\ngot  %s\nwant %s", got, status)
		}
		if held, err := r.Holds(context.Background(), "op-1", state); held || err != nil {
			t.Errorf("holds: %v, %v", held, err)
		}
		w.publish(r, state, newCommit("op-1", create("b.md", "lost\n")))
		w.sound(r, state)
	}
}

// Recovery leaves alone what a person did after the crash.
func TestRecoverLeavesPeopleAlone(t *testing.T) {
	w := newWorld(t).init("")
	w.write("a.md", "a\n")
	w.sh("git add . && git commit -qm 1")
	r, state := w.open(false)
	done := w.publish(r, state, newCommit("op-1", create("b.md", "b\n")))
	w.sh("git reset -q --hard HEAD && echo c > c.md && git add c.md && git commit -qm 2 && echo d > d.md && git add d.md")
	status := w.sh("git status --porcelain; git rev-parse HEAD")
	if err := r.Recover(context.Background(), state); err != nil {
		t.Fatal(err)
	}
	if got := w.sh("git status --porcelain; git rev-parse HEAD"); got != status {
		t.Errorf("status\ngot  %s\nwant %s", got, status)
	}
	if held, err := r.Holds(context.Background(), "op-1", state); !held || err != nil {
		t.Errorf("holds: %v, %v", held, err)
	}
	w.sh("git reset -q --hard " + done.Before)
	if held, err := r.Holds(context.Background(), "op-1", state); held || err != nil {
		t.Errorf("after a reset holds: %v, %v", held, err)
	}
}

// A person takes our commit back and keeps it staged: recovery must not take
// that for a publication that did not get through.
func TestRecoverAfterSoftReset(t *testing.T) {
	for _, undo := range []string{"git reset -q --soft HEAD~1", "git update-ref -d HEAD"} {
		w := newWorld(t).init("")
		r, state := w.open(false)
		if undo != "git update-ref -d HEAD" {
			w.sh("git commit -q --allow-empty -m 1")
		}
		w.write("b.md", "b\n")
		w.publish(r, state, newCommit("op-1", create("b.md", "b\n")))
		w.sh(undo)
		if err := r.Recover(context.Background(), state); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(w.status(), "|"); got != "A  b.md" {
			t.Errorf("after %s: status %q", undo, got)
		}
	}
}

// A rebase gives our commit another id; its operation is still held.
func TestHoldsAfterRebase(t *testing.T) {
	w := newWorld(t).init("")
	w.sh("git commit -q --allow-empty -m 1 && git switch -qc side && git commit -q --allow-empty -m 2")
	r, state := w.open(false)
	w.write("b.md", "b\n")
	w.publish(r, state, newCommit("op-1", create("b.md", "b\n")))
	w.sh("git rebase -q --onto main~0 side~1 && git commit -q --amend --no-edit --date=now --reset-author")
	if held, err := r.Holds(context.Background(), "op-1", state); !held || err != nil {
		t.Errorf("holds: %v, %v", held, err)
	}
}

// Locks that are other names of our markers go; the others stay.
func TestRecoverDropsOurLocksOnly(t *testing.T) {
	w := newWorld(t).init("")
	w.sh("git commit -q --allow-empty -m 1")
	r, state := w.open(false)
	w.publish(r, state, newCommit("op-1", create("b.md", "b\n")))
	for _, l := range []gitLock{r.indexLock(state), r.headLock(state), r.refLock(state, "refs/heads/main"), r.gcLock(state)} {
		if err := errors.Join(l.prepare(nil, false), l.takeLock(context.Background(), 0)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.try("git commit --allow-empty -m 2"); err == nil {
		t.Fatal("the locks do not lock")
	}
	if err := r.Recover(context.Background(), state); err != nil {
		t.Fatal(err)
	}
	w.sound(r, state)
	w.sh("git commit -q --allow-empty -m 2")
}

// A version of a file that cannot be edited is left out, beside edits that can
// be made; alone it is an error.
func TestDamagedVersion(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		broken := "---\ntitle: never closed\n\nText\n"
		w.write("a.md", broken)
		w.sh("git add . && git commit -qm 1")
		r, state := w.open(plumbing)
		edit := vault.Edit{Path: "a.md", Steps: []vault.Step{{Op: vault.OpSetKey, Key: "a", Value: "b"}}}
		if _, err := r.Publish(context.Background(), newCommit("op-1", edit), state); vault.CodeOf(err) != vault.CodeDamaged {
			t.Errorf("alone: %v", err)
		}
		w.write("b.md", "b\n")
		w.publish(r, state, newCommit("op-2", create("b.md", "b\n"), edit))
		if got := w.committed("a.md"); got != broken {
			t.Errorf("a.md is %q", got)
		}
		if got := strings.Join(w.status(), "|"); got != "" {
			t.Errorf("status %q", got)
		}
		w.sound(r, state)
	})
}
