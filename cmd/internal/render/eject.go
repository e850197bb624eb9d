package render

import (
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// WriteEjected writes what eject did, or would do.
func WriteEjected(s Screen, e past.Ejected) {
	done := e.Commit != ""
	switch {
	case e.Files == 0 && len(e.Left) > 0:
		s.Println("Nothing goes out of the files.")
	case e.Files == 0:
		s.Println("There is nothing of the program's in the files.")
	case done:
		s.Printf("Took out of %s: %s\n", vault.Plural(e.Files, "file", "files"), ejectParts(e))
	default:
		s.Printf("Would take out of %s: %s\n", vault.Plural(e.Files, "file", "files"), ejectParts(e))
		writeSome(s, e.Changed, func(r past.EjectRow) string { return Line(string(r.Path)) + ": " + strings.Join(r.Parts, ", ") })
	}
	if len(e.Left) > 0 {
		s.Printf("Left as they are:\n")
		writeSome(s, e.Left, func(l past.EjectLeft) string { return Line(string(l.Path)) + ": " + Line(l.Why) })
	}
	if len(e.Named) > 0 {
		s.Printf("Texts that name others by ids which are then in git's history alone:\n")
		writeSome(s, e.Named, func(n past.NamedRow) string { return Line(string(n.Path)) + ": " + joinIDs(n.IDs) })
	}
	switch {
	case done:
		writeAfterEject(s, e)
	case e.Files > 0:
		s.Println("Nothing was changed. To do it: cp memory eject --yes")
	}
}

// ejectParts counts what goes.
func ejectParts(e past.Ejected) string {
	var all []string
	for _, part := range []struct {
		n         int
		one, many string
	}{{e.IDs, "id", "ids"}, {e.Keys, "other key", "other keys"}, {e.Headers, "empty front matter", "empty front matters"}, {e.Blocks, "pointer block", "pointer blocks"}} {
		if part.n > 0 {
			all = append(all, vault.Plural(part.n, part.one, part.many))
		}
	}
	return strings.Join(all, ", ")
}

// writeAfterEject says how an eject is taken back, and what is left for a person to do.
func writeAfterEject(s Screen, e past.Ejected) {
	s.Printf("One commit, %s. It is taken back by: cp memory undo\n", vault.Short(e.Commit))
	if e.Marked {
		s.Println("sync now leaves the files alone: .cp/vault.yaml says \"adopt: ejected\".")
	}
	s.Println("Left to do by hand, if you go on without the program:")
	s.Println("  the settings of your agents: cp memory setup --remove")
	s.Println("  the vault's own settings and facts: git rm -r .cp")
	s.Println("  the line \"*.md merge=cp-memory\" in .gitattributes")
	s.Println("  the merge driver of this clone: git config --remove-section merge.cp-memory")
}

// writeSome writes the first rows of a list, and how many more there are.
func writeSome[R any](s Screen, rows []R, line func(R) string) {
	shown, more := some(s, rows)
	for _, r := range shown {
		s.Printf("  %s\n", line(r))
	}
	s.More("  ", more)
}

// joinIDs returns ids on one line.
func joinIDs(ids []vault.ID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	return strings.Join(words, ", ")
}
