package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault/fact"
)

// What each memory of the graph's corpus speaks of. One entity in ten is of a few that many
// speak of, and there are as many others as memories.
const (
	graphEntities  = 10
	graphRelations = 8
	graphHubs      = 40
)

var graphTypes = [...]string{"technology", "host", "service", "person", "team"}

// entityName is the name of entity k.
func entityName(k int) string { return fmt.Sprintf("Unit %d of %s", k, words.words[50+k%5000]) }

// factsOf returns the facts of note i among size ones.
func factsOf(i, size int) *fact.Facts {
	r := rand.New(rand.NewPCG(seed+1, uint64(i)))
	f := &fact.Facts{ID: id(i), Of: fmt.Sprintf("%012x", i), By: "bench/model", Prompt: 1}
	for k := range graphEntities {
		e := r.IntN(graphHubs)
		if k > 0 {
			e = graphHubs + r.IntN(size)
		}
		f.Entities = append(f.Entities, fact.Entity{Name: entityName(e), Type: graphTypes[e%len(graphTypes)], Description: words.sentence(r, 6)})
	}
	for k := range graphRelations {
		f.Relations = append(f.Relations, fact.Relation{From: f.Entities[k].Name, Relation: "depends on", To: f.Entities[k+1].Name})
	}
	return f
}

// buildGraph makes a corpus like buildCorpus's, each note with its facts.
func buildGraph(args []string) error {
	newWords()
	return importInto(args, func(w io.Writer, size int) {
		stream(w, size)
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Bench <bench@example.org> %d +0000\ndata 6\nfacts\n", epoch.Unix()+1)
		for i := range size {
			f := factsOf(i, size)
			text := f.Bytes()
			fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", fact.Path(f.ID), len(text), text)
		}
	}, args[0]+" memory sync")
}

// The bare queries: each is one statement for the same answer. graphAround goes two edges far
// from one entity by the same edges as the walk does (relations both ways, who speaks of what,
// links, parents and children of memories), follows at most sixty of each sort from each node,
// and gives the edges between the 150 nearest nodes with the names of their ends. It takes
// links by the title and the path that they name, without the rest of what a link may mean.
const (
	graphEntity = `WITH it(k) AS (SELECT k FROM graph_node_rows WHERE folded = ?1)
		SELECT g.name, g.type, g.description, g.sources FROM it JOIN graph_node_rows g ON g.k = it.k
		UNION ALL SELECT a.name, e.relation, b.name, 0 FROM (SELECT * FROM graph_edge_rows WHERE a IN it UNION SELECT * FROM graph_edge_rows WHERE b IN it) e
			JOIN graph_node_rows a ON a.k = e.a JOIN graph_node_rows b ON b.k = e.b
		UNION ALL SELECT m.id, m.title, f.path, s.at FROM it JOIN memory_nodes s ON s.k = it.k JOIN memories m ON m.id = s.source JOIN files f ON f.n = m.n`

	graphAround = `WITH
		it(k) AS (SELECT k FROM graph_node_rows WHERE folded = ?1),
		e1 AS MATERIALIZED (SELECT a, relation, b FROM graph_edge_rows WHERE a IN it UNION SELECT a, relation, b FROM graph_edge_rows WHERE b IN it),
		k1(k) AS MATERIALIZED (SELECT a FROM e1 UNION SELECT b FROM e1),
		m1(n, id) AS MATERIALIZED (SELECT m.n, m.id FROM memory_nodes s JOIN memories m ON m.id = s.source WHERE s.k IN it LIMIT 60),
		e2 AS MATERIALIZED (SELECT a, relation, b FROM (SELECT a, relation, b, row_number() OVER (PARTITION BY a) AS p FROM graph_edge_rows WHERE a IN k1) WHERE p <= 60
			UNION SELECT a, relation, b FROM (SELECT a, relation, b, row_number() OVER (PARTITION BY b) AS p FROM graph_edge_rows WHERE b IN k1) WHERE p <= 60),
		s2 AS MATERIALIZED (SELECT source, k FROM memory_nodes WHERE source IN (SELECT id FROM m1)
			UNION SELECT source, k FROM (SELECT source, k, row_number() OVER (PARTITION BY k ORDER BY at DESC) AS p FROM memory_nodes WHERE k IN k1) WHERE p <= 60),
		l2(n, verb, other) AS MATERIALIZED (SELECT n, 'child-of', parent FROM memories WHERE n IN (SELECT n FROM m1) AND parent IS NOT NULL
			UNION SELECT n, 'child-of', parent FROM memories WHERE parent IN (SELECT n FROM m1)
			UNION SELECT l.n, l.kind, (SELECT k.n FROM names k WHERE k.key = l.key ORDER BY k.rank LIMIT 1) FROM links l WHERE l.n IN (SELECT n FROM m1)
			UNION SELECT l.n, l.kind, m1.n FROM m1 JOIN names k ON k.n = m1.n JOIN links l ON l.key = k.key),
		met(id) AS MATERIALIZED (SELECT id FROM (SELECT k AS id FROM k1 UNION ALL SELECT id FROM m1 UNION ALL SELECT b FROM e2 UNION ALL SELECT a FROM e2 UNION ALL SELECT k FROM s2 UNION ALL SELECT source FROM s2) LIMIT 150)
		SELECT a.name, e2.relation, b.name, a.type || a.description, b.type || b.description FROM e2 JOIN graph_node_rows a ON a.k = e2.a JOIN graph_node_rows b ON b.k = e2.b WHERE e2.a IN met AND e2.b IN met
		UNION ALL SELECT m.title, 'speaks of', g.name, m.summary, g.type || g.description FROM s2 JOIN memories m ON m.id = s2.source JOIN graph_node_rows g ON g.k = s2.k WHERE s2.source IN met AND s2.k IN met
		UNION ALL SELECT m.title, l2.verb, o.title, m.summary, o.summary FROM l2 JOIN memories m ON m.n = l2.n JOIN memories o ON o.n = l2.other`

	graphSearch = `WITH found AS MATERIALIZED (SELECT rowid AS k, rank AS place FROM nodes WHERE nodes MATCH ?1 ORDER BY rank LIMIT 20)
		SELECT g.k, g.name, g.type, g.description, g.sources, (SELECT json_group_array(source) FROM (SELECT source FROM memory_nodes WHERE k = found.k ORDER BY at DESC LIMIT 100))
		FROM found JOIN graph_node_rows g ON g.k = found.k ORDER BY place`
)

