package tree

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// PageOptions say which page of a memory's open children is meant.
type PageOptions struct {
	Of   vault.ID // the parent; empty: the roots
	From int      // how many come before the page
	Most int      // on it
	With vault.ID // the page with this child, in place of From, if it is one, and also if it is closed
}

// ChildrenPage is a page of children in display order.
type ChildrenPage struct {
	Nodes []vault.Node // with what those of an outline have
	Marks []Marks      // of each node, what else is to be seen of it
	From  int          // how many come before them
	Total int          // open ones
	All   int          // closed ones too, and those of other types; of the roots the open ones
}

// Marks are what a line of a tree says of a memory beside its status.
type Marks struct {
	Uncommitted bool // its text on disk is in no commit
	Stale       bool // a model wrote its phrase for an earlier text
	Superseded  bool // another memory has taken its place
	Denied      bool // by a person's last word

	Protected string // as in ListRow
}

// MarksOf returns the marks of a memory that was loaded whole.
func MarksOf(n *vault.Node) Marks {
	return Marks{Uncommitted: n.Dirty(), Stale: n.IsOutdated(), Superseded: n.Superseded != "", Denied: tier.IsDenied(&n.Header), Protected: n.Protected}
}

// Names are the words for the marks.
func (m Marks) Names() (names []string) {
	for _, mark := range [...]struct {
		is   bool
		name string
	}{{m.Uncommitted, "uncommitted"}, {m.Stale, "stale"}, {m.Superseded, "superseded"}, {m.Denied, "denied"}, {m.Protected != "", DescribeProtection(m.Protected)}} {
		if mark.is {
			names = append(names, mark.name)
		}
	}
	return names
}

// DescribeProtection is the word for a memory's protection; empty for none.
func DescribeProtection(protection string) string {
	switch protection {
	case "":
		return ""
	case header.AppendOnly:
		return "append only"
	}
	return "protected"
}

// ReadPage returns a page. The error is CodeNotFound if there is no such parent.
type ReadPage func(ctx context.Context, o PageOptions) (ChildrenPage, error)

// Titled is what a memory is found by while a person types.
type Titled struct {
	ID            vault.ID
	Title, Phrase string
	Path          vault.Path
}

// TitleScope says which memories are meant. The zero value is all of the tree.
type TitleScope struct {
	Dir vault.Path                   // only those in this folder
	If  func(roots, blocks int) bool // only if it says so of the number of open roots, and of those with a pointer block
}

// ReadTitles calls fn for each open memory of a scope, by path.
type ReadTitles func(ctx context.Context, o TitleScope, fn func(Titled)) error
