package target

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Request says what a command is about, as it was typed. It is a value that nobody changes.
type Request struct {
	registry.About

	Verb   string   // the command's name
	Refs   []string // what it names
	Sought Sought   // what that is

	Door app.Door           // how the vault is entered and left
	Told func(vault.Tended) // what was finished on the way in; nil tells nobody

	// Hint says what whom it serves does to get at the project of a path; nil says --project.
	Hint func(path string) string

	// Open opens the current vault and Close takes a session back; nil leaves that to the program.
	Open  func(ctx context.Context) (*app.Session, error)
	Close func(*app.Session)
}

// Sought is what a command names.
type Sought int

// A memory; one that may be gone, so that the history is asked too; one, or a folder of the
// vault, with what lies below; a folder, wherever it lies, that is to get a memory; a text, or a
// memory, which the command itself looks for.
const (
	Memory Sought = iota
	Gone
	Subtree
	Folder
	Text
)

// Reads says which projects answer.
type Reads int

// The projects that answer: the one that a command is about, those below it as well, or all.
const (
	Family Reads = iota
	Own
	All
)

// Target is what a command is about.
type Target struct {
	*app.Session // of the vault, open

	Project family.Project // the vault's, or the part of it that new memories go to
	Reads   Reads
	Find    *registry.Finder // of the same command

	asked  Request
	moved  bool // the vault is not the current one
	finish func()
}

// Resolver finds what one command is about, and the sessions for it.
type Resolver struct {
	App  *app.App
	Find *registry.Finder // that was used before for the same command; nil makes one
}

// Do runs fn once in what the command is about. Where fn says that there is no such memory the
// error is explained, and where it has no error the vault is left as its door says.
func (r Resolver) Do(ctx context.Context, q Request, fn func(Target) error) error {
	t, err := r.Resolve(ctx, q)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := fn(t); err != nil {
		return t.Explain(ctx, err)
	}
	q.Door.Leave(ctx, t.Session)
	return nil
}

// Close takes the session back.
func (t Target) Close() { t.finish() }

// Resolve opens the vault that a command is about. The caller closes the target.
func (r Resolver) Resolve(ctx context.Context, q Request) (t Target, err error) {
	if t.Find = r.Find; t.Find == nil {
		t.Find = registry.New(r.App, q.About)
	}
	t.asked, t.Find = q, t.Find.For(q.About)
	if t.Session, err = r.openSession(ctx, q); err != nil {
		return t, err
	}
	t.finish = closing(r.App, q.Close, t.Session)
	q.Door.Enter(ctx, t.Session, q.reportTended)
	t.Find.NoteSeen(ctx, t.Settings)
	if t, err = t.findVault(ctx); err == nil {
		t.Project, err = t.placeInPart(ctx)
	}
	if err != nil {
		t.finish()
		return t, err
	}
	t.Reads = t.reads()
	return t, nil
}

func (r Resolver) openSession(ctx context.Context, q Request) (*app.Session, error) {
	if q.Open != nil {
		return q.Open(ctx)
	}
	return r.App.OpenBy(ctx, q.Flags)
}

// closing returns what takes a session back.
func closing(a *app.App, give func(*app.Session), s *app.Session) func() {
	if give == nil {
		give = a.Close
	}
	return func() { give(s) }
}

func (q Request) reportTended(t vault.Tended) {
	if q.Told != nil {
		q.Told(t)
	}
}

func (t Target) reads() Reads {
	switch {
	case t.Find.Exact(t.Settings):
		return Own
	case t.Find.Flags.Project == registry.All:
		return All
	}
	return Family
}
