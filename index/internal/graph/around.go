package graph

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
)

// Around implements [graph.Mirror]. The number of its statements does not depend on that of
// the nodes.
func (d Reader) Around(ctx context.Context, ids []string, kind string, limit int) (edges []graph.Edge, err error) {
	entities, labels, memories := splitIDs(ids)
	err = d.View(ctx, func(t *sqlite.Tx) error {
		a := around{t, kind, limit, nil}
		if err := cmp.Or(a.entities(entities), a.bearers(labels)); err != nil {
			return err
		}
		err := a.memories(memories)
		edges = a.edges
		return err
	})
	return edges, err
}

// splitIDs tells the numbers of entities, labels, and the ids of memories apart.
func splitIDs(ids []string) (entities []int64, labels []string, memories []vault.ID) {
	for _, id := range ids {
		if k, ok := numberOf(id); ok {
			entities = append(entities, k)
		} else if label, ok := graph.LabelOf(id); ok {
			labels = append(labels, label)
		} else {
			memories = append(memories, vault.ID(id))
		}
	}
	return entities, labels, memories
}

// around gathers edges.
type around struct {
	t     *sqlite.Tx
	kind  string // of the entities at the other ends; empty is any
	limit int
	edges []graph.Edge
}

// entities gathers the relations of entities, the memories that speak of them, and those that
// have their names.
func (a *around) entities(all []int64) error {
	if len(all) == 0 {
		return nil
	}
	ids := sqlite.List(all)
	err := a.t.Each(related, []any{ids, a.kind, a.limit}, func(r *sqlite.Row) error {
		from, relation, to := r.Int64(), r.Text(), r.Int64()
		a.addEdge(entityID(from), relation, entityID(to))
		return nil
	})
	if err == nil {
		err = speakers(a.t, ids, a.limit, func(id string, memory vault.ID) { a.addEdge(string(memory), graph.SpeaksOf, id) })
	}
	if err != nil {
		return err
	}
	return a.namesakes(ids)
}

// related selects the relations of entities with those that most memories speak of first.
var related = `SELECT a, relation, b FROM (
		SELECT e.a, e.relation, e.b, g.sources, g.k, row_number() OVER (PARTITION BY e.of ORDER BY e.k) AS place FROM (
			SELECT k, a AS of, a, relation, b, b AS other FROM graph_edge_rows WHERE a IN (SELECT value FROM json_each(?1))
			UNION ALL
			SELECT k, b, a, relation, b, a FROM graph_edge_rows WHERE b IN (SELECT value FROM json_each(?1)) AND a <> b) e
		JOIN graph_node_rows g ON g.k = e.other WHERE ?2 = '' OR g.type = ?2)
	WHERE place <= ?3 ORDER BY sources DESC, k, a, relation, b`

// namesakes gathers the memories that have an entity's name as their title or as an alias.
func (a *around) namesakes(ids string) error {
	of := make(map[int64][]string)
	var keys []int64
	err := a.t.Each(`SELECT k, name FROM graph_node_rows WHERE k IN (SELECT value FROM json_each(?))`, []any{ids}, func(r *sqlite.Row) error {
		id, name := entityID(r.Int64()), r.Text()
		key := query.HashName(query.NormalName(name))
		of[key], keys = append(of[key], id), append(keys, key)
		return nil
	})
	if err != nil {
		return err
	}
	return a.t.Each(`SELECT named.value, m.id FROM json_each(?1) named CROSS JOIN names k ON k.key = named.value AND k.rank = `+strconv.Itoa(query.RankTitle)+` JOIN memories m ON m.n = k.n WHERE m.id IS NOT NULL
		UNION SELECT named.value, m.id FROM json_each(?1) named CROSS JOIN aliases k ON k.key = named.value JOIN memories m ON m.n = k.n WHERE m.id IS NOT NULL ORDER BY 1, 2`, []any{sqlite.List(keys)}, func(r *sqlite.Row) error {
		key, memory := r.Int64(), r.Text()
		for _, id := range of[key] {
			a.addEdge(id, graph.Is, memory)
		}
		return nil
	})
}

// memories gathers what memories speak of, their labels, the entities that have their names,
// and the relations between memories.
func (a *around) memories(all []vault.ID) error {
	if len(all) == 0 {
		return nil
	}
	ids := sqlite.List(all)
	err := a.t.Each(`SELECT j.value, g.k FROM json_each(?1) j CROSS JOIN memory_nodes s ON s.source = j.value JOIN graph_node_rows g ON g.k = s.k
		WHERE ?2 = '' OR g.type = ?2 ORDER BY j.key, g.sources DESC, g.k`, []any{ids, a.kind}, func(r *sqlite.Row) error {
		memory, k := r.Text(), r.Int64()
		a.addEdge(memory, graph.SpeaksOf, entityID(k))
		return nil
	})
	if err != nil {
		return err
	}
	numbers, of, err := a.numbers(ids)
	if err == nil {
		err = a.gatherNamed(of)
	}
	if err != nil {
		return err
	}
	if err := a.gatherRelations(numbers); err != nil {
		return err
	}
	return a.labels(ids) // the last, since they say the least
}

