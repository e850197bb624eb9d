package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"

	"go.yaml.in/yaml/v3"

	"github.com/cp-memory/cp/vault/prose"
)

// writeYAML writes v with the keys, in the order, that its JSON has: the YAML
// is made from the JSON's tokens.
func writeYAML(w io.Writer, v any) error {
	var b bytes.Buffer
	if err := writeJSON(&b, v, ""); err != nil {
		return err
	}
	d := json.NewDecoder(&b)
	d.UseNumber()
	node, err := yamlNode(d)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := e.Encode(node); err != nil {
		return err
	}
	_, err = io.WriteString(w, escapeInYAML(out.String()))
	return err
}

// yamlNode reads one JSON value.
func yamlNode(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		return yamlGroup(d, t)
	case string:
		return yamlString(t), nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: t.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(t)}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

// yamlGroup reads the rest of an object or array.
func yamlGroup(d *json.Decoder, open json.Delim) (*yaml.Node, error) {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	if open == '{' {
		n.Kind = yaml.MappingNode
	}
	for d.More() {
		child, err := yamlNode(d)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, child)
	}
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	_, err := d.Token()
	return n, err
}

// yamlString quotes what needs escapes, so that escapeInYAML meets such runes
// inside double quotes only; line feeds make a block of the text.
func yamlString(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case strings.ContainsFunc(s, prose.IsSteering) || old(s):
		n.Style = yaml.DoubleQuotedStyle
	case strings.Contains(s, "\n") && strings.TrimLeft(s, " \t\n") == s:
		n.Style = yaml.LiteralStyle // the library gets leading tabs wrong
	case strings.Contains(s, "\n"):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// old reports whether a reader of YAML 1.1, as Python's and Ruby's are, would
// take s for a truth value or a number to the base of 60.
func old(s string) bool {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off":
		return true
	}
	return strings.Contains(s, ":") && strings.Trim(s, "0123456789:_.+-") == ""
}

// escapeInYAML writes the runes of escapeInvisible as YAML's escapes.
func escapeInYAML(doc string) string {
	return escapeSteering(doc, func(r rune) string { return fmt.Sprintf(`\U%08X`, r) })
}

// unicodeEscape returns r as JSON escapes it: above the basic plane as a
// surrogate pair.
func unicodeEscape(r rune) string {
	if high, low := utf16.EncodeRune(r); high != 0xfffd {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
