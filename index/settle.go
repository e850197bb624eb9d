package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// settle brings up to date what follows from several files together: which memory has
// which id, which one a name means, which one is whose parent.
func (wr *writer) settle() error {
	for claim := range wr.claims {
		if err := wr.award(claim); err != nil {
			return err
		}
	}
	if err := wr.name(); err != nil {
		return err
	}
	return wr.place()
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
func (wr *writer) identify(e *entry, claim string) error {
	e.claim = claim
	if claim != "" {
		free, err := wr.known.free(claim, e)
		if err != nil {
			return err
		}
		if free {
			e.id = vault.ID(claim)
			return nil
		}
		wr.claims[claim] = true
	}
	return wr.standIn(e)
}

// standIn gives a memory a provisional id.
func (wr *writer) standIn(e *entry) (asked error) {
	e.id = vault.ProvisionalID(e.path, func(id vault.ID) bool {
		free, err := wr.known.free(string(id), e)
		if err != nil {
			asked = err
		}
		return !free
	})
	return asked
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
func (wr *writer) award(id string) error {
	if id == "" {
		return nil
	}
	all, err := wr.known.claimants(id)
	if err != nil || len(all) == 0 {
		return err
	}
	winner := slices.MinFunc(all, func(a, b *entry) int {
		return cmp.Or(compareBool(a.head == "", b.head == ""), strings.Compare(string(a.path), string(b.path)))
	})
	for _, e := range all {
		if e != winner && string(e.id) == id {
			wr.freshen(e)
			if err := wr.standIn(e); err != nil {
				return err
			}
			if err := wr.saveID(e); err != nil {
				return err
			}
		}
	}
	if string(winner.id) == id {
		return nil
	}
	wr.freshen(winner)
	winner.id = vault.ID(id)
	return wr.saveID(winner)
}

func (wr *writer) saveID(e *entry) error {
	return wr.t.Exec(`UPDATE memories SET id = ?, claim = ? WHERE n = ?`, e.id, e.claimed(), e.n)
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
