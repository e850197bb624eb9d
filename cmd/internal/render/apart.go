package render

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// entry is what tells a memory from others of its title.
type entry struct {
	title  string
	path   vault.Path
	folder vault.Path // see [vault.Node.In]
}

// apart returns the words that stand behind the titles of an answer, by the memories'
// files: the folder that has no memory of its own; for one of several of a title the
// folder it lies in, or its file where that folder holds two of them. Most have none.
func apart[R any](rows []R, of func(R) entry) map[vault.Path]string {
	titled, inFolder := map[string]int{}, map[entry]int{}
	for _, r := range rows {
		s := of(r)
		titled[s.title]++
		inFolder[entry{title: s.title, path: s.path.Dir()}]++
	}
	words := make(map[vault.Path]string)
	for _, r := range rows {
		s := of(r)
		dir, twins := s.path.Dir(), titled[s.title] > 1
		switch {
		case twins && (dir == "" || inFolder[entry{title: s.title, path: dir}] > 1):
			words[s.path] = " (" + string(s.path) + ")"
		case twins:
			words[s.path] = " (in " + string(dir) + "/)"
		case s.folder != "":
			words[s.path] = " (in " + string(s.folder) + "/)"
		}
	}
	return words
}

// apartIn is apart for a page of a list.
func apartIn(rows []tree.ListRow) map[vault.Path]string {
	return apart(rows, func(r tree.ListRow) entry { return entry{r.Title, r.Path, r.Folder} })
}

// Parented writes which folder got a memory.
func Parented(s Screen, p tree.Parented) {
	s.Printf("Created memory %s %s for %s/ (%s)\n", p.ID, quoted(p.Title), Line(string(p.Folder)), vault.Plural(p.Children, "sub-memory", "sub-memories"))
	if p.ParentID != "" {
		s.Printf("Below: %s %s\n", p.ParentID, quoted(p.ParentTitle))
	}
	if p.Summary != "" {
		s.Printf("Summary: %s\n", p.Summary)
	}
	if p.Nameless > 0 {
		s.Printf("%s no id yet: cp memory sync adds the pointers\n", vault.Plural(p.Nameless, "sub-memory has", "sub-memories have"))
	}
	if p.LeftAlone > 0 {
		s.Printf("%s alone, and says why\n", vault.Plural(p.LeftAlone, "file gets no pointer: cp memory sync leaves it", "files get no pointer: cp memory sync leaves them"))
	}
}
