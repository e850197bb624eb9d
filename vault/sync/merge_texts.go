package sync

import (
	"bytes"
	"slices"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/vault/frontmatter"
	"github.com/cp-memory/cp/vault/merge"
)

// deleted settles what one side deleted and the other changed: an edit wins, and
// the file stays as git left it; a change of the pointers alone does not.
func (s *settlement) deleted() error {
	for _, id := range s.ids() {
		from, ok := s.base.one(id)
		if !ok {
			continue
		}
		for i := range s.sides {
			to, kept := s.sides[1-i].one(id)
			if len(s.sides[i].at[id]) > 0 || !kept || !s.untouched(id) {
				continue
			}
			p := s.merged.at[id][0]
			if s.stayed(id, i) && onlyPointers(s.base.texts[from], s.sides[1-i].texts[to]) {
				s.drop(id, p)
			} else if !s.quiet {
				s.found(ReturnedFile, id, p, "one side deleted it", "one side deleted it, the other edited or moved it: it stays")
			}
		}
	}
	return nil
}

// stayed reports whether a memory that one side deleted has kept its place on the other:
// it is where it was. If that side has deleted nothing above it, it may also have moved
// along with its parent.
func (s *settlement) stayed(id vault.ID, deleter int) bool {
	was, _ := s.base.seatOf(id)
	is, _ := s.sides[1-deleter].seatOf(id)
	return was.at == is.at || was.same(is) && len(s.sides[deleter].at[was.parent]) > 0
}

// drop deletes a memory of which one side changed only the pointers.
func (s *settlement) drop(id vault.ID, p vault.Path) {
	if len(s.merged.at[id]) > 1 || !onlyPointers(s.merged.texts[p], s.now.texts[p]) || !s.clean(p) {
		return
	}
	s.edits.of(p).Remove = true
	s.gone = append(s.gone, id)
	s.found(DeletedFile, id, p, "one side deleted it", "one side deleted it, the other only changed its pointers: it is gone, and what was added below it moves up")
}

// onlyPointers reports whether two texts differ in their pointer blocks alone.
func onlyPointers(a, b []byte) bool {
	x, y := vault.Parse("", a), vault.Parse("", b)
	return x.ContentHash() == y.ContentHash() && bytes.Equal(headerOf(a), headerOf(b)) && x.Prose == y.Prose
}

// texts gives files that git merged as text what the merge driver makes of them.
func (s *settlement) texts() error {
	for _, id := range s.ids() {
		p, ok := s.merged.one(id)
		if !ok || !s.untouched(id) || s.edits.at[p] != nil && len(s.edits.at[p].Steps) > 0 {
			continue
		}
		o, a, b, m := s.base.text(id, p), s.sides[0].text(id, p), s.sides[1].text(id, p), s.merged.texts[p]
		if o == nil || a == nil || b == nil || bytes.Equal(a, b) || bytes.Equal(o, a) || bytes.Equal(o, b) || !bytes.Equal(m, s.now.texts[p]) {
			continue
		}
		text, err := s.remerged(p, o, a, b, m)
		if err != nil {
			return err
		}
		if text != nil && s.clean(p) {
			s.edits.add(p, vault.Step{Op: vault.OpSetText, Text: string(text)})
			s.found(ConflictMarkers, id, p, "git merged it as a text", "merged it again by front matter, pointers and prose")
		}
	}
	return nil
}

// remerged returns what the driver makes of three versions in place of m, which git
// made of them as texts; nil where m stands. A text without markers gets none.
func (s *settlement) remerged(p vault.Path, o, a, b, m []byte) ([]byte, error) {
	ours, theirs := merge.SideNames(m)
	r := merge.Merge(o, a, b, merge.Options{Ours: ours, Theirs: theirs})
	if r.Plain != "" || merge.Unnamed(r.Text) == merge.Unnamed(m) {
		return nil, nil
	}
	if marked := merge.HasHunks(m); marked || r.Clean() {
		if asText, err := s.asText(p, m); err != nil || asText {
			return r.Text, err
		}
	}
	return s.headed(p, m, r.Text)
}

// headed returns m with the header of the driver's text, where git's union or a
// person kept the lines of both sides, so that m's own cannot be read. Which of the
// two it was, nothing says: the text below stands.
func (s *settlement) headed(p vault.Path, m, driven []byte) ([]byte, error) {
	header, body := frontmatter.Split(m)
	if header.Err() == nil {
		return nil, nil
	}
	union, err := s.again(ReplayUnion, p)
	if err != nil || !bytes.Equal(union, m) {
		return nil, err
	}
	return slices.Concat(headerOf(driven), body), nil
}

// headerOf returns a text's front matter.
func headerOf(doc []byte) []byte {
	_, body := frontmatter.Split(doc)
	return doc[:len(doc)-len(body)]
}
