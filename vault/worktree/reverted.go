package worktree

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree/files"
	"github.com/cp-memory/cp/vault/worktree/operation"
)

// A git merge that fails may put index and files back over a write that came in
// between (see [Repo.Reverted]). HEAD has that write, so nothing is committed: the
// files become what HEAD makes of them, with what a person has typed since, and
// then the index. Both is found as it was by the next look until it is done.

// Reverted returns the operations whose files are staged as they were before.
func (s *Store) Reverted(ctx context.Context) (vault.Reversal, error) {
	if s.repo == nil {
		return vault.Reversal{}, nil
	}
	back, err := s.repo.Reverted(ctx, s.state, s.kept)
	if len(back.Ops) > 0 {
		words := []string{"git -C", files.Quote(s.top), "restore --source=HEAD --staged --worktree --"}
		for _, f := range back.Files {
			words = append(words, files.Quote(f.Path))
		}
		back.Fix = strings.Join(words, " ")
	}
	return back, err
}

// kept returns when an operation whose intent is put aside was begun and done.
func (s *Store) kept(op string) (begun, done time.Time) {
	var st unix.Stat_t
	at, ok := operation.Moment(op)
	if !ok || unix.Lstat(s.doneFile(op), &st) != nil {
		return begun, done
	}
	return at, time.Unix(0, st.Ctim.Nano())
}

// unrevert puts back what a merge has reverted, and tells of what only looks so.
func (s *Store) unrevert(ctx context.Context) error {
	back, err := s.Reverted(ctx)
	if err != nil || len(back.Ops) == 0 {
		return err
	}
	why := ""
	if back.ByMerge {
		if err = s.replace(ctx, back); err == nil {
			s.notes = append(s.notes, fmt.Sprintf("a git merge that failed had taken back %q in files and index; it is there again", back.Ops[len(back.Ops)-1].Subject))
			return nil
		}
		why = " (" + err.Error() + ")"
	}
	s.notes = append(s.notes, fmt.Sprintf("%v%s; unless you mean that: %s (which drops what was typed into them since)", back, why, back.Fix))
	return nil
}

// replace makes files and index what HEAD has.
func (s *Store) replace(ctx context.Context, back vault.Reversal) error {
	head, err := s.repo.Head(ctx)
	if err != nil {
		return err
	}
	c := &vault.Change{Verb: "restage"}
	for _, f := range back.Files {
		c.Edits = append(c.Edits, vault.Edit{Path: vault.Path(f.Path), Taken: &f.Taken, Outside: true})
	}
	in, err := s.plan(ctx, c, head)
	if err != nil {
		return err
	}
	in.Back = true
	if err := s.journal(in); err != nil {
		return s.writeError(err)
	}
	r := s.newRun(ctx, in)
	defer r.close()
	for _, step := range []func() error{r.write, r.publish} {
		if err := step(); err != nil {
			return errors.Join(err, r.undo())
		}
	}
	if err := r.clear(); err != nil {
		return err
	}
	return s.forget(in.Op)
}

// restage is the publication of an intent that says Back.
func (r *run) restage() error {
	files := make([]vault.Difference, len(r.in.Edits))
	for i := range r.in.Edits {
		files[i] = vault.Difference{Path: string(r.in.Edits[i].Path), Taken: *r.in.Edits[i].Taken}
	}
	return r.s.repo.Restage(r.ctx, r.s.state, files)
}
