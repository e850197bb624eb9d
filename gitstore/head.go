package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/vault"
)

// underway are the files that git keeps in the git directory while something
// is going on, and its name; the first that is there counts.
var underway = [...]struct{ file, name string }{
	{"rebase-merge", "rebase"},
	{"rebase-apply/applying", "am"},
	{"rebase-apply", "rebase"},
	{"MERGE_HEAD", "merge"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"sequencer/todo", "cherry-pick"},
	{"BISECT_LOG", "bisect"},
}

// Head reads where HEAD stands and what is under way. It runs no process,
// unless refs are kept in a reftable.
func (r *Repo) Head(ctx context.Context) (vault.Head, error) {
	ref, commit, err := r.refs().head(ctx)
	if err != nil {
		return vault.Head{}, err
	}
	head := vault.Head{Commit: commit, Branch: ref}
	for _, u := range underway {
		if _, err := os.Lstat(filepath.Join(r.GitDir(), u.file)); err == nil {
			head.Busy = u.name
			return head, nil
		}
	}
	switch {
	case !strings.HasPrefix(ref, "refs/heads/"):
		head.Busy = "detached HEAD"
	case r.hasConflicts():
		head.Busy = "unmerged index"
	}
	return head, nil
}

// Tip returns Head's commit alone.
func (r *Repo) Tip(ctx context.Context) (string, error) {
	_, commit, err := r.refs().head(ctx)
	return commit, err
}

// busy returns the refusal to write while something is under way.
func busy(what string) error {
	e := vault.Standstill(what)
	e.Msg = "the repository is busy (" + what + "): " + e.Msg
	return e
}

// indexFile returns the path of this work tree's index.
func (r *Repo) indexFile() string { return filepath.Join(r.GitDir(), "index") }

// indexID identifies the index as it now is.
func (r *Repo) indexID() (gitindex.FileID, error) { return gitindex.Identify(r.indexFile()) }

// survey looks at the index, and remembers what it saw.
func (r *Repo) survey() (*gitindex.Survey, error) {
	s, err := gitindex.Look(r.indexFile(), r.IDs.Len()/2, r.surveyed.Load())
	if err == nil {
		r.surveyed.Store(s)
	}
	return s, err
}

// hasConflicts reports whether the index has conflicts.
func (r *Repo) hasConflicts() bool {
	s, err := r.survey()
	return err == nil && s.Conflict
}
