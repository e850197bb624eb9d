package query

import (
	"database/sql/driver"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
)

// Digest sums up all rows that the mirror has about one file, in whatever order they stand and by
// whatever numbers they go.
type Digest struct {
	Own  uint64 // what the file says by itself
	With uint64 // what follows from it and others: its id and place, its names, what it is called, the graph
}

// IndexBeside is the name under which rows are told that belong to no file.
const IndexBeside = ".cp/index.db"

// of selects, of each table, a name and the values of a row. The name is a path, or the source of
// what the graph knows; NULL where the row belongs to no file.
var of = []struct {
	table string
	with  bool // it follows from several files together
	query string
}{
	{"files", false, `SELECT f.path, rank, disk, hash, head, aside, d.path FROM files f LEFT JOIN folders d ON d.f = f.dir`},
	{"labels", false, `SELECT f.path, l.position, l.label FROM labels l LEFT JOIN files f USING (n)`},
	{"pointers", false, `SELECT f.path, p.position, p.id, p.title, p.summary FROM pointers p LEFT JOIN files f ON f.n = p.parent`},
	{"aliases", false, `SELECT f.path, a.key, a.name, a.language FROM aliases a LEFT JOIN files f USING (n)`},
	{"about_bindings", false, `SELECT f.path, b.position, b.binding, b.stamp, b.words, b.path, b.dir, b.finding FROM about_bindings b LEFT JOIN files f USING (n)`},
	{"links", false, `SELECT f.path, l.kind, l.key, l.target, l.verb, l.text, l.language FROM links l LEFT JOIN files f USING (n)`},
	{"problems", false, `SELECT f.path, p.seq, p.kind, p.line, p.msg FROM problems p LEFT JOIN files f USING (n)`},
	{"docs", false, `SELECT f.path, s.sz FROM docs_docsize s LEFT JOIN files f ON f.n = s.id`},
	{"forms", false, `SELECT f.path, r.term FROM form_rows r LEFT JOIN files f ON f.n = r.doc`},
	{"places", true, `SELECT f.path, m.id, m.claim, p.path, m.depth, m.orphan, m.loose FROM memories m LEFT JOIN files f USING (n) LEFT JOIN files p ON p.n = m.parent`},
	{"names", true, `SELECT f.path, k.key, k.rank FROM names k LEFT JOIN files f USING (n)`},
	{"anchors", true, `SELECT f.path, a.texts, a.size, a.made FROM anchors a LEFT JOIN files f USING (n)`},
	{"anchor_terms", true, `SELECT f.path, r.term FROM anchor_rows r LEFT JOIN files f ON f.n = r.doc`},
	{"tallies", true, `SELECT NULL, type, state, n FROM tallies WHERE n <> 0`},
	{"facts", false, `SELECT path, id, hash, drawn, msg FROM facts`},
	{"stray", true, `SELECT path, stray FROM facts`},
	{"memory_nodes", true, `SELECT source, k, at, name, description, hand FROM memory_nodes`},
	{"memory_edges", true, `SELECT source, k, hand FROM memory_edges`},
	{"graph_node_rows", true, `SELECT (SELECT source FROM memory_nodes m WHERE m.k = g.k ORDER BY at, source LIMIT 1), k, name, type, description, folded, sources FROM graph_node_rows g`},
	{"graph_edge_rows", true, `SELECT (SELECT source FROM memory_edges m WHERE m.k = g.k ORDER BY source LIMIT 1), k, a, relation, b FROM graph_edge_rows g`},
	{"nodes", true, `SELECT (SELECT source FROM memory_nodes m WHERE m.k = s.id ORDER BY at, source LIMIT 1), s.id, s.sz FROM nodes_docsize s`},
}

// DigestsOf sums up the rows of each file. A column that the table of memories gets is among them by
// itself. What is in the rows of docs is compared by [IndexTerms].
func DigestsOf(t *sqlite.Tx) (map[string]Digest, error) {
	all := make(map[string]Digest)
	own, err := ownColumns(t)
	if err != nil {
		return nil, err
	}
	if err := sumRows(t, all, "memories", false, `SELECT f.path, `+own+` FROM memories m LEFT JOIN files f USING (n)`); err != nil {
		return nil, err
	}
	for _, q := range of {
		if err := sumRows(t, all, q.table, q.with, q.query); err != nil {
			return nil, err
		}
	}
	return all, bySource(t, all)
}

