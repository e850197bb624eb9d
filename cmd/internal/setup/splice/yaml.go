package splice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// mapping is a YAML file that was read, with one of its keys.
type mapping struct {
	text     []byte
	said     map[string]any
	key, val *yaml.Node // of the key asked for; nil where there is none
}

// parseYAML reads a file and finds a key at its top.
func parseYAML(text []byte, key string) (mapping, error) {
	m := mapping{text: text, said: map[string]any{}}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return m, nil
	} else if err != nil {
		return m, err
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return m, errors.New("it holds more than one YAML document")
	}
	if err := doc.Decode(&m.said); err != nil {
		return m, err
	}
	if m.said == nil {
		m.said = map[string]any{}
	}
	top := doc.Content[0]
	for i := 0; top.Kind == yaml.MappingNode && i+1 < len(top.Content); i += 2 {
		if top.Content[i].Value == key {
			m.key, m.val = top.Content[i], top.Content[i+1]
		}
	}
	return m, nil
}

// GetYAML returns what stands at a key of a file, and below it at a name if there is one.
func GetYAML(text []byte, key string, name ...string) (any, error) {
	m, err := parseYAML(text, key)
	if err != nil {
		return nil, err
	}
	said := m.said[key]
	for _, n := range name {
		in, _ := said.(map[string]any)
		said = in[n]
	}
	return said, nil
}

// SetYAML puts name with its value, which is a JSON object, into the mapping at a key of the
// file: as a region, or into the braces of a mapping on one line. What is in the region
// already is replaced. The error tells of a mapping of another layout.
func SetYAML(text []byte, key, name string, value []byte) ([]byte, error) {
	m, err := parseYAML(text, key)
	if err != nil {
		return nil, err
	}
	there, err := findRegion(text)
	if err != nil {
		return nil, err
	}
	lines := yamlLines(name, value)
	var out []byte
	switch {
	case there != nil && m.has(name) && there.lines[0] == key+":":
		out, err = SetRegion(text, append([]string{key + ":"}, indentLines(lines)...))
	case there != nil && m.has(name):
		out, err = SetRegion(text, lines)
	case m.has(name) && m.val.Style&yaml.FlowStyle != 0:
		if out, err = m.cutFromBraces(name); err == nil {
			return SetYAML(out, key, name, value)
		}
	case m.has(name):
		err = fmt.Errorf("%s.%s stands there by hand", key, name)
	case m.key == nil:
		out, err = SetRegion(text, append([]string{key + ":"}, indentLines(lines)...))
	case m.val.Kind == yaml.MappingNode && m.val.Style&yaml.FlowStyle != 0:
		out = m.intoBraces(name, value)
	case m.val.Tag == "!!null" && m.val.Value == "":
		out = m.putBelowKey(lines, "  ")
	case m.val.Kind == yaml.MappingNode && m.val.Content[0].Line > m.key.Line:
		out = m.putBelowKey(lines, strings.Repeat(" ", m.val.Content[0].Column-1))
	default:
		err = fmt.Errorf("%s is no mapping", key)
	}
	if err != nil {
		return nil, err
	}
	return out, m.checkUnchanged(out, key, name, value)
}

// DeleteYAML takes name out of the mapping at a key of the file, where SetYAML put it in.
func DeleteYAML(text []byte, key, name string) ([]byte, error) {
	m, err := parseYAML(text, key)
	if err != nil || !m.has(name) {
		return text, err
	}
	there, err := findRegion(text)
	if err != nil {
		return nil, err
	}
	var out []byte
	switch {
	case there != nil:
		out, err = DeleteRegion(text)
	case m.val.Style&yaml.FlowStyle != 0:
		out, err = m.cutFromBraces(name)
	default:
		err = fmt.Errorf("%s.%s stands there by hand", key, name)
	}
	if err != nil {
		return nil, err
	}
	return out, m.checkUnchanged(out, key, name, nil)
}

// has reports whether name is in the mapping.
func (m mapping) has(name string) bool { return m.node(name) != nil }

