package graph

import (
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// labels gathers the labels of memories. Those are no rows of the graph's own: they stand
// with the memories.
func (a *around) labels(ids string) error {
	if a.kind != "" && a.kind != graph.LabelType {
		return nil
	}
	return a.t.Each(`SELECT m.id, l.label FROM json_each(?) j CROSS JOIN memories m ON m.id = j.value JOIN labels l ON l.n = m.n ORDER BY j.key, l.position`, []any{ids}, func(r *sqlite.Row) error {
		memory, label := r.Text(), r.Text()
		a.addEdge(memory, graph.Labelled, graph.LabelID(label))
		return nil
	})
}

// bearers gathers the memories that bear the labels.
func (a *around) bearers(labels []string) error {
	return bearing(a.t, labels, a.limit, func(label string, memory vault.ID) {
		a.addEdge(string(memory), graph.Labelled, graph.LabelID(label))
	})
}

// bearing calls fn for the memories that bear each of the labels, those that came last into
// the index first, at most limit of each.
func bearing(t *sqlite.Tx, labels []string, limit int, fn func(label string, memory vault.ID)) error {
	return t.Each(`SELECT j.value, coalesce((SELECT group_concat(id, char(10)) FROM (
			SELECT m.id AS id FROM labels l CROSS JOIN memories m ON m.n = l.n WHERE l.label = j.value AND m.id IS NOT NULL ORDER BY l.n DESC LIMIT ?2)), '')
		FROM json_each(?1) j`, []any{sqlite.List(labels), limit}, func(r *sqlite.Row) error {
		label, all := r.Text(), r.Text()
		for memory := range strings.Lines(all) {
			fn(label, vault.ID(strings.TrimSuffix(memory, "\n")))
		}
		return nil
	})
}

// eachUsedLabel calls fn for those of the labels that a memory bears, as nodes.
func eachUsedLabel(t *sqlite.Tx, labels []string, fn func(graph.Node)) error {
	return t.Each(`SELECT value, n FROM (SELECT j.value AS value, (SELECT count(DISTINCT l.n) FROM labels l WHERE l.label = j.value) AS n FROM json_each(?) j) WHERE n > 0`, []any{sqlite.List(labels)}, func(r *sqlite.Row) error {
		label := r.Text()
		fn(graph.Node{ID: graph.LabelID(label), Name: label, Type: graph.LabelType, Sources: int(r.Int64())})
		return nil
	})
}
