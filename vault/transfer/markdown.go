package transfer

import (
	"bytes"
	"path"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// note is a file of Markdown that comes in as it stands.
type note struct {
	File
	header *header.Header
	body   []byte
	steps  []vault.Step // what is added to it
	place  string

	patterns string // of a rule: the key with the patterns of the code that it is about
}

// notes returns the files that are Markdown, with the folders they lie in.
func (r *reader) notes() (all []*note) {
	for _, f := range r.files {
		n := &note{File: f}
		n.header, n.body = header.Split(f.Text)
		n.typeToLabel()
		all = append(all, n)
	}
	return all
}

// get returns a value of the header.
func (n *note) get(key string) string { s, _ := n.header.Get(key); return strings.TrimSpace(s) }

// stem returns the file's path without its extension.
func (n *note) stem() string { return strings.TrimSuffix(n.Rel, path.Ext(n.Rel)) }

// typeToLabel makes a memory of the tree of a note that is of another type: the word for the type
// becomes a label. Records and entries of the journal are not among what is imported.
func (n *note) typeToLabel() {
	said := n.get("type")
	if _, entry := header.ParseKind(said); entry || header.IsRecord(said) {
		n.steps = append(n.steps, vault.Step{Op: vault.OpSetKey, Key: "type", Value: vault.TypeMemory})
		n.label(said)
	}
}

// label adds labels.
func (n *note) label(words ...string) {
	if all := labels(words...); len(all) > 0 {
		n.steps = append(n.steps, vault.Step{Op: vault.OpAddToList, Key: "labels", List: all})
	}
}

// setDefault gives a key a value, unless the header has the key.
func (n *note) setDefault(key, value string) {
	if value = cleanLine(value); value != "" && n.header.Line(key) == 0 {
		n.steps = append(n.steps, vault.Step{Op: vault.OpSetKey, Key: key, Value: value})
	}
}

// replaceBody replaces the body.
func (n *note) replaceBody(body string) {
	if body == string(n.body) {
		return
	}
	n.Text = append(bytes.Clone(n.Text[:len(n.Text)-len(n.body)]), body...)
	n.body = n.Text[len(n.Text)-len(body):]
}

// takeNote takes a note in. Where its header cannot be edited it comes in without our keys.
func (r *reader) takeNote(n *note) {
	text, err := vault.ApplySteps(n.steps, n.Text)
	if err != nil {
		text = n.Text
	}
	i := Item{Source: r.source(n.Rel), Place: n.place, Text: text, Found: true, patterns: n.patterns}
	if n.header.Err() == nil {
		i.Own = header.IdentityOf(n.header)
	}
	r.takeItem(n.Rel, i)
}

// tags returns the tags that stand in a text: #tag, but not in code, in a heading's marks or in
// a link's fragment. A tag of digits alone is a number.
func tags(body string) (all []string) {
	var fence fence
	for row := range strings.Lines(body) {
		bare := strings.TrimLeft(strings.TrimRight(row, "\r\n"), " >")
		if !fence.code(bare) {
			all = append(all, rowTags(bare)...)
		}
	}
	return header.UniqueItems(all)
}

// rowTags returns the tags in one line.
func rowTags(row string) (all []string) {
	code := false
	for i := 0; i < len(row); i++ {
		switch {
		case row[i] == '`':
			code = !code
		case row[i] == '#' && !code && (i == 0 || row[i-1] == ' ' || row[i-1] == '\t'):
			end := i + 1
			for end < len(row) && tagByte(row[end]) {
				end++
			}
			if tag := strings.TrimRight(row[i+1:end], "/-"); strings.Trim(tag, "0123456789_-/") != "" {
				all = append(all, tag)
			}
			i = end - 1
		}
	}
	return all
}

// tagByte reports whether a tag may hold the byte; all that is not ASCII may be in one.
func tagByte(c byte) bool {
	return c >= 0x80 || c == '_' || c == '-' || c == '/' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
