package sync

import (
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// files moves files that are no memory, an image say, to their memory: to the one in whose
// folder they were on the side that brought them. Git leaves such a file behind if the
// other side has moved the memory.
func (s *settlement) files() error {
	folders := s.folders()
	if len(folders) == 0 {
		return nil
	}
	for _, n := range s.all() {
		var err error
		if n.others, err = s.v.Merges.Others(s.ctx, n.commit, folders); err != nil {
			return err
		}
	}
	left := slices.Sorted(maps.Keys(s.merged.others))
	if err := s.read(left); err != nil {
		return err
	}
	for _, p := range left {
		if s.now.others[p] != s.merged.others[p] {
			continue
		}
		if to, id, ok := s.follows(p); ok && to != p {
			if err := s.along(id, p, to); err != nil {
				return err
			}
		}
	}
	return s.leftOut()
}

// folders returns those that a memory had, or lay in, which is not in the same
// place in all versions, or that git left out, without those that lie in another
// one of them.
func (s *settlement) folders() []vault.Path {
	found := make(map[vault.Path]bool)
	for id := range s.moves {
		gone := slices.Contains(s.back, id)
		places, beside := make(map[vault.Path]bool), make(map[vault.Path]bool)
		for _, n := range s.all() {
			for _, p := range n.at[id] {
				places[n.folder(p)] = true
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
func (s *settlement) follows(p vault.Path) (to vault.Path, with vault.ID, ok bool) {
	n, p := s.bringer(p)
	up, ok := n.seats.Above(p)
	if !ok || n.mem[up].ID == "" {
		return "", "", false
	}
	with = n.mem[up].ID
	at, ok := s.target(with)
	if !ok || n == s.merged && at == up { // not a file's own way, but git's or a person's
		return "", "", false
	}
	return n.folderAt(up, at).Join(strings.TrimPrefix(string(p), string(n.folder(up))+"/")), with, true
}

// bringer returns the only side that has a file at p, and where. If git itself has chosen
// p, the side may have the same file elsewhere. If both sides have it, it returns git's
// merge of both.
func (s *settlement) bringer(p vault.Path) (*snapshot, vault.Path) {
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

// along moves a file to its memory. If the same file is there already, one of the two
// goes. If another one is there, the file gets the next name.
func (s *settlement) along(id vault.ID, p, to vault.Path) error {
	if s.now.others[to] == s.now.others[p] && s.clean(p) {
		s.edits.of(p).Remove = true
		s.found(MovedFile, id, to, "it was at "+string(p)+" too", "its memory moved; it is here and not at "+string(p))
		return nil
	}
	to, err := s.vacant(to)
	if err != nil {
		return err
	}
	s.edits.of(p).To = to
	s.found(MovedFile, id, to, "was "+string(p), "moved it here from "+string(p)+", along with its memory")
	return nil
}

// vacant returns to, or the next name like it that nothing stands at.
func (s *settlement) vacant(to vault.Path) (vault.Path, error) {
	ext := ""
	if i := strings.LastIndexByte(to.Base(), '.'); i > 0 {
		ext = to.Base()[i:]
	}
	stem := strings.TrimSuffix(string(to), ext)
	for n := 1; ; n++ {
		p := vault.Path(numbered(stem, n) + ext)
		there, err := s.look(p)
		if err != nil {
			return "", err
		}
		if !there && !s.coming(p) {
			return p, nil
		}
	}
}
