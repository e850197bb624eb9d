package doctor

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault/sync"
)

// Fix lists the repairs that can be made. Its fields are promises.
type Fix struct {
	Repository *Damage     `json:"repository,omitempty"` // repaired before all else: git reads it again
	Sync       sync.Synced `json:"sync"`                 // the plan; what was done, once it is
	Reindex    bool        `json:"reindex"`              // rebuild the index
	Locks      []string    `json:"removed_locks"`        // stale locks of git
	Driver     bool        `json:"merge_driver"`         // make git merge memories with this program
	Unadopt    []string    `json:"unadopt,omitempty"`    // files of agents that lose what adoption put into them
	Applied    bool        `json:"applied"`
	Remaining  []Finding   `json:"remaining"` // errors around the vault that are left; those in it are in Sync.Left
}

// IsEmpty reports whether there is nothing to do, the repository aside.
func (f Fix) IsEmpty() bool {
	return !f.Reindex && !f.Driver && len(f.Locks)+len(f.Unadopt) == 0 && len(f.Sync.Discrepancies) == 0
}

// PlanFix finds out what there is to put right, and changes nothing.
func (p *Patient) PlanFix(ctx context.Context) (f Fix, err error) {
	f = Fix{Reindex: p.worst(ctx, mirror, Error), Locks: []string{}}
	if _, err := p.Repository.Top(); err == nil {
		locks, err := p.Repository.Locks(ctx)
		if err != nil {
			return f, err
		}
		for _, l := range locks {
			if l.isStale(p.Repository) {
				f.Locks = append(f.Locks, l.Path)
			}
		}
		f.Driver, f.Unadopt = !p.worst(ctx, driver, OK), p.Folder.ListAdopted()
	}
	f.Sync, err = p.Sync(ctx, sync.Options{DryRun: true})
	return f, err
}

// Remain finds out which errors around the vault are left.
func (p *Patient) Remain(ctx context.Context, f *Fix) {
	f.Remaining = slices.DeleteFunc(append([]Finding{}, p.ExamineSurroundings(ctx)...), func(found Finding) bool { return found.Severity != Error })
}

// Hands do what the checks themselves must not.
type Hands interface {
	RemoveLock(path string) error
	InstallDriver(ctx context.Context) error
	Unadopt(name string) error
	RemoveIndex() error // the next question rebuilds it
}

// ApplyFix puts right what was planned. The locks go first: the commit needs to take them.
func (p *Patient) ApplyFix(ctx context.Context, f *Fix, by Hands) (err error) {
	for _, path := range f.Locks {
		if err := by.RemoveLock(path); err != nil {
			return err
		}
	}
	for _, name := range f.Unadopt {
		if err := by.Unadopt(name); err != nil {
			return err
		}
	}
	if f.Driver {
		err = by.InstallDriver(ctx)
	}
	if err == nil && f.Reindex {
		err = by.RemoveIndex()
	}
	if err != nil {
		return err
	}
	f.Sync, err = p.Sync(ctx, sync.Options{})
	f.Applied = err == nil
	return err
}
