package converge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Input is the merge that a decision is about.
type Input struct {
	Merge
	Changed []vault.Path // what either side, or git, changed since the base
	Head    string       // the commit whose files are to be put right
	Alone   bool         // only the commits are asked, as if Head, the merge, were on disk
	Quiet   bool         // a clone's first look at an old merge: only what is put right is told
}

// Decision holds the edits that put a merge right.
type Decision struct {
	Edits         []vault.Edit
	Gone          []vault.ID // memories that the edits take away
	Discrepancies []Discrepancy
	Conflicts     []Conflict // values that gave way
	Blind         bool       // git is too old to tell what it made by itself, so texts stay as they are
	Spared        bool       // something was left alone for a person's uncommitted work
}

// Decide decides how to put a merge right. answer answers all open questions at once; it
// is called until there are none.
func Decide(in Input, answer func(*Facts) error) (Decision, error) {
	var d Decision
	err := in.until(answer, func(p *plan) {
		for _, step := range []func(){p.decideDeleted, p.twoAtOnePath, p.separateVersions, p.findMoves, p.cycles, p.placeFiles, p.moveOtherFiles, p.mergeTexts, p.tellDropped} {
			if step(); p.hasQuestions() {
				return
			}
		}
		d = Decision{p.edits.ListChanging(), p.gone, p.out, p.gave, p.blind, p.spared}
	})
	return d, err
}

// FindDropped tells which values give way where both sides of a merge, which is in no
// commit yet, have set them.
func FindDropped(in Input, answer func(*Facts) error) (all []Conflict, err error) {
	in.Commit, in.Head, in.Alone = in.Sides[0], in.Sides[0], true
	err = in.until(answer, func(p *plan) {
		for _, id := range p.ids() {
			if r, ok := p.bothChanged(id); ok {
				from, _ := p.base.onlyPlace(id)
				at, _ := p.sides[0].onlyPlace(id)
				if q, ok := p.sides[1].onlyPlace(id); ok && at == from {
					at = q
				}
				p.gave = append(p.gave, NewConflicts(id, at, r.Dropped, in.Sides)...)
			}
		}
		all = p.gave
	})
	return WithoutRepeats(all), err
}

// until makes a plan anew, with what is answered meanwhile, until it asks nothing more.
func (in Input) until(answer func(*Facts) error, decide func(*plan)) error {
	f := &Facts{commits: make(map[string]*snapshot), asked: make(map[vault.Path]bool)}
	for _, commit := range [...]string{in.Base, in.Sides[0], in.Sides[1], in.Commit, in.Head} {
		f.commits[commit] = newSnapshot(commit)
	}
	f.askTexts(in.Changed)
	for {
		if !f.hasQuestions() {
			if decide(in.newPlan(f)); !f.hasQuestions() {
				return nil
			}
		}
		if err := answer(f); err != nil {
			return err
		}
		if len(f.Folders) > 0 {
			f.folders = f.Folders
		}
		f.Paths, f.Folders = nil, nil
	}
}

// plan is the work on one merge, with what is known.
type plan struct {
	Input
	*Facts
	base, merged, now *snapshot // merged is what git made of it, now is Head
	sides             [2]*snapshot

	moves   map[vault.ID]move
	byHand  map[vault.ID]bool       // of the moves: a person chose that place in the merge
	paired  map[vault.Path]bool     // places that two memories took
	targets map[vault.ID]vault.Path // where a memory is to be, as far as that was asked
	edits   Edits
	gone    []vault.ID
	back    []vault.ID // that git had left out
	out     []Discrepancy
	gave    []Conflict
	blind   bool // git was asked what it makes of the sides, and could not tell
	spared  bool
}

