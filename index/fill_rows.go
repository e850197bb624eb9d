package index

import (
	"context"
	"database/sql/driver"
	"strings"

	"github.com/mattn/go-sqlite3"

	"github.com/cp-memory/cp/vault"
)

// insert is one of the statements that fill a table. It goes past database/sql,
// which looks at each value once more: half of what a small row costs.
type insert struct {
	stmt *sqlite3.SQLiteStmt
	args []driver.NamedValue
}

func (i *insert) put(values ...driver.Value) error {
	for k, v := range values {
		i.args[k].Value = v
	}
	_, err := i.stmt.ExecContext(context.Background(), i.args)
	return err
}

func (i *insert) prepare(c *sqlite3.SQLiteConn, query string) error {
	stmt, err := c.Prepare(query)
	if err != nil {
		return err
	}
	i.stmt = stmt.(*sqlite3.SQLiteStmt)
	i.args = make([]driver.NamedValue, i.stmt.NumInput())
	for k := range i.args {
		i.args[k].Ordinal = k + 1
	}
	return nil
}

func (i *insert) close() {
	if i.stmt != nil {
		_ = i.stmt.Close()
	}
}

// rows are the statements of a filler.
type rows struct {
	folder, file, memory, label, pointer, name, link, problem, docs, placed, known insert
}

