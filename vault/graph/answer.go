package graph

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/prose"
)

// Generator is a language model: it answers a prompt. A failure is one sentence with a hint and
// never holds a key.
type Generator interface {
	Generate(ctx context.Context, prompt string) (string, error)
}

// ErrAnswer marks an answer that was given and cannot be used.
var ErrAnswer = errors.New("the answer cannot be used")

// answer is what the model says of a part.
type answer struct {
	Entities  []fact.Entity   `json:"entities"`
	Relations []fact.Relation `json:"relations"`
}

// askParts asks about each part, and joins what is said. An answer that does not follow the schema
// is asked for once more. skipped names what is left out then.
func askParts(ctx context.Context, g Generator, c *ChosenMemory, types []string) (all answer, skipped []string, err error) {
	for _, p := range c.Parts {
		a, bad, err := askOnce(ctx, g, p, types)
		if err == nil && len(bad) == 0 {
			all.join(a)
			continue
		}
		if err != nil && !errors.Is(err, ErrAnswer) {
			return all, nil, err
		}
		if a, bad, err = askOnce(ctx, g, p, types); err != nil {
			return all, nil, err
		}
		all.join(a)
		skipped = append(skipped, bad...)
	}
	return all, append(skipped, all.applyLimits()...), nil
}

// askOnce asks once. bad names what is wrong of the answer.
func askOnce(ctx context.Context, g Generator, prompt string, types []string) (a answer, bad []string, err error) {
	text, err := g.Generate(ctx, prompt)
	if err != nil {
		return a, nil, err
	}
	if err := json.Unmarshal([]byte(prose.Unfence(text)), &a); err != nil {
		return a, nil, vault.Errorf(vault.CodeGeneration, "try again, or choose another model (cp help generation)", "%w: it is not the JSON that was asked for", ErrAnswer)
	}
	return a, a.dropInvalid(types), nil
}

// maxName and maxDescription bound the parts of an entry in characters.
const (
	maxName        = 120
	maxDescription = 300
)

// dropInvalid drops the entries that are not as they should be, and says why.
func (a *answer) dropInvalid(types []string) (bad []string) {
	names := make(map[string]string)
	a.Entities = slices.DeleteFunc(a.Entities, func(e fact.Entity) bool {
		why := wrong(e.Name, maxName)
		if why == "" && !slices.Contains(types, e.Type) {
			why = fmt.Sprintf("the type '%s' is none of the list", vault.Clip(e.Type, 40))
		}
		if why == "" && utf8.RuneCountInString(e.Description) > maxDescription {
			why = "its description is too long"
		}
		if why != "" {
			bad = append(bad, fmt.Sprintf("the entity '%s': %s", vault.Clip(e.Name, 40), why))
			return true
		}
		names[fact.FoldName(oneLine(e.Name))] = oneLine(e.Name)
		return false
	})
	for i, e := range a.Entities {
		a.Entities[i] = fact.Entity{Name: oneLine(e.Name), Type: e.Type, Description: oneLine(e.Description)}
	}
	a.Relations = slices.DeleteFunc(a.Relations, func(r fact.Relation) bool {
		if why := wrong(r.Relation, maxName); why != "" {
			bad = append(bad, "a relation: "+why)
			return true
		}
		for _, end := range []string{r.From, r.To} {
			if names[fact.FoldName(oneLine(end))] == "" {
				bad = append(bad, fmt.Sprintf("a relation: its end '%s' is no entity of the answer", vault.Clip(end, 40)))
				return true
			}
		}
		return false
	})
	for i, r := range a.Relations {
		a.Relations[i] = fact.Relation{From: names[fact.FoldName(oneLine(r.From))], Relation: oneLine(r.Relation), To: names[fact.FoldName(oneLine(r.To))]}
	}
	return bad
}

// wrong says why a text is no name.
func wrong(s string, most int) string {
	switch {
	case oneLine(s) == "":
		return "it has no name"
	case utf8.RuneCountInString(s) > most:
		return "its name is too long"
	}
	return ""
}

// oneLine makes one line without control characters of a text.
func oneLine(s string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(plain), " ")
}

// join adds what another part says: an entity that both name is one, with what was said first.
func (a *answer) join(b answer) {
	for _, e := range b.Entities {
		if !slices.ContainsFunc(a.Entities, func(o fact.Entity) bool { return o.Key() == e.Key() }) {
			a.Entities = append(a.Entities, e)
		}
	}
	for _, r := range b.Relations {
		if !slices.ContainsFunc(a.Relations, func(o fact.Relation) bool { return o.Key() == r.Key() }) {
			a.Relations = append(a.Relations, r)
		}
	}
}

// applyLimits keeps to the limits, and says what it leaves out.
func (a *answer) applyLimits() (left []string) {
	if n := len(a.Entities) - MaxEntities; n > 0 {
		a.Entities, left = a.Entities[:MaxEntities], append(left, vault.Plural(n, "entity", "entities")+" beyond 40")
		kept := make(map[string]bool)
		for _, e := range a.Entities {
			kept[fact.FoldName(e.Name)] = true
		}
		a.Relations = slices.DeleteFunc(a.Relations, func(r fact.Relation) bool { return !kept[fact.FoldName(r.From)] || !kept[fact.FoldName(r.To)] })
	}
	if n := len(a.Relations) - MaxRelations; n > 0 {
		a.Relations, left = a.Relations[:MaxRelations], append(left, vault.Plural(n, "relation", "relations")+" beyond 60")
	}
	return left
}

// redrawFacts returns the facts of a memory after they were drawn anew: those by hand stay, those
// that a person removed stay removed, and all others are the answer's, as far as there is room
// for them. left says for how many there is none.
func (a *answer) redrawFacts(was *fact.Facts, of, by string) (f *fact.Facts, left string) {
	f = &fact.Facts{ID: was.ID, Of: of, By: by, Prompt: PromptVersion}
	f.Entities, f.Relations = mixDecided(was.Entities, a.Entities), mixDecided(was.Relations, a.Relations)
	if n := f.Fit(); n > 0 {
		left = fmt.Sprintf("%s beyond the %d that facts may have, those by hand among them", vault.Plural(n, "entry", "entries"), fact.MaxEntries)
	}
	return f, left
}

// mixDecided returns the entries that a person has decided on, and of the new ones the others.
func mixDecided[E interface {
	Key() string
	IsDecided() bool
}](was, now []E) (all []E) {
	known := make(map[string]bool)
	for _, e := range was {
		if e.IsDecided() {
			all, known[e.Key()] = append(all, e), true
		}
	}
	for _, e := range now {
		if !known[e.Key()] {
			all, known[e.Key()] = append(all, e), true
		}
	}
	return all
}
