package registry

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/family"
)

// maxWalk bounds the folders that are looked at where there is no
const maxWalk = 5000

// findUnlisted returns the vaults below the current project that the list has not: those that git
// tracks there, so that a clone answers whole before a command was run in each of its vaults,
// and where there is no list those that a bounded walk finds. It looks once a command.
func (f *Finder) findUnlisted(k Known, s settings.Settings) (found []family.Project) {
	if k.Here.Path == "" {
		return nil
	}
	if was, ok := f.found[k.Here.Path]; ok {
		return was
	}
	roots := f.listTrackedVaults(k.Here.Path)
	if s.Families.Registry == "" {
		roots = append(roots, walk(k.Here.Path, maxWalk)...)
	}
	slices.Sort(roots)
	for _, root := range slices.Compact(roots) {
		if k.has(root) || !settings.IsVault(root) {
			continue
		}
		if own, err := f.Load(root, s); err == nil {
			found = append(found, f.project(own))
		}
	}
	if f.found == nil {
		f.found = map[string][]family.Project{}
	}
	f.found[k.Here.Path] = f.Standing(context.Background(), found)
	return found
}

// listTrackedVaults returns the vaults below a folder that git tracks.
func (f *Finder) listTrackedVaults(dir string) []string {
	roots, err := f.App.Tracked(context.Background(), dir, ".cp/vault.yaml")
	if err != nil {
		f.App.Debugf("the vaults that git tracks below %s: %v", dir, err)
	}
	for i := range roots {
		roots[i] = filepath.Clean(roots[i])
	}
	return roots
}

// has reports whether a vault is known.
func (k Known) has(root string) bool {
	return slices.ContainsFunc(k.Projects, func(p family.Project) bool { return k.Rules.IsSamePath(p.Vault, root) })
}

// walk returns the vaults in dir and below, with links resolved; it looks at most at so many
// folders.
func walk(dir string, most int) (roots []string) {
	queue := []string{dir}
	for len(queue) > 0 && most > 0 {
		at := queue[0]
		queue, most = queue[1:], most-1
		if settings.IsVault(at) {
			roots = append(roots, at)
		}
		entries, err := os.ReadDir(at)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && !slices.Contains([]string{".git", ".cp", "node_modules", ".cache", ".venv", "__pycache__"}, e.Name()) {
				queue = append(queue, filepath.Join(at, e.Name()))
			}
		}
	}
	return roots
}

// Load returns the settings of another vault than the current one. What names the current
// one, flags and environment, does not hold for it; who writes is the same.
func (f *Finder) Load(root string, s settings.Settings) (settings.Settings, error) {
	place := f.App.Place()
	env := place.Env
	place.Dir = s.Families.Serves(root)
	place.Env = func(name string) string {
		if name == "CP_VAULT" || name == "CP_PROJECT" {
			return ""
		}
		return env(name)
	}
	own, err := settings.Load(settings.Flags{Vault: root, Config: f.Flags.Config, Agent: f.Flags.Agent, Writer: f.Flags.Writer}, place)
	if err == nil && own.Agent == "" {
		own.Agent, own.AsAgent = s.Agent, s.AsAgent
	}
	return own, err
}

// WithTrees finds where projects stand in git.
func WithTrees(all []family.Project) []family.Project {
	out, seen := slices.Clone(all), checkouts{}
	for i := range out {
		at := seen.findWorkTree(out[i].Path)
		out[i].Repo, out[i].Top = at.common, at.top
	}
	return out
}
