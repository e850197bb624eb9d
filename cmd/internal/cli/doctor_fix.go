package cli

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// mend are the options of doctor --fix.
type mend struct{ Fix, Yes bool }

// remedy is what doctor --fix is about to do.
type remedy struct {
	Repository *vault.Damage `json:"repository,omitempty"` // repaired before all else: git reads it again
	Sync       vault.Synced  `json:"sync"`                 // the plan; what was done, once it is
	Reindex    bool          `json:"reindex"`              // build the index again
	Locks      []string      `json:"removed_locks"`        // stale locks of git
	Driver     bool          `json:"merge_driver"`         // make git merge memories with this program
	Applied    bool          `json:"applied"`
}

func (r remedy) empty() bool {
	return !r.Reindex && !r.Driver && len(r.Locks) == 0 && len(r.Sync.Discrepancies) == 0
}

// mend shows the plan, asks, and mends.
func (f face) mend(ctx context.Context, o mend) error {
	repository, err := f.repair(ctx, o)
	if err != nil {
		return err
	}
	return f.read(ctx, func(s *app.Session) error {
		r, err := f.remedy(ctx, s)
		if err != nil {
			return err
		}
		r.Repository = repository
		if r.empty() && repository != nil {
			r.Applied = true
			return f.answer(r, func(s render.Screen) { repairedText(s, repository) })
		}
		if r.empty() {
			return f.answer(r, func(s render.Screen) { s.Println("There is nothing to mend.") })
		}
		if !o.Yes {
			question := func(s render.Screen) {
				remedyText(s, r)
				s.Printf("Mend this? [y/N] ")
			}
			if err := f.ask(ctx, question, "--yes", "nothing was changed"); err != nil {
				return err
			}
		}
		if err := f.apply(ctx, s, &r); err != nil {
			return err
		}
		return f.said(r.Sync.Warnings, r, func(s render.Screen) { mendedText(s, r) })
	})
}

// remedy finds out what there is to mend, and changes nothing.
func (f face) remedy(ctx context.Context, s *app.Session) (remedy, error) {
	r := remedy{Reindex: checkIndex(ctx, s).Severity == sevError, Locks: []string{}}
	if top, err := f.GitTop(s.Root); err == nil {
		locks, err := f.locks(ctx, top)
		if err != nil {
			return r, err
		}
		for _, l := range locks {
			if l.stale {
				r.Locks = append(r.Locks, l.path)
			}
		}
		r.Driver = f.checkDriver(ctx, s.Root).Severity != sevOK
	}
	var err error
	r.Sync, err = s.Sync(ctx, vault.Sync{DryRun: true})
	return r, err
}

// apply removes the locks first: the commit needs to take them.
func (f face) apply(ctx context.Context, s *app.Session, r *remedy) error {
	for _, path := range r.Locks {
		if err := disk.Remove(path); err != nil {
			return vault.Errorf(vault.CodeIO, "", "cannot remove %s: %w", path, reason(err))
		}
	}
	if r.Driver {
		if err := f.installDriver(ctx, s.Root); err != nil {
			return err
		}
	}
	if r.Reindex {
		for _, suffix := range []string{"-shm", "-wal", ""} {
			if err := disk.Remove(indexFile(s) + suffix); err != nil {
				return vault.Errorf(vault.CodeIO, "", "cannot remove the index: %w", reason(err))
			}
		}
	}
	var err error
	r.Sync, err = s.Sync(ctx, vault.Sync{})
	r.Applied = err == nil
	return err
}

func remedyText(s render.Screen, r remedy) {
	for _, path := range r.Locks {
		s.Printf("remove the lock %s\n", path)
	}
	if r.Driver {
		s.Println("make git in this clone merge memories with this program")
	}
	if r.Reindex {
		s.Println("build the index again")
	}
	if len(r.Sync.Discrepancies) > 0 {
		render.Sync(s, r.Sync, true)
	}
}

func mendedText(s render.Screen, r remedy) {
	repairedText(s, r.Repository)
	for _, path := range r.Locks {
		s.Printf("Removed the lock %s\n", path)
	}
	if r.Driver {
		s.Println("Git in this clone now merges memories with this program.")
	}
	if r.Reindex {
		s.Println("Built the index again.")
	}
	render.Sync(s, r.Sync, false)
}

// repairedText tells what was done to the repository; nothing of nil.
func repairedText(s render.Screen, d *vault.Damage) {
	if d != nil {
		damageText(s, *d)
		s.Println("Git's reflog has what the branch named before.")
	}
}
