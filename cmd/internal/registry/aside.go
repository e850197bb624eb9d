package registry

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Aside is a project that stands apart from another one above it.
type Aside struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Apart string `json:"apart"` // why
}

// JoinCommand is the command by which a project joins the families above it.
func (a Aside) JoinCommand() string { return "cp project add " + vault.Path(a.Path).QuoteForShell() }

func newAside(p family.Project) Aside { return Aside{p.Name, p.Path, p.Apart} }

// String tells of it to those in another project.
func (a Aside) String() string {
	return a.Name + " (" + a.Path + ") stands apart: " + a.Apart + "; `" + a.JoinCommand() + "` has it answer here"
}

// ApartBelow returns the projects below one that are not in its family, since they stand apart. s are
// the settings of the current vault.
func (f *Finder) ApartBelow(ctx context.Context, s settings.Settings, of family.Project) (all []Aside) {
	if f.isAboutAll() || f.Exact(s) {
		return nil
	}
	k := f.FindKnown(s)
	for _, p := range k.Rules.ListApart(of, f.Standing(ctx, Reachable(k.below(of)))) {
		all = append(all, newAside(p))
	}
	return all
}

// below is String for those in the project itself.
func (a Aside) below(above family.Project) string {
	return "this project stands apart: " + a.Apart + ", so " + above.Name + " (" + above.Path + ") is not answered from it; `" + a.JoinCommand() + "` has it join"
}

// From returns the project above the current one that does not hear it, since it stands apart.
// ok is false where there is none.
func (f *Finder) From(ctx context.Context, s settings.Settings) (self Aside, above family.Project, ok bool) {
	k := f.withHere(ctx, f.FindKnown(s), s)
	for at := k.Here; ; at = above {
		if above, ok = k.Rules.DetectParent(at.Path, k.Projects); !ok || k.Rules.IsApart(k.Here, above) {
			return newAside(k.Here), above, ok
		}
	}
}

// withHere says of the current project whether it stands apart. A question that is asked in it
// need not know.
func (f *Finder) withHere(ctx context.Context, k Known, s settings.Settings) Known {
	if s.Root == "" {
		return k
	}
	if e := f.readRegistry(s).Of(s.Root); e != nil {
		k.Here.Joins = e.Added
	}
	k.Here = f.Standing(ctx, []family.Project{k.Here})[0]
	for i := range k.Projects {
		if k.Projects[i].Vault == s.Root {
			k.Projects[i].Apart, k.Projects[i].Within, k.Projects[i].Joins = k.Here.Apart, k.Here.Within, k.Here.Joins
		}
	}
	return k
}

// below returns the known projects whose paths lie below that of one.
func (k Known) below(of family.Project) (all []family.Project) {
	for _, p := range k.Projects {
		if k.Rules.IsBelow(p.Path, of.Path) {
			all = append(all, p)
		}
	}
	return all
}
