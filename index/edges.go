package index

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
)

// Edges returns a memory's relations: its parent and children, the references and links in
// its text, and those of other memories to it. A target named twice in one text is one
// edge. Edges to itself are left out, and without kin those to its children.
func (d *DB) Edges(ctx context.Context, id vault.ID, kin bool) ([]vault.Edge, error) {
	var edges []query.LinkEdge
	rows, err := askSnapshot(ctx, d, func(t *tx) ([]*row, error) {
		var n int64
		found, err := t.Maybe(`SELECT n FROM memories WHERE id = ?`, []any{id}, &n)
		if err != nil || !found {
			return nil, err
		}
		if edges, err = query.LinksOf(t.Tx, n, kin); err != nil {
			return nil, err
		}
		others := []int64{n}
		for _, e := range edges {
			others = append(others, e.N)
		}
		slices.Sort(others)
		return t.rowsIn(slices.Compact(others))
	})
	if err != nil {
		return nil, err
	}
	var self vault.Node
	nodes := make(map[int64]vault.Node, len(rows))
	for i, node := range d.nodesWithCounts(ctx, rows) {
		if nodes[rows[i].n] = node; node.ID == id {
			self = node
		}
	}
	out := make([]vault.Edge, 0, len(edges))
	for _, e := range edges {
		out = append(out, between(e, self, nodes[e.N]))
	}
	return out, nil
}

// between fills in the two ends of an edge of the memory self.
func between(e query.LinkEdge, self, other vault.Node) vault.Edge {
	e.Other = other
	from, to := other, self
	if e.Outgoing {
		from, to = self, other
	}
	e.From, e.To = from.ID, to.ID
	if e.Kind == "child-of" {
		e.Summary = from.Summary
	}
	return e.Edge
}

// Nowhere returns the links and references that lead to no memory, in the order of their
// files' paths. Of each only From, Kind and Target are set.
func (d *DB) Nowhere(ctx context.Context) ([]vault.Edge, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]vault.Edge, error) { return query.LinksNowhere(t.Tx) })
}

// Linking returns the files whose links the shifts concern, and what wikilinks mean by them.
func (d *DB) Linking(ctx context.Context, shifts []vault.Shift) (vault.Linking, error) {
	moved, err := askSnapshot(ctx, d, func(t *tx) (*query.LinksMoved, error) { return query.MoveLinks(t.Tx, shifts) })
	if err != nil {
		return vault.Linking{}, err
	}
	files, err := askSnapshot(ctx, d, func(t *tx) ([]vault.Path, error) { return moved.Linking(t.Tx) })
	return vault.Linking{Files: files, Leads: func(ctx context.Context, names []string) ([]vault.Lead, error) {
		return askSnapshot(ctx, d, func(t *tx) ([]vault.Lead, error) { return moved.Leads(t.Tx, names) })
	}}, err
}