func (in Input) newPlan(f *Facts) *plan {
	p := &plan{
		Input: in, Facts: f, base: f.commits[in.Base], sides: [2]*snapshot{f.commits[in.Sides[0]], f.commits[in.Sides[1]]},
		merged: f.commits[in.Commit].fork(), now: f.commits[in.Head].fork(),
		moves: make(map[vault.ID]move), byHand: make(map[vault.ID]bool), paired: make(map[vault.Path]bool), targets: make(map[vault.ID]vault.Path), edits: make(Edits),
	}
	return p
}

// listVersions returns the versions.
func (s *plan) listVersions() []*snapshot {
	return []*snapshot{s.base, s.sides[0], s.sides[1], s.merged, s.now}
}

// ids lists the ids that stand in a changed file of some version.
func (s *plan) ids() []vault.ID {
	found := make(map[vault.ID]bool)
	for _, n := range s.listVersions()[:4] {
		for _, p := range s.Changed {
			if m := n.mem[p]; m != nil && m.ID != "" {
				found[m.ID] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// isCopied reports whether a memory is in several files of one version, or is two, see
// namesakes.
func (s *plan) isCopied(id vault.ID) bool {
	return max(len(s.base.at[id]), len(s.sides[0].at[id]), len(s.sides[1].at[id])) > 1 || s.namesakes(id)
}

// namesakes reports whether people on both sides gave the id each to a new file of their
// own: `intro` in two folders is two memories, while one that was drawn names one.
func (s *plan) namesakes(id vault.ID) bool {
	a, inA := s.sides[0].onlyPlace(id)
	b, inB := s.sides[1].onlyPlace(id)
	return inA && inB && a != b && len(s.base.at[id]) == 0 && !id.IsDrawn("")
}

// isUntouched reports whether the memory is where the merge left it, be it in several
// places.
func (s *plan) isUntouched(id vault.ID) bool {
	return len(s.merged.at[id]) > 0 && slices.Equal(s.merged.at[id], s.now.at[id])
}

// findUnchanged returns where a memory is that neither side has changed.
func (s *plan) findUnchanged(id vault.ID) (vault.Path, bool) {
	if s.Alone {
		return s.merged.onlyPlace(id)
	}
	p, _ := s.Place.get(id)
	return p, p != ""
}

// isFileAt reports whether there is a file at p.
func (s *plan) isFileAt(p vault.Path) bool {
	if s.Alone {
		_, other := s.merged.others[p]
		return other || s.merged.texts[p] != nil
	}
	there, _ := s.File.get(p)
	return there
}

// isClean reports whether the file at p is on disk as it is in HEAD.
func (s *plan) isClean(p vault.Path) bool {
	if s.Alone {
		return true
	}
	clean, known := s.Clean.get(p)
	s.spared = s.spared || known && !clean
	return clean
}

// freePath returns to, or the next name like it that nothing stands at.
func (s *plan) freePath(to vault.Path) vault.Path { return s.vacate("", to) }

// vacate is free for the file at from, which leaves its place.
func (s *plan) vacate(from, to vault.Path) vault.Path {
	stem, ext := string(to.Stem()), ".md"
	if !to.IsMarkdown() {
		ext = ""
		if i := strings.LastIndexByte(to.Base(), '.'); i > 0 {
			ext = to.Base()[i:]
		}
		stem = strings.TrimSuffix(stem, ext)
	}
	for n, p := 2, vault.Path(stem+ext); ; n++ {
		if (p == from || !s.isFileAt(p)) && !s.edits.creates(p) {
			return p
		}
		p = vault.Path(fmt.Sprintf("%s-%d%s", stem, n, ext))
	}
}

func (s *plan) addDiscrepancy(kind string, id vault.ID, p vault.Path, detail, fixed string) {
	title := ""
	for _, n := range []*snapshot{s.now, s.merged, s.base} {
		if m := n.mem[p]; m != nil && title == "" {
			title = m.Title
		}
	}
	s.out = append(s.out, Discrepancy{Type: kind, Child: id, ChildTitle: title, Path: p, Detail: detail, Fixed: fixed})
}
