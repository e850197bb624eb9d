package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// withSession hands fn an open session: that of the current vault, or where the current one has not
// the memories of the call, that of the vault in its family that has them.
func (v *vaults) withSession(ctx context.Context, c call, door app.Door, fn func(*held) error) error {
	v.calls.Add(1)
	defer v.calls.Done()
	about, err := v.about(ctx, c.project)
	if err != nil {
		return err
	}
	u := &use{vaults: v, call: c, flags: about.Flags, own: *v.app}
	u.own.Progress, u.own.Warn = nil, u.addWarning
	q := target.Request{About: about, Verb: c.verb, Refs: c.refs, Sought: c.sought, Door: door, Told: u.noteTended, Hint: hintReach, Open: u.openCurrent, Close: u.returnSession}
	return target.Resolver{App: &u.own}.Do(ctx, q, func(t target.Target) error {
		h := u.sessionOf(t)
		v.watchSession(h)
		return fn(h)
	})
}

// about returns what a call is about that names a project, or none.
func (v *vaults) about(ctx context.Context, project string) (registry.About, error) {
	if project == "" {
		return v.asked, nil
	}
	about, err := registry.New(v.app, registry.About{Flags: v.asked.Flags.ForProject(project)}).ResolveAbout(ctx)
	return about, hintProject(err)
}

// use is how one call comes to its session.
type use struct {
	*vaults
	call
	flags  settings.Flags
	own    app.App
	first  *held    // of the current vault
	waits  bool     // it shows what waits now
	warned []string // before it is known which session the call gets
}

func (u *use) addWarning(text string) { u.warned = append(u.warned, text) }

// openCurrent takes a session of the current vault.
func (u *use) openCurrent(ctx context.Context) (s *app.Session, err error) {
	if u.first, err = u.takeSession(ctx, u.call, u.flags, u.own); err != nil {
		return nil, err
	}
	return u.first.Session, nil
}

// noteTended notes what was finished on the way.
func (u *use) noteTended(t vault.Tended) {
	u.waits = u.waits || t.Waits
	u.warned = append(u.warned, describeTended(t)...)
}

// returnSession gives the session of the current vault back. One that shows what waited then is not used
// again.
func (u *use) returnSession(*app.Session) {
	u.first.stale = u.first.stale || u.waits
	u.releaseSession(u.first)
}

// sessionOf is the session that the call gets: that of the current vault, or one that serves this call
// alone.
func (u *use) sessionOf(t target.Target) *held {
	h := u.first
	if t.Session != h.Session {
		h = &held{Session: t.Session, app: &u.own}
		h.noteReceipts()
	}
	h.target, h.warned = t, append(h.warned, u.warned...)
	u.own.Warn = func(text string) { h.warned = append(h.warned, text) }
	return h
}

// hintReach says what a client does to get at a project that is no part of the current family: the
// tools that write take no project.
func hintReach(path string) string {
	return fmt.Sprintf(`memory_recall and memory_tree read there with "project": %q; the other tools do in a server that is started in %s`, path, vault.Path(path).QuoteForShell())
}

// hintProject gives the refusal of a project's name a hint for who gave it as a parameter.
func hintProject(err error) error {
	var e *vault.Error
	if !errors.As(err, &e) {
		return err
	}
	hint := `leave "project" out to ask the current one; memory_tree with project=all shows those there are`
	if e.Code == vault.CodeAmbiguous {
		hint = `give one of the paths as "project"`
	}
	return vault.Errorf(vault.CodeInvalid, hint, "%w", err)
}

// family opens the family of the current project for fn.
func (h *held) family(ctx context.Context, fn func(*ask.Family) error) error {
	fam, err := ask.Open(ctx, h.target, vault.Scope{})
	if err != nil {
		return err
	}
	defer fam.Close()
	if err := fn(fam); err != nil {
		return err
	}
	h.warned = append(h.warned, fam.Warnings...)
	return nil
}
