package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// dump writes all that the mirror holds about the files, with rows named by
// path instead of by number, so that two mirrors can be compared.
func dump(t testing.TB, d *DB) string {
	t.Helper()
	var b strings.Builder
	err := d.view(context.Background(), func(x *tx) error {
		b.Reset()
		for _, table := range []struct{ name, query string }{
			{"files", `SELECT f.path, d.path, rank, disk, hash, head, size FROM files f LEFT JOIN folders d ON d.f = f.dir ORDER BY f.path`},
			{"folders", `SELECT path FROM folders WHERE f IN (SELECT dir FROM files) ORDER BY path`},
			{"memories", `SELECT f.path, m.claim, m.id, m.title, m.type, m.status, m.summary, m.summary_of, m.created, m.creator, m.deferred, m.has_block, m.tokens, m.seen, m.upward,
				m.content, m.doc, m.words, p.path, m.depth, m.orphan, m.loose FROM memories m LEFT JOIN files f USING (n) LEFT JOIN files p ON p.n = m.parent ORDER BY f.path`},
			{"labels", `SELECT path, position, label FROM labels LEFT JOIN memories USING (n) LEFT JOIN files USING (n) ORDER BY 1, 2`},
			{"pointers", `SELECT f.path, q.position, q.id, q.title, q.summary FROM pointers q LEFT JOIN memories m ON m.n = q.parent LEFT JOIN files f USING (n) ORDER BY 1, 2`},
			{"names", `SELECT key, k.rank, path FROM names k LEFT JOIN memories USING (n) LEFT JOIN files USING (n) ORDER BY 1, 2, 3`},
			{"links", `SELECT path, kind, key, target, verb, text, language FROM links LEFT JOIN memories USING (n) LEFT JOIN files USING (n) ORDER BY 1, 2, 3`},
			{"aliases", `SELECT path, key, name, language FROM aliases LEFT JOIN files USING (n) ORDER BY 1, 2`},
			{"about", `SELECT f.path, position, binding, stamp, words, b.path, b.dir, finding FROM about_bindings b LEFT JOIN files f USING (n) ORDER BY 1, 2`},
			{"anchors", `SELECT path, texts, a.size, made FROM anchors a LEFT JOIN files USING (n) ORDER BY 1`},
			{"anchor terms", `SELECT f.path, r.term FROM anchor_rows r LEFT JOIN files f ON f.n = r.doc ORDER BY 1, 2`},
			{"edges", `SELECT * FROM edges ORDER BY 1, 3, 5, 2`},
			{"problems", `SELECT path, seq, kind, line, msg FROM problems LEFT JOIN files USING (n) ORDER BY 1, 2`},
			{"docs", `SELECT f.path, (SELECT count(*) FROM docs WHERE docs.rowid = m.n) FROM memories m JOIN files f USING (n) ORDER BY 1`},
			{"extra docs", `SELECT count(*) FROM docs WHERE rowid NOT IN (SELECT n FROM memories)`},
			{"forms", `SELECT f.path, r.term FROM form_rows r LEFT JOIN files f ON f.n = r.doc ORDER BY 1, 2`},
			{"tallies", `SELECT type, state, n FROM tallies WHERE n <> 0 ORDER BY 1, 2`},
			{"totals", `SELECT rtrim(hex(block), '0') FROM docs_data WHERE id = 1`},
			{"facts", `SELECT path, id, hash, drawn, msg, stray FROM facts ORDER BY path`},
			{"memory_nodes", `SELECT k, at, source, name, description, hand FROM memory_nodes ORDER BY 1, 2, 3`},
			{"memory_edges", `SELECT k, source, hand FROM memory_edges ORDER BY 1, 2`},
			{"graph_nodes", `SELECT k, name, type, description, folded, sources FROM graph_node_rows ORDER BY 1`},
			{"graph_edges", `SELECT k, a, relation, b FROM graph_edge_rows ORDER BY 1`},
			{"node totals", `SELECT rtrim(hex(block), '0') FROM nodes_data WHERE id = 1`},
			{"dangling", `SELECT 'an end of an edge', k FROM graph_edge_rows WHERE a NOT IN (SELECT k FROM graph_node_rows) OR b NOT IN (SELECT k FROM graph_node_rows)
				UNION ALL SELECT 'a row without a source', k FROM graph_node_rows WHERE k NOT IN (SELECT k FROM memory_nodes)
				UNION ALL SELECT 'no memory', k FROM memory_nodes WHERE source NOT LIKE '.cp/%' AND source NOT IN (SELECT id FROM memories WHERE id IS NOT NULL)`},
			{"state", `SELECT key, value FROM state WHERE key IN ('head', 'filled') ORDER BY 1`},
		} {
			fmt.Fprintf(&b, "== %s\n", table.name)
			if err := dumpRows(&b, x, table.query); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkListings compares what is kept of the folders with the rows of the files.
func checkListings(t testing.TB, d *DB) {
	t.Helper()
	if err := d.view(context.Background(), differentListings); err != nil {
		t.Error(err)
	}
}

func differentListings(x *tx) error {
	var kept []string
	rows, err := sqlite.All(x.Tx, `SELECT path, mark FROM files WHERE disk`, nil, func(r *sqlite.Row) string { return fmt.Sprintf("%s %d", r.Text(), r.Int64()) })
	if err != nil {
		return err
	}
	err = eachListing(x, func(dir string, l listing.Listing) {
		for name, mark := range l.Files.All() {
			kept = append(kept, fmt.Sprintf("%s %d", vault.Path(dir).Join(name), query.ShortMark(mark)))
		}
	})
	slices.Sort(rows)
	slices.Sort(kept)
	if diff := cmp.Diff(rows, kept); err == nil && diff != "" {
		return fmt.Errorf("the listings are not the rows (-rows +listings):\n%s", diff)
	}
	return err
}

func dumpRows(b *strings.Builder, x *tx, query string) error {
	return x.Each(query, nil, func(r *sqlite.Row) error {
		for i, v := range r.Columns {
			if i > 0 {
				b.WriteString(" | ")
			}
			fmt.Fprintf(b, "%v", v)
		}
		b.WriteByte('\n')
		return nil
	})
}

// terms lists the full-text index by path: what searching can find.
func terms(t testing.TB, d *DB) string {
	t.Helper()
	var b strings.Builder
	err := d.rebuilding(context.Background(), func(p *pool) error {
		return p.update(context.Background(), func(x *tx) error {
			x.Exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, docs, instance)`)
			if err := dumpRows(&b, x, `SELECT f.path, v.col, v.offset, v.term FROM vocabulary v LEFT JOIN files f ON f.n = v.doc ORDER BY 1, 2, 3`); err != nil {
				return err
			}
			x.Exec(`DROP TABLE temp.vocabulary; CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, nodes, instance)`)
			if err := dumpRows(&b, x, `SELECT doc, col, offset, term FROM vocabulary ORDER BY 1, 2, 3, 4`); err != nil {
				return err
			}
			x.Exec(`DROP TABLE temp.vocabulary`)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
