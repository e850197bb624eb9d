package worktree

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/listing"
)

// What the vault's settings leave out is no memory: neither a scan of the disk nor a look
// at commits tells of it. The files stay what they are to git and to everybody else.

// Fits reports whether one of the names fits a file, as in [Options.Leaves].
func Fits(names []string) func(vault.Path) bool { return files.Leaves(names).Out }

// Hides reports whether a file or folder is passed over since a name in its path begins with
// a dot, and the names open no folder there, as in [Options.Leaves].
func Hides(names []string) func(vault.Path) bool { return files.Leaves(names).Hides }

// Kinds returns the kinds of note of which sync makes memories, as in [Options.Leaves].
func Kinds(names []string) []string { return files.Leaves(names).Kinds() }

// Others returns the paths in the vault that belong to others, as in [Options.Others].
func (s *Store) Others() []string { return s.others }

// List returns the names in a folder, and with them those that belong to others, so that
// nothing new takes them.
func (s *Store) List(ctx context.Context, p vault.Path) ([]string, error) {
	all, err := s.Dir.List(ctx, p)
	for _, other := range s.others {
		if at := vault.Path(other); at.Dir() == p {
			all = append(all, at.Base())
		}
	}
	return all, err
}

// leftOut reports whether the settings leave a file out. They are about memories.
func (s *Store) leftOut(p vault.Path) bool { return s.leaves.Out(p) && !p.Within(vault.FactsDir) }

// Folders calls enter for each folder in which a scan of dir looks, as [files.Dir.Folders].
func (s *Store) Folders(ctx context.Context, dir vault.Path, enter func(p vault.Path, abs string) error) (complete bool, err error) {
	return s.Dir.Folders(ctx, s.leaves, dir, enter)
}

// inNested returns a function that reports whether a file lies in the folder of another
// project. It asks of each folder once, for paths in order.
func (s *Store) inNested() func(vault.Path) bool {
	last, in := vault.Path(""), false
	return func(p vault.Path) bool {
		if dir := p.Dir(); dir != last {
			last, in = dir, s.Dir.FindNestedProject(p) != ""
		}
		return in
	}
}

// scan is [files.Dir.Scan] without what is left out.
func (s *Store) scan(ctx context.Context, scope vault.Scope, fn func(vault.File) error) (complete bool, err error) {
	err = s.ignoring(ctx, func(o files.Ignores) error {
		complete, err = s.Dir.Scan(ctx, o, scope, func(f vault.File) error {
			if s.leftOut(f.Path) {
				return nil
			}
			return fn(f)
		})
		return err
	})
	return complete, err
}

// scanFolders is [files.Dir.ScanFolders] without what is left out.
func (s *Store) scanFolders(ctx context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	err = s.ignoring(ctx, func(o files.Ignores) error {
		complete, err = s.Dir.ScanFolders(ctx, o, kept, func(f listing.Folder) error {
			in := f.Files[:0]
			for _, file := range f.Files {
				if !s.leftOut(file.Path) {
					in = append(in, file)
				}
			}
			f.Files = in
			return fn(f)
		})
		return err
	})
	return complete, err
}

// hides refuses to put a memory where the settings leave it out: no command would find it.
func (p *planner) hides(e vault.Edit) error {
	at := cmp.Or(e.To, e.Path)
	if e.Tree {
		at = at.Join("memory.md")
	}
	if e.Outside || e.Create == nil && e.To == "" || !at.IsMarkdown() || !p.s.leaves.Out(at) {
		return nil
	}
	if slices.Contains(p.s.others, string(at)) {
		return vault.Errorf(vault.CodeInvalid, "give it another name or place", "%s would be no memory: at the top of a repository agents load it, or a report stands there", at)
	}
	return vault.Errorf(vault.CodeInvalid, "give it another title or parent, or change `ignore:` in .cp/vault.yaml",
		"%s would be no memory: `ignore:` leaves it out", cmp.Or(e.To, e.Path))
}
