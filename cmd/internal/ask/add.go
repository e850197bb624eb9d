package ask

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// Create creates a root memory in the current vault, unless a project below has one that says the
// same; and it tells what says nearly the same there.
func Create(ctx context.Context, t target.Target, o tree.Add) (app.Added, error) {
	fam := openForWrite(ctx, t)
	defer fam.Close()
	if !o.AllowDuplicate {
		if there, ok := fam.findSameElsewhere(ctx, t.Session, o); ok {
			return app.Added{Added: there}, nil
		}
	}
	a, err := t.Add(ctx, o)
	if err == nil && !a.Queued && !a.Duplicate {
		a.Similar = append(a.Similar, fam.alike(ctx, t.Session, a.Title, o.Text)...)
	}
	return a, err
}

// CreateSub creates a memory below another one in the current vault, and tells what says nearly
// the same in the projects below.
func CreateSub(ctx context.Context, t target.Target, o app.AddSub, who app.Person) (app.Added, error) {
	a, err := t.AddSub(ctx, o, who)
	if err != nil || a.Queued || a.Duplicate {
		return a, err
	}
	fam := openForWrite(ctx, t)
	defer fam.Close()
	a.Similar = append(a.Similar, fam.alike(ctx, t.Session, a.Title, o.Body)...)
	return a, nil
}

// CountObservation counts what a session has seen in the current vault, and tells what says nearly the
// same as a new observation in the projects below.
func CountObservation(ctx context.Context, t target.Target, o journal.Observe) (app.Observed, error) {
	a, err := t.Observe(ctx, o)
	if err != nil || !a.New || a.Queued {
		return a, err
	}
	fam := openForWrite(ctx, t)
	defer fam.Close()
	a.Similar = append(a.Similar, fam.alike(ctx, t.Session, "", o.Text)...)
	return a, nil
}

// openForWrite opens the family for a write in the current vault, which is not to fail for it: what
// cannot be read is told with --debug.
func openForWrite(ctx context.Context, t target.Target) *Family {
	none := &Family{close: func() {}}
	if t.Find.Lone(t.Settings) {
		return none
	}
	fam, err := Open(ctx, t, vault.Scope{})
	if err != nil {
		t.Find.App.Debugf("the projects below: %v", err)
		return none
	}
	for _, w := range fam.Warnings {
		t.Find.App.Debugf("%s", w)
	}
	return fam
}

// otherMembers are the members beside the vault of a session.
func (f *Family) otherMembers(s *app.Session) (all []Member) {
	for _, m := range f.Members {
		if m.Root != s.Root {
			all = append(all, m)
		}
	}
	return all
}

// findSameElsewhere returns the memory of another vault that says the same as a new one, if the current
// vault has none.
func (f *Family) findSameElsewhere(ctx context.Context, s *app.Session, o tree.Add) (there tree.Added, ok bool) {
	others := f.otherMembers(s)
	if len(others) == 0 {
		return there, false
	}
	if own, err := o.FindStored(ctx, s.Vault); err != nil || own.Duplicate {
		return there, false // the verb says so, under the lock
	}
	for _, m := range others {
		found, err := o.FindStored(ctx, m.Vault)
		if err == nil && found.Duplicate && m.Share.Has(string(found.Path)) {
			found.Origin = m.Origin(found.Path)
			return found, true
		}
	}
	return there, false
}

// alike returns what says nearly the same in the other vaults.
func (f *Family) alike(ctx context.Context, s *app.Session, title, text string) []tree.Like {
	all := f.otherMembers(s)
	found := make([][]tree.Like, len(all))
	registry.SideBySide(len(all), func(i int) {
		if _, err := all[i].CatchUp(ctx, vault.Scope{}); err != nil {
			return
		}
		m := &vault.Memory{Header: vault.Header{Title: title}, Prose: text}
		for _, l := range recall.AsLikes(all[i].Finder().FindNear(ctx, m, recall.AlikeFrom)) {
			if l.Origin = all[i].Origin(l.Path); all[i].Share.Has(string(l.Path)) {
				found[i] = append(found[i], l)
			}
		}
	})
	return slices.Concat(found...)
}

// Observing returns the project below the current one that an observation belongs to: it has
// the memory whose id the text is, or made the same observation. ok is false where the
// observation is the current vault's.
func Observing(ctx context.Context, t target.Target, text string) (p family.Project, ok bool) {
	if hasObservation(ctx, t.Session, text) {
		return p, false
	}
	fam := openForWrite(ctx, t)
	defer fam.Close()
	for _, m := range fam.otherMembers(t.Session) {
		if _, err := m.CatchUp(ctx, vault.Scope{}); err == nil && hasObservation(ctx, m.Session, text) {
			return m.Held[0], true
		}
	}
	return p, false
}

// hasObservation reports whether a vault has the memory of an id, or the observation of a text.
func hasObservation(ctx context.Context, s *app.Session, text string) bool {
	if key, err := tier.Key(s.Settings.Prefix, text); err == nil {
		if d, err := s.Vault.Reading().Open(ctx, string(key)); err == nil && d.ID == key {
			return true
		}
	}
	return s.IsID(ctx, text)
}
