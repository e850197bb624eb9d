package index

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/listing"
)

// work lists what a catch-up has to do.
type work struct {
	state    state
	head     string          // the commit that the HEAD side is to stand at
	heads    []headBlob      // what differs in HEAD
	allHeads bool            // heads lists all of HEAD, and nothing else is in it
	problems []vault.Problem // entries that cannot be memories
	looks    []vault.Path    // files to read
	gone     []vault.Path    // rows to drop
	moved    []vault.Rename  // rows with another place
	known    map[string]knownFile
	words    map[vault.Path]int64 // of the files to read: what the rows in docs are made of; nil is nothing
	leaves   string               // what the source leaves out
	whole    bool                 // the scan was of the whole vault
	look     *listing.Look        // where it was by folders
	facts    *graph.FactFiles     // what is to be done about facts files
	usage    *usage.News          // nil when the telemetry has not moved
	report   vault.Report
}

// headBlob is a file in HEAD; an empty blob means it is not there any more.
type headBlob struct {
	path vault.Path
	blob string
}

// knownFile is the state of a file on disk according to its row.
type knownFile struct {
	mark int64 // short
	hash sqlite.Hash
}

// empty reports whether there is nothing to write.
func (w *work) empty() bool {
	return w.state.filled && w.usage == nil && !w.hasFileChanges()
}

// hasFileChanges reports whether there is something to write about files or HEAD.
func (w *work) hasFileChanges() bool {
	return w.head != w.state.head || w.allHeads || !w.facts.Empty() || len(w.heads)+len(w.problems)+len(w.looks)+len(w.gone)+len(w.moved) > 0
}

// findWork finds out what is to be done: it scans, and reads only files that were
// written too shortly before the last look to be told by their marks. What a live write
// touches the source shows as the rows have it; so rows that there are stay at their
// commit, too, else a file that the write has committed would be told by halves.
func findWork(t *tx, src vault.Source, folders listing.Scanner, now state, scope vault.Scope, live bool) (*work, error) {
	w := &work{state: now, head: now.head, whole: scope.IsWholeVault(), facts: new(graph.FactFiles)}
	w.report.Generation = now.stamp()
	if !live || !now.filled {
		if err := w.lookAtHead(t.Context, src); err != nil {
			return nil, err
		}
	}
	w.report.Moved = w.head != w.state.head
	if scope.Still {
		w.report.Complete = true
		return w, nil
	}
	var err error
	if w.facts, err = graph.LookAtFactFiles(t.Tx, src.Files, folders, scope); err != nil {
		return nil, err
	}
	if w.whole && folders != nil {
		return w, w.scanFolders(t, src, folders)
	}
	if w.known, err = knownFiles(t, scope); err != nil {
		return nil, err
	}
	return w, w.compareDisk(t.Context, src, scope)
}

// lookAtHead compares HEAD with the commit the rows stand at.
func (w *work) lookAtHead(ctx context.Context, src vault.Source) error {
	var err error
	if w.head, err = src.Tip(ctx); err != nil {
		return err
	}
	switch {
	case w.head == w.state.head:
		return nil
	case w.head == "":
		w.allHeads = true
		return nil
	case w.state.head != "" && w.changes(ctx, src, w.state.head) == nil:
		return nil
	}
	// From nothing, or from a commit that history was rewritten without.
	w.heads, w.allHeads = nil, true
	return w.changes(ctx, src, "")
}

func (w *work) changes(ctx context.Context, src vault.Source, from string) error {
	return src.Changes(ctx, from, w.head, func(p vault.Path, blob string) error {
		if !p.IsFacts() {
			w.heads = append(w.heads, headBlob{p, blob})
		}
		return nil
	})
}

// knownRows selects what the rows say of the disk.
const knownRows = `SELECT path, mark, hash FROM files WHERE disk`

// knownFiles loads what the rows in scope say of the disk.
func knownFiles(t *tx, scope vault.Scope) (map[string]knownFile, error) {
	known := make(map[string]knownFile)
	for _, p := range scope.Paths {
		if err := loadKnown(t, known, knownRows+` AND path = ?`, p); err != nil {
			return nil, err
		}
		if err := loadKnown(t, known, knownRows+inFolder, p+"/", p+"0"); err != nil {
			return nil, err
		}
	}
	switch {
	case len(scope.Paths) > 0:
		return known, nil
	case scope.Dir != "":
		return known, loadKnown(t, known, knownRows+inFolder, scope.Dir+"/", scope.Dir+"0")
	case scope.Shallow:
		return known, loadKnown(t, known, shallowFiles)
	}
	return known, loadKnown(t, known, knownRows)
}

// shallowFiles selects the files that a shallow scan of the whole vault can meet: the
// roots, files beside the memory of their folder (README.md), and files that could not be
// read.
const shallowFiles = `WITH RECURSIVE reach(n, rank) AS (
		SELECT m.n, files.rank FROM memories m JOIN files ON files.n = m.n WHERE m.parent IS NULL
		UNION ALL
		SELECT m.n, files.rank FROM reach CROSS JOIN memories m ON m.parent = reach.n CROSS JOIN files ON files.n = m.n
		WHERE reach.rank > 0)
	SELECT files.path, files.mark, files.hash FROM reach CROSS JOIN files ON files.n = reach.n WHERE files.disk
	UNION SELECT files.path, files.mark, files.hash FROM problems CROSS JOIN files ON files.n = problems.n WHERE files.disk`

