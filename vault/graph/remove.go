package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// RemoveFacts takes facts of a memory away: an entity with its relations, relations, or both.
type RemoveFacts struct {
	Ref       string   `json:"id" need:"yes"`
	Entity    string   `json:"entity" oneof:"yes" flag:"entity" help:"what is to go: a <name>"`
	Type      string   `json:"type" flag:"type" help:"only the entity that is this: a <word>"`
	Relations []string `json:"relations" oneof:"yes" flag:"relation" help:"how two entities stand to each other: <A|verb|B>; repeatable"`
}

// Do takes the entries away in one commit. What a model has drawn stays in the file, marked
// as removed, and is not drawn again.
func (o RemoveFacts) Do(ctx context.Context, v *vault.Vault) (FactsChanged, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o RemoveFacts) Name() string { return "fact remove" }

// Plan plans the change of the facts file. The error is CodeNotFound for an entry that is not
// there.
func (o RemoveFacts) Plan(ctx context.Context, tx *vault.Tx) (FactsChanged, error) {
	relations, err := AddFacts{Entity: o.Entity, Type: o.Type, Relations: o.Relations}.readRelations()
	if err != nil {
		return FactsChanged{}, err
	}
	return changeFacts(ctx, tx, o.Ref, func(f *fact.Facts) error {
		if name := factLine(o.Entity); name != "" {
			if err := o.entity(f, name); err != nil {
				return err
			}
		}
		for _, r := range relations {
			if err := unrelate(f, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// entity takes an entity away, of each type that is meant, with the relations of which it is
// an end.
func (o RemoveFacts) entity(f *fact.Facts, name string) error {
	kind := factLine(o.Type)
	meant := func(e fact.Entity) bool {
		return fact.FoldName(e.Name) == fact.FoldName(name) && (kind == "" || e.Type == kind) && !e.Removed
	}
	if !slices.ContainsFunc(f.Entities, meant) {
		return errMissing(f, cmp.Or(kind, "entity")+" "+name)
	}
	f.Entities = dropMeant(f.Entities, meant, func(e *fact.Entity) { e.Hand, e.Removed = false, true })
	if findEntity(f, name, "") >= 0 && !f.Entities[findEntity(f, name, "")].Removed {
		return nil // it stands there with another type
	}
	f.Relations = dropMeant(f.Relations, func(r fact.Relation) bool {
		return !r.Removed && (fact.FoldName(r.From) == fact.FoldName(name) || fact.FoldName(r.To) == fact.FoldName(name))
	}, func(r *fact.Relation) { r.Hand, r.Removed = false, true })
	return nil
}

// unrelate takes a relation away.
func unrelate(f *fact.Facts, r fact.Relation) error {
	meant := func(o fact.Relation) bool { return o.Key() == r.Key() && !o.Removed }
	if !slices.ContainsFunc(f.Relations, meant) {
		return errMissing(f, "relation \""+r.From+"|"+r.Relation+"|"+r.To+"\"")
	}
	f.Relations = dropMeant(f.Relations, meant, func(o *fact.Relation) { o.Hand, o.Removed = false, true })
	return nil
}

// dropMeant drops the entries by hand that are meant, and marks the drawn ones.
func dropMeant[E interface{ ByHand() bool }](all []E, meant func(E) bool, mark func(*E)) []E {
	for i := range all {
		if meant(all[i]) && !all[i].ByHand() {
			mark(&all[i])
		}
	}
	return slices.DeleteFunc(all, func(e E) bool { return e.ByHand() && meant(e) })
}

// errMissing is the error for an entry that is not there.
func errMissing(f *fact.Facts, what string) error {
	entities, _ := f.Live()
	names := make([]string, 0, len(entities))
	for _, e := range entities {
		names = append(names, e.Name)
	}
	hint := "`cp memory fact list " + f.ID + "` shows them"
	if len(names) > 0 {
		hint = "it has " + vault.Clip(strings.Join(names, ", "), 200) + "; " + hint
	}
	return vault.Errorf(vault.CodeNotFound, hint, "no %s among the facts of %s", vault.Clip(what, 120), f.ID)
}
