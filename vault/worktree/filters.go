package worktree

import (
	"context"
	"errors"

	"github.com/cp-memory/cp/vault"
)

// Git's attributes may name a filter or an encoding for a file, and that may refuse its text:
// a key is missing, a program is not installed. Git commits nothing of such a file, and so do
// we; whatever concerns other files goes on.

// convertible refuses the edits of files that git cannot convert, before anything is written
// down. A text that changes afterwards is refused when it is published, and the write undone.
func (s *Store) convertible(ctx context.Context, in *intent) error {
	var names []string
	for _, e := range in.Edits {
		for _, p := range []vault.Path{e.Path, e.To} {
			if p != "" {
				names = append(names, string(s.inRepo(p, e.Outside)))
			}
		}
	}
	if may, err := s.repo.MayRefuse(ctx, names); err != nil || !may {
		return err
	}
	r := s.newRun(ctx, in)
	defer r.closeBlobs()
	c, err := r.commit()
	if err != nil {
		return s.writeError(err)
	}
	return s.nameFilteredFiles(s.repo.Rehearse(ctx, c))
}

// nameFilteredFiles names the files of an error with CodeFilter as the vault does. Of several it
// shows the first, and its cause joins them all.
func (s *Store) nameFilteredFiles(err error) error {
	if vault.CodeOf(err) != vault.CodeFilter {
		return err
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, one := range several.Unwrap() {
			all = append(all, s.nameFilteredFiles(one))
		}
		if len(all) == 1 {
			return all[0]
		}
		return moreOf(all)
	}
	var e *vault.Error
	errors.As(err, &e)
	here := *e
	if p, ok := s.inVault(e.Path); ok {
		here.Path = string(p)
	}
	return &here
}

// moreOf returns the first error, and says how many there are.
func moreOf(all []error) error {
	var e *vault.Error
	errors.As(all[0], &e)
	first := *e
	first.Msg += "; and so it is with " + vault.Plural(len(all)-1, "file", "files") + " more"
	first.Err = errors.Join(all...)
	return &first
}
