package families

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/family"
)

// maxWalk bounds the folders that are looked at where there is no registry.
const maxWalk = 5000

// below finds the vaults below a folder by a walk that looks at no more than maxWalk folders,
// the upper ones first.
func (f *Finder) below(dir string, s settings.Settings) (found []family.Project) {
	if dir == "" {
		return nil
	}
	for _, root := range walk(dir, maxWalk) {
		if root != s.Root {
			if own, err := f.load(root, s); err == nil {
				p := f.project(own)
				p.Apart, p.Within = f.apart(context.Background(), p.Path, root)
				found = append(found, p)
			}
		}
	}
	return found
}

// walk returns the vaults in dir and below, with links resolved; it looks at most at so many
// folders.
func walk(dir string, most int) (roots []string) {
	queue := []string{dir}
	for len(queue) > 0 && most > 0 {
		at := queue[0]
		queue, most = queue[1:], most-1
		if settings.Marked(at) {
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

// load returns the settings of another vault than the current one. What names the current
// one, flags and environment, does not hold for it; who writes is the same.
func (f *Finder) load(root string, s settings.Settings) (settings.Settings, error) {
	place := f.App.Place()
	env := place.Env
	place.Dir = s.Families.Serves(root)
	place.Env = func(name string) string {
		if name == "CP_VAULT" || name == "CP_PROJECT" {
			return ""
		}
		return env(name)
	}
	own, err := settings.Load(settings.Flags{Vault: root, Config: f.App.Flags.Config, Agent: f.App.Flags.Agent}, place)
	if err == nil && own.Agent == "" {
		own.Agent = s.Agent
	}
	return own, err
}

// withTrees finds where projects stand in git.
func withTrees(all []family.Project) []family.Project {
	out, seen := slices.Clone(all), checkouts{}
	for i := range out {
		at := seen.of(out[i].Path)
		out[i].Repo, out[i].Top = at.common, at.top
	}
	return out
}
