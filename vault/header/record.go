package header

import (
	"encoding/json"
	"strings"
)

// Record holds what a memory says beside its text: what was decided, why, and anything that
// a program wants to keep with it.
type Record struct {
	Decisions []string `json:"decisions,omitempty" flag:"decision" help:"a <decision>, in a sentence or more; may be repeated"`
	Rationale []string `json:"rationale,omitempty" flag:"rationale" help:"a <reason> for what was decided; may be repeated"`
	Metadata  Map      `json:"metadata,omitempty"`
}

// Text returns the decisions and the rationale as they are read, searched and embedded,
// below the memory's text. It is empty without them.
//
//	Decisions:
//	- Use PostgreSQL 17
//
//	Rationale:
//	- One host is enough
func (r *Record) Text() string {
	return sectionText("Decisions", r.Decisions) + sectionText("Rationale", r.Rationale)
}

// sectionText writes a list under its name, a blank line before it.
func sectionText(name string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + name + ":\n")
	for _, item := range items {
		b.WriteString("- " + strings.ReplaceAll(item, "\n", "\n  ") + "\n")
	}
	return b.String()
}

// Map is a mapping as a JSON object in one line, its keys in order; empty for none.
type Map string

// EachKey calls fn for the keys with their values, which are JSON.
func (m Map) EachKey(fn func(key, value string) error) error {
	if m == "" {
		return nil
	}
	return EachIn(string(m), fn)
}

// MarshalJSON returns the object.
func (m Map) MarshalJSON() ([]byte, error) {
	if m == "" {
		return []byte("{}"), nil
	}
	return []byte(m), nil
}

// UnmarshalJSON takes an object or null.
func (m *Map) UnmarshalJSON(text []byte) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*m = MapOf(all)
	return nil
}

// MapOf returns the mapping of these JSON values.
func MapOf(all map[string]json.RawMessage) Map {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return Map(text)
}

// setMap returns doc with the keys of a mapping set.
func setMap(doc []byte, key string, m Map) ([]byte, error) {
	err := m.EachKey(func(in, value string) (err error) {
		doc, err = SetIn(doc, key, in, value)
		return err
	})
	return doc, err
}
