package graph

import (
	"context"
	"math"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// Interface check.
var _ recall.Web = Reader{}

// common is the number of memories beyond which what they have in common says nothing.
const common = 50

// Hops implements [recall.Web].
func (d Reader) Hops(ctx context.Context, from []vault.ID, o vault.ListOptions) (hops []recall.Hop, err error) {
	f := query.NewFilter(o, o.Now)
	err = d.View(ctx, func(t *sqlite.Tx) error {
		args := append([]any{sqlite.List(from), common}, f.Args...)
		read := func(r *sqlite.Row) error {
			h := recall.Hop{From: vault.ID(r.Text()), To: vault.ID(r.Text()), Through: r.Text(), Weight: rarity(r.Int())}
			hops = append(hops, h)
			return nil
		}
		if err := t.Each(byEntity+f.Condition(), args, read); err != nil {
			return err
		}
		if err := t.Each(byLabel+f.Condition(), args, read); err != nil {
			return err
		}
		return byLink(t, sqlite.List(from), f, &hops)
	})
	return hops, err
}

// rarity is the weight of what so many memories have: 1 where only two have it.
func rarity(n int) float64 { return 1 / (1 + math.Log2(float64(max(n, 2))/2)) }

const (
	byEntity = `SELECT s.source, m.id, g.name, g.sources FROM json_each(?) asked CROSS JOIN memory_nodes s ON s.source = asked.value
		JOIN graph_node_rows g ON g.k = s.k AND g.sources BETWEEN 2 AND ? JOIN memory_nodes other ON other.k = s.k AND other.source <> s.source
		JOIN memories m ON m.id = other.source WHERE `

	byLabel = `SELECT from_id, m.id, label, common FROM (
			SELECT a.id AS from_id, b.n AS n, l.label AS label, (SELECT count(*) FROM (SELECT 1 FROM labels x WHERE x.label = l.label LIMIT 51)) AS common
			FROM json_each(?) asked CROSS JOIN memories a ON a.id = asked.value JOIN labels l ON l.n = a.n JOIN labels b ON b.label = l.label AND b.n <> a.n) near
		JOIN memories m ON m.n = near.n WHERE common <= ? AND `
)

// byLink appends the hops of links.
func byLink(t *sqlite.Tx, from string, f query.Filter, hops *[]recall.Hop) error {
	ids := make(map[int64]vault.ID)
	var ns []int64
	if err := t.Each(`SELECT m.n, m.id FROM json_each(?) asked CROSS JOIN memories m ON m.id = asked.value`, []any{from}, func(r *sqlite.Row) error {
		n := r.Int64()
		ids[n], ns = vault.ID(r.Text()), append(ns, n)
		return nil
	}); err != nil {
		return err
	}
	near, err := query.NearestNodes(t, ns, common)
	if err != nil || len(near) == 0 {
		return err
	}
	others := make([]int64, len(near))
	for i, l := range near {
		others[i] = l.N
	}
	to := make(map[int64]vault.ID, len(near))
	if err := t.Each(`SELECT m.n, m.id FROM memories m WHERE m.n IN (SELECT value FROM json_each(?)) AND m.id IS NOT NULL AND `+f.Condition(), append([]any{sqlite.List(others)}, f.Args...), func(r *sqlite.Row) error {
		n := r.Int64()
		to[n] = vault.ID(r.Text())
		return nil
	}); err != nil {
		return err
	}
	for _, l := range near {
		if id, ok := to[l.N]; ok {
			*hops = append(*hops, recall.Hop{From: ids[l.Of], To: id, Through: "link", Weight: rarity(l.Common + 1)})
		}
	}
	return nil
}
