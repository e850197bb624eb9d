package header

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Map returns the value of a key that holds a mapping, as a JSON object: texts, numbers,
// bools, null, lists and mappings of these; a date is a text. ok is false for a missing key,
// for any other value, and for a mapping with a key twice or one that is no text.
func (h *Header) Map(key string) (object string, ok bool) {
	f := h.field(key)
	if f == nil || f.kind != other {
		return "", false
	}
	object, ok = h.valueAt(f)
	return object, ok && strings.HasPrefix(object, "{")
}

// valueAt returns a field's value as JSON.
func (h *Header) valueAt(f *field) (value string, ok bool) {
	n := h.node(f)
	if n == nil {
		return "", false
	}
	return encodeNode(n)
}

// node returns a field's value as the YAML library reads it, or nil.
func (h *Header) node(f *field) *yaml.Node {
	if h.isForeign() {
		return nil
	}
	root, err := document(h.text)
	if err != nil || root == nil {
		return nil
	}
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value == f.key {
			return root.Content[i+1]
		}
	}
	return nil
}

// encodeNode returns a node as JSON.
func encodeNode(n *yaml.Node) (string, bool) {
	value, ok := valueOf(n)
	if !ok {
		return "", false
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err == nil
}

// valueOf returns a node as a value that can be written as JSON.
func valueOf(n *yaml.Node) (value any, ok bool) {
	switch n = aliasTarget(n); n.Kind {
	case yaml.ScalarNode:
		return scalarOf(n), true
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, c := range n.Content {
			if list[i], ok = valueOf(c); !ok {
				return nil, false
			}
		}
		return list, true
	case yaml.MappingNode:
		return mapOf(n)
	}
	return nil, false
}

func mapOf(n *yaml.Node) (any, bool) {
	all := make(map[string]any, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if _, twice := all[key.Value]; twice || key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			return nil, false
		}
		var ok bool
		if all[key.Value], ok = valueOf(n.Content[i+1]); !ok {
			return nil, false
		}
	}
	return all, true
}

// scalarOf returns a scalar by its type. What JSON has no number for is a text.
func scalarOf(n *yaml.Node) any {
	var whole int64
	var number float64
	var yes bool
	switch {
	case n.Tag == "!!null":
		return nil
	case n.Tag == "!!bool" && n.Decode(&yes) == nil:
		return yes
	case n.Tag == "!!int" && n.Decode(&whole) == nil:
		return whole
	case n.Tag == "!!float" && n.Decode(&number) == nil && !math.IsNaN(number) && !math.IsInf(number, 0):
		return number
	}
	return n.Value
}

// SetIn returns doc with the value of one key inside of a key that holds a mapping. value is
// JSON; an empty one takes the key out, and with the last key the mapping goes. The lines of
// the other keys stay. A mapping in braces is written anew, one key on each line.
func SetIn(doc []byte, key, in, value string) ([]byte, error) {
	h, body := Split(doc)
	f, err := h.editable(key)
	if err != nil {
		return nil, err
	}
	if h.isForeign() {
		return nil, &Error{1, "front matter in " + string(h.form) + " takes no key with keys of its own: write it in an editor"}
	}
	rows := ""
	if f != nil {
		if _, ok := h.Map(key); !ok {
			return nil, &Error{f.line + 1, "key " + key + " holds no mapping"}
		}
		if rows, err = h.rowsIn(f); err != nil {
			return nil, err
		}
	}
	next, err := setRow(rows, in, value, h.eol)
	switch {
	case err != nil || next == rows:
		return doc, err
	case f == nil:
		return h.insertBelow(doc, body, key, next)
	case next == "":
		return DropLines(doc, key)
	}
	return h.remap(doc, body, f, next)
}

