package journal

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// SessionEnd keeps what was said last in a session: as a new entry, or as the text of the one
// that an earlier end of the session made. The Capture's ID has to be set; it is the session's.
// What an open entry of the journal says already is not written a second time, whichever session
// said it. An entry that somebody has closed or changed stays as it is: what the session says
// after that becomes an entry of its own, whose id follows from the first one's.
type SessionEnd struct{ Capture }

// Do keeps it. While the repository is busy it goes to the outbox.
func (o SessionEnd) Do(ctx context.Context, v *vault.Vault) error {
	o.Project = cmp.Or(o.Project, v.Part)
	_, _, err := vault.Do(ctx, v, o, vault.Options{Queue: true})
	return err
}

// Name is the verb's.
func (o SessionEnd) Name() string { return "session-end" }

// Plan writes the entry, or the new text of the one that is there, or nothing.
func (o SessionEnd) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return vault.Delivered{}, err
	}
	own, err := o.openOwn(ctx, tx)
	if err != nil {
		return vault.Delivered{}, err
	}
	if own == nil || !o.isSaidBy(own) {
		said, err := o.findSaid(ctx, tx)
		if err != nil {
			return vault.Delivered{}, err
		}
		own = cmp.Or(said, own)
	}
	switch {
	case own == nil:
		return (&queued{o.Capture}).Plan(ctx, tx)
	case o.isSaidBy(own):
		return vault.Delivered{ID: own.ID, Title: own.Mem.Title, Path: own.Path}, nil
	}
	a, err := tree.Amend{Ref: string(own.ID), Title: &o.Title, Body: &o.Body}.Plan(ctx, tx)
	return vault.Delivered{ID: own.ID, Title: o.Title, Path: a.Path, Warned: a.Warned}, err
}

// openOwn opens the session's entry, which says the same or may be amended. It leaves the ID of the
// entry to be written where there is none.
func (o *SessionEnd) openOwn(ctx context.Context, tx *vault.Tx) (*vault.Doc, error) {
	for {
		d, err := tx.Open(ctx, string(o.ID))
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeBusy: // busy: an earlier one waits
			return nil, nil
		case err != nil:
			return nil, err
		case o.isSaidBy(d):
			return d, nil
		}
		as, err := isAsWritten(ctx, tx, d)
		if as || err != nil {
			return d, err
		}
		sum := sha256.Sum256([]byte(o.ID))
		if o.ID, err = vault.NewID(tx.Prefix(), bytes.NewReader(sum[:])); err != nil {
			return nil, err
		}
	}
}

// isAsWritten reports whether an entry is open and as the end of a session wrote it.
func isAsWritten(ctx context.Context, tx *vault.Tx, d *vault.Doc) (bool, error) {
	if d.Mem.Status == vault.StatusClosed {
		return false, nil
	}
	modified, err := tx.IsModified(ctx, d.Path)
	if err != nil || modified {
		return false, err
	}
	last := ""
	err = tx.History(ctx, []vault.Path{d.Path}, func(r vault.Revision) bool {
		last = r.Verb
		return false
	})
	return last == SessionEnd{}.Name() || last == Capture{}.Name(), err
}

// findSaid returns an open entry of the journal that says the same; nil for none.
func (o *SessionEnd) findSaid(ctx context.Context, tx *vault.Tx) (*vault.Doc, error) {
	nodes, _, err := tx.Tree().List(ctx, vault.ListOptions{Types: []string{string(header.Progress)}, Dir: Folder(ctx, tx.Tree(), o.Project),
		Status: []string{vault.StatusOpen, vault.StatusInProgress, vault.StatusDeferred}, Limit: maxOpen})
	if err != nil {
		return nil, err
	}
	for i := range nodes {
		if nodes[i].Title != o.Title {
			continue
		}
		d, err := tx.OpenAt(nodes[i]) // what is gone or cannot be read keeps nothing from being written
		if err == nil && o.isSaidBy(d) && d.Mem.Status != vault.StatusClosed {
			return d, nil
		}
	}
	return nil, nil
}

// isSaidBy reports whether an entry says the same.
func (o *SessionEnd) isSaidBy(d *vault.Doc) bool {
	return strings.TrimSpace(d.Mem.Prose) == strings.TrimSpace(o.Body)
}