// ownColumns lists the columns of a memory that no other file has a part in. parts is left out: it
// is a hash of rows that are compared themselves, and of a file that was moved it is the old one.
func ownColumns(t *sqlite.Tx) (string, error) {
	names, err := sqlite.All(t, `SELECT name FROM pragma_table_info('memories') WHERE name NOT IN ('n', 'id', 'claim', 'parent', 'depth', 'orphan', 'loose', 'parts')`, nil, (*sqlite.Row).Text)
	return "m." + strings.Join(names, ", m."), err
}

// sumRows adds the rows that a query selects.
func sumRows(t *sqlite.Tx, all map[string]Digest, table string, with bool, query string) error {
	var line []byte
	return t.Each(query, nil, func(r *sqlite.Row) error {
		name, ok := r.Columns[0].(string)
		if !ok {
			name = IndexBeside
		}
		line = append(line[:0], table...)
		for _, v := range r.Columns[1:] {
			line = appendValue(line, v)
		}
		h := fnv.New64a()
		_, _ = h.Write(line)
		d := all[name]
		if with {
			d.With += h.Sum64()
		} else {
			d.Own += h.Sum64()
		}
		all[strings.Clone(name)] = d
		return nil
	})
}

// appendValue writes a value so that no two that differ are written alike.
func appendValue(line []byte, v driver.Value) []byte {
	var text string
	switch v := v.(type) {
	case int64:
		return strconv.AppendInt(append(line, 0, 'i'), v, 10)
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		text = fmt.Sprint(v)
	}
	return append(strconv.AppendInt(append(line, 0, 't'), int64(len(text)), 10), text...)
}

// bySource tells what the graph has of a source under the facts file that says it.
func bySource(t *sqlite.Tx, all map[string]Digest) error {
	return t.Each(`SELECT id, path FROM facts WHERE id <> ''`, nil, func(r *sqlite.Row) error {
		id, path := r.Text(), r.Text()
		said, ok := all[id]
		if !ok || id == path {
			return nil
		}
		d := all[path]
		d.Own, d.With = d.Own+said.Own, d.With+said.With
		all[strings.Clone(path)] = d
		delete(all, id)
		return nil
	})
}

// DoubtfulFacts returns the files of which the mirror may know more than the disk says now: they cannot
// be read, or were emptied.
func DoubtfulFacts(t *sqlite.Tx, kinds ...string) (map[string]bool, error) {
	all := make(map[string]bool)
	err := t.Each(`SELECT f.path FROM problems p JOIN files f USING (n) WHERE p.kind IN (SELECT value FROM json_each(?))`, []any{sqlite.List(kinds)}, func(r *sqlite.Row) error {
		all[strings.Clone(r.Text())] = true
		return nil
	})
	return all, err
}

// IndexTerm is a word of the full-text index, in how many rows it is, and how often.
type IndexTerm struct {
	Word        string
	Rows, Times int64
}

// IndexTerms returns the words of the full-text index.
func IndexTerms(t *sqlite.Tx) (map[IndexTerm]bool, error) {
	all := make(map[IndexTerm]bool)
	err := t.Each(`SELECT term, doc, cnt FROM terms`, nil, func(r *sqlite.Row) error {
		all[IndexTerm{strings.Clone(r.Text()), r.Int64(), r.Int64()}] = true
		return nil
	})
	return all, err
}

// DigestsHolding adds up, for each file that holds one of the words, where it holds them.
func DigestsHolding(t *sqlite.Tx, words []string) (map[string]Digest, error) {
	all := make(map[string]Digest)
	for _, word := range words {
		err := t.Each(`SELECT f.path, r.term, r.col, r.offset FROM doc_rows r LEFT JOIN files f ON f.n = r.doc WHERE r.term = ?`, []any{word}, func(r *sqlite.Row) error {
			name, _ := r.Columns[0].(string)
			h := fnv.New64a()
			var line []byte
			for _, v := range r.Columns[1:] {
				line = appendValue(line, v)
			}
			_, _ = h.Write(line)
			d := all[name]
			d.Own += h.Sum64()
			all[strings.Clone(name)] = d
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
