package mcp

import (
	"context"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// Each vault in use has one watcher, in whichever process: this one watches if nobody else
// does, and takes over when the other one has gone. A call has it look at once; without calls
// it looks every half minute, since nobody waits for an answer then.
const lookAgain = 30 * time.Second

// watching keeps the index of a vault current, or stands by.
type watching struct{ look chan struct{} }

// watchSession has the vault of a session watched.
func (v *vaults) watchSession(h *held) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.closed || v.app.Watch == nil {
		return
	}
	w := v.watched[h.Root]
	if w == nil {
		w = &watching{look: make(chan struct{}, 1)}
		v.watched[h.Root] = w
		v.kept.Go(func() {
			if err := vault.Guard("watching", nil, func() error { v.watchOrStandBy(w, h.Settings); return nil }); err != nil {
				v.warn("the index is not watched: " + err.Error())
			}
		})
	}
	select {
	case w.look <- struct{}{}:
	default:
	}
}

// watchOrStandBy watches or stands by until the server ends or the vault has gone.
func (v *vaults) watchOrStandBy(w *watching, s settings.Settings) {
	defer v.forget(s.Root)
	own := *v.app
	own.Warn, own.Progress = nil, nil
	session, err := own.Open(v.ctx, s)
	if err != nil {
		return
	}
	defer own.Close(session)
	for v.ctx.Err() == nil {
		if _, taken := own.Watcher(session); !taken && !v.watchNow(&own, session) {
			return
		}
		select {
		case <-v.ctx.Done():
		case <-w.look:
		case <-time.After(lookAgain):
		}
	}
}

// watchNow watches until that ends, and reports whether to stand by: where another process was
// faster.
func (v *vaults) watchNow(own *app.App, s *app.Session) bool {
	err := own.Watch(v.ctx, s, tree.Watch{}, func(tree.Pass) error { return nil }, v.warn)
	switch {
	case vault.CodeOf(err) == vault.CodeLocked:
		return true
	case err != nil && v.ctx.Err() == nil:
		v.warn("the index is not watched: " + err.Error())
		<-after(v.ctx, lookAgain) // the next call would begin it again
	}
	return false
}

// forget lets the next call begin anew.
func (v *vaults) forget(root string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.watched, root)
}

// after returns a channel that is closed after a time, or with ctx.
func after(ctx context.Context, d time.Duration) <-chan struct{} {
	ctx, cancel := context.WithTimeout(ctx, d)
	context.AfterFunc(ctx, cancel)
	return ctx.Done()
}
