package graph

import (
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/fact"
)

// Writer keeps the tables of the graph. A statement that fails ends the transaction, and
// those after it do nothing.
type Writer struct {
	t     *sqlite.Tx
	nodes map[int64]string // touched, with the type if it is known
	edges map[int64]Edge   // touched; the zero Edge is only to be looked at
	terms *text.Analyser
}

// NewWriter returns a Writer in a transaction.
func NewWriter(t *sqlite.Tx) *Writer {
	return &Writer{t: t, nodes: make(map[int64]string), edges: make(map[int64]Edge)}
}

// Set replaces what a source says. at is when the memory was made, in microseconds, or
// [Undated].
func (w *Writer) Set(source string, at int64, l Links) {
	w.setNodes(source, at, l.Nodes)
	w.setEdges(source, l.Edges)
}

func (w *Writer) setNodes(source string, at int64, nodes []Node) {
	want := make(map[int64]Node, len(nodes))
	for _, n := range nodes {
		want[n.ID] = n
	}
	var gone []int64
	_ = w.t.Each(`SELECT k, at, name, description, hand FROM memory_nodes WHERE source = ?`, []any{source}, func(r *sqlite.Row) error {
		k, was := r.Int64(), r.Int64()
		n, there := want[k]
		if there && was == at && n.Name == r.Text() && n.Description == r.Text() && n.Hand == r.Bool() {
			delete(want, k)
			return nil
		}
		gone = append(gone, k, was)
		return nil
	})
	for i := 0; i < len(gone); i += 2 {
		w.t.Exec(`DELETE FROM memory_nodes WHERE k = ? AND at = ? AND source = ?`, gone[i], gone[i+1], source)
		w.markRow(gone[i], "")
	}
	for k, n := range want {
		w.t.Exec(intoNodes, k, at, source, n.Name, n.Description, n.Hand)
		w.markRow(k, n.Type)
	}
}

const (
	intoNodes = `INSERT INTO memory_nodes (k, at, source, name, description, hand) VALUES (?, ?, ?, ?, ?, ?)`
	intoEdges = `INSERT INTO memory_edges (k, source, hand) VALUES (?, ?, ?)`
)

// markRow notes that the row of a node may be another one now.
func (w *Writer) markRow(k int64, kind string) {
	if w.nodes[k] == "" {
		w.nodes[k] = kind
	}
}

func (w *Writer) setEdges(source string, edges []Edge) {
	want := make(map[int64]Edge, len(edges))
	for _, e := range edges {
		want[e.ID] = e
	}
	var gone []int64
	_ = w.t.Each(`SELECT k, hand FROM memory_edges WHERE source = ?`, []any{source}, func(r *sqlite.Row) error {
		k := r.Int64()
		if e, there := want[k]; there && e.Hand == r.Bool() {
			delete(want, k)
			return nil
		}
		gone = append(gone, k)
		return nil
	})
	for _, k := range gone {
		w.t.Exec(`DELETE FROM memory_edges WHERE k = ? AND source = ?`, k, source)
		if _, known := w.edges[k]; !known {
			w.edges[k] = Edge{}
		}
	}
	for k, e := range want {
		w.t.Exec(intoEdges, k, source, e.Hand)
		w.edges[k] = e
	}
}

// Settle makes the rows of the nodes and edges that were touched, and drops those of which no
// source speaks any more.
func (w *Writer) Settle() {
	for k, e := range w.edges {
		w.settleEdge(k, e)
	}
	for k, kind := range w.nodes {
		w.settleNode(k, kind)
	}
	clear(w.nodes)
	clear(w.edges)
}

func (w *Writer) settleEdge(k int64, e Edge) {
	said, _ := w.t.Maybe(`SELECT 1 FROM memory_edges WHERE k = ? LIMIT 1`, []any{k}, new(int))
	switch {
	case !said:
		w.t.Exec(`DELETE FROM graph_edge_rows WHERE k = ?`, k)
	case e.ID != 0:
		w.t.Exec(intoEdgeRows, k, e.From, e.Relation, e.To)
	}
}

const intoEdgeRows = `INSERT OR IGNORE INTO graph_edge_rows (k, a, relation, b) VALUES (?, ?, ?, ?)`

// node is a row of a node.
type node struct {
	name, kind, description string
	sources                 int
}

func (w *Writer) settleNode(k int64, kind string) {
	var was, now node
	old, _ := w.t.Maybe(`SELECT name, type, description, sources FROM graph_node_rows WHERE k = ?`, []any{k}, &was.name, &was.kind, &was.description, &was.sources)
	if now.kind = kind; old {
		now.kind = was.kind
	}
	w.fillNode(k, &now)
	if now == was {
		return
	}
	if old && (now.sources == 0 || now.name != was.name || now.description != was.description) {
		w.indexTerms(`INSERT INTO nodes(nodes, rowid, name, description) VALUES ('delete', ?, ?, ?)`, k, was)
	}
	if now.sources == 0 {
		w.t.Exec(`DELETE FROM graph_node_rows WHERE k = ?`, k)
		return
	}
	w.t.Exec(intoNodeRows, k, now.name, now.kind, now.description, query.HashName(fact.FoldName(now.name)), now.sources)
	if !old || now.name != was.name || now.description != was.description {
		w.indexTerms(intoTerms, k, now)
	}
}

const (
	intoNodeRows = `INSERT INTO graph_node_rows (k, name, type, description, folded, sources) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (k) DO UPDATE SET name = excluded.name, description = excluded.description, sources = excluded.sources`
	intoTerms = `INSERT INTO nodes(rowid, name, description) VALUES (?, ?, ?)`
)

// indexTerms writes the terms of a node by a statement.
func (w *Writer) indexTerms(query string, k int64, n node) {
	if w.terms == nil {
		w.terms = text.NewAnalyser()
	}
	w.t.Exec(query, k, w.terms.JoinTerms(n.name), w.terms.JoinTerms(n.description))
}

// fillNode fills in what the sources of a node say of it, the oldest first.
func (w *Writer) fillNode(k int64, n *node) {
	_ = w.t.One(`SELECT count(*) FROM memory_nodes WHERE k = ?`, []any{k}, &n.sources)
	var d described
	_ = w.t.Each(`SELECT name, description FROM memory_nodes WHERE k = ? ORDER BY at, source LIMIT ?`, []any{k, maxTold}, func(r *sqlite.Row) error {
		name := r.Text()
		if n.name == "" {
			n.name = strings.Clone(name)
		}
		d.addText(r.Text())
		return nil
	})
	n.description = d.String()
}

// Limits of a description: the sources that are asked, oldest first, and the runes.
const (
	maxTold     = 200
	maxDescribe = 500
)

// described joins what sources say of one node, each thing once.
type described struct {
	all  []string
	seen map[string]bool
}

func (d *described) addText(text string) {
	if text == "" || d.seen[text] {
		return
	}
	if d.seen == nil {
		d.seen = make(map[string]bool)
	}
	d.seen[text] = true
	d.all = append(d.all, text)
}

func (d *described) String() string {
	text := strings.Join(d.all, "; ")
	if utf8.RuneCountInString(text) <= maxDescribe {
		return text
	}
	return string([]rune(text)[:maxDescribe-1]) + "…"
}
