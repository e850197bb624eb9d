package sync

import (
	"time"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// node is what a pass keeps of a memory. It is a fifth of a [vault.Node], and of a large vault
// there are 100,000.
type node struct {
	ID          vault.ID
	Path        vault.Path
	Title       string
	Summary     string
	Created     time.Time
	Hash, Head  string
	Parent      vault.ID
	ParentTitle string
	HasBlock    bool
	Orphan      bool
	seat        bool
	quiet       bool
}

// keepNode returns what a pass keeps of a memory.
func keepNode(n *vault.Node) node {
	k := node{
		ID: n.ID, Path: n.Path, Title: n.Title, Summary: n.Summary, Created: n.Created, Hash: n.Hash, Head: n.Head,
		Parent: n.Parent, ParentTitle: n.ParentTitle, HasBlock: n.HasBlock, Orphan: n.Orphan, seat: n.Seat, quiet: n.Quiet(),
	}
	if k.Head == k.Hash {
		k.Head = k.Hash // one text for both
	}
	return k
}

// These are the methods of [vault.Node].
func (n *node) Dirty() bool    { return n.Hash != n.Head }
func (n *node) Quiet() bool    { return n.quiet }
func (n *node) ReadOnly() bool { return header.IsReadOnly(string(n.Path), string(n.ID)) }

func (n *node) Folder() vault.Path {
	return (&vault.Node{Path: n.Path, Seat: n.seat}).Folder()
}

// household is a [vault.Family] with what a pass keeps of its memories.
type household struct {
	Parent   node
	Entries  []pointer.Entry
	Children []node
	Problems []vault.Problem
}

// households are those of the vault, in the order of the parents' paths.
type households []household

// addFamily adds a family. One that does not come behind the last one begins anew.
func (all *households) addFamily(f *vault.Family) *household {
	if n := len(*all); n > 0 && f.Parent.Path <= (*all)[n-1].Parent.Path {
		*all = nil
	}
	l := household{Parent: keepNode(&f.Parent), Entries: f.Entries, Problems: f.Problems, Children: make([]node, len(f.Children))}
	for i := range f.Children {
		l.Children[i] = keepNode(&f.Children[i])
	}
	*all = append(*all, l)
	return &(*all)[len(*all)-1]
}

// share has the entries say what their children say in the same texts: a block names them in
// the order in which they come.
func (f *household) share() {
	for i := range min(len(f.Entries), len(f.Children)) {
		e, c := &f.Entries[i], &f.Children[i]
		for _, same := range [...]struct {
			to *string
			is string
		}{{&e.ID, string(c.ID)}, {&e.Title, c.Title}, {&e.Summary, c.Summary}} {
			if *same.to == same.is {
				*same.to = same.is
			}
		}
	}
}