// numbers returns the numbers of memories in the tables, and the memories that have each name,
// as the table of entities keeps it.
func (a *around) numbers(ids string) (ns []int64, of map[int64][]string, err error) {
	of = make(map[int64][]string)
	if err = a.t.Each(`SELECT m.n, m.id, m.title FROM json_each(?) j CROSS JOIN memories m ON m.id = j.value ORDER BY j.key`, []any{ids}, func(r *sqlite.Row) error {
		n, id := r.Int64(), r.Text()
		key := query.HashName(fact.FoldName(strings.Join(strings.Fields(r.Text()), " ")))
		ns, of[key] = append(ns, n), append(of[key], id)
		return nil
	}); err != nil {
		return nil, nil, err
	}
	err = a.t.Each(`SELECT a.key, m.id FROM aliases a JOIN memories m ON m.n = a.n WHERE a.n IN (SELECT value FROM json_each(?))`, []any{sqlite.List(ns)}, func(r *sqlite.Row) error {
		key, id := r.Int64(), r.Text()
		of[key] = append(of[key], id)
		return nil
	})
	return ns, of, err
}

// gatherNamed gathers the entities that have one of the names.
func (a *around) gatherNamed(of map[int64][]string) error {
	keys := make([]int64, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	return a.t.Each(`SELECT folded, k FROM graph_node_rows WHERE folded IN (SELECT value FROM json_each(?1)) AND (?2 = '' OR type = ?2) ORDER BY k`, []any{sqlite.List(keys), a.kind}, func(r *sqlite.Row) error {
		key, k := r.Int64(), r.Int64()
		for _, memory := range of[key] {
			a.addEdge(entityID(k), graph.Is, memory)
		}
		return nil
	})
}

// gatherRelations gathers the relations between memories.
func (a *around) gatherRelations(ns []int64) error {
	between, err := query.LinksAround(a.t, ns, a.limit)
	if err != nil {
		return err
	}
	var ends []int64
	for _, b := range between {
		ends = append(ends, b.From, b.To)
	}
	ids := make(map[int64]string, len(ends))
	if err := a.t.Each(`SELECT n, id FROM memories WHERE n IN (SELECT value FROM json_each(?)) AND id IS NOT NULL`, []any{sqlite.List(ends)}, func(r *sqlite.Row) error {
		n := r.Int64()
		ids[n] = r.Text()
		return nil
	}); err != nil {
		return err
	}
	for _, b := range between {
		if from, to := ids[b.From], ids[b.To]; from != "" && to != "" {
			a.addEdge(from, b.Relation, to)
		}
	}
	return nil
}

func (a *around) addEdge(from, relation, to string) {
	a.edges = append(a.edges, graph.Edge{From: from, Relation: relation, To: to})
}

// Nodes implements [graph.Mirror].
func (d Reader) Nodes(ctx context.Context, ids []string) (map[string]graph.Node, error) {
	entities, labels, memories := splitIDs(ids)
	all := make(map[string]graph.Node, len(ids))
	err := d.View(ctx, func(t *sqlite.Tx) error {
		if err := eachUsedLabel(t, labels, func(n graph.Node) { all[n.ID] = n }); err != nil {
			return err
		}
		err := t.Each(`SELECT `+columns+` FROM graph_node_rows g WHERE g.k IN (SELECT value FROM json_each(?))`, []any{sqlite.List(entities)}, func(r *sqlite.Row) error {
			n := readNode(r)
			all[n.ID] = n
			return nil
		})
		if err != nil || len(memories) == 0 {
			return err
		}
		return t.Each(`SELECT m.created, m.id, m.title, m.type, f.path, m.summary, coalesce((SELECT p.summary FROM pointers p WHERE p.parent = m.parent AND p.id = m.id ORDER BY p.position LIMIT 1), '')
			FROM memories m JOIN files f ON f.n = m.n WHERE m.id IN (SELECT value FROM json_each(?))`, []any{sqlite.List(memories)}, func(r *sqlite.Row) error {
			n := graph.Node{Memory: true, Created: r.Time()}
			var path, pointed string
			r.Scan(&n.ID, &n.Name, &n.Type, &path, &n.Description, &pointed)
			n.Path = vault.Path(path)
			if n.Description = vault.Phrase(n.Description); n.Description == "" {
				n.Description = vault.Phrase(pointed)
			}
			all[n.ID] = n
			return nil
		})
	})
	return all, err
}