// inFolder bounds paths to those below a folder: from it with "/" to it with
// "0", which follows "/".
const inFolder = ` AND path > ? AND path < ?`

func loadKnown(t *tx, known map[string]knownFile, query string, args ...any) error {
	return t.Each(query, args, func(r *sqlite.Row) error {
		known[r.Text()] = knownFile{mark: r.Int64(), hash: r.Hash()}
		return nil
	})
}

// compareDisk compares the disk with the rows: what is new or has another mark is to be
// read, and rows whose files a complete scan did not meet are to go. The
// order of the scan does not matter.
func (w *work) compareDisk(ctx context.Context, src vault.Source, scope vault.Scope) error {
	met := make(map[string]bool)
	complete, err := src.Scan(ctx, scope, func(f vault.File) error {
		if admitFile(&f) {
			w.report.Files++
			met[string(f.Path)] = true
			w.consider(src, f)
		}
		return nil
	})
	w.report.Complete = complete
	if err != nil || !complete {
		return err
	}
	var doubted []vault.Path
	for path := range w.known {
		switch p := vault.Path(path); {
		case met[path]:
		case !scope.Shallow || p.Dir() == scope.Dir:
			w.gone = append(w.gone, p)
		case !hasMemoryAbove(p, scope.Dir, met):
			doubted = append(doubted, p)
		}
	}
	return w.doubt(ctx, src, doubted)
}

// hasMemoryAbove reports whether a shallow scan of dir passed by p: a folder above it has a memory
// of its own.
func hasMemoryAbove(p, dir vault.Path, met map[string]bool) bool {
	for at := p.Dir(); at != dir; at = at.Dir() {
		if met[string(at)+".md"] {
			return true
		}
	}
	return false
}

// doubt looks for files that a shallow scan did not meet. It sees its own folder for sure;
// which folders below are transparent is its own affair, so there a file may stand all the
// same.
func (w *work) doubt(ctx context.Context, src vault.Source, paths []vault.Path) error {
	if len(paths) == 0 {
		return nil
	}
	there := make(map[vault.Path]bool)
	complete, err := src.Scan(ctx, vault.Scope{Paths: paths}, func(f vault.File) error {
		there[f.Path] = true
		return nil
	})
	for _, p := range paths {
		if complete && err == nil && !there[p] {
			w.gone = append(w.gone, p)
		}
	}
	return err
}

// admitFile reports whether an entry of a scan counts, and marks one that is too
// big as a problem.
func admitFile(f *vault.File) bool {
	if f.Path.Within(vault.FactsDir) || f.Problem != nil && f.Problem.Kind == vault.ProblemTwin && f.Path.IsNote() {
		return false // no memory; or it comes as a file too, and the twins among those are found by their names
	}
	if f.Stat.Size > vault.MaxFile {
		f.Problem = &vault.Problem{Path: f.Path, Kind: vault.ProblemTooBig, Msg: "larger than the 4 MiB a memory may have"}
	}
	return true
}

// consider compares one entry with its row.
func (w *work) consider(src vault.Source, f vault.File) {
	path := string(f.Path)
	was, ok := w.known[path]
	switch {
	case ok && was.mark == query.ShortMark(listing.Mark(f)):
	case f.Problem != nil:
		w.problems = append(w.problems, *f.Problem)
	case !ok || was.isSettled() || !isUnchanged(src, f.Path, was):
		w.looks = append(w.looks, f.Path)
	}
}

// isSettled reports whether the mark alone tells if the file has changed: it was
// read, and long enough after it was written.
func (k knownFile) isSettled() bool { return k.mark > 0 }

// isUnchanged looks into a file whose row is not settled and reports whether
// there is still nothing to write: it cannot be read as before, or holds the
// row's text and still cannot be given a mark.
func isUnchanged(src vault.Source, p vault.Path, was knownFile) bool {
	now := time.Now()
	b, stat, err := src.Read(p)
	if err != nil {
		return !isMissing(err) && was.mark == query.ShortMark(listing.Mark(unreadableFile(p, err)))
	}
	return was.mark == 0 && string(was.hash) == src.BlobID(b) && listing.MarkOf(stat, now) == ""
}

// unreadableFile is the entry of a file that is there and cannot be read.
func unreadableFile(p vault.Path, err error) vault.File {
	return vault.File{Path: p, Problem: &vault.Problem{Path: p, Kind: vault.ProblemUnreadable, Msg: reason(err)}}
}

// reason tells why without the path of this machine.
func reason(err error) string {
	var ours *vault.Error
	if errors.As(err, &ours) {
		return ours.Msg
	}
	return disk.Cause(err).Error()
}

// isBelow reports whether p lies in the folder dir, at any depth.
func isBelow(p, dir string) bool { return strings.HasPrefix(p, dir+"/") }
