package worktree_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// told lets the next command begin, and returns what it has to tell.
func (w *sandbox) told() string {
	w.Helper()
	w.reopen()
	notes, err := w.store.Recover(context.Background())
	must(w, err)
	return strings.Join(notes, "\n")
}

// sh runs a line of shell in the vault.
func (w *sandbox) sh(line string) {
	w.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = w.root
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("%s: %v\n%s", line, err, out)
	}
}

var (
	missingParent = []string{"a.md", memory("pf-a", "a"), "c.md", memory("pf-c", "c"), "d.md", "d\n"}
	appended      = &vault.Change{Verb: "update", ID: "pf-c", Title: "c", Edits: []vault.Edit{{Path: "c.md", Steps: []vault.Step{{Op: vault.OpAppend, Text: "more"}}}}}
	dropped       = &vault.Change{Verb: "delete", ID: "pf-c", Title: "c", Edits: []vault.Edit{{Path: "c.md", Remove: true}}}
)

// What a person's git takes from the branch stays away, and is told of once, with the way
// back.
func TestWhatAPersonTakesBackIsToldOnce(t *testing.T) {
	for _, row := range []struct {
		name  string
		write *vault.Change
		do    string
		want  string // in what is told
	}{
		{"a reverting commit", appended, "git revert --no-edit HEAD", "cp memory restore pf-c"},
		{"an earlier version that is committed", appended, "git checkout -q HEAD~ -- c.md && git commit -qm mine", "cp memory restore pf-c"},
		{"a removal", addSub("pf-b"), "git rm -q a/pf-b.md && git commit -qm mine", "cp memory restore pf-b"},
		{"a removal of what was changed", appended, "git rm -q c.md && git commit -qm mine", "cp memory restore pf-c"},
		{"a removal that leaves the file", addSub("pf-b"), "git rm -q --cached a/pf-b.md && git commit -qm mine", "its text is on disk"},
		{"a reset", addSub("pf-b"), "git reset -q --hard HEAD~1", "cp memory restore pf-b"},
		{"a reset, and a commit", addSub("pf-b"), "git reset -q --hard HEAD~1 && echo x >>d.md && git commit -qam mine", "cp memory restore pf-b"},
		{"a dropped commit", appended, "echo x >>d.md && git commit -qam mine && git rebase -q --onto HEAD~2 HEAD~1", "cp memory restore pf-c"},
		{"a deletion that comes back", dropped, "git revert --no-edit HEAD", "cp memory delete pf-c"},
		{"another branch, and back", appended, "git checkout -q -b x HEAD~ && git branch -f main x && git checkout -q main", "cp memory restore pf-c"},
		{"a commit by the command line alone", appended, "git update-ref refs/heads/main HEAD~ && git reset -q --hard", "cp memory restore pf-c"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, sub := range []string{"", "memory"} {
				w := newSandbox(t, sub, missingParent...)
				commit := w.done(row.write).Commit
				w.sh(row.do)
				head, status := w.git("rev-parse", "HEAD"), w.git("status", "--porcelain")
				first := w.told()
				if !strings.Contains(first, row.want) || strings.Contains(row.want, "restore") && !strings.Contains(first, commit[:10]) || strings.Count(first, "\n") > 0 {
					t.Errorf("told %q, want %q", first, row.want)
				}
				w.want("told again", w.told(), "")
				w.want("HEAD", w.git("rev-parse", "HEAD"), head)
				w.want("status", w.git("status", "--porcelain"), status)
				w.done(&vault.Change{Verb: "update", ID: "pf-a", Edits: []vault.Edit{{Path: "a.md", Steps: []vault.Step{{Op: vault.OpAppend, Text: "later"}}}}})
				w.want("told after a write", w.told(), "")
			}
		})
	}
}

// A parent that somebody's commit deletes, and what is left below it, is told once.
func TestWhatHasLostItsParentIsTold(t *testing.T) {
	testlevel.Check(t)
	for name, row := range map[string]struct{ do, want string }{
		"a parent":                    {"git rm -q a.md && git commit -qm mine", "a.md was deleted by a commit without what lies below it (1 memory)"},
		"a parent, and more commits":  {"git rm -q a.md && git commit -qm mine && echo x >>d.md && git commit -qam more", "cp memory restore a.md"},
		"with what lies below":        {"git rm -rq a.md a && git commit -qm mine", ""},
		"one that has nothing below":  {"git rm -q d.md && git commit -qm mine", ""},
		"a moved one":                 {"git mv a.md z.md && git commit -qm mine", ""},
		"one that stands on the disk": {"git rm -q --cached a.md && git commit -qm mine", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, sub := range []string{"", "memory"} {
				w := newSandbox(t, sub, append(slices.Clone(missingParent), "a/e.md", memory("pf-e", "e"))...)
				w.done(appended)
				w.sh(row.do)
				if told := w.told(); !strings.Contains(told, row.want) || row.want == "" && strings.Contains(told, "below it") {
					t.Errorf("told %q, want %q", told, row.want)
				}
				w.want("told again", w.told(), "")
			}
		})
	}
}

