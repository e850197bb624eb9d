package files

import (
	"path"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Leaves are the patterns of what a scan leaves out: names as *, ? and [a-z] match them.
// One without a slash before its end fits a file or folder of that name anywhere, one with
// a slash the path from the vault's top. A slash at the end means folders alone. What lies
// in a folder that fits is left out too.
//
// A pattern that begins with ! is the path of a folder that is opened: though it begins with
// a dot, or lies in a folder that does, a scan looks into it. So ["!.cursor/rules"] lets
// .cursor/rules/go.mdc be seen, and neither .cursor/x.md nor .cursor/rules/.old/x.md.
//
// One that begins with !* is the ending of a kind of note of which sync makes memories.
type Leaves []string

// hides reports whether the file or folder at p is passed over since a name in its path
// begins with a dot. A folder that leads to an opened one is not.
func (l Leaves) hides(p vault.Path, folder bool) bool {
	if !hasDotName(p) {
		return false
	}
	for _, pattern := range l {
		open, ok := strings.CutPrefix(pattern, "!")
		at := vault.Path(open)
		if ok && (p.Within(at) && !hasDotName(p[len(at):]) || folder && at.Within(p)) {
			return false
		}
	}
	return true
}

// Hides reports whether what stands at p, be it a file or a folder, is passed over since a
// name in its path begins with a dot.
func (l Leaves) Hides(p vault.Path) bool { return l.hides(p, true) }

// hasDotName reports whether a name in the path begins with a dot.
func hasDotName(p vault.Path) bool {
	return strings.HasPrefix(string(p), ".") || strings.Contains(string(p), "/.")
}

// Kinds returns the endings of the notes of which sync makes memories.
func (l Leaves) Kinds() (all []string) {
	for _, pattern := range l {
		if kind, ok := strings.CutPrefix(pattern, "!*"); ok {
			all = append(all, kind)
		}
	}
	return all
}

// Out reports whether a pattern fits the file or a folder above it.
func (l Leaves) Out(file vault.Path) bool {
	for _, pattern := range l {
		if strings.HasPrefix(pattern, "!") {
			continue
		}
		at := file
		if strings.HasSuffix(pattern, "/") {
			at = file.Dir()
		}
		pattern = strings.TrimSuffix(pattern, "/")
		rooted := strings.Contains(pattern, "/")
		for pattern = strings.TrimPrefix(pattern, "/"); at != ""; at = at.Dir() {
			name := string(at)
			if !rooted {
				name = at.Base()
			}
			if fits, _ := path.Match(pattern, name); fits {
				return true
			}
		}
	}
	return false
}
