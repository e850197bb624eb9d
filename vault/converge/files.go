package converge

import (
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// moveOtherFiles moves files that are no memory, an image say, to their memory: to the one in whose
// folder they were on the side that brought them. Git leaves such a file behind if the
// other side has moved the memory.
func (s *plan) moveOtherFiles() {
	at := s.formerFolders()
	if len(at) == 0 {
		return
	}
	if !slices.Equal(at, s.folders) {
		s.Folders = at
		return
	}
	left := slices.Sorted(maps.Keys(s.merged.others))
	if s.askTexts(left); len(s.Paths) > 0 {
		return
	}
	for _, p := range left {
		if s.now.others[p] != s.merged.others[p] {
			continue
		}
		if to, id, ok := s.follows(p); ok && to != p {
			s.along(id, p, to)
		}
	}
	s.leftOut()
}

// formerFolders returns the folders that a memory had, or lay in, which is not in the same
// place in all versions, or that git left out, without those that lie in another
// one of them.
func (s *plan) formerFolders() []vault.Path {
	found := make(map[vault.Path]bool)
	for id := range s.moves {
		gone := slices.Contains(s.back, id)
		places, beside := make(map[vault.Path]bool), make(map[vault.Path]bool)
		for _, n := range s.listVersions() {
			for _, p := range n.at[id] {
				places[n.childFolder(p)] = true
				beside[p.Dir()] = true // where git may take a folder for moved to
			}
		}
		if to := s.targets[id]; to != "" {
			places[to.Stem()] = true
		}
		if gone || len(places) > 1 {
			maps.Copy(found, places)
			maps.Copy(found, beside)
		}
	}
	var top []vault.Path
	for _, p := range slices.Sorted(maps.Keys(found)) {
		if n := len(top); n == 0 || !p.Within(top[n-1]) {
			top = append(top, p)
		}
	}
	return top
}

// follows returns where the file at p belongs, and with which memory. ok is false for a
// file that belongs to no memory, or to one that is gone.
func (s *plan) follows(p vault.Path) (to vault.Path, with vault.ID, ok bool) {
	n, p := s.bringer(p)
	up, ok := n.seats.Above(p)
	if !ok || n.mem[up].ID == "" {
		return "", "", false
	}
	with = n.mem[up].ID
	at, ok := s.targetPath(with)
	if !ok || n == s.merged && at == up { // not a file's own way, but git's or a person's
		return "", "", false
	}
	return n.folderAt(up, at).Join(n.relativePath(up, p)), with, true
}

// bringer returns the only side that has a file at p, and where. If git itself has chosen
// p, the side may have the same file elsewhere. If both sides have it, it returns git's
// merge of both.
func (s *plan) bringer(p vault.Path) (*snapshot, vault.Path) {
	_, a := s.sides[0].others[p]
	_, b := s.sides[1].others[p]
	switch {
	case a && !b:
		return s.sides[0], p
	case b && !a:
		return s.sides[1], p
	case a && b:
		return s.merged, p
	}
	for _, side := range s.sides {
		var from []vault.Path
		for q, blob := range side.others {
			if _, stays := s.merged.others[q]; !stays && blob == s.merged.others[p] && q.Base() == p.Base() {
				from = append(from, q)
			}
		}
		if len(from) == 1 {
			return side, from[0]
		}
	}
	return s.merged, p
}

// along moves a file to its memory. If the same file is there already, one of the two goes,
// and so does one that the other side has edited. If another one is there, the file gets
// the next name.
func (s *plan) along(id vault.ID, p, to vault.Path) {
	is, there := s.now.others[p], s.now.others[to]
	was := s.base.attachedFiles(id)[strings.TrimPrefix(string(to), string(s.targets[id].Home())+"/")]
	if there != "" && (is == there || is == was) && s.isClean(p) {
		s.edits.Of(p).Remove = true
		s.addDiscrepancy(MovedFile, id, to, "it was at "+string(p)+" too", "its memory moved; it is here and not at "+string(p))
		return
	}
	to = s.freePath(to)
	s.edits.Of(p).To = to
	s.addDiscrepancy(MovedFile, id, to, "was "+string(p), "moved it here from "+string(p)+", along with its memory")
}

// leftOut brings back what is no memory and lay in the folder of one that git
// left out, as the sides have it.
func (s *plan) leftOut() {
	kept := make(map[string]bool)
	for p, blob := range s.merged.others {
		kept[p.Base()+blob] = true // elsewhere, from where it follows its memory
	}
	for _, id := range s.back {
		was, has := s.base.attachedFiles(id), [2]map[string]string{s.sides[0].attachedFiles(id), s.sides[1].attachedFiles(id)}
		union := maps.Clone(has[0])
		maps.Copy(union, has[1])
		for _, rel := range slices.Sorted(maps.Keys(union)) {
			for _, side := range sidesWith(was[rel], has[0][rel], has[1][rel]) {
				if blob := has[side][rel]; blob != "" && !kept[vault.Path(rel).Base()+blob] {
					s.attach(id, s.sides[side], rel)
				}
			}
		}
	}
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
func (s *plan) attach(id vault.ID, side *snapshot, rel string) {
	at, _ := side.onlyPlace(id)
	text, _ := s.Blob.get(At{side.commit, side.childFolder(at).Join(rel)})
	if text == nil {
		return
	}
	to := s.freePath(side.folderAt(at, s.targets[id]).Join(rel))
	s.edits.Of(to).Create = text
	s.addDiscrepancy(ReturnedFile, id, to, "git left it out", "git had left it out with its memory: it is back")
}

// attachedFiles returns the blob ids of the memory's files that are no memories, by the path
// below its folder.
func (n *snapshot) attachedFiles(id vault.ID) map[string]string {
	found := make(map[string]string)
	at, ok := n.onlyPlace(id)
	for p, blob := range n.others {
		if up, below := n.seats.Above(p); ok && below && up == at {
			found[n.relativePath(at, p)] = blob
		}
	}
	return found
}
