package vaultmap

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// archive is the past of a World. It has neither Diff nor Blame.
type archive struct {
	w *World
	past.Texts
}

// Resolve returns the id of a commit.
func (a archive) Resolve(_ context.Context, rev string) (string, error) {
	if c := a.w.at(rev); c != nil {
		return c.Commit, nil
	}
	return "", vault.Errorf(vault.CodeNotFound, "", "there is no commit %s", rev)
}

// Parent returns the commit before.
func (a archive) Parent(_ context.Context, rev string) (string, error) {
	if c := a.w.at(rev + "^"); c != nil {
		return c.Commit, nil
	}
	return "", nil
}

// Before returns the last commit that is not younger than t.
func (a archive) Before(_ context.Context, t time.Time) (string, error) {
	for _, c := range slices.Backward(a.w.commits) {
		if !c.Time.After(t) {
			return c.Commit, nil
		}
	}
	return "", nil
}

// Log calls fn for the commits of a query, the newest first.
func (a archive) Log(_ context.Context, q past.LogQuery, fn func(vault.Revision) bool) error {
	n, from := 0, a.w.at(cmp.Or(q.From, "HEAD"))
	for i, c := range slices.Backward(a.w.commits) {
		if from == nil || c.Commit > from.Commit {
			continue
		}
		touched := differing(a.w.before(i), c.files)
		if q.Path != "" && !slices.Contains(touched, q.Path) || c.Time.Before(q.Since) {
			continue
		}
		if n++; !fn(c.Revision) || n == q.Limit {
			return nil
		}
	}
	return nil
}

// ListTouched lists the files that differ between two commits. A file that came with
// the id of one that went has moved.
func (a archive) ListTouched(_ context.Context, from, to string) (all []past.Touch, err error) {
	was, is := a.files(from), a.files(to)
	moved := make(map[vault.Path]bool)
	for _, p := range differing(was, is) {
		old, had := was[p]
		now, has := is[p]
		t := past.Touch{Path: p, New: !had, Gone: !has}
		if had {
			t.Blob = blob(old)
		}
		if from := whence(was, is, now); !had && from != "" {
			t.New, t.From, moved[from] = false, from, true
		}
		all = append(all, t)
	}
	return slices.DeleteFunc(all, func(t past.Touch) bool { return moved[t.Path] }), nil
}

// whence returns the path of a file that went and carries the text's id.
func whence(was, is Files, text string) vault.Path {
	id := vault.Parse("", []byte(text)).ID
	for _, p := range slices.Sorted(maps.Keys(was)) {
		if _, stays := is[p]; !stays && id != "" && vault.Parse(p, []byte(was[p])).ID == id {
			return p
		}
	}
	return ""
}

func (a archive) files(rev string) Files { return a.w.At(rev) }

// FindFormerPath returns where a file was moved from.
func (a archive) FindFormerPath(_ context.Context, from, to string, p vault.Path) (vault.Path, error) {
	return whence(a.files(from), a.files(to), a.files(to)[p]), nil
}

// Seek returns the path of the file that carries the id in a commit.
func (a archive) Seek(_ context.Context, rev string, id vault.ID) (vault.Path, error) {
	return seek(a.files(rev), id), nil
}

func seek(files Files, id vault.ID) vault.Path {
	for _, p := range slices.Sorted(maps.Keys(files)) {
		if vault.Parse(p, []byte(files[p])).ID == id {
			return p
		}
	}
	return ""
}

// FindDeletion returns the newest commit that took the file with the id away.
func (a archive) FindDeletion(_ context.Context, _ string, id vault.ID) (string, vault.Path, error) {
	for i, c := range slices.Backward(a.w.commits) {
		if p := seek(a.w.before(i), id); p != "" && seek(c.files, id) == "" {
			return c.Commit, p, nil
		}
	}
	return "", "", vault.NotFound(string(id))
}

// Versions calls fn for those of the files that a commit has.
func (a archive) Versions(_ context.Context, rev string, files []past.Version, fn func(vault.Path, []byte) error) error {
	for _, f := range files {
		if text, ok := a.files(rev)[f.Path]; ok {
			if err := fn(f.Path, bytes.Clone([]byte(text))); err != nil {
				return err
			}
		}
	}
	return nil
}
