package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// Thing is the type of an entity of which nobody has said another one.
const Thing = "thing"

// AddFacts writes facts about a memory by hand: an entity, relations, or both.
type AddFacts struct {
	Ref         string   `json:"id" need:"yes"`
	Entity      string   `json:"entity" oneof:"yes" flag:"entity" help:"what the memory speaks of: a <name>"`
	Type        string   `json:"type" flag:"type" help:"what it is: a <word> like technology, person or service (default thing)"` // empty keeps what it has, else Thing
	Description string   `json:"description" flag:"description" help:"what the memory says of it: a <sentence>"`                  // empty keeps what it has
	Relations   []string `json:"relations" oneof:"yes" flag:"relation" help:"how two entities stand to each other: <A|verb|B>; repeatable"`

	// Triples are relations, too, whose parts may hold a bar.
	Triples []fact.Relation `json:"-"`

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential
}

// Do adds the entries in one commit. An end of a relation that is no entity of the memory yet
// becomes one, of type [Thing].
func (o AddFacts) Do(ctx context.Context, v *vault.Vault) (FactsChanged, error) {
	return vault.Run(ctx, v, o, vault.Options{AllowSecret: o.AllowSecret})
}

// Name is the verb's.
func (o AddFacts) Name() string { return "fact add" }

// Plan plans the change of the facts file.
func (o AddFacts) Plan(ctx context.Context, tx *vault.Tx) (FactsChanged, error) {
	relations, err := o.readRelations()
	if err != nil {
		return FactsChanged{}, err
	}
	return changeFacts(ctx, tx, o.Ref, func(f *fact.Facts) error {
		if name := factLine(o.Entity); name != "" {
			o.entity(f, name)
		}
		for _, r := range relations {
			relate(f, r)
		}
		return nil
	})
}

// readRelations checks the options, and reads the relations.
func (o AddFacts) readRelations() (all []fact.Relation, err error) {
	if factLine(o.Entity) == "" {
		switch {
		case o.Type != "" || o.Description != "":
			return nil, vault.Errorf(vault.CodeInvalid, "add --entity NAME", "a type and a description are those of an entity, and there is none")
		case len(o.Relations)+len(o.Triples) == 0:
			return nil, vault.Errorf(vault.CodeInvalid, `--entity NAME --type TYPE, or --relation "A|verb|B"`, "there is nothing to add: give an entity or a relation")
		}
	}
	if err := cmp.Or(vault.CheckLine("entity", o.Entity), vault.CheckLine("type", o.Type), vault.CheckLine("description", o.Description), vault.CheckLine("relation", o.Relations...)); err != nil {
		return nil, err
	}
	for _, text := range o.Relations {
		r, err := relation(text)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	for _, r := range o.Triples {
		if err := vault.CheckLine("relation", r.From, r.Relation, r.To); err != nil {
			return nil, err
		}
		all = append(all, fact.Relation{From: factLine(r.From), Relation: factLine(r.Relation), To: factLine(r.To)})
	}
	return all, nil
}

func factLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// entity puts the entity of the options among the facts.
func (o AddFacts) entity(f *fact.Facts, name string) {
	i := findEntity(f, name, factLine(o.Type))
	if i < 0 {
		f.Entities = append(f.Entities, fact.Entity{Name: name, Type: cmp.Or(factLine(o.Type), Thing), Description: factLine(o.Description), Hand: true})
		return
	}
	e := &f.Entities[i]
	e.Description = cmp.Or(factLine(o.Description), e.Description)
	e.Hand, e.Removed = true, false
}

// findEntity returns where an entity stands; an empty kind is any, one that nobody has removed
// before others. It returns -1 for none.
func findEntity(f *fact.Facts, name, kind string) int {
	is := func(removed bool) func(fact.Entity) bool {
		return func(e fact.Entity) bool {
			return fact.FoldName(e.Name) == fact.FoldName(name) && (kind == "" || e.Type == kind) && e.Removed == removed
		}
	}
	if i := slices.IndexFunc(f.Entities, is(false)); i >= 0 {
		return i
	}
	return slices.IndexFunc(f.Entities, is(true))
}

// relate puts a relation among the facts, and its ends.
func relate(f *fact.Facts, r fact.Relation) {
	for _, end := range []*string{&r.From, &r.To} {
		i := findEntity(f, *end, "")
		switch {
		case i < 0:
			f.Entities = append(f.Entities, fact.Entity{Name: *end, Type: Thing, Hand: true})
			continue
		case f.Entities[i].Removed:
			f.Entities[i].Hand, f.Entities[i].Removed = true, false
		}
		*end = f.Entities[i].Name
	}
	r.Hand = true
	if i := slices.IndexFunc(f.Relations, func(o fact.Relation) bool { return o.Key() == r.Key() }); i >= 0 {
		f.Relations[i].Hand, f.Relations[i].Removed = true, false
		return
	}
	f.Relations = append(f.Relations, r)
}
