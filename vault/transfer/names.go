package transfer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// names knows what stands and what is claimed below the destination, by the
// fold of the path: what a file system that ignores case could tell apart.
type names struct {
	exact   map[vault.Path]bool   // files on disk
	folders map[vault.Path]bool   // on disk or claimed
	folded  map[string]bool       // all of them
	taken   map[vault.Path]bool   // files claimed in this import
	mapped  map[string]vault.Path // where each folder of the source goes
	used    map[vault.Path]bool   // the folders in mapped
}

func newNames() names {
	return names{exact: make(map[vault.Path]bool), folders: make(map[vault.Path]bool), folded: make(map[string]bool), taken: make(map[vault.Path]bool), mapped: make(map[string]vault.Path), used: make(map[vault.Path]bool)}
}

// noteFile notes a file on disk, and the folders from dest down to it.
func (n *names) noteFile(p, dest vault.Path) {
	n.exact[p] = true
	n.folded[filename.Fold(string(p))] = true
	for dir := p.Dir(); dir != dest && !n.folders[dir]; dir = dir.Dir() {
		n.addFolder(dir)
	}
}

func (n *names) addFolder(dir vault.Path) {
	n.folders[dir] = true
	n.folded[filename.Fold(string(dir))] = true
}

// claim takes a file's name.
func (n *names) claim(p vault.Path) {
	n.taken[p] = true
	n.folded[filename.Fold(string(p))] = true
}

func (n *names) isClaimed(p vault.Path) bool { return n.taken[p] }

// nameState says what lies at a path.
type nameState int

const (
	nameFree  nameState = iota
	nameExact           // a file on disk of exactly that name, not claimed yet
	nameTaken           // anything else that stands in the way
)

func (n *names) at(p vault.Path) nameState {
	switch {
	case n.exact[p] && !n.taken[p]:
		return nameExact
	case n.folded[filename.Fold(string(p))]:
		return nameTaken
	}
	return nameFree
}

// folderFor returns the folder for the file rel: the same names below dest, made safe. An
// existing folder is used again. ok is false if the path would be too deep.
func (n *names) folderFor(dest vault.Path, rel string) (vault.Path, bool) {
	i := strings.LastIndexByte(rel, '/')
	if i < 0 {
		return dest, true
	}
	source := rel[:i]
	if dir, ok := n.mapped[source]; ok {
		return dir, true
	}
	parent, ok := n.folderFor(dest, source)
	if !ok || strings.Count(string(parent), "/")+2 > vault.MaxDepth {
		return "", false
	}
	dir := n.folderIn(parent, safeName(source[strings.LastIndexByte(source, '/')+1:]))
	n.mapped[source], n.used[dir] = dir, true
	return dir, true
}

// followFile sends the folder beside a file that had to take another name after it:
// position is parenthood, and what lies in x/ belongs to x.md.
func (n *names) followFile(source string, dir vault.Path) {
	if _, ok := n.mapped[source]; !ok {
		n.mapped[source], n.used[dir] = dir, true
		n.addFolder(dir)
	}
}

// folderIn returns the folder of that name in parent, or a numbered one if the name
// belongs to something else.
func (n *names) folderIn(parent vault.Path, name string) vault.Path {
	for i := 1; ; i++ {
		dir := parent.Join(nthName(name, i))
		switch {
		case n.folders[dir] && !n.used[dir]:
			return dir
		case !n.folded[filename.Fold(string(dir))]:
			n.addFolder(dir)
			return dir
		}
	}
}

// hasDotPart reports whether a part of the path begins with a dot.
func hasDotPart(rel string) bool {
	return strings.HasPrefix(rel, ".") || strings.Contains(rel, "/.")
}

// noteExt returns the extension of the file in the vault: its own .md, in any case, and .md
// for a note of another kind; "" for what is no note.
func noteExt(rel string) string {
	switch p := vault.Path(rel); {
	case p.IsMarkdown():
		return extension(rel)
	case p.IsNote():
		return ".md"
	}
	return ""
}

func extension(rel string) string {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	if i := strings.LastIndexByte(base, '.'); i >= 0 {
		return base[i:]
	}
	return ""
}

// fileStem returns the safe name of a file without its extension.
func fileStem(rel string) string {
	base := rel[strings.LastIndexByte(rel, '/')+1:]
	return safeName(base[:len(base)-len(extension(base))])
}

// maxName leaves room for a number and the extension in the 255 bytes that file
// systems allow.
const maxName = 240

// nthName returns the n-th form of a name: name, name-2, name-3 …, cut where it
// would be too long.
func nthName(name string, n int) string {
	if n == 1 && len(name) <= 255-len(".md") {
		return name
	}
	name = strings.TrimRight(cutBytes(name, maxName), " .")
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n)
}

// safeName returns a name that every system can hold: valid UTF-8, without
// control characters and what Windows forbids, no spaces or dots at its ends,
// and none of Windows' device names. A good name stays as it is.
func safeName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || strings.ContainsRune(`<>:"/\|?*`, r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, "-"))
	name = strings.TrimLeft(strings.TrimRight(strings.TrimSpace(name), " ."), " .")
	switch {
	case name == "":
		return "unnamed"
	case filename.Portable(name) != "": // what is left is a device
		return name + "-"
	}
	return name
}
