package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
)

// updateDerived brings up to date what follows from several files together: which memory has
// which id, which one a name means, which one is whose parent.
func (wr *writer) updateDerived(src vault.Source) {
	wr.awards(src)
	wr.writeNames()
	wr.placeMemories()
}

// freshen notes that an entry is to be named and placed, and what its memory was
// called until now.
func (wr *writer) freshen(e *entry) {
	if e.was != nil {
		return
	}
	e.was = new(called)
	if e.stored {
		*e.was = e.called
	}
	wr.fresh = append(wr.fresh, e)
}

// identify gives a memory the id that it claims, if no other one has it, or else a
// stand-in until the id is awarded.
func (wr *writer) identify(e *entry, claim string) {
	e.claim = claim
	if claim != "" {
		if wr.known.free(claim, e) {
			e.id = vault.ID(claim)
			return
		}
		wr.claims[claim] = true
	}
	wr.standIn(e)
}

// standIn gives a memory a provisional id.
func (wr *writer) standIn(e *entry) {
	e.id = vault.ProvisionalID(e.path, func(id vault.ID) bool { return !wr.known.free(string(id), e) })
}

// claimColumn returns the column claim.
func (e *entry) claimColumn() any {
	if e.claim != "" && string(e.id) == e.claim {
		return nil
	}
	return e.claim
}

// awards gives the ids that several memories may claim each to one of them.
func (wr *writer) awards(src vault.Source) {
	var rivals [][]*entry
	var committed []vault.Path
	for id := range wr.claims {
		if id == "" {
			continue
		}
		all := wr.known.claimants(id)
		rivals = append(rivals, all)
		if in := inCommits(all); len(in) > 1 {
			committed = append(committed, in...)
		}
	}
	ages := wr.ages(src, committed)
	for _, all := range rivals {
		wr.award(all, ages)
	}
}

// inCommits returns the paths of the entries that HEAD has.
func inCommits(all []*entry) (in []vault.Path) {
	for _, e := range all {
		if e.head != "" {
			in = append(in, e.path)
		}
	}
	return in
}

// ages asks the history, moves included, which files are older: those have greater numbers.
// It is asked only where files in HEAD claim one id, so what it costs is paid until sync has
// settled that. Nothing but HEAD decides, so every clone and every mirror comes to the same.
func (wr *writer) ages(src vault.Source, files []vault.Path) map[vault.Path]int {
	if len(files) == 0 || src.Commits == nil {
		return nil
	}
	t := query.NewTrail(files)
	if _, err := src.Arrivals(wr.t.Context, "", wr.w.head, t.Add); err != nil {
		return nil // then their paths decide
	}
	t.End()
	asked := make(map[vault.Path]bool, len(files))
	for _, p := range files {
		asked[p] = true
	}
	ages := make(map[vault.Path]int)
	for i, c := range t.Commits {
		for _, p := range c.Files {
			if asked[p] { // and no place that one of them once had
				ages[p] = i
			}
		}
	}
	return ages
}

// award gives an id to one of the memories that claim it: a committed file comes before an
// uncommitted one, then the one that was committed first, so that a template keeps its id
// whoever copies it, then the smallest path decides. A memory that loses the id gets a
// stand-in.
func (wr *writer) award(all []*entry, ages map[vault.Path]int) {
	if len(all) == 0 {
		return
	}
	winner := slices.MinFunc(all, func(a, b *entry) int {
		return cmp.Or(compareBool(a.head == "", b.head == ""), cmp.Compare(ages[b.path], ages[a.path]), strings.Compare(string(a.path), string(b.path)))
	})
	for _, e := range all {
		if e != winner && e.id.Fold() == vault.ID(e.claim).Fold() {
			wr.spoke(e)
			wr.freshen(e)
			wr.standIn(e)
			wr.saveID(e)
		}
	}
	if string(winner.id) != winner.claim {
		wr.spoke(winner)
		wr.freshen(winner)
		winner.id = vault.ID(winner.claim)
		wr.spoke(winner)
		wr.saveID(winner)
	}
}

func (wr *writer) saveID(e *entry) {
	wr.t.Exec(`UPDATE memories SET id = ?, claim = ? WHERE n = ?`, e.id, e.claimColumn(), e.n)
}

// byFolder compares paths as if '/' came before all other letters.
func byFolder(a, b string) int {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i] == b[i]:
		case a[i] == '/':
			return -1
		case b[i] == '/':
			return 1
		default:
			return cmp.Compare(a[i], b[i])
		}
	}
	return cmp.Compare(len(a), len(b))
}

// outermost returns the folders without those that lie in another of them.
func outermost(folders map[string]bool) []string {
	all := make([]string, 0, len(folders))
	for f := range folders {
		all = append(all, f)
	}
	// Sorted as if '/' came first, what lies in a folder follows it at once.
	slices.SortFunc(all, byFolder)
	out := all[:0]
	for _, f := range all {
		if len(out) == 0 || !isBelow(f, out[len(out)-1]) {
			out = append(out, f)
		}
	}
	return out
}
