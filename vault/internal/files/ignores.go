package files

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Ignores are what git ignores in a vault: a scan passes over it without a word. The zero
// Ignores hide nothing.
type Ignores struct {
	Leaves Leaves // of which a scan itself heeds the opened folders

	Rules *IgnoreRules // of the vault's folder, but for its own .gitignore

	// Tracked reports whether git tracks the file, or a file in the folder, that the rules
	// fit. Then it is not ignored.
	Tracked func(p vault.Path, folder bool) bool
}

// ignoreName is the name of git's ignore files.
const ignoreName = ".gitignore"

// rulesAt returns the rules that hold in the folder p.
func (d Dir) rulesAt(base *IgnoreRules, p vault.Path) *IgnoreRules {
	if base == nil {
		return nil
	}
	dir, err := d.openDir(p)
	var text []byte
	if err == nil {
		text = ignoreText(dir)
		dir.Close()
	}
	if p == "" {
		return base.Below("", text)
	}
	return d.rulesAt(base, p.Dir()).Below(p.Base(), text)
}

// Out returns those of the paths that git ignores.
func (o Ignores) Out(d Dir, paths []vault.Path) (out []vault.Path) {
	if o.Rules == nil {
		return nil
	}
	rules := make(map[vault.Path]*IgnoreRules)
	for _, p := range paths {
		if rules[p.Dir()] == nil {
			rules[p.Dir()] = d.rulesAt(o.Rules, p.Dir())
		}
		if rules[p.Dir()].Out(p.Base(), false) && !o.Tracked(p, false) {
			out = append(out, p)
		}
	}
	return out
}

// ignoreText returns the text of the ignore file in an open folder: nil where there is
// none, and nothing where it cannot be read, a symbolic link, say, which git does not
// follow either.
func ignoreText(dir handle) []byte {
	text, _, err := readOpen(dir.Open(ignoreName, 0))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return append([]byte{}, text...)
}

// enterRules makes the rules of the folder p those of the scan, until leave is called.
func (sc *scanner) enterRules(dir handle, p vault.Path) (leave func()) {
	up := sc.rules
	if up != nil {
		sc.rules = up.Below(p.Base(), ignoreText(dir))
	}
	return func() { sc.rules = up }
}

// visible returns the entries of the folder p that git does not ignore. ruled reports
// whether a rule fits one of them: what becomes of it is git's affair, which tracks it or
// not, and the folder does not tell.
func (sc *scanner) visible(p vault.Path, entries []entry) (in []entry, ruled bool) {
	if sc.rules == nil {
		return entries, false
	}
	in = slices.DeleteFunc(entries, func(e entry) bool {
		if sc.ignores.Leaves.isIgnored(p, e) || !sc.rules.Out(e.Name, e.IsDir()) {
			return false
		}
		ruled = true
		return !sc.ignores.Tracked(p.Join(e.Name), e.IsDir())
	})
	return in, ruled
}
