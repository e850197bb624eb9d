package registry

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Entry is a vault that was seen.
type Entry struct {
	Path   string `json:"path"`             // of its project: absolute, links resolved
	Name   string `json:"name"`             // of its project
	Vault  string `json:"vault"`            // its folder, likewise
	Seen   string `json:"seen,omitempty"`   // the day of the last command in it, as 2026-11-24
	Apart  string `json:"apart,omitempty"`  // why it joins no ancestor's family by itself
	Within string `json:"within,omitempty"` // with Apart: the folder that stands apart with all in it
	Added  bool   `json:"added,omitempty"`  // a person has put it here: it joins regardless
	Gone   string `json:"gone,omitempty"`   // the day when it was first found to be gone

	more  map[string]json.RawMessage // keys that are not ours
	above []string                   // the lines of comment above it
}

// ours are the keys of an entry.
var ours = [...]string{"path", "name", "vault", "seen", "apart", "within", "added", "gone"}

// plain is an Entry without its methods.
type plain Entry

// UnmarshalJSON reads an entry and keeps the keys that are not ours.
func (e *Entry) UnmarshalJSON(b []byte) error {
	strict := json.NewDecoder(bytes.NewReader(b))
	strict.DisallowUnknownFields()
	if strict.Decode((*plain)(e)) == nil {
		return nil
	}
	if err := json.Unmarshal(b, (*plain)(e)); err != nil {
		return err
	}
	if err := json.Unmarshal(b, &e.more); err != nil {
		return err
	}
	for _, key := range ours {
		delete(e.more, key)
	}
	return nil
}

// formatLine is an entry as it stands in the file.
func (e Entry) formatLine() []byte {
	b := encodeJSON(plain(e))
	for _, key := range sortedKeys(e.more) {
		b = append(b[:len(b)-1], ", "...)
		b = append(append(append(append(b, encodeJSON(key)...), ": "...), e.more[key]...), '}')
	}
	return append(append([]byte("- "), b...), '\n')
}

// encodeJSON is v as JSON on one line. YAML reads it, too: what it may not hold is escaped.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // strings and bools
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

func sortedKeys(m map[string]json.RawMessage) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Usable reports whether the list can hold an entry: it names a place on this machine, in letters
// that a line can have.
func (e Entry) Usable() bool {
	return canHold(e.Path) && canHold(e.Vault)
}

// canHold reports whether a path is one that the list can hold.
func canHold(p string) bool {
	return filepath.IsAbs(p) && filepath.Clean(p) == p && utf8.ValidString(p) && !strings.ContainsFunc(p, unicode.IsControl)
}

// withDefaults fills in what a person has left out: the name is the folder's, the vault lies at the
// project's own path.
func (e Entry) withDefaults() (Entry, bool) {
	if e.Path == "" {
		e.Path = e.Vault
	}
	if filepath.IsAbs(e.Path) {
		e.Path = filepath.Clean(e.Path)
	}
	if e.Vault == "" {
		e.Vault = e.Path
	}
	if filepath.IsAbs(e.Vault) {
		e.Vault = filepath.Clean(e.Vault)
	}
	if e.Name == "" || !utf8.ValidString(e.Name) || strings.ContainsFunc(e.Name, unicode.IsControl) {
		e.Name = filepath.Base(e.Path)
	}
	if !canHold(e.Within) {
		e.Within = ""
	}
	return e, e.Usable()
}

// ofYAML reads an entry in any form of YAML; it may be the path alone.
func ofYAML(n *yaml.Node) (Entry, bool) {
	if n.Kind == yaml.ScalarNode {
		return Entry{Path: n.Value}.withDefaults()
	}
	all := map[string]any{}
	if n.Kind != yaml.MappingNode || n.Decode(&all) != nil {
		return Entry{}, false
	}
	if seen, ok := all["seen"]; ok { // unquoted it is a date
		if day := scalar(n, "seen"); day != "" {
			all["seen"] = day
		} else {
			all["seen"] = seen
		}
	}
	if day := scalar(n, "gone"); day != "" {
		all["gone"] = day
	}
	b, err := json.Marshal(all)
	if err != nil {
		return Entry{}, false
	}
	var e Entry
	if json.Unmarshal(b, &e) != nil {
		return Entry{}, false
	}
	return e.withDefaults()
}

// scalar returns the text of a key's value.
func scalar(n *yaml.Node, key string) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key && n.Content[i+1].Kind == yaml.ScalarNode {
			return n.Content[i+1].Value
		}
	}
	return ""
}
