package index

import (
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// writer writes rows. It holds all rules and all columns, whether it brings a
// mirror up to date (apply) or fills an empty one (fill): first what HEAD and each
// file say by themselves, and what that may mean for others, then what follows from
// them together (settle).
//
// A statement that fails undoes the transaction, and those after it do nothing
// (sqlite.Tx). So its error is asked for in one place, and not after each statement.
type writer struct {
	t     *tx
	w     *work
	known lookup
	guess *placer // where new memories are put until they are placed; nil is nowhere

	claims  map[string]bool                      // ids whose owner may have changed
	folders map[string]bool                      // folders for which another file may stand now
	ids     map[vault.ID]bool                    // of memories that came, went or say something else in their header
	fresh   []*entry                             // to be named and placed: new, or with another title, id or path
	dirs    map[string]map[string]listing.Change // folders in which a row of files changed, and what became of their files on disk
	numbers map[vault.Path]int64                 // of folders
	docs    query.DocBatch                       // the full-text index's share
	anchors query.AnchorChanges
}

// lookup is where a writer finds what there is: in the tables (tables.go), or,
// while an empty mirror is filled, in memory (catalog.go), which takes a third of
// the time. What goes wrong the transaction keeps, as with what is written.
type lookup interface {
	// file returns the entry of a path, a new one if there is none.
	file(p vault.Path) *entry
	// folder returns the number of a folder that has one.
	folder(dir vault.Path) (f int64, found bool)
	// folderMemory returns the file that is the memory of a folder.
	folderMemory(dir vault.Path) seated
	// free reports whether no memory but e has the id; e may then have it.
	free(id string, e *entry) bool
	// claimants returns the memories that claim an id.
	claimants(id string) []*entry
	// listDisplaced returns the memories whose place may be another one now.
	listDisplaced(fresh []*entry, folders map[string]bool) []placed
}

// entry is a file and the memory in it, as the tables have them. A lookup knows
// one entry of a file, in which the writer notes what it writes.
type entry struct {
	n      int64
	called // and where the file is
	place

	old        bool // it had a row when it was looked up
	disk       bool // it is there on disk
	aside      bool // it is a read-only note
	pending    bool // it is to be read by a fill, and taken for a memory until then
	stored     bool // it has a row in memories
	tree       bool // and is of the type memory
	hash, head string
	size, mark int64
	mtime      int64
	words      int64  // reading.words of its row in docs; 0 without one
	claim      string // the id that the file claims, "" for none
	said       *said  // what else the row in memories says; nil when that is not known
	was        *called
	problem    *vault.Problem // for a fill
}

func newWriter(t *tx, w *work, known lookup) *writer {
	return &writer{t: t, w: w, known: known, claims: make(map[string]bool), ids: make(map[vault.ID]bool), folders: make(map[string]bool),
		dirs: make(map[string]map[string]listing.Change), numbers: make(map[vault.Path]int64)}
}

// folder returns the number of a folder, a new one where it has none.
func (wr *writer) folder(dir vault.Path) int64 {
	f, ok := wr.numbers[dir]
	if !ok {
		if f, ok = wr.known.folder(dir); !ok {
			_ = wr.t.One(`INSERT INTO folders (path) VALUES (?) RETURNING f`, []any{dir}, &f)
		}
		wr.numbers[dir] = f
	}
	return f
}

// save writes the row of a file. It deletes the row of a file that is neither on disk nor
// in HEAD.
func (wr *writer) save(e *entry) {
	if !e.disk && e.head == "" {
		wr.markFolder(e.path.Dir())
		wr.t.Exec(`DELETE FROM files WHERE n = ?`, e.n)
		return
	}
	wr.t.Exec(`INSERT INTO files (n, path, dir, rank, disk, hash, head, size, mark, mtime, aside) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (n) DO UPDATE SET disk = excluded.disk, aside = excluded.aside, hash = excluded.hash, head = excluded.head, size = excluded.size, mark = excluded.mark, mtime = excluded.mtime`,
		e.n, e.path, wr.folder(e.path.Dir()), e.path.FolderRank(), e.disk, []byte(e.hash), []byte(e.head), e.size, e.mark, e.mtime, e.aside)
}

// noteFolderMemory notes that p may have become the memory of a folder, or may no longer be one.
func (wr *writer) noteFolderMemory(p vault.Path) {
	wr.folders[string(p.Home())] = true
	if p.FolderRank() > 0 {
		wr.folders[string(p.Dir())] = true
	}
}

// setHead writes which blob HEAD has of a file, "" for none.
func (wr *writer) setHead(p vault.Path, blob string) {
	e := wr.known.file(p)
	was := e.head
	if e.head = blob; was == blob {
		return
	}
	wr.save(e)
	switch {
	case was != "" && blob != "":
	case e.disk: // a committed file has its id before others
		wr.claims[e.claim] = true
	default: // one that is in HEAD only makes orphans
		wr.noteFolderMemory(p)
	}
}

// dropDiskSide removes a file's disk side.
func (wr *writer) dropDiskSide(e *entry) {
	e.pending = false
	if !e.disk {
		return
	}
	if e.old {
		wr.w.report.Removed++
	}
	wr.stores(e.path, listing.Change{Gone: true})
	wr.noteFolderMemory(e.path)
	wr.dropMemory(e)
	wr.setProblems(e, nil)
	e.disk, e.hash, e.size, e.mark, e.mtime = false, "", 0, 0, 0
	wr.save(e)
}

// trouble stores an entry that cannot be a memory. One that cannot be read keeps
// what is known of it.
func (wr *writer) trouble(e *entry, problem vault.Problem) {
	mark := listing.Mark(vault.File{Path: e.path, Problem: &problem})
	wr.noteFolderMemory(e.path)
	wr.stores(e.path, listing.Change{Mark: mark})
	e.pending, e.disk, e.mark = false, true, query.ShortMark(mark)
	if canKeep(problem) {
		wr.save(e)
		wr.addProblem(e, unreadable, problem)
		return
	}
	wr.dropMemory(e)
	e.hash, e.size, e.mtime = "", 0, 0
	wr.save(e)
	wr.setProblems(e, []vault.Problem{problem})
	e.old = true
}

// canKeep reports whether a file with the problem keeps what is known of it.
func canKeep(p vault.Problem) bool {
	return p.Kind == vault.ProblemUnreadable || p.Kind == vault.ProblemEvicted
}

// unreadable is the seq of the problem of a file that cannot be read. It stands beside the
// problems of the last text, and goes when the file can be read again.
const unreadable = -1

func (wr *writer) setProblems(e *entry, problems []vault.Problem) {
	if e.old {
		wr.t.Exec(`DELETE FROM problems WHERE n = ?`, e.n)
	}
	for i, problem := range problems {
		wr.addProblem(e, i, problem)
	}
}

func (wr *writer) addProblem(e *entry, seq int, p vault.Problem) {
	wr.t.Exec(`INSERT OR REPLACE INTO problems (n, seq, kind, line, msg) VALUES (?, ?, ?, ?, ?)`, e.n, seq, p.Kind, p.Line, p.Msg)
}

// store writes what was read of a file.
func (wr *writer) store(e *entry, r reading) {
	e.pending = false
	switch {
	case r.err != nil && isMissing(r.err):
		wr.dropDiskSide(e)
		return
	case r.err != nil:
		wr.trouble(e, *unreadableFile(r.path, r.err).Problem)
		return
	}
	e.disk, e.hash, e.size, e.mark, e.mtime = true, decodeHash(r.hash), r.size, query.ShortMark(r.mark), r.mtime
	wr.stores(e.path, listing.Change{Mark: r.mark})
	if r.memory != nil && e.aside != r.memory.ReadOnly() {
		e.aside = !e.aside
		wr.noteFolderMemory(e.path)
	}
	wr.save(e)
	if r.same {
		wr.t.Exec(`DELETE FROM problems WHERE n = ? AND seq = ?`, e.n, unreadable)
		return
	}
	wr.w.report.Changed++
	if r.emptied {
		wr.setProblems(e, []vault.Problem{{Path: r.path, Kind: vault.ProblemEmpty, Msg: "the file is empty; the index still knows what it held"}})
	} else {
		wr.storeMemory(e, r)
	}
}

// decodeHash returns the bytes of a hash in hex; of anything else none.
func decodeHash(hash string) string {
	b, _ := sqlite.Hash(hash).Value()
	bytes, _ := b.([]byte)
	return string(bytes)
}
