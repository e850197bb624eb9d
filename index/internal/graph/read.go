package graph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
)

// Reader answers from the tables. It is the [graph.Mirror] of an index.
type Reader struct {
	View func(ctx context.Context, fn func(*sqlite.Tx) error) error // runs fn on a snapshot
}

// Interface check.
var _ graph.Mirror = Reader{}

// entityID returns the id of a node as people see it.
func entityID(k int64) string { return fmt.Sprintf("n-%016x", uint64(k)) }

// relationID is that of an edge.
func relationID(k int64) string { return fmt.Sprintf("e-%016x", uint64(k)) }

// numberOf reads such an id.
func numberOf(id string) (k int64, ok bool) {
	digits, ok := strings.CutPrefix(id, "n-")
	n, err := strconv.ParseUint(digits, 16, 64)
	return int64(n), ok && err == nil && len(digits) == 16
}

func numbersOf(ids []string) string {
	all := make([]int64, 0, len(ids))
	for _, id := range ids {
		if k, ok := numberOf(id); ok {
			all = append(all, k)
		}
	}
	return sqlite.List(all)
}

const columns = `g.k, g.name, g.type, g.description, g.sources`

func readNode(r *sqlite.Row) (n graph.Node) {
	n.ID = entityID(r.Int64())
	r.Scan(&n.Name, &n.Type, &n.Description, &n.Sources)
	return n
}

// nodes asks for nodes by the end of a query.
func (d Reader) nodes(ctx context.Context, end string, args ...any) (all []graph.Node, err error) {
	err = d.View(ctx, func(t *sqlite.Tx) error {
		all, err = sqlite.All(t, `SELECT `+columns+` FROM `+end, args, readNode)
		return err
	})
	return all, err
}

// Entities implements [graph.Mirror].
func (d Reader) Entities(ctx context.Context, q graph.Query) (all []graph.Node, total int, err error) {
	where, args := `sources >= ?`, []any{q.Min}
	if q.Type != "" {
		where, args = where+` AND type = ?`, append(args, q.Type)
	}
	limit := -1
	if q.Limit > 0 {
		limit = q.Limit
	}
	err = d.View(ctx, func(t *sqlite.Tx) error {
		if err := t.One(`SELECT count(*) FROM graph_node_rows WHERE `+where, args, &total); err != nil {
			return err
		}
		all, err = sqlite.All(t, `SELECT `+columns+` FROM graph_node_rows g WHERE `+where+` ORDER BY sources DESC, folded, k LIMIT ? OFFSET ?`, append(args, limit, q.Offset), readNode)
		return err
	})
	return all, total, err
}

// FindNamed implements [graph.Mirror].
func (d Reader) FindNamed(ctx context.Context, name string) ([]graph.Node, error) {
	if _, ok := graph.LabelOf(name); ok {
		found, err := d.Nodes(ctx, []string{name})
		return slices.Collect(maps.Values(found)), err
	}
	if k, ok := numberOf(name); ok {
		return d.nodes(ctx, `graph_node_rows g WHERE g.k = ?`, k)
	}
	return d.nodes(ctx, `graph_node_rows g WHERE g.folded = ? ORDER BY g.sources DESC, g.k`, query.HashName(fact.FoldName(strings.Join(strings.Fields(name), " "))))
}

// Speaking implements [graph.Mirror].
func (d Reader) Speaking(ctx context.Context, ids []string, limit int) (map[string][]vault.ID, error) {
	all := make(map[string][]vault.ID, len(ids))
	err := d.View(ctx, func(t *sqlite.Tx) error {
		_, labels, _ := splitIDs(ids)
		err := bearing(t, labels, limit, func(label string, memory vault.ID) {
			all[graph.LabelID(label)] = append(all[graph.LabelID(label)], memory)
		})
		if err != nil {
			return err
		}
		return speakers(t, numbersOf(ids), limit, func(id string, memory vault.ID) { all[id] = append(all[id], memory) })
	})
	return all, err
}

// speakers calls fn for the memories that speak of each of the entities.
func speakers(t *sqlite.Tx, ids string, limit int, fn func(id string, memory vault.ID)) error {
	return t.Each(speaking, []any{ids, limit}, func(r *sqlite.Row) error {
		id, all := entityID(r.Int64()), r.Text()
		for memory := range strings.Lines(all) {
			fn(id, vault.ID(strings.TrimSuffix(memory, "\n")))
		}
		return nil
	})
}

// speaking goes through the memories of each node from the newest on, those that do not say
// when they were made last. It is one statement for all nodes, and reads no more of the
// memories of a node than it gives.
var speaking = `SELECT j.value, coalesce((SELECT group_concat(id, char(10)) FROM (
		SELECT id FROM (SELECT m.id AS id FROM memory_nodes s CROSS JOIN memories m ON m.id = s.source WHERE s.k = j.value AND s.at < 9223372036854775807 ORDER BY s.at DESC, s.source DESC LIMIT ?2)
		UNION ALL
		SELECT id FROM (SELECT m.id AS id FROM memory_nodes s CROSS JOIN memories m ON m.id = s.source WHERE s.k = j.value AND s.at = 9223372036854775807 ORDER BY s.source DESC LIMIT ?2)
		LIMIT ?2)), '')
	FROM json_each(?1) j`

