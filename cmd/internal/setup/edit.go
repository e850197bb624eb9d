package setup

import (
	"bytes"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/setup/splice"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// State says how a part stands.
type State string

// The states.
const (
	Missing State = "missing"
	Stale   State = "stale"   // there, and not as it would be written now
	Current State = "current" // as it would be written now
	Other   State = "other"   // something else has the name, or somebody changed ours
	Broken  State = "broken"  // the file cannot be read or changed
	Absent  State = "none"    // the agent has no such part in this scope
)

// edit is one part in one file. Its functions are given the text of the file, empty for a
// file that is not there.
type edit interface {
	state(text []byte) (State, error)
	apply(text []byte) ([]byte, error)
	remove(text []byte) ([]byte, error) // the whole part, whatever its form
	snippet() string                    // for a person to put in by hand
	form() form
	says(text []byte) said // of itself, where it is there
}

// form is what the text of a file is like.
type form struct {
	blank    string // what a new file begins with
	settings bool   // of an agent: its text is kept before the first change, and what says nothing goes
}

// server is an MCP server in JSON settings.
type server struct {
	path []string
	entry
}

func (s server) state(text []byte) (State, error) {
	raw, err := splice.Get(text, s.path)
	switch {
	case err != nil:
		return Broken, err
	case raw == nil:
		return Missing, nil
	case s.agrees(parseJSON(raw)):
		return Current, nil
	case isOurs(parseJSON(raw)):
		return Stale, nil
	}
	return Other, otherServer()
}

func otherServer() error {
	return vault.Errorf(vault.CodeInvalid, "rename that server, then run the command again", "another server is called %s there", Name)
}

// apply writes the entry. What a person added to an earlier one stays.
func (s server) apply(text []byte) ([]byte, error) {
	raw, err := splice.Get(text, s.path)
	if err != nil || raw == nil {
		return or(text, s.json(), s.path, err)
	}
	for _, p := range s.entry {
		if there, err := splice.Get(text, append(s.path, p.key)); err == nil && there != nil && p.loose {
			continue
		}
		if text, err = splice.Set(text, append(s.path, p.key), compactJSON(p.value)); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func or(text, value []byte, path []string, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return splice.Set(text, path, value)
}

func (s server) remove(text []byte) ([]byte, error) { return splice.Delete(text, s.path) }

func (s server) snippet() string {
	out, _ := s.apply([]byte("{}\n"))
	return string(out)
}

func (s server) says(text []byte) said {
	raw, _ := splice.Get(text, s.path)
	return saysOfEntry(parseJSON(raw))
}

func (server) form() form { return form{blank: "{}\n", settings: true} }

// table is an MCP server in Codex's settings.
type table struct{ entry }

func (t table) state(text []byte) (State, error) {
	said, err := splice.GetTOML(text, "mcp_servers", Name)
	_, marked, torn := splice.Region(text)
	switch {
	case err != nil:
		return Broken, err
	case torn != nil:
		return Broken, torn
	case said == nil:
		return Missing, nil
	case t.agrees(said):
		return Current, nil
	case marked || isOurs(said):
		return Stale, nil
	}
	return Other, otherServer()
}

func (t table) apply(text []byte) ([]byte, error) {
	region, _, err := splice.Region(text)
	if err != nil {
		return nil, err
	}
	_, grant := approvalLines(region)
	return splice.SetTOML(text, append(t.toml(), grant...), "mcp_servers", Name)
}

func (t table) remove(text []byte) ([]byte, error) {
	out, err := splice.DeleteTOML(text, "mcp_servers", Name)
	if err == nil && bytes.Equal(out, text) {
		err = byHand()
	}
	return out, err
}

func byHand() error {
	return vault.Errorf(vault.CodeInvalid, "take it out in an editor", "%s stands there by hand, outside of the lines of this program", Name)
}

func (t table) snippet() string { return strings.Join(t.toml(), "\n") + "\n" }

func (table) says(text []byte) said {
	there, _ := splice.GetTOML(text, "mcp_servers", Name)
	return saysOfEntry(there)
}

func (table) form() form { return form{settings: true} }

// extension is an MCP server in Goose's settings.
type extension struct{ entry }

func (e extension) state(text []byte) (State, error) {
	said, err := splice.GetYAML(text, "extensions", Name)
	switch {
	case err != nil:
		return Broken, err
	case said == nil:
		return Missing, nil
	case e.agrees(said):
		return Current, nil
	case isOurs(said):
		return Stale, nil
	}
	return Other, otherServer()
}

func (e extension) apply(text []byte) ([]byte, error) {
	return splice.SetYAML(text, "extensions", Name, e.json())
}

func (e extension) remove(text []byte) ([]byte, error) {
	return splice.DeleteYAML(text, "extensions", Name)
}

func (e extension) snippet() string {
	out, _ := e.apply(nil)
	return string(out)
}

func (extension) says(text []byte) said {
	there, _ := splice.GetYAML(text, "extensions", Name)
	return saysOfEntry(there)
}

func (extension) form() form { return form{settings: true} }

// sectionKey names our section in a file that agents load. No memory has such an id.
const sectionKey = "cp-memory/~setup"

// section is the text in a file that an agent loads every time. It is kept by the rule by
// which memories are kept there: see package core.
type section struct {
	head, text string
	also       string // another text that is as good: agents may share the file
}

func (s section) state(text []byte) (State, error) {
	found, err := tier.FindSection(text, sectionKey)
	switch {
	case err != nil:
		return Broken, err
	case !found.There:
		return Missing, nil
	case found.Edited && found.Text != s.text && found.Text != s.also:
		return Other, vault.Errorf(vault.CodeConflict, "take the section out in an editor, with its markers", "the section %s was edited", sectionKey)
	case found.Text == s.text || found.Text == s.also:
		return Current, nil
	}
	return Stale, nil
}

func (s section) apply(text []byte) ([]byte, error) {
	from := tier.FileOrigin{}
	if text == nil {
		text, from.Made = []byte(s.head), true
	}
	return tier.InsertSection(text, tier.Section{Key: sectionKey, Text: s.text}, from)
}

func (s section) remove(text []byte) ([]byte, error) { return tier.RemoveSection(text, sectionKey) }

func (s section) snippet() string { return s.text }

func (section) says([]byte) said { return said{} }

func (section) form() form { return form{} }

// reads is a settings file of YAML that has to name the file of rules.
type reads struct{ file string }

func (r reads) state(text []byte) (State, error) {
	said, err := splice.GetYAML(text, "read")
	switch v := said.(type) {
	case nil:
		if err != nil {
			return Broken, err
		}
		return Missing, nil
	case string:
		if v == r.file {
			return Current, nil
		}
	case []any:
		for _, one := range v {
			if one == r.file {
				return Current, nil
			}
		}
	}
	return Other, vault.Errorf(vault.CodeInvalid, "add "+r.file+" to its list read", "it reads other files already")
}

func (r reads) apply(text []byte) ([]byte, error) {
	out, err := splice.SetRegion(text, []string{strings.TrimSuffix(r.snippet(), "\n")})
	if err != nil {
		return nil, err
	}
	if s, err := r.state(out); s != Current {
		return nil, err
	}
	return out, nil
}

func (r reads) remove(text []byte) ([]byte, error) { return splice.DeleteRegion(text) }

func (reads) says([]byte) said { return said{} }

func (reads) form() form { return form{settings: true} }

func (r reads) snippet() string { return "read: [" + r.file + "]\n" }
