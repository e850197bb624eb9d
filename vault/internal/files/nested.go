package files

import (
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
)

// A folder below the vault with a vault.yaml or a .cp.yaml of its own is another project's:
// what lies in it belongs to no scan of this vault.

// isNestedProject reports whether an open folder, which is not the vault's own, is another project's.
func isNestedProject(dir handle, entries []entry) bool {
	for _, e := range entries {
		switch {
		case e.Name == ".cp.yaml" && e.Mode.IsRegular():
			return true
		case e.Name == ".cp" && e.IsDir():
			st, err := dir.StatAt(".cp/vault.yaml")
			return err == nil && st.Mode.IsRegular()
		}
	}
	return false
}

// FindNestedProject returns the folder of another project in which a file of the vault lies; empty for
// none.
func (d Dir) FindNestedProject(p vault.Path) vault.Path {
	for dir := p.Dir(); dir != "" && dir != vault.FactsDir; dir = dir.Dir() {
		if abs := d.abs(dir); regular(abs, ".cp.yaml") || regular(abs, ".cp", "vault.yaml") {
			return dir
		}
	}
	return ""
}

func regular(dir string, name ...string) bool {
	info, err := os.Lstat(filepath.Join(append([]string{dir}, name...)...))
	return err == nil && info.Mode().IsRegular()
}
