package app

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Commits are the commits of a work tree of the code.
type Commits interface {
	// NewestWork returns the newest commit of the work tree top, by first parent from tip, else from HEAD,
	// that is no write of the program's and that changed a path which counts; none is empty.
	NewestWork(ctx context.Context, top, tip string, counts func(path string) bool) (header.Anchor, error)

	// FindCommit returns the commit that a revision names there.
	FindCommit(ctx context.Context, top, revision string) (header.Anchor, error)

	// ListRange returns the commits of a range like v1.1..v1.2.
	ListRange(ctx context.Context, top, expr string) (map[string]bool, error)

	// Follow returns what has become of the commits; known is what it said before.
	Follow(ctx context.Context, top string, known header.Successors, all []header.Anchor) (header.Successors, error)

	// Inspect tells of commits what is not seen from HEAD.
	Inspect(ctx context.Context, top string, ids []string) (header.Inspection, error)

	// IsShared reports whether two work trees are of one repository.
	IsShared(top, other string) bool
}

// Anchor returns a commit of the code, see CodeTop. Without a revision it is that of the newest work,
// or none.
func (s *Session) Anchor(ctx context.Context, revision *string) (header.Anchor, error) {
	top, err := s.CodeTop()
	return s.AnchorIn(ctx, top, err, revision)
}

// AnchorIn is Anchor in the work tree top, with the error of who looked for it.
func (s *Session) AnchorIn(ctx context.Context, top string, err error, revision *string) (a header.Anchor, _ error) {
	switch {
	case vault.CodeOf(err) == vault.CodeNoGit && revision == nil:
		return a, nil
	case err != nil:
		return a, err
	case revision == nil:
		return s.app.Commits.NewestWork(ctx, top, "", s.IsWork(top))
	case *revision == "":
		return a, vault.Errorf(vault.CodeInvalid, "name a commit, or leave the flag out for the newest commit of work", "--commit needs a revision")
	}
	a, err = s.app.Commits.FindCommit(ctx, top, *revision)
	if vault.CodeOf(err) == vault.CodeNotFound && *revision == "HEAD" {
		err = vault.Errorf(vault.CodeInvalid, "Create at least one commit first", "Cannot capture memory: no commits exist")
	}
	return a, err
}

// CodeTop returns the top of the code that the vault is kept for, of its work trees the one in which the
// program was called. Where nothing says which code that is, it is that in which the program was called.
func (s *Session) CodeTop() (string, error) {
	here, lost := s.app.GitTop(s.app.Dir)
	code, err := s.codeTop()
	switch {
	case err != nil && lost == nil, err == nil && code == s.Root && lost == nil:
		return here, nil
	case err == nil && lost == nil && here != s.Root && here != code && s.app.Commits.IsShared(here, code):
		return here, nil
	}
	return code, err
}

// WorkTop returns the top of the work tree of the code: that in which the program was called, and from
// within a vault that has a work tree of its own, that of the code it is kept for.
func (s *Session) WorkTop() (string, error) {
	top, err := s.app.GitTop(s.app.Dir)
	if err == nil && top != s.Root {
		return top, nil
	}
	if code, failed := s.codeTop(); failed == nil {
		return code, nil
	}
	return top, err
}

// IsWork returns a function that reports whether a path from the top of a repository is that
// of a file outside the vault. A vault at the top has the Markdown files and what is the
// program's own.
func (s *Session) IsWork(top string) func(path string) bool {
	root := s.Root
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(top, root)
	within := filepath.ToSlash(rel) + "/"
	return func(name string) bool {
		switch {
		case path.Base(name) == ".cp.yaml":
			return false
		case err != nil || strings.HasPrefix(within, "../"):
			return true
		case within == "./":
			return !strings.HasPrefix(name, ".cp/") && (!vault.Path(name).IsMarkdown() || slices.Contains(s.Others, name))
		}
		return !strings.HasPrefix(name, within)
	}
}
