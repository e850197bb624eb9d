package ask

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/transfer"
)

// Export calls fn for the family's memories, vault after vault, each in the order of its
// tree: see [transfer.Export]. Of two clones of a vault, what is the same comes once. An error
// of fn ends it; a vault that cannot be read is a warning, but for the current one.
func (f *Family) Export(ctx context.Context, under string, filter app.Filter, fn func(transfer.Exported) error) (err error) {
	seen := f.Twins()
	return f.exporting(under, func(m Member) (read, wrote error) {
		chosen, err := m.Selection(ctx, filter)
		if err != nil {
			return err, nil
		}
		read = transfer.Export(ctx, m.Vault, under, func(e transfer.Exported) error {
			e.Origin = m.Origin(e.Path)
			if !m.Share.Has(string(e.Path)) || chosen != nil && !chosen[e.Path] || f.Several() && !e.New && seen.Again(e.ID, e.Origin, e.Path) {
				return nil
			}
			wrote = fn(e)
			return wrote
		})
		return read, wrote
	})
}

// exporting has each member write, and with under the one that has it. What a member could
// not write ends it, what it could not read does not.
func (f *Family) exporting(under string, do func(Member) (read, wrote error)) (err error) {
	missing := 0
	for i, m := range f.Members {
		read, wrote := do(m)
		switch {
		case wrote != nil:
			return wrote
		case under != "" && read == nil:
			return nil
		case under != "" && vault.CodeOf(read) == vault.CodeNotFound:
			if missing++; missing == 1 {
				err = read
			}
		case i == 0 || under != "":
			err = read
		case read != nil:
			f.warn(m.Held[0], read)
		}
	}
	return err
}

// Exported is the outcome of an export to a folder, with a row for each vault where several
// were written.
type Exported struct {
	app.Exported
	Projects []ExportedIn `json:"projects,omitempty"`
}

// ExportedIn is what was written of one vault.
type ExportedIn struct {
	family.Origin
	app.Exported
}

// ExportTo writes the family's files into a folder: those of the current project's vault at
// their paths, and those of each other vault in a folder of its own, which is where its
// project lies below the current one, or else the name of its folder.
func (f *Family) ExportTo(ctx context.Context, under, to string, filter app.Filter) (out Exported, err error) {
	var taken []string
	err = f.exporting(under, func(m Member) (read, wrote error) {
		dir := to
		if len(taken) > 0 && under == "" {
			dir = filepath.Join(to, f.exportFolder(m.Held[0], taken))
		}
		taken = append(taken, dir)
		chosen, err := m.Selection(ctx, filter)
		if err != nil {
			return err, nil
		}
		e, read, wrote := m.ExportFiles(ctx, app.Exporting{Under: under, Share: m.Share, Only: chosen}, dir)
		if out.Folder == "" {
			out.Folder = e.Folder
		}
		if out.Files, out.Facts = out.Files+e.Files, out.Facts+e.Facts; vault.CodeOf(read) != vault.CodeNotFound {
			out.Projects = append(out.Projects, ExportedIn{m.Held[0].Origin(), e})
		}
		return read, wrote
	})
	if len(out.Projects) == 1 {
		out.Projects = nil
	}
	return out, err
}

// exportFolder returns where the files of another vault go, below the folder of the export.
func (f *Family) exportFolder(p family.Project, taken []string) string {
	if rel, err := filepath.Rel(f.Of.Path, p.Path); err == nil && filepath.IsLocal(rel) && rel != "." {
		return rel
	}
	name := filepath.Base(p.Path)
	for n := 2; slices.ContainsFunc(taken, func(t string) bool { return filepath.Base(t) == name }); n++ {
		name = filepath.Base(p.Path) + "-" + strconv.Itoa(n)
	}
	return name
}
