package worktree

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/remake"
)

// shelf keeps the intents of finished writes, which git may take back.
func (s *Store) shelf() remake.Shelf {
	below := s.prefix
	if below != "" {
		below += "/"
	}
	return remake.Shelf{Dir: s.tx(), State: s.state, Top: s.top, Vault: below, Repo: s.repo.Takebacks, Hook: maker{s}, Now: s.now, Refs: s.repo.Branch}
}

// FindReversal returns the operations whose files are staged as they were before.
func (s *Store) FindReversal(ctx context.Context) (vault.Reversal, error) {
	if s.repo == nil {
		return vault.Reversal{}, nil
	}
	return s.shelf().FindStaged(ctx)
}

// Remake serves commands that only read. A holder of the lock does the same under its
// lock.
func (s *Store) Remake(ctx context.Context) bool {
	if s.repo == nil || !s.shelf().IsNeeded(ctx) {
		return false
	}
	unlock, err := s.quickly().Lock(ctx, "recover") // whoever commits with s has its notes
	if err != nil {
		return false
	}
	unlock()
	return true
}

// These end a publication before which something is to be put right.
var (
	errRewound  = errors.New("a git reset took operations from the branch")
	errReverted = errors.New("a git merge that failed took operations from the index")
)

// noteRewound is called with the operations that a late git reset took from the branch.
func (r *run) noteRewound(lost []vault.Revision) error {
	shelf := r.s.shelf()
	r.lost = slices.DeleteFunc(lost, func(rev vault.Revision) bool { return !shelf.Can(rev.Op) })
	if len(r.lost) > 0 {
		return errRewound
	}
	return nil
}

// checkReverted is called where a failed merge may have taken operations from the index. What
// cannot be put back has been told by then, and stops no write.
func (r *run) checkReverted(ctx context.Context) error {
	if back, err := r.s.shelf().FindStaged(ctx); err != nil || !back.ByMerge || r.putBacks == rewinds {
		return err
	}
	r.putBacks++
	return errReverted
}

// putRight deals with what ended a publication, and reports whether it is to be tried again.
func (r *run) putRight(cause error) (again bool, err error) {
	switch {
	case errors.Is(cause, errRewound):
		if err := r.s.keepNotes(r.s.shelf().Take(r.ctx, r.lost)); err != nil {
			return false, err
		}
		return true, r.s.finishAll(r.ctx, r.in.Op)
	case errors.Is(cause, errReverted):
		return true, r.s.keepNotes(r.s.shelf().PutBackReverted(r.ctx))
	}
	return false, cause
}

// CountSpent counts the intents on the shelf that are kept no longer: the next holder of the
// lock removes them.
func (s *Store) CountSpent() int { return remake.Spent(s.tx(), s.now()) }

// maker makes again what git took back: it is the [remake.Hook].
type maker struct{ s *Store }

// Restore puts the hand-made files of an intent back.
func (m maker) Restore(ctx context.Context, rev vault.Revision, intent []byte) error {
	in, ok := decodeIntent(intent)
	if !ok {
		return nil // the next look drops it
	}
	s, r := m.s, m.s.newRun(ctx, in)
	defer r.closeBlobs()
	for _, e := range in.Edits {
		at := s.abs(e.Path, e.Outside)
		if !e.Adopt || e.Before == "" || files.Present(at) || e.To != "" && files.Present(s.abs(e.To, e.Outside)) {
			continue
		}
		text, err := s.repo.ReadAt(ctx, rev.Commit, string(s.inRepo(cmp.Or(e.To, e.Path), e.Outside)))
		if vault.CodeOf(err) == vault.CodeNotFound {
			continue
		}
		if err == nil {
			err = r.putFile(at, text)
		}
		if err != nil {
			return err
		}
	}
	return r.sync()
}

// Anew writes an intent down again. History that was taken over is not taken over twice,
// and what came back once and is gone again was a person's wish.
func (m maker) Anew(intent []byte, head string) (bool, error) {
	in, ok := decodeIntent(intent)
	if !ok || in.Join != nil || in.Anew != "" {
		return false, nil
	}
	in.Anew = head
	return true, m.s.journal(in)
}

// Replace makes files and index what HEAD has.
func (m maker) Replace(ctx context.Context, back vault.Reversal) error {
	head, err := m.s.repo.Head(ctx)
	if err != nil {
		return err
	}
	c := &vault.Change{Verb: "restage"}
	for _, f := range back.Files {
		c.Edits = append(c.Edits, vault.Edit{Path: vault.Path(f.Path), Taken: &f.Taken, Outside: true})
	}
	in, err := m.s.plan(ctx, c, head)
	if err != nil {
		return err
	}
	in.Back = true
	if err := m.s.journal(in); err != nil {
		return m.s.writeError(err)
	}
	r := m.s.newRun(ctx, in)
	defer r.closeBlobs()
	for _, step := range []func() error{r.writeBeforeCommit, r.publish} {
		if err := step(); err != nil {
			return errors.Join(err, r.undo())
		}
	}
	if err := r.clear(); err != nil {
		return err
	}
	return m.s.forget(in.Op)
}

// restage is the publication of an intent that says Back.
func (r *run) restage() error {
	files := make([]vault.Difference, len(r.in.Edits))
	for i, e := range r.in.Edits {
		files[i] = vault.Difference{Path: string(e.Path), Taken: *e.Taken}
	}
	return r.s.repo.Restage(r.ctx, r.s.state, files)
}
