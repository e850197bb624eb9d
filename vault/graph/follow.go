package graph

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// SucceedFacts plans that the facts of one memory are those of another one: of a memory whose id
// was edited, or, with keep, of a copy. Facts that the other one has already stay as they are.
// It reports whether it planned anything: a file that cannot be read stays where it is.
func SucceedFacts(ctx context.Context, tx *vault.Tx, from, to vault.ID, keep bool) (bool, error) {
	text, err := tx.Facts(ctx, vault.FactsPath(from))
	if err != nil || text == nil || from == to {
		return false, err
	}
	f, err := ReadFacts(from, text)
	if vault.CodeOf(err) == vault.CodeDamaged {
		return false, nil
	}
	there, err2 := tx.Facts(ctx, vault.FactsPath(to))
	if err != nil || err2 != nil || there != nil {
		return false, firstOf(err, err2)
	}
	f.ID = string(to)
	if err := tx.SetFacts(ctx, vault.FactsPath(to), nil, f.Bytes()); err != nil || keep {
		return err == nil, err
	}
	_, err = ForgetFacts(ctx, tx, []vault.ID{from})
	return true, err
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// ForgetFacts plans that the facts of memories go, and returns those whose facts do: what a person
// has typed there and not committed stays.
func ForgetFacts(ctx context.Context, tx *vault.Tx, ids []vault.ID) (gone []vault.ID, err error) {
	for _, id := range ids {
		text, err := tx.Facts(ctx, vault.FactsPath(id))
		if err != nil {
			return nil, err
		}
		typed, err := tx.IsModified(ctx, vault.FactsPath(id))
		if err != nil {
			return nil, err
		}
		if text == nil || typed {
			continue
		}
		if err := tx.SetFacts(ctx, vault.FactsPath(id), text, nil); err != nil {
			return nil, err
		}
		gone = append(gone, id)
	}
	return gone, nil
}

// StrayFacts returns the memories of which there are facts, and that neither the disk nor HEAD
// has, as the mirror knows them. One that HEAD has and a person has taken from the disk, or a
// sparse checkout leaves out, is none.
func StrayFacts(ctx context.Context, tx *vault.Tx) ([]vault.ID, error) {
	t := tx.Tree()
	if t.Strays == nil {
		return nil, nil
	}
	ids, err := t.Strays(ctx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	drift, err := t.Drift(ctx)
	if err != nil {
		return nil, err
	}
	held := make(map[string]bool)
	for _, d := range drift {
		if d.Hash != "" {
			continue
		}
		text, there, err := tx.ReadCommitted(ctx, d.Path)
		if err != nil {
			return nil, err
		}
		if there {
			held[vault.Parse(d.Path, text).ID.Fold()] = true
		}
	}
	var strays []vault.ID
	for _, id := range ids {
		if !held[id.Fold()] {
			strays = append(strays, id)
		}
	}
	return strays, nil
}
