package query

import (
	"github.com/cp-memory/cp/index/sqlite"
)

// batchSize bounds the terms, in bytes, that wait for the full-text index.
const batchSize = 8 << 20

// DocBatch collects what changes in the full-text index. FTS5 gathers inserts in
// memory, but every other statement that may have to be undone by itself (one with
// a foreign key, say) makes it write them out as a segment of their own. Done
// one by one between such statements, 5,000 inserts took 2 s instead of 0.3.
type DocBatch struct {
	dropped []int64
	added   []DocRow
	size    int
}

// DocRow is a row of the table docs.
type DocRow struct {
	N       int64
	Columns [6]string // title, path, labels, summary, body, keywords
	Forms   string    // of package tongue; a row without any has none in the table forms
}

// Drop notes that the row n is removed, before any row is added.
func (b *DocBatch) Drop(n int64) { b.dropped = append(b.dropped, n) }

// Add notes a new row, and writes everything noted when it has become much.
func (b *DocBatch) Add(t *sqlite.Tx, d DocRow) {
	b.added = append(b.added, d)
	b.size += len(d.Forms)
	for _, c := range d.Columns {
		b.size += len(c)
	}
	if b.size >= batchSize {
		b.Flush(t)
	}
}

// Flush writes what was noted; the transaction keeps what goes wrong.
func (b *DocBatch) Flush(t *sqlite.Tx) {
	if len(b.dropped) > 0 {
		deduct(t, b.dropped)
	}
	for _, n := range b.dropped {
		t.Exec(`DELETE FROM docs WHERE rowid = ?`, n)
		t.Exec(`DELETE FROM forms WHERE rowid = ?`, n)
	}
	for _, d := range b.added {
		t.Exec(`INSERT INTO docs (rowid, title, path, labels, summary, body, keywords) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			d.N, d.Columns[0], d.Columns[1], d.Columns[2], d.Columns[3], d.Columns[4], d.Columns[5])
		if d.Forms != "" {
			t.Exec(`INSERT INTO forms (rowid, terms) VALUES (?, ?)`, d.N, d.Forms)
		}
	}
	*b = DocBatch{}
}

// BM25 needs the number of rows in docs and their usual length. FTS5 keeps both in row 1
// of docs_data: the number of rows and then the terms in each column, as numbers of
// SQLite's own format, 7 bits to a byte and the high bits first. The terms of each row's
// columns are in docs_docsize: 02 03 00 81 48 01 00 for six columns with 2, 3, 0, 200, 1
// and 0 terms.
//
// FTS5 never subtracts a deleted row from a contentless table's totals
// (fts5StorageContentlessDelete), so ranks would drift from those of a rebuild with every
// change of a file. It is done here instead.

// DocCounts is the number of rows, then of the terms in each column.
type DocCounts [1 + len(DocRow{}.Columns)]uint64

// RankTotals returns the totals that FTS5 ranks by.
func RankTotals(t *sqlite.Tx) (all DocCounts, err error) {
	var block []byte
	err = t.One(`SELECT block FROM docs_data WHERE id = 1`, nil, &block)
	if err == nil && len(block) > 0 { // it is empty before the first row
		err = decode(block, all[:])
	}
	return all, err
}

// deduct takes rows that are about to be deleted out of the totals. FTS5 writes
// what it has gathered at a savepoint, and reads the totals again afterwards.
func deduct(t *sqlite.Tx, rows []int64) {
	t.Exec(`SAVEPOINT totals; RELEASE totals`)
	all, err := RankTotals(t)
	t.Fail(err)
	_ = t.Each(`SELECT sz FROM docs_docsize WHERE id IN (SELECT value FROM json_each(?))`, []any{sqlite.List(rows)}, func(r *sqlite.Row) error {
		row := DocCounts{1}
		err := decode(r.Blob(), row[1:])
		for i, n := range row {
			if n > all[i] {
				return sqlite.ErrDamaged
			}
			all[i] -= n
		}
		return err
	})
	t.Exec(`UPDATE docs_data SET block = ? WHERE id = 1`, encode(all[:]))
}

// decode reads the numbers that b holds, and nothing else.
func decode(b []byte, numbers []uint64) error {
	for i := range numbers {
		more := true
		for more && len(b) > 0 && numbers[i] < 1<<49 {
			numbers[i] = numbers[i]<<7 | uint64(b[0]&0x7f)
			more, b = b[0]&0x80 != 0, b[1:]
		}
		if more {
			return sqlite.ErrDamaged
		}
	}
	if len(b) > 0 {
		return sqlite.ErrDamaged
	}
	return nil
}

// encode is the inverse of decode.
func encode(numbers []uint64) []byte {
	var b []byte
	for _, n := range numbers {
		shift := 0
		for n>>shift > 0x7f {
			shift += 7
		}
		for ; shift > 0; shift -= 7 {
			b = append(b, byte(n>>shift)|0x80)
		}
		b = append(b, byte(n)&0x7f)
	}
	return b
}
