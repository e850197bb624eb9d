package release

import (
	"path/filepath"
	"strings"
)

// Install says how this program came to the machine, as far as its path tells.
type Install struct {
	Program string // its path, with all links resolved

	Glob func(pattern string) ([]string, error) // looks for files; nil is [filepath.Glob]
}

// places are parts of a path by which somebody who installs programs is known, and how they update one.
var places = []struct{ part, update string }{
	{"/_npx/", "npx cp-memory@latest"},
	{"/node_modules/", "npm install -g cp-memory@latest"},
	{"/uv/tools/", "uv tool upgrade cp-memory"},
	{"/uv/archive-", "uvx cp-memory@latest"},
	{"/pipx/venvs/", "pipx upgrade cp-memory"},
	{"/Cellar/", "brew upgrade cp-memory"},
}

// UpdateCommand returns the command that updates the program, or the page that has the newest one.
func (i Install) UpdateCommand() string {
	path := filepath.ToSlash(i.Program)
	for _, p := range places {
		if strings.Contains(path, p.part) {
			return p.update
		}
	}
	if i.hasNear("../../lib*/python3*/site-packages/cp_memory-*.dist-info") {
		return "pip install --upgrade cp-memory"
	}
	return Page
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
