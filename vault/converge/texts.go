package converge

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/merge"
)

// decideDeleted decides on what one side deleted and the other changed: an edit wins, and
// the file stays as git left it; a change of the pointers alone does not.
func (s *plan) decideDeleted() {
	for _, id := range s.ids() {
		from, ok := s.base.onlyPlace(id)
		if !ok {
			continue
		}
		for i := range s.sides {
			to, kept := s.sides[1-i].onlyPlace(id)
			if len(s.sides[i].at[id]) > 0 || !kept || !s.isUntouched(id) {
				continue
			}
			p := s.merged.at[id][0]
			if s.hasStayed(id, i) && OnlyPointers(s.base.texts[from], s.sides[1-i].texts[to]) {
				s.deleteMemory(id, p)
			} else if !s.Quiet {
				s.addDiscrepancy(ReturnedFile, id, p, "one side deleted it", "one side deleted it, the other edited or moved it: it stays")
			}
		}
	}
}

// hasStayed reports whether a memory that one side deleted has kept its place on the other:
// it is where it was. If that side has deleted nothing above it, it may also have moved
// along with its parent.
func (s *plan) hasStayed(id vault.ID, deleter int) bool {
	was, _ := s.base.seatOf(id)
	is, _ := s.sides[1-deleter].seatOf(id)
	return was.at == is.at || was.same(is) && len(s.sides[deleter].at[was.parent]) > 0
}

// deleteMemory deletes a memory of which one side changed only the pointers.
func (s *plan) deleteMemory(id vault.ID, p vault.Path) {
	if len(s.merged.at[id]) > 1 || !OnlyPointers(s.merged.texts[p], s.now.texts[p]) || !s.isClean(p) {
		return
	}
	s.edits.Of(p).Remove = true
	s.gone = append(s.gone, id)
	s.addDiscrepancy(DeletedFile, id, p, "one side deleted it", "one side deleted it, the other only changed its pointers: it is gone, and what was added below it moves up")
}

// OnlyPointers reports whether two texts differ in their pointer blocks alone.
func OnlyPointers(a, b []byte) bool {
	x, y := vault.Parse("", a), vault.Parse("", b)
	return x.ContentHash() == y.ContentHash() && bytes.Equal(headerOf(a), headerOf(b)) && x.Prose == y.Prose
}

// mergeTexts gives files that git merged as text what the merge driver makes of them.
func (s *plan) mergeTexts() {
	for _, id := range s.ids() {
		p, ok := s.merged.onlyPlace(id)
		if !ok || !s.isUntouched(id) || s.edits[p] != nil && len(s.edits[p].Steps) > 0 {
			continue
		}
		o, a, b, m := s.base.memoryText(id, p), s.sides[0].memoryText(id, p), s.sides[1].memoryText(id, p), s.merged.texts[p]
		if o == nil || a == nil || b == nil || !hasDiverged(o, a, b) || !bytes.Equal(m, s.now.texts[p]) {
			continue
		}
		if text := s.mergeAsDriver(p, o, a, b, m); text != nil && s.isClean(p) {
			s.setText(p, text)
			s.addDiscrepancy(ConflictMarkers, id, p, "git merged it as a text", "merged it again by front matter, pointers and prose")
		}
	}
}

// hasDiverged reports whether two sides made different texts of one.
func hasDiverged(o, a, b []byte) bool {
	return !bytes.Equal(a, b) && !bytes.Equal(o, a) && !bytes.Equal(o, b)
}

// mergeAsDriver returns what the driver makes of three versions in place of m, which git
// made of them as texts; nil where m stands. A text without markers gets none.
func (s *plan) mergeAsDriver(p vault.Path, o, a, b, m []byte) []byte {
	ours, theirs := merge.SideNames(m)
	r := merge.Merge(o, a, b, merge.Options{Ours: ours, Theirs: theirs})
	if r.Plain != "" || merge.WithoutMarkerNames(r.Text) == merge.WithoutMarkerNames(m) {
		return nil
	}
	if merge.HasHunks(m) || r.Clean() {
		if asText, known := s.asText(p, m); asText || !known {
			return r.Text
		}
	}
	return s.withDriverHeader(p, m, r.Text)
}

// withDriverHeader returns m with the header of the driver's text, where git's union or a
// person kept the lines of both sides, so that m's own cannot be read. Which of the
// two it was, nothing says: the text below stands.
func (s *plan) withDriverHeader(p vault.Path, m, driven []byte) []byte {
	head, body := header.Split(m)
	if head.Err() == nil {
		return nil
	}
	if union, _ := s.mergeAgain(ReplayUnion, p); !bytes.Equal(union, m) {
		return nil
	}
	return slices.Concat(headerOf(driven), body)
}

// headerOf returns a text's front matter.
func headerOf(doc []byte) []byte {
	_, body := header.Split(doc)
	return doc[:len(doc)-len(body)]
}

// bothChanged returns the merge of a memory that both sides have changed, where a
// value gave way in it.
func (s *plan) bothChanged(id vault.ID) (r merge.Result, ok bool) {
	o, a, b := s.versionsOf(id)
	if a == nil || b == nil || !hasDiverged(o, a, b) || s.namesakes(id) {
		return r, false
	}
	r = merge.Merge(o, a, b, merge.Options{})
	return r, len(r.Dropped) > 0
}

// tellDropped tells which values gave way in the merge, where it was the driver's or is
// this pass's: what a person decided they know.
func (s *plan) tellDropped() {
	if s.Quiet {
		return
	}
	for _, id := range s.ids() {
		r, ok := s.bothChanged(id)
		if !ok {
			continue
		}
		p, text, edited := s.outcome(id)
		m := vault.Parse(p, text)
		for _, d := range r.Dropped {
			told := edited || bytes.Equal(headerOf(text), headerOf(r.Text))
			if d.Pointer != "" {
				e, listed := m.Entry(vault.ID(d.Pointer))
				told = edited || listed && (d.Kept == e.Title || d.Kept == e.Summary)
			}
			if told {
				s.gave = append(s.gave, NewConflicts(id, p, []merge.Dropped{d}, s.Sides)...)
			}
		}
	}
}

// outcome returns where a memory is after this pass, and its text: as the merge left
// it, or edited.
func (s *plan) outcome(id vault.ID) (p vault.Path, text []byte, edited bool) {
	for _, e := range s.edits.ListChanging() {
		text := e.Create
		for _, step := range e.Steps {
			if step.Op == vault.OpSetText {
				text = []byte(step.Text)
			}
		}
		if text != nil && vault.Parse(e.Path, text).ID == id {
			return cmp.Or(e.To, e.Path), text, true
		}
	}
	p, _ = s.merged.onlyPlace(id)
	return p, s.merged.texts[p], false
}
