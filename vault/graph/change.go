package graph

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// FactsChanged is the outcome of [AddFacts] and [RemoveFacts].
type FactsChanged struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Path      vault.Path `json:"path"`      // of the facts file
	Entities  int        `json:"entities"`  // that there are now, without the removed ones
	Relations int        `json:"relations"` // likewise
	Unchanged bool       `json:"unchanged,omitempty"`
	vault.Warned
}

// changeFacts opens a memory, makes fn of its facts and plans that they are written.
func changeFacts(ctx context.Context, tx *vault.Tx, ref string, fn func(*fact.Facts) error) (out FactsChanged, err error) {
	d, err := tx.OpenMemory(ctx, ref)
	if err != nil {
		return out, err
	}
	if err := d.Writable(); err != nil {
		return out, err
	}
	if d.Mem.ID == "" || d.ID.Provisional() { // facts are kept by the id
		if err := tx.Adopt(ctx, d); err != nil {
			return out, err
		}
	}
	was, err := tx.Facts(ctx, vault.FactsPath(d.ID))
	if err != nil {
		return out, err
	}
	f, err := ReadFacts(d.ID, was)
	if err != nil {
		return out, err
	}
	before := f.Len()
	if err := fn(f); err != nil {
		return out, err
	}
	now, err := formatFacts(f, before)
	if err != nil {
		return out, err
	}
	tx.About(d.ID, d.Mem.Title)
	entities, relations := f.Live()
	out = FactsChanged{ID: d.ID, Title: d.Mem.Title, Path: vault.FactsPath(d.ID), Entities: len(entities), Relations: len(relations)}
	out.Unchanged = bytes.Equal(was, now)
	return out, tx.SetFacts(ctx, vault.FactsPath(d.ID), was, now)
}

// ReadFacts reads the facts of a memory; nil text is none. The error is CodeDamaged, with the
// file's path, for a text that is no facts file or is of another memory.
func ReadFacts(id vault.ID, text []byte) (*fact.Facts, error) {
	if text == nil {
		return &fact.Facts{ID: string(id)}, nil
	}
	p := vault.FactsPath(id)
	f, err := fact.Parse(text)
	var no *fact.Error
	switch {
	case errors.As(err, &no):
		return nil, &vault.Error{Code: vault.CodeDamaged, Path: string(p), Msg: no.Msg, Hint: no.Hint}
	case f.ID != string(id):
		return nil, &vault.Error{Code: vault.CodeDamaged, Path: string(p), Msg: "these are the facts of " + f.ID + ", in the place of those of " + string(id), Hint: "put the right id into the file, or give it a name that begins with a dot"}
	}
	return f, nil
}

// formatFacts returns the file of facts; nil for none. Of more entries than facts may have it refuses
// those that come to the ones before.
func formatFacts(f *fact.Facts, before int) ([]byte, error) {
	if f.Len() == 0 && f.By == "" {
		return nil, nil
	}
	const hint = "name what the memory is about, and not all that it says"
	if n := f.Len(); n > max(before, fact.MaxEntries) {
		return nil, vault.Errorf(vault.CodeInvalid, hint, "the facts cannot be kept: %d entries, more than the %d that facts may have", n, fact.MaxEntries)
	}
	b := f.Bytes()
	_, err := fact.Parse(b)
	var no *fact.Error
	if errors.As(err, &no) {
		return nil, vault.Errorf(vault.CodeInvalid, hint, "the facts cannot be kept: %s", no.Msg)
	}
	return b, err
}

// relation reads "A|verb|B".
func relation(text string) (r fact.Relation, err error) {
	parts := strings.Split(text, "|")
	for i, p := range parts {
		parts[i] = strings.Join(strings.Fields(p), " ")
	}
	if len(parts) != 3 || slices.Contains(parts, "") {
		return r, vault.Errorf(vault.CodeInvalid, `as in --relation "db2|replicates|db1"`, "%q is no relation: give two names with a verb between them", vault.Clip(text, 80))
	}
	return fact.Relation{From: parts[0], Relation: parts[1], To: parts[2]}, nil
}
