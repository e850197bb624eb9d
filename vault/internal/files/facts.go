package files

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// Facts files stand in the vault's own folder, into which no scan of memories looks. A
// vault has as many of them as memories, and programs write them. So an ordinary read asks
// for the stats of their 256 folders and for none of a file:
//
//	.cp/facts          the same stat as kept: its folders are the same
//	.cp/facts/3f       the same stat as kept: no file came, went or was replaced
//	.cp/facts/a1       another one: its names are read, and each file's stat
//
// Git, this program and most editors replace a file, which changes its folder. Only what is
// written in place does not show so: a scan of each file shows it, which sync, a watcher and
// a read of a vault with few of them make (listing.FewFacts). With 100,000 memories and
// 100,000 facts files the folders take 0.01 of the time of the memories' scan, each file
// 1.1 times as much (BenchmarkScanFacts).

// ofFacts makes the scan one of facts files. Git's rules do not matter: what it ignores
// there is shown, so that nothing of a vault made before there were facts is hidden.
func (sc *scanner) ofFacts() { sc.facts, sc.rules = true, nil }

// passes reports whether the scan passes over an entry of the folder p without a word.
func (sc *scanner) passes(p vault.Path, e entry) bool {
	switch {
	case !sc.facts:
		return sc.ignores.Leaves.isIgnored(p, e)
	case e.IsDir() || e.Mode&fs.ModeSymlink != 0:
		return strings.HasPrefix(e.Name, ".")
	}
	return !p.Join(e.Name).IsFacts()
}

// candidate reports whether p is named like what the scan looks for.
func (sc *scanner) candidate(p vault.Path) bool { return !sc.facts && p.IsNote() || p.IsFacts() }

// ScanFacts is [Dir.ScanFolders] for the folders below [vault.FactsDir] and that folder
// itself. Unless each is set, a folder with the stat that was kept is told as the same
// without a look at its files; its Count is then 0. A vault without facts has no such
// folder: nothing is told, and the scan is complete.
func (d Dir) ScanFacts(ctx context.Context, each bool, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (complete bool, err error) {
	w := newFolderScanner(ctx, Ignores{}, kept, fn)
	w.ofFacts()
	w.each = each
	top, err := d.openDir(vault.FactsDir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err == nil:
		defer top.Close()
		err = w.visit(top, vault.FactsDir, depthOf(vault.FactsDir))
	default:
		err = w.reportUnopened(vault.FactsDir, err)
	}
	if above := w.at; err == nil && len(above.Files) > 0 { // the folder itself cannot be read
		above.Path = vault.FactsDir.Dir()
		err = fn(*above)
	}
	return w.complete && err == nil, err
}
