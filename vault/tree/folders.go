package tree

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// A transparent folder has no memory of its own. In a tree it is a row, so that a vault
// without parent files is no flat list:
//
//	Readme (pf-aa1)
//	Clippings/ (2 memories)
//	├── In good hands (pf-aa2)
//	└── 2026/ (1 memory)
//	    └── Bits of advice (pf-aa3)

// Loose tells in which transparent folders the children of a memory, or the roots, lie.
type Loose struct {
	Home vault.Path         // the folder in which they live
	In   map[vault.Path]int // how many lie in each transparent folder itself, those left out too
}

// countChild takes a child into account: in its folder if that has a row, else in the nearest
// one above that has. Where none has it is not counted.
func (l *Loose) countChild(n *vault.Node, heads map[vault.Path]bool) {
	dir := n.In
	for ; !heads[dir]; dir = dir.Dir() {
		if dir == l.Home || dir == "" {
			return
		}
	}
	if l.In == nil {
		l.In = make(map[vault.Path]int)
	}
	l.In[dir]++
}

// headTokens estimates what the row of a folder costs.
func headTokens(dir vault.Path) int { return vault.Tokens(string(dir)) + 6 }

// Folder is a transparent folder with the memories that lie in it.
type Folder struct {
	Path    vault.Path
	Name    string // below the folder that it stands in: "notes/2026/"
	Count   int    // of the memories in it and in the folders below, without their children
	LeftOut int    // of these, how many the answer does not hold
	Nodes   []*OutlineNode
	Folders []*Folder // by name
}

// Group puts siblings into the folders in which they lie. Folders that hold nothing but
// one other folder are one with it. The result is the folder of those that lie in none.
func (l Loose) Group(siblings []*OutlineNode) *Folder {
	top := &Folder{Path: l.Home}
	if len(l.In) == 0 {
		top.Nodes = siblings
		return top
	}
	for _, n := range siblings {
		f := top
		if n.Folder != "" {
			f = top.descend(n.Folder)
		}
		f.Nodes = append(f.Nodes, n)
	}
	for dir, n := range l.In {
		f := top.descend(dir)
		f.Count = n
		f.LeftOut = n - len(f.Nodes)
	}
	top.tidyFolders()
	return top
}

// descend returns the folder at dir, which is f or lies below it.
func (f *Folder) descend(dir vault.Path) *Folder {
	rest := strings.TrimPrefix(strings.TrimPrefix(string(dir), string(f.Path)), "/")
	for name := range strings.SplitSeq(rest, "/") {
		at := slices.IndexFunc(f.Folders, func(sub *Folder) bool { return sub.Name == name+"/" })
		if at < 0 && name != "" {
			at = len(f.Folders)
			f.Folders = append(f.Folders, &Folder{Path: f.Path.Join(name), Name: name + "/"})
		}
		if name != "" {
			f = f.Folders[at]
		}
	}
	return f
}

// tidyFolders joins folders, sorts and counts them.
func (f *Folder) tidyFolders() {
	for i, sub := range f.Folders {
		sub.tidyFolders()
		if len(sub.Folders) == 1 && len(sub.Nodes)+sub.LeftOut == 0 {
			sub.Folders[0].Name = sub.Name + sub.Folders[0].Name
			f.Folders[i] = sub.Folders[0]
		}
		f.Count += f.Folders[i].Count
	}
	slices.SortFunc(f.Folders, func(a, b *Folder) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)), strings.Compare(a.Name, b.Name))
	})
}

// FolderAt reports whether the folder dir holds memories, and returns the memory whose
// children they are by right of its name: x.md for x/.
func FolderAt(ctx context.Context, v *vault.Vault, dir vault.Path) (there bool, owner vault.Node, err error) {
	err = v.View(ctx, vault.Scope{Dir: dir}, func(t vault.Tree) error {
		found, _, err := t.List(ctx, vault.ListOptions{Dir: dir, Status: []string{"*"}, Limit: 1})
		if there = len(found) > 0; err != nil || !there {
			return err
		}
		up, ok, err := t.Owner(ctx, dir)
		if ok && up.Folder() == dir {
			owner = up
		}
		return err
	})
	return there, owner, err
}

// Folders returns the transparent folders in which memories lie, at any depth, by path. It
// counts as Group does. A folder that holds nothing but one other is not among them.
func Folders(ctx context.Context, t vault.Tree) (all []*Folder, err error) {
	nodes, err := t.Walk(ctx, vault.WalkOptions{Outline: true, Uncounted: true})
	if err != nil {
		return nil, err
	}
	view := grow(nodes, "", room{})
	var gather func(f *Folder)
	gather = func(f *Folder) {
		for _, sub := range f.Folders {
			all = append(all, sub)
			gather(sub)
		}
		for _, n := range f.Nodes {
			gather(n.Loose.Group(n.Children))
		}
	}
	gather(view.Loose.Group(view.Roots))
	slices.SortFunc(all, func(a, b *Folder) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return all, nil
}
