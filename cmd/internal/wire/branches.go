package wire

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/branch"
	"github.com/cp-memory/cp/vault/doctor"
)

// branches are the vaults on branches of their own.
type branches struct{ open *opener }

// At is [app.Branches.At].
func (b branches) At(dir string) (string, error) {
	link, err := branch.FindLink(dir)
	if link == nil || err != nil {
		return "", err
	}
	// Always: what is done later begins at the vault, whose .git may lead to another repository.
	if err := link.Mend(context.Background(), settings.LockTimeout); err != nil {
		return link.Root, err
	}
	b.open.noteTended(link.Root)
	return link.Root, nil
}

// Name is [app.Branches.Name].
func (branches) Name(dir string) (name, root string, err error) {
	repo, err := gitstore.FindRepo(dir)
	if err != nil {
		return "", "", err
	}
	link, err := branch.FindLink(repo.Top())
	if link == nil || err != nil {
		return "", "", err
	}
	return link.Name, link.Root, nil
}

// Code is [app.Branches.Code].
func (branches) Code(root string) (string, error) {
	link, err := branch.For(root)
	if link == nil || err != nil {
		return "", err
	}
	return link.Main(context.Background())
}

// Offers is [app.Branches.Offers].
func (branches) Offers(ctx context.Context, dir, name string) (bool, []string) {
	repo, err := gitstore.FindRepo(dir)
	if err != nil {
		return false, nil
	}
	return branch.Offers(ctx, repo.Remote, name)
}

// Make is [app.Branches.Make].
func (branches) Make(ctx context.Context, dir string, o app.Branch) (app.Branched, error) {
	repo, err := gitstore.FindRepo(dir)
	if err != nil {
		return app.Branched{}, err
	}
	made, err := branch.Make(ctx, repo.Remote, branch.Options{Name: o.Name, Dir: o.Dir, Convert: o.Convert, Wait: settings.LockTimeout})
	if err != nil {
		return app.Branched{}, err
	}
	main, err := made.Main(ctx)
	return app.Branched{Root: made.Root, State: made.State(), Main: main, Began: made.Began, Ignore: made.Ignore, Notes: made.Notes}, err
}

// Faults is [app.Branches.Faults].
func (branches) Faults(ctx context.Context, root string) (all []doctor.Finding, err error) {
	link, err := branch.For(root)
	if link == nil || err != nil {
		return nil, err
	}
	faults, err := link.Faults(ctx)
	for _, f := range faults {
		all = append(all, doctor.Finding{Evidence: f.Evidence, Fix: f.Fix})
	}
	return all, err
}
