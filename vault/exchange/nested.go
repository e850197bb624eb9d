package exchange

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// findNestedRepos warns of bare repositories in what came, where no scan of the vault
// sees them: in hidden folders, and outside of it.
func (x *Exchange) findNestedRepos(ctx context.Context, tree string, different []vault.Difference) ([]string, error) {
	came := make(bares)
	for _, d := range different {
		if d.Into != "" {
			came.noteFile(d.Path)
		}
	}
	if len(came) == 0 {
		return nil, nil
	}
	all, err := x.History.Differences(ctx, "", tree)
	if err != nil {
		return nil, err
	}
	there := make(bares)
	for _, d := range all {
		there.noteFile(d.Path)
	}
	var found []string
	for folder, parts := range there {
		if _, ours := x.inVault(folder); parts.IsBareRepo() && (!ours || strings.HasPrefix(folder, ".") || strings.Contains(folder, "/.")) {
			found = append(found, folder+": a bare git repository came as files; git, used in there, runs programs that its config names. Look at it and delete it")
		}
	}
	slices.Sort(found)
	return found, nil
}

// bares are the parts of repositories in folders, by the folder.
type bares map[string]filename.BareParts

// noteFile takes a file and the folders on its way into account. The top of the work
// tree has a .git, so it is no bare one.
func (b bares) noteFile(file string) {
	for name := file; path.Dir(name) != "."; name = path.Dir(name) {
		parts := b[path.Dir(name)]
		parts.Add(path.Base(name))
		if parts != (filename.BareParts{}) {
			b[path.Dir(name)] = parts
		}
	}
}
