package render

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// entry is what tells a memory from others of its title.
type entry struct {
	title   string
	project string // the path of the project that it is from: memories of two are told apart by that
	path    vault.Path
	folder  vault.Path // see [vault.Node.In]
}

// newTitleSuffix returns the words that stand behind the titles of an answer: the folder that has no
// memory of its own; for one of several of a title the folder it lies in, or its file where
// that folder holds two of them. Most have none.
func newTitleSuffix[R any](rows []R, of func(R) entry) func(R) string {
	titled, inFolder := map[entry]int{}, map[entry]int{}
	for _, r := range rows {
		e := of(r)
		titled[entry{title: e.title, project: e.project}]++
		inFolder[entry{title: e.title, project: e.project, path: e.path.Dir()}]++
	}
	return func(r R) string {
		e := of(r)
		dir, twins := e.path.Dir(), titled[entry{title: e.title, project: e.project}] > 1
		switch {
		case twins && (dir == "" || inFolder[entry{title: e.title, project: e.project, path: dir}] > 1):
			return " (" + string(e.path) + ")"
		case twins:
			return " (in " + string(dir) + "/)"
		case e.folder != "":
			return " (in " + string(e.folder) + "/)"
		}
		return ""
	}
}

// apartIn is apart for a page of a list.
func apartIn(rows []tree.ListRow) func(tree.ListRow) string {
	return newTitleSuffix(rows, func(r tree.ListRow) entry { return entry{r.Title, r.ProjectPath, r.Path, r.Folder} })
}

// WriteParented writes which folder got a memory.
func WriteParented(s Screen, p tree.Parented) {
	s.Printf("Created memory %s %s for %s/ (%s)\n", p.ID, quoteTitle(p.Title), Line(string(p.Folder)), vault.Plural(p.Children, "sub-memory", "sub-memories"))
	if p.ParentID != "" {
		s.Printf("Below: %s %s\n", p.ParentID, quoteTitle(p.ParentTitle))
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
