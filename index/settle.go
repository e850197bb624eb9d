package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// settle brings up to date what follows from several files together: which memory has
// which id, which one a name means, which one is whose parent.
func (wr *writer) settle() {
	for claim := range wr.claims {
		wr.award(claim)
	}
	wr.name()
	wr.place()
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

// claimed returns the column claim.
func (e *entry) claimed() any {
	if e.claim != "" && string(e.id) == e.claim {
		return nil
	}
	return e.claim
}

// award gives an id to one of the memories that claim it: a committed file comes before an
// uncommitted one, then the smallest path decides. A memory that loses the id gets a
// stand-in.
func (wr *writer) award(id string) {
	if id == "" {
		return
	}
	all := wr.known.claimants(id)
	if len(all) == 0 {
		return
	}
	winner := slices.MinFunc(all, func(a, b *entry) int {
		return cmp.Or(compareBool(a.head == "", b.head == ""), strings.Compare(string(a.path), string(b.path)))
	})
	for _, e := range all {
		if e != winner && e.id.Fold() == vault.ID(id).Fold() {
			wr.freshen(e)
			wr.standIn(e)
			wr.saveID(e)
		}
	}
	if string(winner.id) != winner.claim {
		wr.freshen(winner)
		winner.id = vault.ID(winner.claim)
		wr.saveID(winner)
	}
}

func (wr *writer) saveID(e *entry) {
	wr.t.Exec(`UPDATE memories SET id = ?, claim = ? WHERE n = ?`, e.id, e.claimed(), e.n)
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
		if len(out) == 0 || !below(f, out[len(out)-1]) {
			out = append(out, f)
		}
	}
	return out
}
