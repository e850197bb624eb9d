package index

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// settle brings what follows from several files together up to date: who has
// which id, who is whose parent, who is meant by which name.
func (a *applier) settle() error {
	for claim := range a.claims {
		if err := a.award(claim); err != nil {
			return err
		}
	}
	for _, n := range sorted(a.fresh) {
		if err := a.standIn(n); err != nil {
			return err
		}
	}
	for _, n := range sorted(a.fresh) {
		if err := a.rename(n); err != nil {
			return err
		}
	}
	return a.place()
}

func sorted[V any](set map[int64]V) []int64 {
	all := make([]int64, 0, len(set))
	for n := range set {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// award gives an id to one of the files that claim it: a committed one before
// an uncommitted one, then the one with the smallest path. The others lose
// theirs and are fresh, so that standIn gives them another.
func (a *applier) award(claim string) error {
	if claim == "" {
		return nil
	}
	type claimant struct {
		n  int64
		id string
	}
	var all []claimant
	err := a.t.each(`SELECT m.n, coalesce(m.id, '') FROM memories m JOIN files f ON f.n = m.n
		WHERE m.claim = ?1 OR m.id = ?1 AND m.claim IS NULL ORDER BY f.head = x'', f.path`, []any{claim}, func(scan scanner) error {
		var c claimant
		err := scan(&c.n, &c.id)
		all = append(all, c)
		return err
	})
	if err != nil || len(all) == 0 {
		return err
	}
	for _, loser := range all[1:] {
		if loser.id == claim || loser.id == "" {
			if err := a.freshen(loser.n); err != nil {
				return err
			}
			if err := a.t.exec(`UPDATE memories SET id = NULL, claim = ? WHERE n = ?`, claim, loser.n); err != nil {
				return err
			}
		}
	}
	if winner := all[0]; winner.id != claim {
		if err := a.freshen(winner.n); err != nil {
			return err
		}
		return a.t.exec(`UPDATE memories SET id = ?, claim = NULL WHERE n = ?`, claim, winner.n)
	}
	return nil
}

// standIn gives a memory without a claim, or whose claim another one has, its
// provisional id.
func (a *applier) standIn(n int64) error {
	var path, id string
	err := a.t.one(`SELECT f.path, coalesce(m.id, '') FROM memories m JOIN files f ON f.n = m.n WHERE m.n = ?`, []any{n}, &path, &id)
	if err != nil || id != "" {
		return err
	}
	var asked error
	fresh := vault.ProvisionalID(vault.Path(path), func(id vault.ID) bool {
		var one int
		found, err := a.t.maybe(`SELECT 1 FROM memories WHERE id = ? AND n <> ?`, []any{id, n}, &one)
		if err != nil {
			asked = err
		}
		return found
	})
	if asked != nil {
		return asked
	}
	return a.t.exec(`UPDATE memories SET id = ? WHERE n = ?`, fresh, n)
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
