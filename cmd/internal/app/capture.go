package app

import (
	"context"
	"os"
	"path/filepath"

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
	anchor, err := s.Anchor(ctx, o.Revision)
	if err != nil {
		return Captured{}, err
	}
	o.Anchor = anchor
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
