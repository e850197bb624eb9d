package fact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Bytes returns the text of a facts file: an entry a line, in the order of their keys, one
// entry of each key.
func (f *Facts) Bytes() []byte {
	c := *f
	c.Entities, c.Relations = slices.Clone(f.Entities), slices.Clone(f.Relations)
	c.sort()
	var b bytes.Buffer
	b.WriteString(`{"id": ` + valueJSON(c.ID) + `, "of": ` + valueJSON(c.Of) + `, "by": ` + valueJSON(c.By) + `, "prompt": ` + strconv.Itoa(c.Prompt) + ",\n\"entities\": [")
	writeEntries(&b, c.Entities)
	b.WriteString("],\n\"relations\": [")
	writeEntries(&b, c.Relations)
	b.WriteString("]}\n")
	return b.Bytes()
}

// writeEntries writes entries, a line each.
func writeEntries[E interface{ line() string }](b *bytes.Buffer, all []E) {
	for i, e := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + e.line())
	}
	if len(all) > 0 {
		b.WriteByte('\n')
	}
}

func (e Entity) line() string {
	line := `{"name": ` + valueJSON(e.Name) + `, "type": ` + valueJSON(e.Type)
	if e.Description != "" {
		line += `, "description": ` + valueJSON(e.Description)
	}
	return line + marks(e.Hand, e.Removed)
}

func (r Relation) line() string {
	return `{"from": ` + valueJSON(r.From) + `, "relation": ` + valueJSON(r.Relation) + `, "to": ` + valueJSON(r.To) + marks(r.Hand, r.Removed)
}

func marks(hand, removed bool) (end string) {
	if hand {
		end += `, "hand": true`
	}
	if removed {
		end += `, "removed": true`
	}
	return end + "}"
}

// valueJSON returns a string as JSON, with <, > and & as they are.
func valueJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// sort brings the entries into their order, one of each key.
func (f *Facts) sort() { f.Entities, f.Relations = sortEntries(f.Entities), sortEntries(f.Relations) }

// entry is an entity or a relation.
type entry interface {
	comparable
	Key() string
	line() string
	words() [3]string
	descriptionText() string
	String() string
	byHandOrRemoved() (hand, removed bool)
}

func (e Entity) words() [3]string   { return [3]string{e.Name, e.Type} }
func (r Relation) words() [3]string { return [3]string{r.From, r.Relation, r.To} }

// ByHand reports whether a person wrote the entry.
func (e Entity) ByHand() bool { return e.Hand }

// ByHand reports whether a person wrote the entry.
func (r Relation) ByHand() bool { return r.Hand }

// IsDecided reports whether a person wrote the entry or removed it.
func (e Entity) IsDecided() bool { return e.Hand || e.Removed }

// IsDecided reports whether a person wrote the entry or removed it.
func (r Relation) IsDecided() bool { return r.Hand || r.Removed }

func (e Entity) byHandOrRemoved() (hand, removed bool)   { return e.Hand, e.Removed }
func (r Relation) byHandOrRemoved() (hand, removed bool) { return r.Hand, r.Removed }

// sortEntries sorts entries by their words, byte by byte. Of those with one key it leaves the
// one that compareRank puts first.
func sortEntries[E entry](all []E) []E {
	at := make(map[string]int, len(all))
	once := all[:0]
	for _, e := range all {
		key := e.Key()
		i, twice := at[key]
		switch {
		case !twice:
			at[key] = len(once)
			once = append(once, e)
		case compareRank(e, once[i]) > 0:
			once[i] = e
		}
	}
	slices.SortFunc(once, func(a, b E) int {
		x, y := a.words(), b.words()
		return slices.Compare(x[:], y[:])
	})
	return once
}

// compareRank compares two entries of one key: the greater one is to stay.
func compareRank[E entry](a, b E) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.line(), a.line()))
}

// rank is 2 for an entry that a person wrote, 1 for one that a person removed, else 0.
func rank[E entry](e E) int {
	switch hand, removed := e.byHandOrRemoved(); {
	case removed:
		return 1
	case hand:
		return 2
	}
	return 0
}