// remap writes other lines of a mapping below its key.
func (h *Header) remap(doc, body []byte, f *field, rows string) ([]byte, error) {
	inBraces := h.inBraces(f)
	if f.remarks && inBraces {
		return nil, &Error{f.line + 1, "key " + f.key + " has comments inside its value"}
	}
	name, comment, ok := h.splitKeyLine(f)
	if !ok {
		return nil, &Error{f.line + 1, "key " + f.key + " is written in a way that cannot be edited by line"}
	}
	if inBraces {
		text := strings.TrimRight(h.text[f.lines.start:f.lines.end], "\r\n")
		comment = text[1+strings.LastIndexByte(text, '}'):]
	}
	return h.splice(doc, body, f, f.lines, name+":"+comment+h.eol+rows)
}

// inBraces reports whether a mapping is written in braces.
func (h *Header) inBraces(f *field) bool {
	n := h.node(f)
	return n != nil && n.Style&yaml.FlowStyle != 0
}

// rowsIn returns the lines of a mapping, one for each key: those it has, or new ones for one
// that is written in braces.
func (h *Header) rowsIn(f *field) (string, error) {
	if !h.inBraces(f) {
		return h.text[lineEnd(h.text, f.lines.start):f.lines.end], nil
	}
	object, _ := h.Map(f.key)
	return rowsOf(object, h.indent()+2, h.eol)
}

// rowsOf writes a JSON object as lines, in the order of its keys.
func rowsOf(object string, indent int, eol string) (string, error) {
	rows := ""
	err := EachIn(object, func(key, value string) (err error) {
		if rows == "" {
			rows, err = newRow(key, value, indent, eol)
			return err
		}
		rows, err = setRow(rows, key, value, eol)
		return err
	})
	return rows, err
}

// setRow sets or takes out one key in the lines of a mapping.
func setRow(rows, key, value, eol string) (string, error) {
	if rows == "" {
		if value == "" {
			return "", nil
		}
		return newRow(key, value, 2, eol)
	}
	inner := []byte("---" + eol + rows + "---" + eol)
	h, body := Split(inner)
	f, err := h.editable(key)
	if err != nil {
		return "", err
	}
	switch {
	case value == "" && f == nil:
		return rows, nil
	case value == "" && len(h.fields) == 1:
		return "", nil
	case value == "":
		inner, err = DropLines(inner, key)
	case f == nil:
		inner, err = h.insert(inner, body, key, inFlow(value))
	default:
		inner, err = h.overwrite(inner, body, f, value)
	}
	if err != nil {
		return "", err
	}
	h, _ = Split(inner)
	return h.text, nil
}

// overwrite replaces a value of whatever kind.
func (h *Header) overwrite(doc, body []byte, f *field, value string) ([]byte, error) {
	if was, _ := h.valueAt(f); was == value {
		return doc, nil
	}
	if f.simple && f.val.start < f.val.end {
		return h.splice(doc, body, f, f.val, inFlow(value))
	}
	name, comment, ok := h.splitKeyLine(f)
	if !ok || f.remarks {
		return nil, &Error{f.line + 1, "key " + f.key + " is written in a way that cannot be edited by line"}
	}
	return h.splice(doc, body, f, f.lines, name+": "+inFlow(value)+comment+h.eol)
}

// newRow returns the line of a key with a JSON value.
func newRow(key, value string, indent int, eol string) (string, error) {
	if key == "" || keyLen(key+":") != len(key) {
		return "", fmt.Errorf("%q is not a plain key", key)
	}
	return strings.Repeat(" ", indent) + key + ": " + inFlow(value) + eol, nil
}

// inFlow returns a JSON value as YAML: a text as other texts are written here, anything else
// as it is, since JSON is YAML.
func inFlow(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) == nil && strings.HasPrefix(value, `"`) {
		return format(text, "", false)
	}
	return value
}

// EachIn calls fn for the keys of a JSON object with their values, in order.
func EachIn(object string, fn func(key, value string) error) error {
	in := json.NewDecoder(strings.NewReader(object))
	if _, err := in.Token(); err != nil {
		return err
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := in.Decode(&value); err != nil {
			return err
		}
		name, _ := key.(string)
		if err := fn(name, string(value)); err != nil {
			return err
		}
	}
	return nil
}
