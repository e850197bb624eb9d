package browse

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/cmd/internal/web/live"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// keeper keeps the vaults of the family current and has the pages told of their changes, each
// vault by itself. A project that comes while the server runs is kept from then on.
type keeper struct {
	app   app.App
	about registry.About // what is served
	live  *live.Feed

	mu  sync.Mutex
	why map[string]string // what the pages of a vault should say of its watching, by its root
}

// How long the keeper waits until it looks for whether a vault has a watcher, and for the
// vaults of the family. Where that takes long it looks more rarely.
const (
	rest     = 2 * time.Second
	anew     = 5 * time.Second
	rarer    = 20 // times as long as the last look took
	mostKept = 32 // vaults with a watcher of ours
)

// run keeps vaults until ctx ends.
func (k *keeper) run(ctx context.Context) {
	defer k.live.End()
	kept := map[string]context.CancelFunc{}
	for ctx.Err() == nil {
		began := time.Now()
		_ = vault.Guard("looking for projects", nil, func() error { // it looks again
			roots, err := k.roots(ctx)
			if err == nil {
				k.keepVaults(ctx, kept, roots)
			}
			return err
		})
		select {
		case <-ctx.Done():
		case <-time.After(max(anew, rarer*time.Since(began))):
		}
	}
}

// keepVaults keeps these vaults, and no other ones.
func (k *keeper) keepVaults(ctx context.Context, kept map[string]context.CancelFunc, roots []string) {
	there := map[string]bool{}
	for _, root := range roots {
		there[root] = true
		if kept[root] != nil {
			continue
		}
		within, stop := context.WithCancel(ctx)
		kept[root] = stop
		a, flags := k.app, k.about.Flags.ForVault(root)
		go k.live.Run(within, &a, flags)
		if len(kept) <= mostKept {
			go k.keepCurrent(within, a, flags, root)
		} else {
			k.noteWhy(root, fmt.Sprintf("the vault %s is not watched, so its pages look at all files first: no more than %d vaults are watched at once", root, mostKept))
		}
	}
	for root, stop := range kept {
		if !there[root] {
			stop()
			delete(kept, root)
		}
	}
}

// roots returns the vaults of the family.
func (k *keeper) roots(ctx context.Context) (roots []string, err error) {
	a := k.app
	a.Warn = nil
	err = a.With(ctx, k.about.Flags, func(s *app.Session) error {
		fam, err := ask.Open(ctx, target.NewTarget(registry.New(&a, k.about), s), vault.Scope{None: true})
		if err != nil {
			return err
		}
		defer fam.Close()
		for _, m := range fam.Members {
			roots = append(roots, m.Root)
		}
		return nil
	})
	return roots, err
}

// caution is what the pages of a vault should say.
func (k *keeper) caution(root string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.why[root]
}

func (k *keeper) noteWhy(root, why string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.why[root] = why
}

// keepCurrent keeps the index of a vault current, unless another program does. When that one ends
// this one takes over.
func (k *keeper) keepCurrent(ctx context.Context, a app.App, flags settings.Flags, root string) {
	a.Warn = nil
	for ctx.Err() == nil {
		err := vault.Guard("watching", nil, func() error {
			return a.With(ctx, flags, func(s *app.Session) error {
				if _, ok := a.Watcher(s); ok {
					return nil
				}
				k.noteWhy(root, "")
				return a.Watch(ctx, s, tree.Watch{}, func(tree.Pass) error { return nil }, func(text string) { k.noteWhy(root, text) })
			})
		})
		if code := vault.CodeOf(err); err != nil && code != vault.CodeLocked && ctx.Err() == nil {
			k.noteWhy(root, "nobody watches the vault "+root+", so its pages look at all files first: "+err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
}
