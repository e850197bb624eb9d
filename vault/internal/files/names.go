package files

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// isIgnored reports whether a scan passes over an entry of the folder p without a word.
func (l Leaves) isIgnored(p vault.Path, e entry) bool {
	if len(l) == 0 && strings.HasPrefix(e.Name, ".") || len(l) > 0 && l.hides(p.Join(e.Name), e.IsDir()) {
		return true
	}
	return !e.IsDir() && e.Mode&fs.ModeSymlink == 0 && !vault.Path(e.Name).IsNote()
}

// Repository returns what kind of repository the entries of a folder make it;
// empty for none.
func Repository(listed []fs.DirEntry) string { return repositoryAmong(entriesOf(listed)) }

func repositoryAmong(entries []entry) string {
	var parts filename.BareParts
	for i := range entries {
		if entries[i].Name == ".git" {
			return "a git repository of its own, which cp leaves alone"
		}
		parts.Add(entries[i].Name)
	}
	if parts.IsBareRepo() {
		return "a bare git repository, which cp leaves alone; git itself, used in there, runs programs that its config names"
	}
	return ""
}

// stems returns the names of the folders of which the entries hold the memory's file.
func stems(entries []entry) map[string]bool {
	found := make(map[string]bool)
	for _, e := range entries {
		if p := vault.Path(e.Name); p.IsMarkdown() && !e.IsDir() {
			found[string(p.Stem())] = true
		}
	}
	return found
}

// Plain reports whether a name can be part of a [vault.Path].
func Plain(name string) bool {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < ' ' || c >= 0x7f {
			return plainText(name)
		}
	}
	return true
}

func plainText(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl)
}

// Visible returns name with what a Path may not hold written as \xNN.
func Visible(name string) string {
	if Plain(name) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if r == utf8.RuneError && n == 1 || unicode.IsControl(r) {
			for _, c := range []byte(name[i : i+n]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		} else {
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// findTwins returns the earlier name for each entry that a scan looks at and that folds to
// the same key as an earlier one.
func (l Leaves) findTwins(p vault.Path, entries []entry) map[string]string {
	if !slices.ContainsFunc(entries, func(e entry) bool { return filename.Fold(e.Name) != e.Name }) {
		return nil
	}
	first, twins := make(map[string]string), make(map[string]string)
	for _, e := range entries {
		if l.isIgnored(p, e) {
			continue
		}
		key := filename.Fold(e.Name)
		if other, ok := first[key]; ok {
			twins[e.Name] = other
			continue
		}
		first[key] = e.Name
	}
	return twins
}

// Candidate reports whether a scan would look at a file of that path: a memory's, or a
// facts file. What is left out by its name it does not know.
func (l Leaves) Candidate(p vault.Path) bool {
	if !p.IsNote() {
		return p.IsFacts()
	}
	return !l.hides(p, false)
}

// entriesOf returns what package os has listed.
func entriesOf(listed []fs.DirEntry) []entry {
	entries := make([]entry, len(listed))
	for i, e := range listed {
		entries[i] = entry{Name: e.Name(), Mode: e.Type()}
	}
	return entries
}
