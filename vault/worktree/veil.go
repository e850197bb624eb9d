package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/listing"
)

// While a write is under way the disk shows half of it: what moves has two names.
// Who holds no lock sees through a veil.
//
// What a live process is writing is as the mirror has it: the files it knows are
// unchanged, others are not there. What a dead one has left is as it ends, where
// all that it adds is on disk, else as it was: of two names one is hidden.

// veil lists the files that a scan leaves out.
type veil struct {
	held   map[vault.Path]bool // written by a live process
	hidden map[vault.Path]bool // not there once it ends, or not before it began
}

// findHidden returns the files to leave out now, or nil if no write is under way.
func (s *Store) findHidden() *veil {
	waiting := s.intents()
	if len(waiting) == 0 {
		return nil
	}
	v := &veil{hidden: make(map[vault.Path]bool)}
	for _, in := range waiting {
		s.hide(in, v.hidden)
	}
	if s.isLocked() {
		v.held = make(map[vault.Path]bool)
		for _, in := range waiting {
			for _, p := range s.listTouched(in) {
				v.held[p] = true
			}
		}
	}
	return v
}

// intents reads what waits in tx/, the oldest first, and changes nothing there.
func (s *Store) intents() (found []*intent) {
	if s.repo == nil {
		return nil
	}
	names, _ := files.Names(s.tx())
	slices.Sort(names)
	for _, name := range names {
		if !isIntent(name) {
			continue
		}
		if b, err := os.ReadFile(filepath.Join(s.tx(), name)); err == nil {
			if in, ok := decodeIntent(b); ok && in.Format == intentFormat {
				found = append(found, in)
			}
		}
	}
	return found
}

// Writes names the writes that are under way or were made of late. As long as the name is
// the same, no write has begun or ended. live reports whether one of them is held.
func (s *Store) Writes() (name string, live bool) {
	if s.repo == nil {
		return "", false
	}
	names, _ := files.Names(s.tx())
	slices.Sort(names)
	return strings.Join(names, "/"), slices.ContainsFunc(names, isIntent) && s.isLocked()
}

// ListUnfinished returns the writes of dead writers that are not finished yet.
func (s *Store) ListUnfinished(context.Context) []vault.Unfinished {
	waiting := s.intents()
	if len(waiting) == 0 || s.isLocked() {
		return nil
	}
	var left []vault.Unfinished
	for _, in := range waiting {
		subject, _, _ := strings.Cut(in.Message, "\n")
		left = append(left, vault.Unfinished{Op: in.Op, Subject: subject, Paths: s.listTouched(in)})
	}
	return left
}

// listTouched returns the memories' files of an intent, old and new places alike.
func (s *Store) listTouched(in *intent) []vault.Path {
	old, new := s.sides(in)
	var all []vault.Path
	for _, e := range in.Edits {
		if e.Kind == changes && !e.Outside {
			all = append(all, e.Path)
		} else if e.Kind == takes {
			all = append(all, s.takenPath(e)...)
		}
	}
	return slices.Concat(all, old, new)
}

// hide adds the files of an intent that are not there as it ends, or if what it
// adds is not complete those that were not there before.
func (s *Store) hide(in *intent, hidden map[vault.Path]bool) {
	old, new := s.sides(in)
	if slices.ContainsFunc(new, func(p vault.Path) bool { return !files.Present(s.abs(p, false)) }) {
		old = new
	}
	for _, p := range old {
		hidden[p] = true
	}
}

// sides returns the files that an intent takes away, and those that it adds.
func (s *Store) sides(in *intent) (old, new []vault.Path) {
	for _, e := range in.Edits {
		switch {
		case e.Kind == takes && e.Taken.Into == "" && !s.hasOtherText(e, found{Digest: e.Before}):
			old = append(old, s.takenPath(e)...)
		case e.Kind == takes && e.Before == "":
			new = append(new, s.takenPath(e)...)
		case e.Outside:
		case e.Kind == creates:
			new = append(new, e.Path)
		case e.Kind == moves, e.Kind == removes:
			for _, f := range e.Files {
				if e.Kind == moves {
					new = append(new, f.path(e.To))
				}
				if e.Kind == moves || !s.hasOtherText(e, f) {
					old = append(old, f.path(e.Path))
				}
			}
		}
	}
	notMemory := func(p vault.Path) bool { return !s.leaves.Candidate(p) }
	return slices.DeleteFunc(old, notMemory), slices.DeleteFunc(new, notMemory)
}

