package fact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Skipped is a line of which nothing is used.
type Skipped struct {
	Line int    `json:"line"` // counted from 1
	Why  string `json:"why"`
}

// MaxLines bounds the lines of a file of [UntrackedDir], and MaxLine the bytes of one.
const (
	MaxLines = 1_000_000
	MaxLine  = 64 << 10
)

// foreign is a line of another program: of memory.json of the reference server of MCP, or
// one with nodes and edges.
type foreign struct {
	Kind         string   `json:"type"`
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	Label        string   `json:"label"`
	EntityType   string   `json:"entityType"`
	Description  string   `json:"description"`
	Observations []string `json:"observations"`
	From         string   `json:"from"`
	To           string   `json:"to"`
	Source       string   `json:"source"`
	Target       string   `json:"target"`
	Relation     string   `json:"relation"`
	RelationType string   `json:"relationType"`
}

// ParseLines reads facts of no memory, an entity or a relation a line: those that [Facts.Lines]
// writes, entities and relations of memory.json of MCP's reference server, and nodes and edges
// (id, label, type; source, target, relation). Lines that are none of these are skipped.
func ParseLines(text []byte) (*Facts, []Skipped) {
	f, names := &Facts{}, make(map[string]string)
	var skipped []Skipped
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		if n++; len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if why := f.takeLine(line, n, names); why != "" {
			skipped = append(skipped, Skipped{n, why})
		}
	}
	for i := range f.Relations {
		r := &f.Relations[i]
		r.From, r.To = cmp.Or(names[r.From], r.From), cmp.Or(names[r.To], r.To)
	}
	f.sort()
	return f, skipped
}

// takeLine takes up a line, or says why not.
func (f *Facts) takeLine(text []byte, n int, names map[string]string) (why string) {
	var l foreign
	switch {
	case n > MaxLines:
		return "it is beyond the lines that a file may have"
	case len(text) > MaxLine:
		return "it is longer than a line may be"
	case !utf8.Valid(text):
		return "it is not UTF-8"
	case json.Unmarshal(text, &l) != nil:
		return "it is not the JSON of an entity or a relation"
	}
	if from, to := cmp.Or(l.From, l.Source), cmp.Or(l.To, l.Target); from+to != "" {
		return f.relation(Relation{From: cleanLine(from), Relation: cleanLine(cmp.Or(l.Relation, l.RelationType, l.Label, l.Name, other(l.Kind, "relation", "edge"), "relates to")), To: cleanLine(to)})
	}
	e := Entity{Name: cleanLine(cmp.Or(l.Name, l.Label, l.ID)), Type: cleanLine(cmp.Or(l.EntityType, other(l.Kind, "entity", "node"), "thing")), Description: cleanLine(cmp.Or(l.Description, strings.Join(l.Observations, "; ")))}
	if e.Name == "" {
		return "it has no name"
	}
	if l.ID != "" {
		names[l.ID] = e.Name
	}
	f.Entities = append(f.Entities, e)
	return ""
}

func (f *Facts) relation(r Relation) string {
	if r.From == "" || r.To == "" {
		return "a relation has two ends"
	}
	f.Relations = append(f.Relations, r)
	return ""
}

// other returns a word unless it is one of those that say only what sort of line it is.
func other(word string, sorts ...string) string {
	for _, s := range sorts {
		if strings.EqualFold(word, s) {
			return ""
		}
	}
	return word
}

// cleanLine makes one line without control characters of a text.
func cleanLine(s string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(plain), " ")
}

// Lines returns facts as a file of [UntrackedDir], which ParseLines reads.
func (f *Facts) Lines() []byte {
	c := &Facts{Entities: append([]Entity(nil), f.Entities...), Relations: append([]Relation(nil), f.Relations...)}
	c.sort()
	var b bytes.Buffer
	for _, e := range c.Entities {
		b.WriteString(Entity{Name: e.Name, Type: e.Type, Description: e.Description}.line() + "\n")
	}
	for _, r := range c.Relations {
		b.WriteString(Relation{From: r.From, Relation: r.Relation, To: r.To}.line() + "\n")
	}
	return b.Bytes()
}