// graph measures the rows of a vault with facts, beside one of the same notes without.
func (b *bencher) graph(size int) error {
	if !b.only.MatchString("graph") {
		return nil
	}
	bare, err := b.corpus(size)
	if err != nil {
		return err
	}
	dir, err := b.cached(fmt.Sprintf("graph-%s-%d", edition, size), "graph", b.options.cp, "DIR", strconv.Itoa(size))
	if err == nil {
		err = b.restore(dir)
	}
	if err != nil {
		return err
	}
	newWords()
	c, without := &corpus{bencher: b, dir: dir, size: size}, &corpus{bencher: b, dir: bare, size: size}
	return b.all(c, append(c.graphRebuild(without), c.graphRows(without)...))
}

// graphRebuild are the rebuild, and what the graph adds to the index.
func (c *corpus) graphRebuild(without *corpus) []row {
	floor := c.bencher.dir + "/load.db"
	var with, plain int64
	return []row{{what: "graph: rebuild of the index", floor: "read, decode, FTS5, the same rows", rounds: c.few(),
		goals: []goal{ratio(1.6, 10_000, 100_000), {name: "index.db for each link", unit: "bytes", sizes: []int{}, value: func(_, _ cost) float64 {
			return float64(with-plain) / float64(c.size*(graphEntities+graphRelations))
		}}},
		product: func(int) (took cost, err error) {
			if _, plain, err = without.rebuilt(); err == nil {
				took, with, err = c.rebuilt()
			}
			return took, err
		},
		lower: func(int) (cost, error) {
			if err := removeDatabase(floor); err != nil {
				return cost{}, err
			}
			return in(c.dir, c.self, "load", c.dir, floor, "facts").run()
		}}}
}

// rebuilt makes the index anew, and returns what it took and its size.
func (c *corpus) rebuilt() (took cost, size int64, err error) {
	if err := removeDatabase(c.index()); err != nil {
		return took, 0, err
	}
	if took, err = c.cp("list", "--limit", "1").run(); err != nil {
		return took, 0, err
	}
	info, err := os.Stat(c.index())
	if err != nil {
		return took, 0, err
	}
	return took, info.Size(), nil
}

// folded is how the table of entities keeps a name.
func folded(name string) string { return strconv.FormatInt(query.HashName(fact.FoldName(name)), 10) }

func (c *corpus) graphRows(without *corpus) []row {
	rare, hub := entityName(graphHubs+c.size/3), entityName(3)
	facts := 0
	rows := []row{
		{what: "graph: tree --max-depth 1, nothing changed", floor: "the same without facts", goals: []goal{ratio(1.3)},
			product: each(c.cp("tree", "--max-depth", "1")), lower: each(without.cp("tree", "--max-depth", "1"))},
		{what: "graph: gc with nothing to do", floor: "sync --dry-run", goals: []goal{above(10 * time.Millisecond)},
			product: each(c.cp("gc")), lower: each(c.cp("sync", "--dry-run"))},
		{what: "graph: search --nodes", floor: "the bare SQLite query", goals: []goal{ratio(2.5)}, watch: true,
			product: each(c.cp("search", "--nodes", "unit "+words.words[51])), lower: each(c.query(c.index(), graphSearch, "unit OR "+words.words[51]))},
	}
	for _, one := range []struct{ what, name string }{{"an entity", rare}, {"one of many memories", hub}} {
		rows = append(rows,
			row{what: "graph: entity, " + one.what, floor: "the bare SQLite query", goals: []goal{ratio(2.5)}, watch: true,
				product: each(c.cp("entity", one.name)), lower: each(c.query(c.index(), graphEntity, folded(one.name)))},
			row{what: "graph: graph --depth 2, " + one.what, floor: "the bare SQLite query", goals: []goal{ratio(2.5)}, watch: true,
				product: each(c.cp("graph", one.name, "--depth", "2")), lower: each(c.query(c.index(), graphAround, folded(one.name)))})
	}
	return append(rows, row{what: "graph: one update with facts", floor: "one update without", goals: []goal{ratio(1.3)}, each: c.rest,
		product: func(int) (cost, error) {
			facts++
			return c.cp("fact", "add", id(2+facts), "--entity", fmt.Sprintf("Found %d", facts), "--type", "host").run()
		},
		lower: func(int) (cost, error) {
			facts++
			return c.cp("update", id(2+facts), "--summary", fmt.Sprintf("When %d is found", facts)).run()
		}})
}