// node returns the key node of name in the mapping.
func (m mapping) node(name string) *yaml.Node {
	if m.val == nil || m.val.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(m.val.Content); i += 2 {
		if m.val.Content[i].Value == name {
			return m.val.Content[i]
		}
	}
	return nil
}

// putBelowKey puts a region on the lines behind that of the key.
func (m mapping) putBelowKey(lines []string, indent string) []byte {
	eol := document{text: m.text}.eol()
	at := m.offset(m.key.Line+1, 1)
	head := m.text[:at]
	gap := 0
	if len(head) > 0 && head[len(head)-1] != '\n' {
		head, gap = append(bytes.Clone(head), eol...), 1
	}
	return append(append(bytes.Clone(head), regionText(lines, indent, eol, gap)...), m.text[at:]...)
}

// intoBraces puts name first between the braces of a mapping.
func (m mapping) intoBraces(name string, value []byte) []byte {
	at := m.offset(m.val.Line, m.val.Column) + 1
	entry := name + ": " + string(value)
	if len(m.val.Content) > 0 {
		entry += ", "
	}
	return append(append(bytes.Clone(m.text[:at]), entry...), m.text[at:]...)
}

// cutFromBraces takes out what intoBraces put in.
func (m mapping) cutFromBraces(name string) ([]byte, error) {
	n := m.node(name)
	from := m.offset(n.Line, n.Column)
	rest, ok := bytes.CutPrefix(m.text[from:], []byte(name+": "))
	dec := json.NewDecoder(bytes.NewReader(rest))
	if !ok || dec.Decode(new(map[string]any)) != nil {
		return nil, fmt.Errorf("%s stands there by hand", name)
	}
	rest = bytes.TrimPrefix(rest[dec.InputOffset():], []byte(", "))
	return append(bytes.Clone(m.text[:from]), rest...), nil
}

// offset returns where a line and a column, both from 1, are in the text.
func (m mapping) offset(line, column int) int {
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(m.text[at:], '\n')
		if i < 0 {
			return len(m.text)
		}
		at += i + 1
	}
	if at == 0 && bytes.HasPrefix(m.text, []byte(bom)) && column > 1 {
		at = len(bom)
	}
	for ; column > 1 && at < len(m.text); column-- {
		_, n := utf8.DecodeRune(m.text[at:])
		at += n
	}
	return at
}

// checkUnchanged reports whether a text says what it said before, but for name.
func (m mapping) checkUnchanged(out []byte, key, name string, value []byte) error {
	now, err := parseYAML(out, key)
	if err != nil {
		return fmt.Errorf("it is laid out in a way that this program cannot change: %w", err)
	}
	want, got := dropName(m.said, key, name), dropName(now.said, key, name)
	if !reflect.DeepEqual(want, got) || now.has(name) != (value != nil) {
		return errors.New("it is laid out in a way that this program cannot change")
	}
	return nil
}

// dropName returns what a file says but for name in the mapping at a key. An empty mapping is
// as good as none.
func dropName(said map[string]any, key, name string) map[string]any {
	out := make(map[string]any, len(said))
	for k, v := range said {
		in, ok := v.(map[string]any)
		if k != key || !ok {
			if k != key || v != nil {
				out[k] = v
			}
			continue
		}
		rest := make(map[string]any, len(in))
		for n, v := range in {
			if n != name {
				rest[n] = v
			}
		}
		if len(rest) > 0 {
			out[k] = rest
		}
	}
	return out
}

// yamlLines writes name with its value as a block, a key a line.
func yamlLines(name string, value []byte) []string {
	lines := []string{name + ":"}
	dec := json.NewDecoder(bytes.NewReader(value))
	_, _ = dec.Token()
	for dec.More() {
		key, _ := dec.Token()
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			break
		}
		lines = append(lines, fmt.Sprintf("  %v: %s", key, v))
	}
	return lines
}

func indentLines(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "  " + line
	}
	return out
}
