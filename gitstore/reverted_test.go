package gitstore

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// Which operations show as reversions in the index, and of which a merge that failed
// is to blame: ORIG_HEAD names the commit before them and was written just before.
func TestReverted(t *testing.T) {
	const (
		ops   = `op() { git add -A; git commit -qm "$1" -m "Cp-Op: $1"; }; git update-ref ORIG_HEAD HEAD; `
		one   = ops + "echo 1 >x; echo 1 >y; op one; "
		two   = one + "echo 2 >x; git rm -q z; op two; "
		reset = "git read-tree --reset -u start"
	)
	for _, row := range []struct {
		name, do string
		want     string // the operations and files
		merge    bool
	}{
		{"nothing", one, "", false},
		{"one", one + reset, "one: x y", true},
		{"the index alone", one + "git read-tree start", "one: x y", true},
		{"two", two + reset, "one two: x y z", true},
		{"the later of two", two + "git read-tree --reset -u HEAD~", "two: x z", false},
		{"a part of one", one + "git checkout -q start -- x", "one: x", true},
		{"a part of one, by no merge", one + "rm .git/ORIG_HEAD; git checkout -q start -- x", "", false},
		{"the earlier of two, of which the other has another file", one + "echo 2 >z; op two; git checkout -q start -- x; git rm -qf y", "one: x y", true},
		{"the same by no merge", one + "echo 2 >z; op two; rm .git/ORIG_HEAD; git checkout -q start -- x; git rm -qf y", "one: x y", false},
		{"the later of two, with a file of the earlier", two + "git checkout -q HEAD~ -- z; git checkout -q start -- x", "one two: x z", true},
		{"something else is staged", one + "echo 3 >x; git add x; git rm -qf y", "one: y", true},
		{"a person's commit above it", one + "echo 3 >w; git add w; git commit -qm by-hand;" + reset + "; git checkout -q HEAD -- w", "one: x y", true},
		{"of a person's commit", "echo 1 >x; git commit -qam by-hand;" + reset, "", false},
		{"ORIG_HEAD was written long before", one + reset + "; touch -d '1 minute ago' .git/ORIG_HEAD", "one: x y", false},
		{"ORIG_HEAD was written a moment later", one + reset + "; touch -d '2 seconds' .git/ORIG_HEAD", "one: x y", true},
		{"ORIG_HEAD was written later", one + reset + "; touch -d '1 minute' .git/ORIG_HEAD", "one: x y", false},
		{"ORIG_HEAD names another commit", one + "git update-ref ORIG_HEAD HEAD;" + reset, "one: x y", false},
		{"ORIG_HEAD is not there", one + "rm .git/ORIG_HEAD;" + reset, "one: x y", false},
		{"a merge that is left half-way", one + reset + "; git rev-parse HEAD >.git/MERGE_HEAD", "one: x y", true},
		{"a merge that applied a stash", one + reset + "; GIT_REFLOG_ACTION='merge x' git reset -q; git read-tree start", "one: x y", true},
		{"the same, and the index stays at HEAD", one + reset + "; GIT_REFLOG_ACTION='merge x' git reset -q", "one: x y", true},
		{"a person's reset, and the index stays at HEAD", one + reset + "; git reset -q", "", false},
		{"a person's reset, and a checkout", one + "git reset -q; git read-tree start", "one: x y", false},
		{"a new file that was moved", ops + "rm .git/ORIG_HEAD; echo text that is long enough to be known again >n; op n; git mv n m", "", false},
		{"a new file that was removed", ops + "rm .git/ORIG_HEAD; echo text that is long enough to be known again >n; op n; git rm -q n", "n: n", false},
		{"a revert that a person began", one + reset + "; git rev-parse HEAD >.git/REVERT_HEAD", "", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, plumbing := range testlevel.Share(2, []bool{false, true}) {
				w := newWorld(t).init("")
				w.write("x", "0\n")
				w.write("z", "0\n")
				w.sh("git add . && git commit -qm 0 && git tag start")
				r, state := w.open(plumbing)
				begun := time.Now()
				w.sh(row.do)
				if err := (cas{Op: "an earlier one"}).replaceRecord(state); err != nil {
					t.Fatal(err)
				}
				kept := func(op string) (time.Time, time.Time) {
					if op == "" {
						return time.Time{}, time.Time{}
					}
					return begun, time.Now()
				}
				back, err := r.FindReversal(t.Context(), state, kept)
				if got := toldOf(back); err != nil || got != row.want || back.ByMerge != row.merge {
					t.Errorf("plumbing %v: got %q, by a merge %v, %v; want %q, %v", plumbing, got, back.ByMerge, err, row.want, row.merge)
				}
				if !row.merge {
					continue
				}
				for range 2 {
					if back, err = r.FindReversal(t.Context(), state, kept); err != nil || !back.ByMerge {
						t.Fatalf("not found again: %v, %v", back, err)
					}
					if err := r.Restage(t.Context(), state, back.Files); err != nil {
						t.Fatal(err)
					}
					for _, f := range back.Files {
						if left := w.sh("git diff --cached --name-only -- " + f.Path); left != "" {
							t.Errorf("staged after it was put back: %s", left)
						}
					}
					w.sh(reset)
				}
				if again, err := r.FindReversal(t.Context(), state, kept); err != nil || again.ByMerge {
					t.Errorf("put back three times: %v, %v", again, err)
				}
			}
		})
	}
}

func toldOf(back vault.Reversal) string {
	var ops, files []string
	for _, op := range back.Ops {
		ops = append(ops, op.Op)
	}
	for _, f := range back.Files {
		files = append(files, f.Path)
	}
	if ops == nil {
		return ""
	}
	slices.Sort(files)
	return strings.Join(ops, " ") + ": " + strings.Join(files, " ")
}
