package graph

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// hostile is a graph whose names hold what the formats give a meaning to.
func hostile() *Graph {
	names := []string{`plain`, `"quoted" \ back`, "<b>&amp;", "a]b)c|d`e", "line\nbreak\x00\x1b[31m", "end]]>", "字 💡 ё", "", strings.Repeat("long ", 40), "bad \xff bytes", `\`, "%% -->|x| ;", "<!-- -->"}
	g := &Graph{}
	for i, name := range names {
		g.Nodes = append(g.Nodes, Node{ID: "n-" + name, Name: name, Type: name, Description: name, Memory: i%2 == 0, Depth: i % 3})
		if i > 0 {
			g.Edges = append(g.Edges, Edge{From: "n-" + names[i-1], Relation: name, To: "n-" + name}, Edge{From: "n-" + name, Relation: names[0], To: "n-" + name})
		}
	}
	g.Total = len(g.Nodes)
	return g
}

func TestFormats(t *testing.T) {
	for _, format := range Formats() {
		a, err := DrawAs(format, hostile())
		b, _ := DrawAs(format, hostile())
		if err != nil || a != b || !strings.HasSuffix(a, "\n") {
			t.Errorf("%s: %v, the same twice: %t", format, err, a == b)
		}
		if _, err := DrawAs(format, &Graph{}); err != nil {
			t.Errorf("%s of nothing: %v", format, err)
		}
	}
	if _, err := DrawAs("png", hostile()); err == nil || IsFormat("png") {
		t.Error("png is none of the formats")
	}
}

// count parses XML to its end and counts its elements by name.
func count(t *testing.T, text string) map[string]int {
	t.Helper()
	all := make(map[string]int)
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in:\n%s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok {
			all[e.Name.Local]++
		}
	}
}

func TestGraphML(t *testing.T) {
	g := hostile()
	var parsed struct {
		Graph struct {
			Nodes []struct {
				ID   string `xml:"id,attr"`
				Data []struct {
					Key  string `xml:"key,attr"`
					Text string `xml:",chardata"`
				} `xml:"data"`
			} `xml:"node"`
			Edges []struct {
				Source string `xml:"source,attr"`
				Target string `xml:"target,attr"`
			} `xml:"edge"`
		} `xml:"graph"`
	}
	if err := xml.Unmarshal([]byte(graphML(g)), &parsed); err != nil {
		t.Fatal(err)
	}
	if len(parsed.Graph.Nodes) != len(g.Nodes) || len(parsed.Graph.Edges) != len(g.Edges) {
		t.Fatalf("%d nodes and %d edges, want %d and %d", len(parsed.Graph.Nodes), len(parsed.Graph.Edges), len(g.Nodes), len(g.Edges))
	}
	known := make(map[string]bool)
	for i, n := range parsed.Graph.Nodes {
		known[n.ID] = true
		if len(n.Data) != 4 || n.Data[0].Key != "name" {
			t.Errorf("node %d has %v", i, n.Data)
		}
	}
	if got := parsed.Graph.Nodes[1].Data[0].Text; got != g.Nodes[1].Name {
		t.Errorf("name %q, want %q", got, g.Nodes[1].Name)
	}
	for _, e := range parsed.Graph.Edges {
		if !known[e.Source] || !known[e.Target] {
			t.Errorf("edge %+v leads nowhere", e)
		}
	}
}

func TestSVG(t *testing.T) {
	g := hostile()
	all := count(t, svg(g))
	if all["rect"] != len(g.Nodes)+1 || all["path"] != len(g.Edges)+1 || all["a"] != 0 {
		t.Errorf("%v for %d nodes and %d edges", all, len(g.Nodes), len(g.Edges))
	}
	linked := DrawPicture(g, func(n Node) string { return `/m/"><script>` + n.ID })
	if all := count(t, linked); all["a"] != len(g.Nodes) || all["script"] != 0 {
		t.Errorf("%v with links", all)
	}
	g.Total = 11037
	if !strings.Contains(svg(g), fmt.Sprintf("%d of 11037 nodes", len(g.Nodes))) {
		t.Error("it does not say of how many nodes these are")
	}
}

// What is above stands above, what is below stands below, and nothing covers another thing.
func TestLayers(t *testing.T) {
	g := &Graph{Nodes: []Node{{ID: "me", Memory: true}, {ID: "up", Memory: true, Depth: 1}, {ID: "ref", Depth: 1}, {ID: "by", Depth: 1}, {ID: "lost", Depth: 3}}}
	g.Edges = []Edge{{From: "me", Relation: childOf, To: "up"}, {From: "me", Relation: "references", To: "ref"}, {From: "by", Relation: "link", To: "me"}}
	for i := range 90 {
		id := fmt.Sprintf("c%d", i)
		g.Nodes = append(g.Nodes, Node{ID: id, Memory: true, Depth: 1})
		g.Edges = append(g.Edges, Edge{From: id, Relation: childOf, To: "me"})
	}
	at, width, height := gridOf(g).placeNodes()
	if !(at["up"].y < at["me"].y && at["me"].y < at["c0"].y && at["ref"].x > at["me"].x && at["by"].x < at["me"].x) {
		t.Errorf("up %v, me %v, below %v, refers to %v, is referred to by %v", at["up"], at["me"], at["c0"], at["ref"], at["by"])
	}
	for i, n := range g.Nodes {
		p := at[n.ID]
		if p.x < wide/2 || p.y < high/2 || p.x+wide/2 > width || p.y+high/2 > height {
			t.Errorf("%s at %v is outside of %d x %d", n.ID, p, width, height)
		}
		for _, o := range g.Nodes[:i] {
			q := at[o.ID]
			if dx, dy := max(p.x-q.x, q.x-p.x), max(p.y-q.y, q.y-p.y); dx < wide && dy < high {
				t.Errorf("%s at %v covers %s at %v", n.ID, p, o.ID, q)
			}
		}
	}
}

func TestTreemap(t *testing.T) {
	areas := []Area{{ID: "a", Name: "A <b>", Size: 60, Href: "/m/a\"x", Below: []Area{{ID: "aa", Name: "AA", Size: 30}, {ID: "ab", Name: "AB", Size: 20}}}, {ID: "b", Name: strings.Repeat("long ", 40), Size: 40}, {ID: "c", Name: "none"}}
	text := DrawTreemap(areas)
	if all := count(t, text); all["rect"] != 5 || all["a"] != 1 {
		t.Errorf("%v in\n%s", all, text)
	}
	if text != DrawTreemap(areas) || strings.Contains(text, "NaN") {
		t.Error("not the same twice, or a place that is no number")
	}
	if all := count(t, DrawTreemap(nil)); all["rect"] != 1 {
		t.Errorf("%v of nothing", all)
	}
	total := 0.0
	for _, m := range regexp.MustCompile(`width="([0-9.]+)" height="([0-9.]+)" fill="#e4ecf7"`).FindAllStringSubmatch(text, -1) {
		w, _ := strconv.ParseFloat(m[1], 64)
		h, _ := strconv.ParseFloat(m[2], 64)
		total += w * h
	}
	if whole := float64(mapWide * mapHigh); total < 0.99*whole || total > 1.01*whole {
		t.Errorf("the areas cover %.0f of %.0f", total, whole)
	}
}

// mermaidLine is a node or an edge of a Mermaid graph, with a label that needs no more care.
var mermaidLine = regexp.MustCompile("^  n\\d+(\\[\"[^\"<>`|\\n]*\"\\]|\\(\"[^\"<>`|\\n]*\"\\)| -->\\|\"[^\"<>`|\\n]*\"\\| n\\d+)$")

func TestMermaid(t *testing.T) {
	g := hostile()
	lines := strings.Split(strings.TrimSuffix(mermaid(g), "\n"), "\n")
	if lines[0] != "graph LR" || len(lines) != 1+len(g.Nodes)+len(g.Edges) {
		t.Fatalf("%d lines, the first %q", len(lines), lines[0])
	}
	for _, line := range lines[1:] {
		if !mermaidLine.MatchString(line) {
			t.Errorf("no node or edge: %s", line)
		}
	}
}

// Graphviz itself reads what is written for it.
func TestDOT(t *testing.T) {
	g := hostile()
	text := dot(g)
	if n := strings.Count(text, "\n"); n != 4+len(g.Nodes)+len(g.Edges) {
		t.Errorf("%d lines", n)
	}
	program, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("GRAPHVIZ IS MISSING: no program read the DOT file; on Debian: apt-get install graphviz")
	}
	run := exec.Command(program, "-Tplain")
	run.Stdin = strings.NewReader(text)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	if nodes, edges := strings.Count("\n"+string(out), "\nnode "), strings.Count("\n"+string(out), "\nedge "); nodes != len(g.Nodes) || edges != len(g.Edges) {
		t.Errorf("Graphviz found %d nodes and %d edges, want %d and %d", nodes, edges, len(g.Nodes), len(g.Edges))
	}
}