// hasOtherText reports whether a file that is to be removed has another text by now: it
// then stays.
func (s *Store) hasOtherText(e *edit, f found) bool {
	b, _, err := files.Read(f.joinBase(s.abs(e.Path, e.Outside)))
	return err == nil && files.Digest(b) != f.Digest
}

// hides reports whether a file is left out for a reader that has kept no listing of it.
func (v *veil) hides(p vault.Path) bool { return v.held[p] || v.held == nil && v.hidden[p] }

// Scan is [files.Dir.Scan] without what is hidden. Beside a live writer a scan is
// not complete: what it does not meet may be on its way.
func (s *Store) Scan(ctx context.Context, scope vault.Scope, fn func(vault.File) error) (complete bool, err error) {
	if scope.None || scope.Still {
		return true, nil
	}
	v := s.findHidden()
	if v == nil {
		return s.scan(ctx, scope, fn)
	}
	complete, err = s.scan(ctx, scope, func(f vault.File) error {
		if v.hides(f.Path) {
			return nil
		}
		return fn(f)
	})
	return complete && v.held == nil, err
}

// ScanFolders is [files.Dir.ScanFolders] as the veil lets the folders be seen.
func (s *Store) ScanFolders(ctx context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	if v := s.findHidden(); v != nil {
		return v.scan(ctx, "", s.scanFolders, kept, fn)
	}
	return s.scanFolders(ctx, kept, fn)
}

// ScanFacts is [files.Dir.ScanFacts] as the veil lets the folders be seen.
func (s *Store) ScanFacts(ctx context.Context, each bool, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	scan := func(ctx context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (bool, error) {
		return s.Dir.ScanFacts(ctx, each, kept, fn)
	}
	if v := s.findHidden(); v != nil {
		return v.scan(ctx, vault.FactsDir, scan, kept, fn)
	}
	return scan(ctx, kept, fn)
}

// scanner scans folders one by one.
type scanner func(ctx context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error)

// scan scans the folders of memories, where top is the vault's, or those of facts files.
func (v *veil) scan(ctx context.Context, top vault.Path, scan scanner, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	if kept(top) == (listing.Listing{}) {
		v.held = nil // nothing is known yet
	}
	veiled := v.dirs(top)
	told := make(map[vault.Path]bool)
	look := func(p vault.Path) listing.Listing {
		if veiled[p] {
			return listing.Listing{} // so that it is read
		}
		return kept(p)
	}
	complete, err = scan(ctx, look, func(f listing.Folder) error {
		if told[f.Path] = true; veiled[f.Path] {
			v.veilFolder(&f, kept(f.Path))
		}
		return fn(f)
	})
	for dir := range veiled { // a live process has taken it away
		if was := kept(dir); err == nil && v.held != nil && !told[dir] && was.Files != "" {
			f := listing.Folder{Path: dir, Subs: was.Subs}
			v.veilFolder(&f, was)
			err = fn(f)
		}
	}
	return complete && err == nil, err
}

// dirs returns the folders of the hidden files: of memories, or of facts files.
func (v *veil) dirs(top vault.Path) map[vault.Path]bool {
	dirs := make(map[vault.Path]bool)
	for _, files := range []map[vault.Path]bool{v.held, v.hidden} {
		for p := range files {
			if p.IsFacts() == (top == vault.FactsDir) {
				dirs[p.Dir()] = true
			}
		}
	}
	return dirs
}

// veilFolder removes the hidden files from a folder and puts in those that the reader's kept
// listing holds. Nothing of that folder is kept, so the next scan reads it again.
func (v *veil) veilFolder(f *listing.Folder, was listing.Listing) {
	f.Files = slices.DeleteFunc(f.Files, func(file vault.File) bool { return v.hides(file.Path) })
	for name := range was.Files.All() {
		if p := f.Path.Join(name); v.held[p] {
			f.Files = append(f.Files, vault.File{Path: p, Kept: true})
		}
	}
	f.Own, f.Same, f.Count = vault.Stat{}, false, len(f.Files)
}

// findMovedPath opens a file that a write under way has moved, at its other place.
func (s *Store) findMovedPath(p vault.Path, err error) vault.Path {
	if !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	for _, in := range s.intents() {
		for _, e := range in.Edits {
			for _, f := range e.Files {
				if e.Kind == moves && !e.Outside && f.path(e.Path) == p {
					return f.path(e.To)
				}
			}
		}
	}
	return ""
}
