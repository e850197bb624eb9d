package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// A write is missing if a file that it made or changed is, in HEAD, as it was before the
// write, and no commit of ours took it there. Two git processes tell that for any number of
// writes; they run only if somebody else has moved the branch, and compare only what that
// has changed.

// LastPublication returns the last publication.
func (r *Repo) LastPublication(state string) (vault.Acknowledged, error) {
	c, err := readCAS(state)
	return vault.Acknowledged{Op: c.Op, Ref: c.Ref, Before: c.Old, Commit: c.New}, plumb.IOError(err)
}

// Missing returns those of the writes whose results are there no more at the end of a span,
// though they were at its beginning.
func (r *Repo) Missing(ctx context.Context, state string, ops []vault.Acknowledged, since vault.Span, times Times) (lost []vault.Loss, err error) {
	if len(since.Files) == 0 {
		return nil, nil
	}
	steps, err := r.readWrites(ctx, ops, since.From)
	if err != nil {
		return nil, nil // the commit is gone: nothing can be said
	}
	m := &missing{Repo: r, look: newLook(steps), ctx: ctx, since: since}
	for _, d := range since.Files {
		m.now[d.Path] = entryOf(d.IntoMode, d.Into)
	}
	_, merged := r.takenByMerge(m.look, state, times)
	for _, back := range m.findUndone(func(string) bool { return true }) {
		l, ok, err := m.loss(back)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if slices.ContainsFunc(merged, func(by takenBack) bool { return by.step == back.step }) {
			l.ByMerge, err = m.byAccident(l.By)
		}
		if err != nil {
			return nil, err
		}
		// Of one that was made twice the later commit is told.
		lost = append(slices.DeleteFunc(lost, func(o vault.Loss) bool { return o.Op == l.Op }), l)
	}
	return lost, nil
}

// missing is a look at HEAD.
type missing struct {
	*Repo
	look
	ctx   context.Context
	since vault.Span
}

// loss says of a step that is undone who did it; false if it was one of our commits, or
// if its files have only moved.
func (m *missing) loss(back takenBack) (l vault.Loss, ok bool, err error) {
	l = vault.Loss{Revision: m.steps[back.step].Revision, OnDisk: true}
	args := []string{"--full-history", m.since.To, "^" + m.since.From, "--"}
	for _, f := range back.files {
		args = append(args, f.Path)
		l.OnDisk = l.OnDisk && m.isOnDisk(f)
	}
	ours := false
	err = m.Revisions(m.ctx, args, func(rev vault.Revision) bool {
		if ours = rev.Op != "" && rev.Op != l.Op; l.By.Commit == "" {
			l.By = rev
		}
		return !ours
	})
	if err != nil || ours {
		return l, false, err
	}
	moved, err := m.isRenamed(m.ctx, m.look, []takenBack{back}, "diff-tree", "-r", m.since.From, m.since.To)
	return l, !moved, err
}

// isOnDisk reports whether a file that HEAD has as it was before a write has on disk what the
// write or somebody after it made.
func (m *missing) isOnDisk(f vault.Difference) bool {
	b, err := os.ReadFile(filepath.Join(m.Top(), filepath.FromSlash(f.Path)))
	if errors.Is(err, fs.ErrNotExist) {
		return f.Into == "" && m.now[f.Path] != object.Entry{}
	}
	return err == nil && m.BlobID(b) != m.now[f.Path].ID
}

// byAccident reports whether a commit of what a failed merge had put back was no wish: one
// that says what it reverts is.
func (m *missing) byAccident(by vault.Revision) (bool, error) {
	if by.Commit == "" {
		return false, nil
	}
	said, err := m.Run(m.ctx, nil, "log", "-1", "--format=%B", by.Commit)
	return err == nil && !strings.Contains(string(said), "This reverts commit"), err
}
