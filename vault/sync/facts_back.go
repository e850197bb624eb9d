package sync

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/fact"
)

// Who deletes a memory deletes its facts with it. If the other side of a merge has edited the
// memory, the edit wins, but git sees that nobody else touched the facts, and lets them go. So a
// side that has deleted a memory has no say about its facts.

// returnFacts adds to a decision about a merge the facts that git let go, of memories that
// live. lost lists the facts files that one side and git's merge lack.
func (o one) returnFacts(p *past, in converge.Input, lost []vault.Path, d *converge.Decision) error {
	for _, path := range lost {
		text, id, err := o.letGo(p, in, path)
		if err != nil {
			return err
		}
		if text == nil || !p.lives(id, d) {
			continue
		}
		if clean, err := p.isClean(path); err != nil || !clean {
			d.Spared = true
			continue
		}
		d.Edits = append(d.Edits, vault.Edit{Path: path, Create: text})
		d.Discrepancies = append(d.Discrepancies, Discrepancy{Type: ReturnedFile, Child: id, Path: path, Detail: "one side deleted the memory with its facts", Fixed: "the memory stays, so its facts are back"})
	}
	return nil
}

// letGo returns the facts at path as one side has them, and the id of their memory, if the
// other side deleted both. The text is nil if it deleted the facts alone, or if there is a file.
func (o one) letGo(p *past, in converge.Input, path vault.Path) (text []byte, id vault.ID, err error) {
	var at [3][]byte
	for i, commit := range [...]string{in.Sides[0], in.Sides[1], in.Head} {
		texts, err := o.Merges.Texts(p.ctx, commit, []vault.Path{path})
		if err != nil {
			return nil, "", err
		}
		at[i] = texts[path]
	}
	kept, gave := at[0], in.Sides[1]
	if kept == nil {
		kept, gave = at[1], in.Sides[0]
	}
	f, bad := fact.Parse(kept)
	if bad != nil || at[2] != nil {
		return nil, "", nil
	}
	id = vault.ID(f.ID)
	had, err := o.hasMemory(p, in.Base, in.Changed, id)
	if err != nil || !had {
		return nil, id, err
	}
	has, err := o.hasMemory(p, gave, in.Changed, id)
	if err != nil || has {
		return nil, id, err
	}
	return kept, id, nil
}

// hasMemory reports whether one of the files in a commit is the memory with an id.
func (o one) hasMemory(p *past, commit string, files []vault.Path, id vault.ID) (bool, error) {
	texts, err := o.Merges.Texts(p.ctx, commit, files)
	for file, text := range texts {
		if vault.Parse(file, text).ID.Is(id) {
			return true, err
		}
	}
	return false, err
}

// lives reports whether there is a memory with an id after a decision.
func (p *past) lives(id vault.ID, d *converge.Decision) bool {
	made := func(e vault.Edit) bool { return e.Create != nil && vault.Parse(e.Path, e.Create).ID.Is(id) }
	if slices.ContainsFunc(d.Edits, made) {
		return true
	}
	n, err := p.tx.Tree().Find(p.ctx, string(id))
	return err == nil && n.ID.Is(id) && !slices.Contains(d.Gone, id)
}
