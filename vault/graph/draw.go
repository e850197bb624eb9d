package graph

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// The formats.
const (
	DOT     = "dot"
	Mermaid = "mermaid"
	GraphML = "graphml"
	SVG     = "svg"
)

var formats = map[string]func(*Graph) string{DOT: dot, Mermaid: mermaid, GraphML: graphML, SVG: svg}

// Formats returns the names of the formats, in order.
func Formats() []string { return []string{DOT, Mermaid, GraphML, SVG} }

// IsFormat reports whether there is a format of that name.
func IsFormat(format string) bool { return slices.Contains(Formats(), format) }

// DrawAs returns a graph in a format. The error is CodeInvalid for a format that there is not.
func DrawAs(format string, g *Graph) (string, error) {
	if !IsFormat(format) {
		return "", vault.Errorf(vault.CodeInvalid, "use one of "+strings.Join(Formats(), ", "), "unknown graph format '%s'", vault.Clip(format, 40))
	}
	return formats[format](g), nil
}

// longest bounds a label in characters.
const longest = 60

// label returns a name on one line, without what no format can hold. What would turn or hide a
// part of it is written out, as on a terminal.
func label(name string) string {
	var plain strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsControl(r) || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF:
			plain.WriteByte(' ')
		case unicode.Is(unicode.Bidi_Control, r) || r == 0x200b || r == 0xfeff || r >= 0x2060 && r <= 0x2064:
			fmt.Fprintf(&plain, `\u%04x`, r)
		default:
			plain.WriteRune(r)
		}
	}
	runes := []rune(strings.Join(strings.Fields(plain.String()), " "))
	if len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return string(runes)
}

// numbers gives each node a short name of its own.
func numbers(g *Graph) map[string]string {
	all := make(map[string]string, len(g.Nodes))
	for i, n := range g.Nodes {
		all[n.ID] = fmt.Sprintf("n%d", i)
	}
	return all
}

func dot(g *Graph) string {
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(label(s)) + `"`
	}
	var b strings.Builder
	b.WriteString("digraph memory {\n  node [shape=ellipse, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n")
	at := numbers(g)
	for _, n := range g.Nodes {
		shape := ""
		if n.Memory {
			shape = ", shape=box"
		}
		fmt.Fprintf(&b, "  %s [label=%s, tooltip=%s%s];\n", at[n.ID], quote(n.Name), quote(n.Type), shape)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  %s -> %s [label=%s];\n", at[e.From], at[e.To], quote(e.Relation))
	}
	b.WriteString("}\n")
	return b.String()
}

func mermaid(g *Graph) string {
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`#`, `#35;`, `"`, `#quot;`, `<`, `#lt;`, `>`, `#gt;`, "`", `#96;`, `&`, `#amp;`, `|`, `#124;`).Replace(label(s)) + `"`
	}
	var b strings.Builder
	b.WriteString("graph LR\n")
	at := numbers(g)
	for _, n := range g.Nodes {
		open, end := "(", ")"
		if n.Memory {
			open, end = "[", "]"
		}
		fmt.Fprintf(&b, "  %s%s%s%s\n", at[n.ID], open, quote(n.Name), end)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  %s -->|%s| %s\n", at[e.From], quote(e.Relation), at[e.To])
	}
	return b.String()
}

// escape returns a text for XML.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}

func graphML(g *Graph) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="type" for="node" attr.name="type" attr.type="string"/>
  <key id="id" for="node" attr.name="id" attr.type="string"/>
  <key id="description" for="node" attr.name="description" attr.type="string"/>
  <key id="relation" for="edge" attr.name="relation" attr.type="string"/>
  <graph id="memory" edgedefault="directed">
`)
	at := numbers(g)
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "    <node id=\"%s\"><data key=\"name\">%s</data><data key=\"type\">%s</data><data key=\"id\">%s</data><data key=\"description\">%s</data></node>\n",
			at[n.ID], escape(n.Name), escape(n.Type), escape(n.ID), escape(n.Description))
	}
	for i, e := range g.Edges {
		fmt.Fprintf(&b, "    <edge id=\"e%d\" source=\"%s\" target=\"%s\"><data key=\"relation\">%s</data></edge>\n", i, at[e.From], at[e.To], escape(e.Relation))
	}
	b.WriteString("  </graph>\n</graphml>\n")
	return b.String()
}
