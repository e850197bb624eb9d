package index

import "github.com/cp-memory/cp/index/sqlite"

// BM25 goes by how many rows docs has and how long a usual one is. FTS5 keeps both
// in the row 1 of docs_data, the number of rows and then the terms in each column,
// as numbers of SQLite's own format, 7 bits to a byte and the high bits first. What
// a row had of each column it keeps in docs_docsize: of six columns with 2, 3, 0,
// 200, 1 and 0 terms, 02 03 00 81 48 01 00.
//
// It never takes a row that is deleted out of a contentless table's totals
// (fts5StorageContentlessDelete), so that ranks would drift from those of a rebuild
// with every change of a file. It is done for it here.

// docsTotals is the number of rows, then of the terms in each column.
type docsTotals [1 + len(doc{}.columns)]uint64

// totals returns those that FTS5 goes by.
func (t *tx) totals() (all docsTotals, err error) {
	var block []byte
	err = t.One(`SELECT block FROM docs_data WHERE id = 1`, nil, &block)
	if err == nil && len(block) > 0 { // it is empty before the first row
		err = decode(block, all[:])
	}
	return all, err
}

// deduct takes rows that are about to be deleted out of the totals. FTS5 writes
// what it has gathered at a savepoint, and reads the totals again afterwards.
func (t *tx) deduct(rows []int64) error {
	if err := t.Exec(`SAVEPOINT totals; RELEASE totals`); err != nil {
		return err
	}
	all, err := t.totals()
	if err != nil {
		return err
	}
	err = t.Each(`SELECT sz FROM docs_docsize WHERE id IN (SELECT value FROM json_each(?))`, []any{sqlite.List(rows)}, func(r *sqlite.Row) error {
		row := docsTotals{1}
		err := decode(r.Blob(), row[1:])
		for i, n := range row {
			if n > all[i] {
				return sqlite.ErrDamaged
			}
			all[i] -= n
		}
		return err
	})
	if err != nil {
		return err
	}
	return t.Exec(`UPDATE docs_data SET block = ? WHERE id = 1`, encode(all[:]))
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
