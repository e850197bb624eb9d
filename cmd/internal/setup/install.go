package setup

import (
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Install says how this program came to the machine, as far as its path tells.
type Install struct {
	Program string // its path, with all links resolved

	Glob func(pattern string) ([]string, error) // looks for files; nil is [filepath.Glob]
}

// places are parts of a path by which somebody who installs programs is known, and how they update one. What is fetched for
// one call goes with a cache: how it is installed is said of that alone.
var places = []struct{ part, update, fetched, install string }{
	{"/_npx/", "npx cp-memory@latest", "npx", "npm install -g cp-memory"},
	{"/dlx/", "pnpm dlx cp-memory@latest", "pnpm", "pnpm add -g cp-memory"},
	{"/uv/archive-", "uvx cp-memory@latest", "uvx", "uv tool install cp-memory"},
	{part: "/node_modules/", update: "npm install -g cp-memory@latest"},
	{part: "/uv/tools/", update: "uv tool upgrade cp-memory"},
	{part: "/pipx/venvs/", update: "pipx upgrade cp-memory"},
	{part: "/Cellar/", update: "brew upgrade cp-memory"},
}

// UpdateCommand returns the command that updates the program; otherwise where nobody knows who installed it.
func (i Install) UpdateCommand(otherwise string) string {
	path := filepath.ToSlash(i.Program)
	for _, p := range places {
		if strings.Contains(path, p.part) {
			return p.update
		}
	}
	if i.hasNear("../../lib*/python3*/site-packages/cp_memory-*.dist-info") {
		return "pip install --upgrade cp-memory"
	}
	return otherwise
}

// hasNear reports whether there is a file of that pattern, seen from the program.
func (i Install) hasNear(pattern string) bool {
	glob := i.Glob
	if glob == nil {
		glob = filepath.Glob
	}
	found, err := glob(filepath.Join(i.Program, pattern))
	return err == nil && len(found) > 0
}

// checkLasts refuses a program that goes with a cache: no file may name its path.
func (i Install) checkLasts() error {
	for _, p := range places {
		if p.fetched != "" && strings.Contains(filepath.ToSlash(i.Program), p.part) {
			return vault.Errorf(vault.CodeConfig, "install it, then connect the agents: "+p.install+" && cp-memory setup", "this program lies where %s keeps it for a while, and agents need it at a place that lasts", p.fetched)
		}
	}
	return nil
}
