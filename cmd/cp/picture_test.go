package main_test

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The drawings in the README are made from what the program says of the sample. These tests
// make them again, and compare; with CP_PICTURE=write (make pictures) they write them.

// sample is the folder of the sample's notes.
var sample = filepath.Join(top, "cmd", "internal", "demo", "sample")

// branch is a node of the tree as cp memory tree -o json tells it.
type branch struct {
	Title    string
	Summary  string
	Children []branch
}

func TestPicture(t *testing.T) {
	s := newScene(t)
	if err := os.CopyFS(s.dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	s.must(s.cp, "memory", "sync")
	var roots []branch
	var root struct{ Summary string }
	for text, into := range map[string]any{
		s.must(s.cp, "memory", "tree", "deployment.md", "-o", "json"): &roots, s.must(s.cp, "memory", "show", "deployment.md", "-o", "json"): &root,
	} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	roots[0].Summary = root.Summary
	pictured(t, "tree.svg", drawing(rows(nil, roots[0], "", "")))
}

// TestPictureOfTheGraph draws what is around a memory twice, in two vaults.
func TestPictureOfTheGraph(t *testing.T) {
	for range 2 {
		s := newScene(t)
		if err := os.CopyFS(s.dir, os.DirFS(sample)); err != nil {
			t.Fatal(err)
		}
		s.must(s.cp, "memory", "sync")
		pictured(t, "graph.svg", s.must(s.cp, "memory", "graph", "deployment.md", "--depth", "1", "-o", "svg"))
	}
}

// pictured fails if the picture of that name is another one.
func pictured(t *testing.T, name, drawn string) {
	t.Helper()
	name = filepath.Join(top, "testdata", name)
	if os.Getenv("CP_PICTURE") == "write" {
		if err := os.WriteFile(name, []byte(drawn), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if there, err := os.ReadFile(name); err != nil || string(there) != drawn {
		t.Errorf("%s is not what the program says of the sample (%v): run make pictures", name, err)
	}
}

// row is a line of the picture.
type row struct{ strokes, title, phrase string }

// rows adds the lines of a node and of those below it, which stand behind the strokes rest.
func rows(all []row, b branch, first, rest string) []row {
	all = append(all, row{first, b.Title, b.Summary})
	for i, c := range b.Children {
		if i == len(b.Children)-1 {
			all = rows(all, c, rest+"└── ", rest+"    ")
		} else {
			all = rows(all, c, rest+"├── ", rest+"│   ")
		}
	}
	return all
}

// The picture's measures, in pixels. A letter of the fonts named below is 0.6 em wide.
const (
	fontSize   = 14
	letter     = fontSize * 0.6
	lineHeight = 24
	margin     = 16
	phraseAt   = 34 // letters: where the column of the phrases begins
)

// drawing returns the rows as an SVG that suits a light and a dark page.
func drawing(all []row) string {
	width := 0.0
	for _, r := range all {
		width = max(width, letter*float64(phraseAt+len([]rune(r.phrase))))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d" xml:space="preserve">
<style>
  .line { fill: #8c959f } .title { fill: #1f2328; font-weight: bold } .phrase { fill: #0a5bb5; font-style: italic }
  @media (prefers-color-scheme: dark) { .line { fill: #6e7681 } .title { fill: #e6edf3 } .phrase { fill: #79b8ff } }
</style>
`, width+2*margin, margin+lineHeight*len(all)+margin/2, fontSize)
	for i, r := range all {
		y, x := margin+lineHeight*i+fontSize, margin+letter*float64(len([]rune(r.strokes)))
		if r.strokes != "" {
			fmt.Fprintf(&b, "<text class=\"line\" x=\"%d\" y=\"%d\">%s</text>\n", margin, y, r.strokes)
		}
		fmt.Fprintf(&b, "<text class=\"title\" x=\"%.1f\" y=\"%d\">%s</text>\n", x, y, html.EscapeString(r.title))
		fmt.Fprintf(&b, "<text class=\"phrase\" x=\"%.1f\" y=\"%d\">%s</text>\n", margin+letter*phraseAt, y, html.EscapeString(r.phrase))
	}
	return b.String() + "</svg>\n"
}
