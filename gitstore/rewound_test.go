package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

// A git reset --hard has put the index back and not yet the branch: a commit in
// between would hold the branch fast, and the index would be behind it.
func TestAResetUnderWayIsLetPass(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		w.write("a.md", "text\n")
		w.sh("git add . && git commit -qm 1")
		was := strings.TrimSpace(w.sh("git rev-parse HEAD"))
		r, state := w.open(plumbing)
		r.patience = time.Hour
		first := newCommit("op-1", create("b.md", "text\n"))
		first.Message = "memory: add\n\nCp-Op: op-1"
		w.publish(r, state, first)
		w.sh("git read-tree " + was)
		reset := make(chan error)
		go func() {
			time.Sleep(10 * time.Millisecond)
			_, err := w.try("git update-ref -m 'reset: moving to HEAD' HEAD " + was)
			reset <- err
		}()
		c := newCommit("op-2", create("c.md", "text\n"))
		var lost []vault.Revision
		refused := errors.New("refused")
		c.Rewound = func(all []vault.Revision) error { lost = all; return refused }
		done, perr := r.Publish(context.Background(), c, state)
		if err := <-reset; err != nil || !errors.Is(perr, refused) || len(lost) != 1 || lost[0].Op != "op-1" {
			t.Errorf("published %+v, %v, told %+v; the reset: %v", done, perr, lost, err)
		}
	})
}

// What a person has staged is no reset, even if it is an earlier version.
func TestAStagedEarlierVersionStays(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		w.write("a.md", "text\n")
		w.sh("git add . && git commit -qm 1")
		r, state := w.open(plumbing)
		r.patience = time.Millisecond
		w.publish(r, state, newCommit("op-1", create("b.md", "text\n")))
		w.sh("git rm -q --cached b.md")
		c := newCommit("op-2", create("c.md", "text\n"))
		c.Rewound = func(lost []vault.Revision) error { return fmt.Errorf("lost %+v", lost) }
		done := w.publish(r, state, c)
		if got := w.sh("git diff --cached --name-status"); got != "D\tb.md\n" {
			t.Errorf("staged %q, published %+v", got, done)
		}
	})
}

// The reflog tells what a person asked for from what came too late.
func TestRewound(t *testing.T) {
	for _, row := range []struct{ name, line, want string }{
		{"nothing happened", "true", ""},
		{"a late reset", "git update-ref -m 'reset: moving to HEAD' HEAD HEAD~2", "op-1 op-2"},
		{"one of the last only", "git update-ref -m 'reset: moving to HEAD' HEAD HEAD~1", "op-2"},
		{"written with an at sign", "git update-ref -m 'reset: moving to @' HEAD HEAD~1", "op-2"},
		{"a late reset to the parent", "git update-ref -m 'reset: moving to HEAD~1' HEAD HEAD~2", "op-2"},
		{"a reset of a person", "git reset -q --hard HEAD~2", ""},
		{"a reset to a commit", "git reset -q --hard $(git rev-parse HEAD~2)", ""},
		{"another branch", "git switch -qc other HEAD~2", ""},
		{"an amended commit", "git commit -q --amend -m mine", ""},
		{"a late reset, and then a commit", "git update-ref -m 'reset: moving to HEAD' HEAD HEAD~2; git reset -q; git commit -qm mine --allow-empty", "op-1 op-2"},
		{"a late reset that was taken back", "git update-ref -m 'reset: moving to HEAD' HEAD HEAD~2; git reset -q HEAD@{1}", ""},
		{"two late resets", "git update-ref -m 'reset: moving to HEAD' HEAD HEAD~1; git update-ref -m 'reset: moving to HEAD' HEAD HEAD~1", "op-2 op-1"},
		{"without reflogs", "rm -r .git/logs; git update-ref refs/heads/main HEAD~2", ""},
		{"a log that was written anew", "git reflog expire --expire=now --all; git update-ref -m 'reset: moving to HEAD' HEAD HEAD~2", "op-1 op-2"},
		{"in the middle of a merge", "git update-ref -m 'reset: moving to HEAD' HEAD HEAD~2; touch .git/MERGE_HEAD", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.write("a.md", "text\n")
			w.sh("git add . && git commit -qm 1")
			r, state := w.open(false)
			for _, op := range []string{"op-1", "op-2"} {
				c := newCommit(op, create(op+".md", op+"\n"))
				c.Message = "memory: add\n\nCp-Op: " + op
				w.publish(r, state, c)
			}
			w.sh(row.line)
			for remakes, want := range map[bool]string{true: row.want, false: ""} {
				lost, err := r.Rewound(context.Background(), state, func(string) bool { return remakes })
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, rev := range lost {
					got = append(got, rev.Op)
				}
				if strings.Join(got, " ") != want {
					t.Errorf("can be made again: %v: got %q, want %q", remakes, got, want)
				}
			}
		})
	}
}
