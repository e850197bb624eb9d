package sync

import (
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// leftOut brings back what is no memory and lay in the folder of one that git
// left out, as the sides have it.
func (s *settlement) leftOut() error {
	kept := make(map[string]bool)
	for p, blob := range s.merged.others {
		kept[p.Base()+blob] = true // elsewhere, from where it follows its memory
	}
	for _, id := range s.back {
		was, has := s.base.attached(id), [2]map[string]string{s.sides[0].attached(id), s.sides[1].attached(id)}
		union := maps.Clone(has[0])
		maps.Copy(union, has[1])
		for _, rel := range slices.Sorted(maps.Keys(union)) {
			for _, side := range sidesWith(was[rel], has[0][rel], has[1][rel]) {
				if blob := has[side][rel]; blob == "" || kept[vault.Path(rel).Base()+blob] {
					continue
				}
				if err := s.attach(id, s.sides[side], vault.Path(rel)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sidesWith returns the sides whose version of a file stands: the one that changed it, or
// both if they changed it differently. A version may be missing.
func sidesWith(o, a, b string) []int {
	switch {
	case a == b, b == o:
		return []int{0}
	case a == o:
		return []int{1}
	}
	return []int{0, 1}
}

// attach makes a side's file anew below its memory.
func (s *settlement) attach(id vault.ID, side *snapshot, rel vault.Path) error {
	at, _ := side.one(id)
	from := side.folder(at).Join(string(rel))
	texts, err := s.v.Merges.Texts(s.ctx, side.commit, []vault.Path{from})
	if err != nil || texts[from] == nil {
		return err
	}
	to, err := s.vacant(side.folderAt(at, s.targets[id]).Join(string(rel)))
	if err != nil {
		return err
	}
	s.edits.of(to).Create = texts[from]
	s.found(ReturnedFile, id, to, "git left it out", "git had left it out with its memory: it is back")
	return nil
}

// attached returns the blob ids of the memory's files that are no memories, by the path
// below its folder.
func (n *snapshot) attached(id vault.ID) map[string]string {
	found := make(map[string]string)
	at, ok := n.one(id)
	for p, blob := range n.others {
		if up, below := n.seats.Above(p); ok && below && up == at {
			found[strings.TrimPrefix(string(p), string(n.folder(at))+"/")] = blob
		}
	}
	return found
}