func (r *rows) each() map[*insert]string {
	return map[*insert]string{
		&r.folder: `INSERT INTO folders (f, path, listing) VALUES (?, ?, ?)`,
		&r.file:   `INSERT INTO files (n, path, dir, rank, disk, hash, head, size, mark) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		&r.memory: `INSERT INTO memories (n, id, claim, title, type, status, summary, summary_of, created, creator, deferred, has_block, tokens, content, parts, parent, depth, orphan)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		&r.label:   `INSERT INTO labels (n, position, label) VALUES (?, ?, ?)`,
		&r.pointer: `INSERT INTO pointers (parent, position, id, title, summary) VALUES (?, ?, ?, ?, ?)`,
		&r.name:    `INSERT INTO names (key, rank, n) VALUES (?, ?, ?)`,
		&r.link:    `INSERT OR IGNORE INTO links (n, kind, key, target) VALUES (?, ?, ?, ?)`,
		&r.problem: `INSERT INTO problems (n, seq, kind, line, msg) VALUES (?, ?, ?, ?, ?)`,
		&r.docs:    `INSERT INTO docs (rowid, title, path, labels, summary, body, keywords) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		&r.placed:  `UPDATE memories SET parent = ?, depth = ?, orphan = ? WHERE n = ?`,
		&r.known:   `UPDATE memories SET id = ?, claim = ? WHERE n = ?`,
	}
}

func (r *rows) prepare(c *sqlite3.SQLiteConn) error {
	for i, query := range r.each() {
		if err := i.prepare(c, query); err != nil {
			return err
		}
	}
	return nil
}

func (r *rows) close() {
	for i := range r.each() {
		i.close()
	}
}

// others writes the files from number n up to another that are not read.
func (f *filler) others(n, upTo int64) error {
	for ; n < upTo; n++ {
		e := f.of(n)
		switch {
		case e.look:
		case e.problem != nil:
			if err := f.trouble(n, *e.problem); err != nil {
				return err
			}
		default:
			if err := f.file(n, "", "", 0); err != nil {
				return err
			}
		}
	}
	return nil
}

// trouble writes a file that cannot be a memory.
func (f *filler) trouble(n int64, p vault.Problem) error {
	e := f.of(n)
	e.disk, e.memory = true, false
	if err := f.file(n, "", markOf(vault.File{Path: e.path, Problem: &p}), 0); err != nil {
		return err
	}
	seq := 0
	if held(p) {
		seq = unreadable
	}
	return f.problem(n, seq, p)
}

func (f *filler) problem(n int64, seq int, p vault.Problem) error {
	return f.rows.problem.put(n, int64(seq), p.Kind, int64(p.Line), p.Msg)
}

// file writes the row of a file and adds it to its folder.
func (f *filler) file(n int64, hash, mark string, size int64) error {
	e := f.of(n)
	sum := f.dir(string(e.path.Dir()))
	if e.disk {
		sum.files++
		sum.marks = vault.AppendMark(sum.marks, e.path.Base(), mark)
	}
	blob, err := oid(hash).Value()
	if err != nil {
		return err
	}
	head := append([]byte{}, e.head...)
	e.head = ""
	return f.rows.file.put(n, string(e.path), sum.number, int64(e.path.FolderRank()), e.disk, blob, head, size, short(mark))
}

// dir returns a folder, and gives a new one its number.
func (f *filler) dir(path string) *summed {
	sum := f.dirs[path]
	if sum == nil {
		f.order = append(f.order, path)
		sum = &summed{number: int64(len(f.order))}
		f.dirs[path] = sum
	}
	return sum
}

// store writes what was read of a file.
func (f *filler) store(n int64, r reading) error {
	e := f.of(n)
	switch {
	case r.err != nil && missing(r.err):
		if e.disk, e.memory = false, false; !e.committed {
			return nil
		}
		return f.file(n, "", "", 0)
	case r.err != nil:
		return f.trouble(n, *unreadableFile(r.path, r.err).Problem)
	}
	f.w.report.Changed++
	e.memory, e.stored = r.memory.Type == vault.TypeMemory, true
	if err := f.file(n, r.hash, r.mark, r.size); err != nil {
		return err
	}
	if err := f.memory(n, e, r); err != nil {
		return err
	}
	return f.parts(n, r)
}

// memory writes a memory's row, with the id and the place that it will have
// unless a file that is yet to be read has a say in them (finish).
func (f *filler) memory(n int64, e *entry, r reading) (err error) {
	m := r.memory
	if e.place, err = f.guess.of(e.path); err != nil {
		return err
	}
	if !m.ID.Provisional() {
		e.claim = strings.Clone(string(m.ID)) // and not a part of the text
	}
	claim := f.identify(n, e)
	content, err := oid(m.ContentHash()).Value()
	if err != nil {
		return err
	}
	title := called{path: e.path, title: m.Title}
	for _, name := range title.names() {
		f.names = append(f.names, offer{name.key, int32(name.rank), int32(n)})
	}
	return f.rows.memory.put(n, e.id, claim, m.Title, m.Type, m.Status, m.Summary, m.SummaryOf, micros(m.Created), m.Creator, micros(m.Deferred),
		m.HasBlock, int64(vault.Tokens(m.Prose)), content, r.parts(), e.place.above(), int64(e.place.depth), e.place.orphan)
}

// identify gives the entry the id it claims, if nobody had it before, or a
// stand-in. It returns the column claim.
func (f *filler) identify(n int64, e *entry) (claim any) {
	if e.claim != "" {
		if first, taken := f.ids[e.claim]; taken {
			if f.again[e.claim] == nil {
				f.again[e.claim] = []int64{first}
			}
			f.again[e.claim] = append(f.again[e.claim], n)
		} else {
			f.ids[e.claim] = n
			e.id = e.claim
			return nil
		}
	}
	e.id = string(vault.ProvisionalID(e.path, func(vault.ID) bool { return false }))
	return e.claim
}

// parts writes the rows that hang on a memory's.
func (f *filler) parts(n int64, r reading) error {
	m := r.memory
	for i, label := range m.Labels {
		if err := f.rows.label.put(n, int64(i), label); err != nil {
			return err
		}
	}
	for i, e := range m.Indexed() {
		if err := f.rows.pointer.put(n, int64(i), string(e.ID), e.Title, e.Summary); err != nil {
			return err
		}
	}
	for _, l := range r.links {
		if err := f.rows.link.put(n, l.kind, hashed(l.key), l.target); err != nil {
			return err
		}
	}
	for i, p := range m.Problems {
		if err := f.problem(n, i, p); err != nil {
			return err
		}
	}
	return f.rows.docs.put(n, r.docs[0], r.docs[1], r.docs[2], r.docs[3], r.docs[4], r.docs[5])
}
