package render

import "github.com/cp-memory/cp/cmd/internal/app"

// WriteVersions writes the version in the first line, and what it was made of beneath. That line begins
// with the same words under each name of the program, for those who read it.
func WriteVersions(s Screen, v app.Versions) {
	s.Printf("%s %s%s\n", "cp version", v.Version, describeSource(v))
	s.Printf("formats: vault %d, index %d\n", v.Formats.Vault, v.Formats.Index)
	s.Printf("made with: %s, SQLite %s, for %s\n", v.Go, v.SQLite, v.Platform)
	switch {
	case v.Update != "":
		s.Printf("newest: %s\nNext: %s\n", v.Newest, v.Update)
	case v.Newest != "":
		s.Printf("newest: %s; there is nothing to update\n", v.Newest)
	}
}

// describeSource tells the commit and its day; nothing where nobody knows.
func describeSource(v app.Versions) string {
	if v.Commit == "" {
		return ""
	}
	said := " (" + v.Commit
	if v.Date != "" {
		said += ", " + v.Date
	}
	if v.Changed {
		said += ", changed since"
	}
	return said + ")"
}
