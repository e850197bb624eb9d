package converge

import (
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// snapshot is the part of one commit's tree that a merge touches.
type snapshot struct {
	commit string
	texts  map[vault.Path][]byte
	mem    map[vault.Path]*vault.Memory
	at     map[vault.ID][]vault.Path
	seats  tree.FolderNotes
	others map[vault.Path]string // blob ids of what is no memory, below folders that moved
}

func newSnapshot(commit string) *snapshot {
	return &snapshot{commit: commit, texts: make(map[vault.Path][]byte), mem: make(map[vault.Path]*vault.Memory), at: make(map[vault.ID][]vault.Path), seats: make(tree.FolderNotes)}
}

func (n *snapshot) add(texts map[vault.Path][]byte) {
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		m := vault.ParseText(p, texts[p])
		n.texts[p], n.mem[p] = texts[p], m
		if m.ID != "" {
			n.at[m.ID] = append(n.at[m.ID], p)
			slices.Sort(n.at[m.ID])
		}
		if m.IsMemory() && !m.ReadOnly() {
			n.seats.Add(p)
		}
	}
}

// fork returns a copy in which memories can be assigned to files.
func (n *snapshot) fork() *snapshot {
	other := *n
	other.at = maps.Clone(n.at)
	return &other
}

// assign says that the file at p belongs to the memory, whatever id its text carries.
func (n *snapshot) assign(id vault.ID, p vault.Path) {
	if m := n.mem[p]; m != nil && m.ID != id {
		n.at[m.ID] = slices.DeleteFunc(slices.Clone(n.at[m.ID]), func(q vault.Path) bool { return q == p })
		n.at[id] = append(slices.Clip(n.at[id]), p)
	}
}

// onlyPlace returns the only place of an id.
func (n *snapshot) onlyPlace(id vault.ID) (vault.Path, bool) {
	if at := n.at[id]; len(at) == 1 {
		return at[0], true
	}
	return "", false
}

// own returns the text of a memory that is in one place; nil for none.
func (n *snapshot) own(id vault.ID) []byte {
	if p, ok := n.onlyPlace(id); ok {
		return n.texts[p]
	}
	return nil
}

// memoryText returns the text of the memory with an id, of several that at p; nil
// without one.
func (n *snapshot) memoryText(id vault.ID, p vault.Path) []byte {
	if slices.Contains(n.at[id], p) {
		return n.texts[p]
	}
	return n.own(id)
}

// childFolder returns where the children of the file at p live.
func (n *snapshot) childFolder(p vault.Path) vault.Path {
	if p.FolderRank() > 0 && n.seats[p.Dir()] == p {
		return p.Dir()
	}
	return p.Stem()
}

// folderAt returns the folder of the file at p once it is at to.
func (n *snapshot) folderAt(p, to vault.Path) vault.Path {
	if n.childFolder(p) == p.Dir() && to.FolderRank() > 0 {
		return to.Dir()
	}
	return to.Stem()
}

// relativePath returns the path of p below the folder of the file at up.
func (n *snapshot) relativePath(up, p vault.Path) string {
	return strings.TrimPrefix(string(p), string(n.childFolder(up))+"/")
}
