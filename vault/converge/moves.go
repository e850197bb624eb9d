package converge

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// move is the place that a side gave to a memory: the parent, and the name in the parent's
// folder.
type move struct {
	parent vault.ID // empty for a root
	rel    string   // the path below the parent's folder
	from   *snapshot
	at     vault.Path // in from
	moved  bool       // on a side; otherwise it is where the base has it
	time   time.Time
	commit string
}

// seatOf returns the place of a memory in a version: its parent and its name there.
func (n *snapshot) seatOf(id vault.ID) (move, bool) {
	p, ok := n.onlyPlace(id)
	if !ok {
		return move{}, false
	}
	m := move{rel: string(p), from: n, at: p}
	if up, ok := n.seats.Above(p); ok && n.mem[up].ID != "" { // a parent without an id does not move for us
		m.parent, m.rel = n.mem[up].ID, n.relativePath(up, p)
	}
	return m, true
}

func (m move) same(o move) bool { return m.parent == o.parent && m.rel == o.rel }

// findMoves finds out where each side put the memories, and where they belong: where the side
// that moved a memory has it; of two moves the later one counts.
func (s *plan) findMoves() {
	for _, id := range s.ids() {
		if s.isCopied(id) {
			continue // copies get ids of their own
		}
		was, old := s.base.seatOf(id)
		a, inA := s.sides[0].seatOf(id)
		b, inB := s.sides[1].seatOf(id)
		a.moved = inA && (!old || !a.same(was))
		b.moved = inB && (!old || !b.same(was))
		switch {
		case a.moved && b.moved && !a.same(b):
			s.moves[id] = s.later(a, b)
		case a.moved:
			s.moves[id] = a
		case b.moved:
			s.moves[id] = b
		case old:
			s.moves[id] = was
		}
		s.takeChoice(id)
	}
}

// takeChoice takes a person's word for the place of a memory. It does so if the merge has the
// memory in one place, and git by itself would have left other files of it.
func (s *plan) takeChoice(id vault.ID) {
	seat, ok := s.merged.seatOf(id)
	if was, moved := s.moves[id]; !ok || !moved || s.Ours || seat.same(was) {
		return
	}
	for _, p := range slices.Concat(s.merged.at[id], s.sides[0].at[id], s.sides[1].at[id]) {
		file, sure := s.gitLeavesFile(p)
		if !sure {
			return
		}
		if file != (s.merged.texts[p] != nil) {
			seat.moved = true
			s.moves[id], s.byHand[id] = seat, true
			return
		}
	}
}

// later returns the later of two moves: by the time of the commit, then by its id.
func (s *plan) later(a, b move) move {
	if a, b = s.dateMove(a), s.dateMove(b); a.before(b) {
		return b
	}
	return a
}

func (m move) before(o move) bool {
	return cmp.Or(m.time.Compare(o.time), strings.Compare(m.commit, o.commit)) < 0
}

// dateMove finds the commit that made the move.
func (s *plan) dateMove(m move) move {
	if m.commit == "" && m.moved {
		rev, _ := s.Arrived.get(At{m.from.commit, m.at})
		m.time, m.commit = rev.Time, rev.Commit
	}
	return m
}

// cycles undoes the latest move of each circle of memories that lie below one
// another.
func (s *plan) cycles() {
	for _, id := range slices.Sorted(maps.Keys(s.moves)) {
		for circle := s.circle(id); circle != nil; circle = s.circle(id) {
			latest := s.latest(circle)
			if latest == "" {
				return
			}
			was, _ := s.base.seatOf(latest)
			s.addDiscrepancy(CycleFound, latest, s.merged.at[latest][0], "moved below its own sub-memory on another clone", "undid its move: on another clone its new parent moved below it")
			s.moves[latest] = was
		}
	}
}

// circle returns the memories on the way up from id, if that leads back to it.
func (s *plan) circle(id vault.ID) []vault.ID {
	var way []vault.ID
	for at := id; ; {
		m, ok := s.moves[at]
		if !ok || m.parent == "" || slices.Contains(way, at) {
			return nil
		}
		way = append(way, at)
		if at = m.parent; at == id {
			return way
		}
	}
}

// latest returns the memory of a circle that moved last; empty where none can
// be put back.
func (s *plan) latest(circle []vault.ID) (last vault.ID) {
	for _, id := range circle {
		m := s.dateMove(s.moves[id])
		s.moves[id] = m
		if _, old := s.base.onlyPlace(id); !old || !m.moved || s.byHand[id] || len(s.merged.at[id]) == 0 {
			continue
		}
		if last == "" || s.moves[last].before(m) {
			last = id
		}
	}
	return last
}
