package past

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/vault"
)

// Diff compares a memory's file on disk with an earlier version.
type Diff struct {
	Ref string
	Rev string // a commit, or a time as ParseSince reads it; empty is HEAD
}

// Diffed is the outcome of Diff.
type Diffed struct {
	ID     vault.ID   `json:"id"`
	Path   vault.Path `json:"path"`
	Commit string     `json:"commit"` // compared with
	From   vault.Path `json:"from"`   // the path it had there
	Text   string     `json:"diff"`   // in git's form; empty when nothing differs
}

// Diff tells what a memory's file on disk says that it did not say in a commit,
// wherever it lay there.
func (h *History) Diff(ctx context.Context, o Diff) (Diffed, error) {
	a, err := h.past()
	if err != nil {
		return Diffed{}, err
	}
	n, err := h.Locate(ctx, o.Ref)
	if err != nil {
		return Diffed{}, err
	}
	out := Diffed{ID: n.ID, Path: n.Path}
	if out.Commit, err = h.versionAt(ctx, a, cmp.Or(o.Rev, "HEAD"), n.ID); err != nil {
		return out, err
	}
	if out.From, err = h.pathAt(ctx, a, out.Commit, &n); err != nil {
		return out, err
	}
	out.Text, err = a.Diff(ctx, out.Commit, out.From, out.Path)
	return out, err
}

// At is a memory's file in a commit.
type At struct {
	ID     vault.ID
	Path   vault.Path // there
	Commit string
	Text   []byte
}

// FileAt returns a memory's file as it was in a commit, wherever it lay there. The error is
// CodeNotFound where it was not there.
func (h *History) FileAt(ctx context.Context, ref, rev string) (At, error) {
	a, err := h.past()
	if err != nil {
		return At{}, err
	}
	n, err := h.Locate(ctx, ref)
	if err != nil {
		return At{}, err
	}
	out := At{ID: n.ID}
	if out.Commit, err = h.versionAt(ctx, a, rev, n.ID); err != nil {
		return out, err
	}
	if out.Path, err = h.pathAt(ctx, a, out.Commit, &n); err != nil {
		return out, err
	}
	out.Text, err = h.Store.ReadAt(ctx, out.Commit, out.Path)
	return out, err
}
