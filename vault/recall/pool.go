package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// VaultMember is a vault that is asked.
type VaultMember struct {
	*vault.Vault

	// Options choose among its memories. Limit and Offset are those of the whole answer.
	Options vault.ListOptions

	// Origin returns the project that a file of the vault belongs to. nil knows none.
	Origin func(vault.Path) family.Origin
}

// From returns the project that a file belongs to.
func (m *VaultMember) From(p vault.Path) family.Origin {
	if m.Origin == nil {
		return family.Origin{}
	}
	return m.Origin(p)
}

// MemberFailure is a member that could not answer.
type MemberFailure struct {
	Member int
	Err    error
}

// most bounds how many members are asked at once: each holds files and memory open.
const most = 8

// AskEach calls ask for the members 0 to n-1, side by side, but for those that failed already. It
// returns when all are done, with the failures of before and of now. The error is the first
// one where nobody is left.
func AskEach(n int, failed []MemberFailure, ask func(i int) error) ([]MemberFailure, error) {
	errs, free := make([]error, n), make(chan struct{}, most)
	for _, f := range failed {
		errs[f.Member] = f.Err
	}
	var all sync.WaitGroup
	for i := range n {
		if errs[i] != nil {
			continue
		}
		if n == 1 { // there is nobody beside it
			errs[i] = ask(i)
			break
		}
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			errs[i] = vault.Guard("asking a member", nil, func() error { return ask(i) })
		})
	}
	all.Wait()
	failed = nil
	for i, err := range errs {
		if err != nil {
			failed = append(failed, MemberFailure{i, err})
		}
	}
	if len(failed) == n && n > 0 {
		return failed, failed[0].Err
	}
	return failed, nil
}

// WholeSums is what is known of the members together.
type WholeSums struct {
	Sums    *family.Sums // nil of a member alone, which is ranked by its own
	Without []bool       // of each member of several: it holds none of the text's words, or has failed
	Partly  bool         // a part of a vault could not be read
	Failed  []MemberFailure
}

// GatherSums brings n members up to date and adds up what ranking by a text needs to know of them.
func GatherSums(ctx context.Context, n int, member func(i int) *VaultMember, text string) (w WholeSums, err error) {
	w.Without = make([]bool, n)
	parts, reports := make([]*family.Sums, n), make([]vault.Report, n)
	w.Failed, err = AskEach(n, nil, func(i int) (err error) {
		m := member(i)
		if reports[i], err = m.CatchUp(ctx, vault.Scope{}); err == nil && n > 1 {
			parts[i], err = m.Mirror.Sums(ctx, text, m.Options)
		}
		return err
	})
	for i := range n {
		w.Without[i] = n > 1
		if slices.ContainsFunc(w.Failed, func(f MemberFailure) bool { return f.Member == i }) {
			continue
		}
		w.Without[i] = n > 1 && parts[i].Nothing()
		if w.Partly = w.Partly || !reports[i].Complete; n > 1 {
			if w.Sums == nil {
				w.Sums = new(family.Sums)
			}
			w.Sums.Add(parts[i])
		}
	}
	return w, err
}

// PoolPlace says where a memory stands among those that were found.
type PoolPlace struct {
	Score   float64
	Last    bool // behind all others, as what was superseded is in a search
	InTree  bool
	Project string // its path
	Path    vault.Path
}

// Compare orders the better one first.
func (p PoolPlace) Compare(o PoolPlace) int {
	return cmp.Or(truth(p.Last, o.Last), cmp.Compare(o.Score, p.Score), truth(o.InTree, p.InTree), strings.Compare(p.Project, o.Project), strings.Compare(string(p.Path), string(o.Path)))
}

// truth orders false before true.
func truth(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Twins tells memories that are one: of two clones of a vault, those of one id that say the
// same. The zero value has seen nothing.
type Twins struct{ seen map[vault.ID]string }

// HasSeen reports whether a twin of the memory was seen before. An id that stands in for one that
// a file lacks tells nothing.
func (t *Twins) HasSeen(n *vault.Node) bool {
	if n.ID.Provisional() || n.Content == "" {
		return false
	}
	content, there := t.seen[n.ID]
	if !there {
		if t.seen == nil {
			t.seen = make(map[vault.ID]string)
		}
		t.seen[n.ID] = n.Content
	}
	return there && content == n.Content
}
