// Package draw writes a graph in the formats of other programs: DOT for Graphviz, Mermaid for
// Markdown pages, GraphML for graph editors, and a picture as SVG.
//
// Whatever the names hold, the result is well-formed. The same graph gives the same bytes.
//
//	text, err := draw.As(draw.Mermaid, g)
package draw
