package graph

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/listing"
)

// shortMark is a mark as rows keep it; 0 says to look again.
func shortMark(mark string) int64 {
	if mark == "" {
		return 0
	}
	return query.SumOf([]string{mark}) | 1
}

// applying is one Apply.
type applying struct {
	t       *sqlite.Tx
	src     vault.Files
	g       *Writer
	read    map[string]Links // by source: what was read of it now
	changes map[vault.Path]map[string]listing.Change
}

// Apply brings the rows up to date. ids are those of the memories that came, went, or have
// another time now, as they are and as they were.
func (w *FactFiles) Apply(t *sqlite.Tx, src vault.Files, ids map[vault.ID]bool) {
	a := &applying{t: t, src: src, g: NewWriter(t), read: make(map[string]Links), changes: make(map[vault.Path]map[string]listing.Change)}
	for _, p := range w.Gone {
		a.dropFacts(p)
	}
	for _, problem := range w.problems {
		a.trouble(problem)
	}
	for _, p := range w.Looks {
		a.readSource(p)
	}
	for source, links := range a.read {
		a.setLinks(source, links)
	}
	for id := range ids {
		if _, done := a.read[string(id)]; id != "" && !done {
			a.followMemory(string(id))
		}
	}
	a.g.Settle()
	w.writeListings(t, a.changes)
}

// noteChange notes what became of a file, for the listing of its folder.
func (a *applying) noteChange(p vault.Path, c listing.Change) {
	if a.changes[p.Dir()] == nil {
		a.changes[p.Dir()] = make(map[string]listing.Change)
	}
	a.changes[p.Dir()][p.Base()] = c
}

// noteEmptySource says that the source of a row says nothing, unless another file speaks for it.
func (a *applying) noteEmptySource(p vault.Path) {
	var id string
	if found, _ := a.t.Maybe(`SELECT id FROM facts WHERE path = ?`, []any{p}, &id); !found {
		return
	}
	if id == "" {
		id = string(p)
	}
	if _, read := a.read[id]; !read {
		a.read[strings.Clone(id)] = Links{}
	}
}

func (a *applying) dropFacts(p vault.Path) {
	a.noteEmptySource(p)
	a.t.Exec(`DELETE FROM facts WHERE path = ?`, p)
	a.noteChange(p, listing.Change{Gone: true})
}

// trouble keeps an entry of which nothing is used.
func (a *applying) trouble(problem vault.Problem) {
	mark := listing.Mark(vault.File{Path: problem.Path, Problem: &problem})
	a.noteEmptySource(problem.Path)
	a.t.Exec(intoFacts, problem.Path, "", []byte{}, shortMark(mark), "", problem.Msg, false)
	a.noteChange(problem.Path, listing.Change{Mark: mark})
}

const intoFacts = `INSERT INTO facts (path, id, hash, mark, drawn, msg, stray) VALUES (?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (path) DO UPDATE SET id = excluded.id, hash = excluded.hash, mark = excluded.mark, drawn = excluded.drawn, msg = excluded.msg, stray = excluded.stray`

// readSource reads one file.
func (a *applying) readSource(p vault.Path) {
	r := decodeFile(a.src, p)
	if r.missing {
		a.dropFacts(p)
		return
	}
	a.noteEmptySource(p)
	r.store(a.t, a.stray(r.id))
	a.noteChange(p, listing.Change{Mark: r.mark})
	if r.msg == "" {
		a.read[r.source()] = r.links
	}
}

// setLinks has the graph say what a source says now.
func (a *applying) setLinks(source string, links Links) {
	at, there := whenMade(a.t, source)
	if !there {
		links = Links{}
	}
	a.g.Set(source, at, links)
}

// whenMade tells when the memory of a source was made, and whether it is there.
func whenMade(t *sqlite.Tx, source string) (at int64, there bool) {
	if vault.Path(source).Within(vault.FactsDir) {
		return Undated, true
	}
	var id string
	there, _ = t.Maybe(`SELECT id, coalesce(created, ?) FROM memories WHERE id = ? AND held > 0`, []any{int64(Undated), source}, &id, &at)
	return at, there && id == source // ids that differ in case are one, and their facts are two
}