// maxTerms bounds the terms of a query for nodes.
const maxTerms = 32

// Search implements [graph.Mirror].
func (d Reader) Search(ctx context.Context, query string, limit int) ([]graph.Node, error) {
	terms := text.NewAnalyser().Query(query, maxTerms)
	if len(terms) == 0 {
		return nil, nil
	}
	return d.nodes(ctx, `(SELECT rowid AS n, rank AS place FROM nodes WHERE nodes MATCH ? ORDER BY rank, rowid LIMIT ?) f JOIN graph_node_rows g ON g.k = f.n ORDER BY f.place, g.sources DESC, g.k`,
		`"`+strings.Join(terms, `" OR "`)+`"`, limit)
}

// Provenance returns the ids of the nodes and edges that come from a memory, in order.
func (d Reader) Provenance(ctx context.Context, memory vault.ID) (nodes, edges []string, err error) {
	return d.provenance(ctx, memory, `SELECT 1, k FROM memory_nodes WHERE source = ?1 UNION ALL SELECT 0, k FROM memory_edges WHERE source = ?1`)
}

// Alone returns those of them that come from no other memory.
func (d Reader) Alone(ctx context.Context, memory vault.ID) (nodes, edges []string, err error) {
	return d.provenance(ctx, memory, `SELECT 1, k FROM memory_nodes s WHERE source = ?1 AND NOT EXISTS (SELECT 1 FROM memory_nodes o WHERE o.k = s.k AND o.source <> ?1)
		UNION ALL SELECT 0, k FROM memory_edges s WHERE source = ?1 AND NOT EXISTS (SELECT 1 FROM memory_edges o WHERE o.k = s.k AND o.source <> ?1)`)
}

// provenance reads the numbers of nodes, with 1 before them, and of edges.
func (d Reader) provenance(ctx context.Context, memory vault.ID, query string) (nodes, edges []string, err error) {
	err = d.View(ctx, func(t *sqlite.Tx) error {
		return t.Each(query, []any{memory}, func(r *sqlite.Row) error {
			if node, k := r.Bool(), r.Int64(); node {
				nodes = append(nodes, entityID(k))
			} else {
				edges = append(edges, relationID(k))
			}
			return nil
		})
	})
	slices.Sort(nodes)
	slices.Sort(edges)
	return nodes, edges, err
}

// Edge returns the edge with an id; false if there is none.
func (d Reader) Edge(ctx context.Context, id string) (e graph.Edge, ok bool, err error) {
	k, ok := numberOf("n-" + strings.TrimPrefix(id, "e-"))
	if !ok || !strings.HasPrefix(id, "e-") {
		return e, false, nil
	}
	var from, to int64
	err = d.View(ctx, func(t *sqlite.Tx) error {
		ok, err = t.Maybe(`SELECT a, relation, b FROM graph_edge_rows WHERE k = ?`, []any{k}, &from, &e.Relation, &to)
		return err
	})
	e.From, e.To = entityID(from), entityID(to)
	return e, ok, err
}

// Strays returns the ids of which there are facts and no memory. An id that differs from a
// memory's in case alone is none. It looks at the files that are marked, and at no others.
func (d Reader) Strays(ctx context.Context) (ids []vault.ID, err error) {
	err = d.View(ctx, func(t *sqlite.Tx) error {
		ids, err = sqlite.All(t, `SELECT id FROM facts WHERE stray = 1 AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = facts.id) ORDER BY path`, nil, func(r *sqlite.Row) vault.ID { return vault.ID(r.Text()) })
		return err
	})
	return ids, err
}

// Undrawn returns the memories of the tree of which no model has drawn facts, or others than of
// the text on disk, in the order of their ids. It looks at every memory, and reads no file.
func (d Reader) Undrawn(ctx context.Context) (ids []vault.ID, err error) {
	err = d.View(ctx, func(t *sqlite.Tx) error {
		ids, err = sqlite.All(t, undrawn, nil, func(r *sqlite.Row) vault.ID { return vault.ID(r.Text()) })
		return err
	})
	return ids, err
}

// undrawn compares what the facts say they were drawn from with the beginning of the doc hash.
const undrawn = `SELECT m.id FROM memories m LEFT JOIN facts f ON f.id = m.id AND f.drawn = printf('%012x', (m.doc >> 16) & 281474976710655)
	WHERE m.held = 2 AND m.status <> 'closed' AND m.id NOT LIKE 'new-%' AND f.path IS NULL ORDER BY m.id`

// Counts counts the nodes and edges.
func (d Reader) Counts(ctx context.Context) (nodes, edges int, err error) {
	err = d.View(ctx, func(t *sqlite.Tx) error {
		return t.One(`SELECT (SELECT count(*) FROM graph_node_rows), (SELECT count(*) FROM graph_edge_rows)`, nil, &nodes, &edges)
	})
	return nodes, edges, err
}
