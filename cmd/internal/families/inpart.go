package families

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Enter prepares an open vault for a command about the memories refs: it is noted as seen, and
// what [Finder.Place] does is done.
func (f *Finder) Enter(ctx context.Context, s *app.Session, refs []string) error {
	f.Seen(ctx, s.Settings)
	_, err := f.Place(ctx, s, refs)
	return err
}

// Place has new memories go to the part of an open vault that the command is about, and primes
// be about it. Of the memories refs it refuses those of other projects of the vault, as those of
// other vaults are refused. It returns the project.
func (f *Finder) Place(ctx context.Context, s *app.Session, refs []string) (family.Project, error) {
	s.Vault.Part = ""
	k := f.listed(s.Settings)
	if !f.mayBePart(s, k) {
		return k.Here, nil
	}
	held, err := f.heldNow(ctx, s, k)
	if err != nil {
		return k.Here, err
	}
	of := f.about(k, held)
	if of.Vault != s.Root || of.Whole() {
		return k.Here, nil
	}
	s.Vault.Part = of.Part
	return of, f.within(ctx, s, k.Rules.Family(of, held), held, refs)
}

// mayBePart reports whether the command can be about a part of the vault: who stands where the
// vault's own project is asks for no part, and the index need not be asked.
func (f *Finder) mayBePart(s *app.Session, k Known) bool {
	switch {
	case s.Parts == nil || f.everyone():
		return false
	case f.chosen != nil:
		return !f.chosen.Whole()
	case f.App.Flags.Vault != "" || f.App.Env("CP_VAULT") != "":
		return false
	}
	real, err := filepath.EvalSymlinks(f.App.Dir)
	return err == nil && !k.Rules.Same(real, k.Here.Path)
}

// heldNow returns the projects in an open vault, as its index has them. Only one that was never
// made is made before: a read of one memory scans nothing.
func (f *Finder) heldNow(ctx context.Context, s *app.Session, k Known) ([]family.Project, error) {
	if !s.Indexed() {
		if _, err := s.CatchUp(ctx, vault.Scope{}); err != nil {
			return nil, err
		}
	}
	held, err := f.held(ctx, s, k.Here)
	k.dissolve(&held)
	return held, err
}

// Within refuses those of refs that are memories of another project of the open vault than those
// of the current one's family.
func (f *Finder) Within(ctx context.Context, s *app.Session, refs []string) error {
	_, err := f.Place(ctx, s, refs)
	return err
}

func (f *Finder) within(ctx context.Context, s *app.Session, asked, held []family.Project, refs []string) error {
	share := family.ShareOf(asked, held)
	for _, ref := range refs {
		n, err := s.Locate(ctx, ref)
		if err != nil || share.Has(string(n.Path)) { // what it is not, the command says
			continue
		}
		p, _ := family.Holding(held, string(n.Path))
		return f.reachThere(asked[0].Name, ref, holder{Project: p, Node: n})
	}
	return nil
}
