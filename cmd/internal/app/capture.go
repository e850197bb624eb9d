package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// Capture is an entry with the commit that it tells of, as a person names it.
type Capture struct {
	journal.Capture
	Revision *string // nil means the newest commit of work in the repository in which the program was called
}

// Captured is the outcome of Capture in the shape that programs get.
type Captured struct {
	Success bool             `json:"success"`
	Memory  journal.Captured `json:"memory"`
	Indexed bool             `json:"indexed"` // recall and search find it already
	Warning string           `json:"warning,omitempty"`

	Busy string `json:"-"` // what is under way in the repository, where the entry waits in the outbox
	vault.Warned
}

// Capture writes an entry of the journal. An index that cannot be written is no failure:
// the entry is in a commit, and the next command indexes it.
func (s *Session) Capture(ctx context.Context, o Capture) (Captured, error) {
	commit, err := s.Anchor(ctx, o.Revision)
	if err != nil {
		return Captured{}, err
	}
	o.Commit = commit
	if err := s.BindNew(ctx, &o.New); err != nil {
		return Captured{}, err
	}
	c, err := o.Do(ctx, s.Vault)
	if err != nil {
		return Captured{}, err
	}
	return s.tellCaptured(ctx, c)
}

// tellCaptured tells of an entry that was written, or waits.
func (s *Session) tellCaptured(ctx context.Context, c journal.Captured) (Captured, error) {
	out := Captured{Success: true, Memory: c, Indexed: c.Behind == nil && !c.Queued, Warned: c.Warned}
	switch {
	case c.Queued:
		head, err := s.Store.Head(ctx)
		out.Busy = head.Busy
		return out, err
	case c.Behind != nil:
		out.Warning = "stored, but not indexed yet: " + c.Behind.Error()
		out.Warnings = append(out.Warnings, out.Warning)
	}
	return out, nil
}

// Anchor returns the full id of a commit of the repository in which the program was called.
// Without a revision it is that of the newest work, or none. A revision never reaches git as
// an option.
func (s *Session) Anchor(ctx context.Context, revision *string) (string, error) {
	top, err := s.app.GitTop(s.app.Dir)
	switch {
	case vault.CodeOf(err) == vault.CodeNoGit && revision == nil:
		return "", nil
	case err != nil:
		return "", err
	case revision == nil:
		return s.app.Work(ctx, top, s.IsWork(top))
	case *revision == "":
		return "", vault.Errorf(vault.CodeInvalid, "name a commit, or leave the flag out for the newest commit of work", "--commit needs a revision")
	}
	id, err := s.resolveCommit(ctx, top, *revision)
	switch {
	case err != nil && *revision == "HEAD":
		return "", vault.Errorf(vault.CodeInvalid, "Create at least one commit first", "Cannot capture memory: no commits exist")
	case err != nil || !vault.IsCommit(id): // of ^HEAD git says ^ and the id
		return "", vault.Errorf(vault.CodeNotFound, "`git log` shows the commits", "'%s' is no commit of this repository", vault.Clip(*revision, 80))
	}
	return id, nil
}

func (s *Session) resolveCommit(ctx context.Context, top, revision string) (string, error) {
	return s.app.Git(ctx, top, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
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
	return func(path string) bool {
		switch {
		case path == ".cp.yaml":
			return false
		case err != nil || strings.HasPrefix(within, "../"):
			return true
		case within == "./":
			return !strings.HasPrefix(path, ".cp/") && (!vault.Path(path).IsMarkdown() || slices.Contains(s.Others, path))
		}
		return !strings.HasPrefix(path, within)
	}
}

// Awareness is what an agent is told when it starts: one line of what there is to recall.
type Awareness struct {
	journal.Tally
	Line  string `json:"line"`            // empty where there is nothing
	Stale int    `json:"stale,omitempty"` // memories about code that has changed
}

// HasIndex reports whether the vault has an index: awareness never makes one.
func (s *Session) HasIndex() bool {
	_, err := os.Stat(filepath.Join(s.Root, ".cp", "index.db"))
	return err == nil
}
