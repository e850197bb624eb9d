package listing

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Scanner scans a vault folder by folder.
type Scanner interface {
	// ScanFolders scans the whole vault, children before parents. kept returns the
	// listing of a folder saved by an earlier scan, the zero Listing for nothing.
	ScanFolders(ctx context.Context, kept func(vault.Path) Listing, fn func(Folder) error) (complete bool, err error)

	// ScanFacts does so with the folders of facts files, those below [vault.FactsDir] and it
	// itself. Unless each is set, a folder whose own stat is as it was kept is told as the
	// same without a look at its files: what was written in place in one does not show.
	ScanFacts(ctx context.Context, each bool, kept func(vault.Path) Listing, fn func(Folder) error) (complete bool, err error)
}

// FewFacts bounds the facts files that every read looks at one by one, in about 5 ms. Where
// there are more it looks at their folders, and sync and a watcher at each file.
const FewFacts = 2000

// Folder is one folder of a scan of the whole vault.
type Folder struct {
	Path  vault.Path
	Count int          // of files, problems included
	Same  bool         // it holds what was kept of it; then nothing else is told
	Own   vault.Stat   // as in a Listing
	Rules uint64       // likewise
	Subs  string       // likewise
	Files []vault.File // problems come last
	Names int          // how many were read for it; 0 where those that were kept did
}

// Look compares a scan with what was kept of the one before it. A nil Look is that
// of a catch-up that has not scanned by folders.
type Look struct {
	Differ []vault.File // that are not as they were kept
	Files  int          // how many the scan has met
	Stale  int          // how many names had to be read that need not be the next time

	began    time.Time
	folders  map[string]*folder
	lost     []vault.Path // kept files that are not there, in folders that are
	complete bool
}

// folder is what a Look knows of one.
type folder struct {
	was   Listing    // as it was kept
	met   bool       // the scan has come by it
	read  bool       // and has not found it as it was kept; then
	own   vault.Stat // is zero where it says nothing
	rules uint64
	subs  string
	files int
	same  bool // its files are as they were kept
}

// Begin returns a Look at a scan that begins now, a time of the real clock.
func Begin(now time.Time) *Look { return &Look{began: now, folders: make(map[string]*folder)} }

// Keep tells what was kept of a folder.
func (l *Look) Keep(dir string, was Listing) { l.folders[dir] = &folder{was: was} }

// FindKept returns what was kept of a folder.
func (l *Look) FindKept(p vault.Path) Listing {
	if f := l.folders[string(p)]; f != nil {
		return f.was
	}
	return Listing{}
}

// Meet takes in a folder that the scan has come by.
func (l *Look) Meet(f Folder) {
	at := l.folders[string(f.Path)]
	if at == nil {
		at = &folder{}
		l.folders[string(f.Path)] = at
	}
	at.met = true
	if f.Same {
		l.Files += f.Count
		return
	}
	at.read, at.own, at.rules, at.subs, at.files = true, f.Own, f.Rules, f.Subs, len(f.Files)
	if IsRacy(f.Own, l.began) {
		at.own = vault.Stat{}
	}
	if (at.own != at.was.Own || at.rules != at.was.Rules) && at.own != (vault.Stat{}) {
		l.Stale += 1 + f.Names
	}
	l.Files += at.files
	at.same = l.compareFolder(f, at.was.Files)
}

// compareFolder adds the files of a folder that are not as they were kept to Differ. It
// reports whether all are as they were.
func (l *Look) compareFolder(f Folder, was Marks) bool {
	sortFiles(f.Files)
	at, before := 0, len(l.Differ)+len(l.lost)
	for name, mark := range was.All() {
		for at < len(f.Files) && f.Files[at].Path.Base() < name {
			l.Differ = append(l.Differ, f.Files[at])
			at++
		}
		if at == len(f.Files) || f.Files[at].Path.Base() != name {
			l.lost = append(l.lost, f.Path.Join(name))
			continue
		}
		if now := f.Files[at]; !now.Kept && (mark == "" || mark != Mark(now)) {
			l.Differ = append(l.Differ, f.Files[at])
		}
		at++
	}
	l.Differ = append(l.Differ, f.Files[at:]...)
	return len(l.Differ)+len(l.lost) == before
}

// sortFiles brings the problems among them, which come last, to their names.
func sortFiles(files []vault.File) {
	byPath := func(a, b vault.File) int { return strings.Compare(string(a.Path), string(b.Path)) }
	if !slices.IsSortedFunc(files, byPath) {
		slices.SortStableFunc(files, byPath)
	}
}

// End says that the scan has ended, and whether it has read everything.
func (l *Look) End(complete bool) { l.complete = complete }

// hasVanished reports whether a folder is not there any more.
func (l *Look) hasVanished(f *folder) bool { return l.complete && !f.met }

// ListGone returns the files that a complete scan has not met.
func (l *Look) ListGone() []vault.Path {
	if !l.complete {
		return nil
	}
	gone := l.lost
	for dir, f := range l.folders {
		if l.hasVanished(f) {
			for name := range f.was.Files.All() {
				gone = append(gone, vault.Path(dir).Join(name))
			}
		}
	}
	return gone
}

// ListChanged yields the folders of which another listing may have to be kept, whatever
// becomes of their files.
func (l *Look) ListChanged() iter.Seq[vault.Path] {
	return func(yield func(vault.Path) bool) {
		if l == nil {
			return
		}
		for dir, f := range l.folders {
			if (f.read || l.hasVanished(f)) && !yield(vault.Path(dir)) {
				return
			}
		}
	}
}

// Change is what became of a file on disk.
type Change struct {
	Mark string
	Gone bool
}

// Next returns what is to be kept of a folder now: what was kept, with what became
// of its files by their names.
func (l *Look) Next(dir vault.Path, was Listing, changes map[string]Change) Listing {
	next := was
	files, renamed := next.patch(changes)
	var seen *folder
	if l != nil {
		seen = l.folders[string(dir)]
	}
	switch {
	case seen != nil && l.hasVanished(seen):
		return Listing{}
	case seen == nil || !seen.read:
		if renamed {
			next.Own = vault.Stat{}
		}
	case seen.same && len(changes) == 0, l.complete && seen.files == files:
		next.Own, next.Rules, next.Subs = seen.own, seen.rules, seen.subs
	default:
		next.Own = vault.Stat{}
	}
	return next
}

// patch puts what has changed into the files. It returns how many there are and
// whether a name came or went.
func (l *Listing) patch(changes map[string]Change) (files int, renamed bool) {
	b := make([]byte, 0, len(l.Files)+64*len(changes))
	add := func(name, mark string) {
		b = AppendMark(b, name, mark)
		files++
	}
	names := slices.Sorted(maps.Keys(changes))
	come := func(before string, all bool) {
		for ; len(names) > 0 && (all || names[0] < before); names = names[1:] {
			if c := changes[names[0]]; !c.Gone {
				add(names[0], c.Mark)
				renamed = true
			}
		}
	}
	for name, mark := range l.Files.All() {
		come(name, false)
		if c, ok := changes[name]; ok {
			names = names[1:]
			if mark = c.Mark; c.Gone {
				renamed = true
				continue
			}
		}
		add(name, mark)
	}
	come("", true)
	l.Files = Marks(b)
	return files, renamed
}
