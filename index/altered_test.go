package index

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/header"
)

// unmirrored are the columns that mirror no file: numbers that rows go by, what the last scan saw,
// what is asked from the history and the telemetry, and what others are told by.
var unmirrored = []string{
	"state.*", "reads.*", "commits.*", "gone.*", "changed*.*", "about_now.*", "about_roots.*", "about_bindings.n", "fact_folders.*", "folders.f", "folders.listing",
	"files.n", "files.size", "files.mark", "files.mtime", "files.place", "facts.mark",
	"memories.n", "memories.parts", "labels.n", "pointers.parent", "names.n", "aliases.n", "links.n", "problems.n", "anchors.n",
}

// alteredFolder is a vault with a row in each table.
func alteredFolder(t *testing.T) (*folder, *DB) {
	f := newFolder(t, true)
	f.write("a.md", "---\nid: pf-a\ntitle: Alpha\nlabels: [x, y]\nabout: [src/a.go, src/]\nabout_at: [src/a.go - - - 2026-01-01T00:00:00Z]\naliases: [First]\ncreated: 2026-01-01\n---\nText of alpha, see [the child](a/b.md).\n\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-b\", \"title\": \"B\", \"summary\": \"when b\"}\n]\n<!-- /sub-memories -->\n")
	f.write("a/b.md", "---\nid: pf-b\ntitle: B\nsummary: when b\nreferences: [pf-a]\n---\nEin deutscher Text, der nicht englisch ist und von der Gateway handelt.\n")
	f.write("broken.md", "---\n[\n---\nText.\n")
	f.write(string(vault.FactsPath("pf-a")), `{"id": "pf-a", "of": "", "by": "", "prompt": 0,
"entities": [
{"name": "db1", "type": "host", "description": "the first", "hand": true},
{"name": "db2", "type": "host", "hand": true}
],
"relations": [
{"from": "db1", "relation": "copies to", "to": "db2", "hand": true}
]}
`)
	return f, f.caughtUp()
}

// Each column of each table that mirrors the files is altered in its turn, and each row of a table
// is taken out: a comparison tells it, and a new index is right again.
func TestVerifyTellsEachAlteredColumn(t *testing.T) {
	f, d := alteredFolder(t)
	if r, err := doctor.CompareIndex(context.Background(), f, d); err != nil || !r.Consistent {
		t.Fatalf("before: %+v, %v", r, err)
	}
	_ = d.Close()
	for _, statement := range testlevel.Share(4, append(alterations(t, f), `DELETE FROM docs WHERE rowid = (SELECT n FROM files WHERE path = 'a.md')`,
		`UPDATE docs SET title = 'alpha', path = '', labels = '', summary = '', body = 'other words', keywords = '' WHERE rowid = (SELECT n FROM files WHERE path = 'a.md')`,
		`DELETE FROM forms`, `DELETE FROM anchor_terms`)) {
		for _, file := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(f.file() + file)
		}
		_ = f.caughtUp().Close()
		f.tamper(statement)
		d := f.caughtUp()
		r, err := doctor.CompareIndex(context.Background(), f, d)
		if err != nil || r.Consistent || r.Missing+r.Orphaned+r.Mismatched == 0 {
			t.Errorf("%s: %+v, %v", statement, r, err)
		}
		_ = d.Close()
	}
}

// alterations are statements that change one column, or take the rows of a table away.
func alterations(t *testing.T, f *folder) (all []string) {
	d := f.caughtUp()
	defer d.Close()
	err := d.view(context.Background(), func(x *tx) error {
		columns, err := sqlite.All(x.Tx, `SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.sql NOT LIKE '%VIRTUAL%'
			AND t.name NOT LIKE 'docs\_%' ESCAPE '\' AND t.name NOT LIKE 'forms\_%' ESCAPE '\' AND t.name NOT LIKE 'nodes\_%' ESCAPE '\' AND t.name NOT LIKE 'anchor\_terms\_%' ESCAPE '\' ORDER BY 1, c.cid`,
			nil, func(r *sqlite.Row) [3]string { return [3]string{r.Text(), r.Text(), r.Text()} })
		last := ""
		for _, c := range columns {
			table, column, kind := c[0], c[1], c[2]
			if mirrored(table + ".*") {
				rows := 0
				err = x.One(`SELECT count(*) FROM `+table, nil, &rows)
				if rows == 0 {
					return fmt.Errorf("%s has no row to alter", table)
				}
				if table != last && table != "folders" {
					all = append(all, `DELETE FROM `+table)
				}
				last = table
			}
			if value, ok := map[string]string{"TEXT": "coalesce(%s, '') || 'x'", "INTEGER": "coalesce(%s, 0) + 1000003", "BLOB": "x'00'"}[kind]; ok && mirrored(table+"."+column) {
				all = append(all, fmt.Sprintf(`UPDATE %s SET %s = %s`, table, column, strings.ReplaceAll(value, "%s", column)))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// mirrored reports whether a column is to be altered: of those of the table of fields, which one
// query reads, three stand for all.
func mirrored(name string) bool {
	table, column, _ := strings.Cut(name, ".")
	field := slices.ContainsFunc(inRow[:], func(f header.Field) bool { return table == "memories" && f.Column == column })
	return (!field || slices.Contains([]string{"title", "summary", "created"}, column)) && !slices.Contains(unmirrored, name) && !slices.Contains(unmirrored, table+".*") && !strings.HasPrefix(name, "changed")
}
