package target

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Here returns the target of an open vault without opening another one: new memories go to the
// part of it that the command is about.
func Here(ctx context.Context, find *registry.Finder, s *app.Session) (Target, error) {
	t := NewTarget(find, s)
	var err error
	t.Project, err = t.placeInPart(ctx)
	return t, err
}

// NewTarget returns the target of an open vault, as it is.
func NewTarget(find *registry.Finder, s *app.Session) Target {
	t := Target{Session: s, Find: find, finish: func() {}}
	t.Reads = t.reads()
	return t
}

// In is the same target in another session of its vault.
func (t Target) In(s *app.Session) Target {
	t.Session = s
	return t
}

// placeInPart has new memories go to the part of the vault that the command is about, and primes be
// about it. It refuses what [Target.Within] refuses, and returns the project.
func (t Target) placeInPart(ctx context.Context) (family.Project, error) {
	t.Vault.Part = ""
	k := t.Find.FindListed(t.Settings)
	if !t.mayBePart(k) {
		return k.Here, nil
	}
	of, held, err := t.part(ctx, k)
	if err != nil || of.IsVault() {
		return k.Here, err
	}
	t.Vault.Part = of.Part
	return of, t.checkWithin(ctx, k.Rules.Family(of, held), held, t.asked.Refs)
}

// part returns the part of the vault that the command is about, or the vault's own project, and
// all projects in the vault.
func (t Target) part(ctx context.Context, k registry.Known) (of family.Project, held []family.Project, err error) {
	if held, err = t.heldNow(ctx, k); err != nil {
		return of, held, err
	}
	if of = t.Find.AboutProject(k, held); of.Vault != t.Root {
		of = k.Here
	}
	return of, held, nil
}

// mayBePart reports whether the command can be about a part of the vault: who stands where the
// vault's own project is asks for no part, and the index need not be asked.
func (t Target) mayBePart(k registry.Known) bool {
	f := t.Find
	switch {
	case t.Parts == nil || f.Flags.Project == registry.All:
		return false
	case f.Of != nil:
		return !f.Of.IsVault()
	case f.Flags.Vault != "" || f.App.Env("CP_VAULT") != "":
		return false
	}
	real, err := filepath.EvalSymlinks(f.App.Dir)
	return err == nil && !k.Rules.IsSamePath(real, k.Here.Path)
}

// heldNow returns the projects in the vault, as its index has them. Only one that was never
// made is made before: a read of one memory scans nothing.
func (t Target) heldNow(ctx context.Context, k registry.Known) ([]family.Project, error) {
	if !t.HasIndex() {
		if _, err := t.CatchUp(ctx, vault.Scope{}); err != nil {
			return nil, err
		}
	}
	held, err := t.Find.HeldIn(ctx, t.Session, k.Here)
	k.Dissolve(&held)
	return held, err
}

// Within refuses those of refs that are memories of another project of the vault than those of
// the family, as those of other vaults are refused.
func (t Target) Within(ctx context.Context, refs []string) error {
	k := t.Find.FindListed(t.Settings)
	if !t.mayBePart(k) {
		return nil
	}
	of, held, err := t.part(ctx, k)
	if err != nil || of.IsVault() {
		return err
	}
	return t.checkWithin(ctx, k.Rules.Family(of, held), held, refs)
}

func (t Target) checkWithin(ctx context.Context, asked, held []family.Project, refs []string) error {
	share := family.ShareOf(asked, held)
	for _, ref := range refs {
		n, err := t.Locate(ctx, ref)
		if err != nil || share.Has(string(n.Path)) { // what it is not, the command says
			continue
		}
		p, _ := family.Holding(held, string(n.Path))
		return t.errElsewhere(asked[0].Name, ref, Match{Project: p, Node: n})
	}
	return nil
}