// Nothing is told where the result stands, wherever it is, or where cp took it away.
func TestWhatStandsIsNotMissing(t *testing.T) {
	testlevel.Check(t)
	for name, do := range map[string]string{
		"nothing":                    "true",
		"a commit of something else": "echo x >>d.md && git commit -qam mine",
		"words of a person's":        "sed -i s/^more$/most/ c.md && git commit -qam mine",
		"an amended commit":          "git commit -q --amend -m mine",
		"a rebased commit":           "git checkout -q -b x HEAD~ && git commit -q --allow-empty -m x && git checkout -q main && git rebase -q x",
		"a moved file":               "mkdir z && git mv c.md z/c.md && git commit -qm mine",
		"a merge":                    "git checkout -q -b x HEAD~ && echo x >>d.md && git commit -qam x && git checkout -q main && git merge -q --no-edit x",
		"a merge the other way":      "git checkout -q -b x HEAD~ && echo x >>d.md && git commit -qam x && git merge -q --no-edit main && git checkout -q main && git merge -q x",
		"another branch":             "git checkout -q -b x HEAD~",
		"a detached HEAD":            "git checkout -q --detach HEAD~",
		"what a commit of ours did":  "git revert --no-edit HEAD && git commit -q --amend -m undo -m 'Cp-Op: 20261102T140247.120-k3v9q2m1'",
	} {
		t.Run(name, func(t *testing.T) {
			w := newSandbox(t, "", missingParent...)
			w.done(appended)
			w.sh(do)
			w.want("told", w.told(), "")
			w.want("told again", w.told(), "")
		})
	}
	w := newSandbox(t, "", missingParent...)
	w.done(appended)
	w.done(dropped)
	w.sh("echo x >>d.md && git commit -qam mine")
	w.want("told of what was deleted", w.told(), "")
}

// A git merge that fails puts index and files back to before a write, and git commit -a
// commits that. Nobody asked for it: the write comes back, with what was committed since.
func TestWhatAFailedMergeAndACommitTookComesBack(t *testing.T) {
	testlevel.Check(t)
	const fails = "git update-ref ORIG_HEAD $WAS && git read-tree --reset -u $WAS && "
	for _, row := range []struct {
		name   string
		writes []*vault.Change
		do     string
		back   bool
	}{
		{"a new memory", []*vault.Change{addSub("pf-b")}, fails + "git commit -qam mine", true},
		{"an append", []*vault.Change{appended}, fails + "git commit -qam mine", true},
		{"two", []*vault.Change{addSub("pf-b"), appended}, fails + "git commit -qam mine", true},
		{"a deletion", []*vault.Change{dropped}, fails + "git commit -qam mine", true},
		{"with something else", []*vault.Change{appended}, fails + "echo x >>d.md && git commit -qam mine", true},
		{"with more commits", []*vault.Change{appended}, fails + "git commit -qam mine && echo x >>d.md && git commit -qam more", true},
		{"HEAD could not be moved: the files are there", []*vault.Change{addSub("pf-b")}, "git update-ref ORIG_HEAD $WAS && git read-tree $WAS && git commit -qm mine", true},
		{"a merge that applied a stash", []*vault.Change{appended}, "git read-tree --reset -u $WAS && GIT_REFLOG_ACTION='merge x' git reset -q && git commit -qam mine", true},
		{"a person's reverting commit", []*vault.Change{appended}, "git update-ref ORIG_HEAD $WAS && git revert --no-edit HEAD", false},
		{"a merge of long ago", []*vault.Change{appended}, fails + "git commit -qam mine && touch -d '1 minute ago' .git/ORIG_HEAD", false},
		{"a merge that began on the write", []*vault.Change{appended}, "git update-ref ORIG_HEAD HEAD && git checkout -q HEAD~ -- c.md && git commit -qm mine", false},
		{"a reset", []*vault.Change{appended}, "git reset -q --hard $WAS", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w, ideal := newSandbox(t, "", missingParent...), newSandbox(t, "", missingParent...)
			was := w.git("rev-parse", "HEAD")
			for _, c := range row.writes {
				w.done(c)
				ideal.done(c)
			}
			w.sh("WAS=" + was + "; " + row.do)
			told := w.told()
			if strings.Contains(told, "it is made again") != row.back {
				t.Errorf("told %q", told)
			}
			w.want("told again", w.told(), "")
			if !row.back {
				return
			}
			for _, name := range []string{"a.md", "a/pf-b.md", "c.md"} {
				w.want(name, w.text(name), ideal.text(name))
				w.want(name+" in HEAD", w.committed(name), ideal.committed(name))
			}
			w.clean()
			w.sh("git read-tree --reset -u $(git log --format=%H --grep=^mine -1) && git commit -qm dropped --allow-empty")
			head := w.git("rev-parse", "HEAD")
			if told := w.told(); strings.Contains(told, "made again") {
				t.Errorf("a person has dropped it, and is told %q", told)
			}
			w.want("HEAD", w.git("rev-parse", "HEAD"), head)
		})
	}
}

// The ledger does not grow: the oldest entries go.
func TestTheLedgerIsBounded(t *testing.T) {
	w := newSandbox(t, "", missingParent...)
	for range 3 {
		w.done(appended)
	}
	name := filepath.Join(w.store.StateDir(), "ledger")
	b, err := os.ReadFile(name)
	must(t, err)
	must(t, os.WriteFile(name, []byte(strings.Repeat(string(b), 300)+"cut off"), 0o600))
	w.done(appended)
	b, err = os.ReadFile(name)
	must(t, err)
	if n := strings.Count(string(b), "\n"); n != 257 {
		t.Errorf("the ledger has %d lines", n)
	}
	w.want("told", w.told(), "")
}
