package watch

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
)

// The folder above that of the facts files is not watched: the index lies there too, and
// each write to it would be an event. So a watcher looks for the folder of facts at each
// pass and at each question, until there is one.

// newFacts reports whether there is a folder of facts that is not watched yet.
func (w *Watcher) newFacts() bool {
	return w.folders.events != nil && w.folders.watched[vault.FactsDir] == "" && isFolder(filepath.Join(w.o.Root, filepath.FromSlash(string(vault.FactsDir))))
}

// watchFacts watches the folders of facts, if there are some, and has the pass look at all
// that they hold.
func (w *Watcher) watchFacts(ctx context.Context, d *dirty) error {
	if !w.newFacts() {
		return nil
	}
	d.noteName(vault.FactsDir, true)
	return w.folders.watchTree(ctx, w.o.Folders, vault.FactsDir)
}
