package tree

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Supersede says that one memory replaces another.
type Supersede struct {
	Old string `json:"id" need:"yes"`
	New string `json:"by" need:"yes"`
}

// Superseded is the outcome of Supersede.
type Superseded struct {
	Old       vault.ID   `json:"old"`
	OldTitle  string     `json:"old_title"`
	New       vault.ID   `json:"new"`
	NewTitle  string     `json:"new_title"`
	Path      vault.Path `json:"-"`                   // of the old one
	Unchanged bool       `json:"unchanged,omitempty"` // it was said before
	vault.Warned
}

// Do writes into both files, in one commit, that the new memory replaces the old one. The
// old one stays in its place and readable; it is found below the new one and marked. A
// circle is refused.
func (o Supersede) Do(ctx context.Context, v *vault.Vault) (Superseded, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o Supersede) Name() string { return "supersede" }

// Plan writes the replacement into both files.
func (o Supersede) Plan(ctx context.Context, tx *vault.Tx) (out Superseded, err error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return out, err
	}
	before, err := tx.OpenMemory(ctx, o.Old)
	if err != nil {
		return out, err
	}
	after, err := tx.OpenMemory(ctx, o.New)
	if err != nil {
		return out, err
	}
	out = Superseded{Path: before.Path, Old: before.ID, OldTitle: before.Title, New: after.ID, NewTitle: after.Title}
	if err := canSupersede(ctx, tx, before, after); err != nil {
		return out, err
	}
	out.Unchanged = slices.Contains(successors(before), after.ID) && slices.Contains(after.Mem.Refers("supersedes"), string(before.ID))
	if out.Unchanged {
		return out, nil
	}
	for _, d := range []*vault.Doc{before, after} { // first: they may get their ids by that
		if err := tx.Adopt(ctx, d); err != nil {
			return out, err
		}
	}
	said := []vault.Step{{Op: vault.OpAddToList, Key: "superseded_by", List: []string{string(after.ID)}}}
	if firstSuccessor(before) == "" {
		said = append(said, vault.Step{Op: vault.OpSetKey, Key: "superseded_at", Value: header.FormatDate(tx.Now())})
	}
	if err := tx.Edit(before, said...); err != nil {
		return out, err
	}
	out.Old, out.New = before.ID, after.ID
	tx.About(before.ID, before.Title)
	return out, tx.Edit(after, vault.Step{Op: vault.OpAddToList, Key: "supersedes", List: []string{string(before.ID)}})
}

// canSupersede refuses a memory in its own place, a circle, and files that
// cannot be edited.
func canSupersede(ctx context.Context, tx *vault.Tx, before, after *vault.Doc) error {
	if before.ID == after.ID {
		return vault.Errorf(vault.CodeInvalid, "name the memory that has taken its place", "a memory cannot supersede itself")
	}
	if circle, err := supersedes(ctx, tx, before.ID, after); err != nil || circle {
		return cmp.Or[error](err, vault.Errorf(vault.CodeInvalid, "take `superseded_by` out of "+string(after.Path)+" first",
			"%s was superseded by %s; they cannot supersede each other", after.ID, before.ID))
	}
	return cmp.Or(before.Editable(), after.Editable())
}

// successors returns the memories that replaced this one, by its own file or by those of
// its successors in the mirror. An empty id means none.
func successors(p *vault.Doc) (all []vault.ID) {
	for _, target := range p.Mem.Refers("superseded_by") {
		all = append(all, vault.ID(target))
	}
	return append(all, p.Superseded)
}

// firstSuccessor is the first of them.
func firstSuccessor(p *vault.Doc) vault.ID { return successors(p)[0] }

// supersedes reports whether p was superseded, in however many steps, by the
// memory id.
func supersedes(ctx context.Context, tx *vault.Tx, id vault.ID, p *vault.Doc) (bool, error) {
	seen := map[vault.ID]bool{}
	next := successors(p)
	for len(next) > 0 {
		at := next[0]
		next = next[1:]
		if at == id {
			return true, nil
		}
		if at == "" || seen[at] {
			continue
		}
		seen[at] = true
		q, err := tx.Open(ctx, string(at))
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous: // deleted since
		case err != nil:
			return false, err
		default:
			next = append(next, successors(q)...)
		}
	}
	return false, nil
}