// stray reports whether no memory has the id, letter by letter; false without an id.
func (a *applying) stray(id string) bool {
	var found string
	there, _ := a.t.Maybe(`SELECT id FROM memories WHERE id = ?`, []any{id}, &found)
	return id != "" && !(there && found == id)
}

// followMemory has the graph follow a memory whose facts file has not changed.
func (a *applying) followMemory(id string) {
	p := vault.FactsPath(vault.ID(id))
	var was bool
	if there, _ := a.t.Maybe(`SELECT stray FROM facts WHERE path = ? AND id = ?`, []any{p, id}, &was); !there {
		return
	}
	if now := a.stray(id); now != was {
		a.t.Exec(`UPDATE facts SET stray = ? WHERE path = ?`, now, p)
	}
	if r := decodeFile(a.src, p); !r.missing && r.msg == "" && r.id == id {
		a.setLinks(id, r.links)
	}
}

// reading is what one file says.
type reading struct {
	path    vault.Path
	missing bool
	id      string // of the memory
	hash    sqlite.Hash
	mark    string
	drawn   string
	msg     string // why nothing of it is used
	links   Links
}

// source is what the file speaks for.
func (r *reading) source() string {
	if r.id == "" {
		return string(r.path)
	}
	return r.id
}

func (r *reading) store(t *sqlite.Tx, stray bool) {
	t.Exec(intoFacts, r.path, r.id, r.hash, shortMark(r.mark), r.drawn, r.msg, stray)
}

// decodeFile reads and decodes a file. The clock is asked before the file, so that what changes
// later has a later time.
func decodeFile(src vault.Files, p vault.Path) reading {
	now := time.Now()
	b, stat, err := src.Read(p)
	r := reading{path: p, mark: listing.MarkOf(stat, now)}
	switch {
	case errors.Is(err, fs.ErrNotExist) || vault.CodeOf(err) == vault.CodeNotFound:
		r.missing = true
	case err != nil:
		r.mark, r.msg = "", err.Error()
	default:
		r.hash = sqlite.Hash(src.BlobID(b))
		r.decode(b)
	}
	return r
}

// readGuarded is read; a panic in it is why nothing of the file is used.
func readGuarded(src vault.Files, p vault.Path) (r reading) {
	err := vault.Guard("reading the facts "+string(p), nil, func() error {
		r = decodeFile(src, p)
		return nil
	})
	if err != nil {
		r = reading{path: p, msg: err.Error()}
	}
	return r
}

func (r *reading) decode(b []byte) {
	if path.Dir(string(r.path)) == fact.UntrackedDir {
		f, _ := fact.ParseLines(b)
		r.links = LinksOf(f)
		return
	}
	f, err := fact.Parse(b)
	var no *fact.Error
	switch {
	case errors.As(err, &no):
		r.msg = no.Msg
	case fact.Path(f.ID) != string(r.path):
		r.msg = "the facts of " + f.ID + " belong into " + fact.Path(f.ID)
	default:
		r.id, r.links = f.ID, LinksOf(f)
		if f.By != "" {
			r.drawn = f.Of
		}
	}
}

// writeListings writes the listings of the folders that were seen or written to.
func (w *FactFiles) writeListings(t *sqlite.Tx, changes map[vault.Path]map[string]listing.Change) {
	for dir := range w.look.ListChanged() {
		if _, written := changes[dir]; !written {
			w.keepListing(t, dir, nil)
		}
	}
	for dir, c := range changes {
		w.keepListing(t, dir, c)
	}
}

func (w *FactFiles) keepListing(t *sqlite.Tx, dir vault.Path, changes map[string]listing.Change) {
	var was listing.Listing
	var packed []byte
	if w.look != nil {
		was = w.look.FindKept(dir)
	} else if found, _ := t.Maybe(`SELECT listing FROM fact_folders WHERE path = ?`, []any{dir}, &packed); found {
		was, _ = listing.Unpack(packed)
	}
	switch next := w.look.Next(dir, was, changes); {
	case next == was:
	case next.Files != "" || next.Own != (vault.Stat{}):
		t.Exec(`INSERT INTO fact_folders (path, listing) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET listing = excluded.listing`, dir, next.Pack())
	default:
		t.Exec(`DELETE FROM fact_folders WHERE path = ?`, dir)
	}
}
