package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/families"
	"github.com/cp-memory/cp/vault"
)

// with hands fn an open session: that of the current vault, or where the current one has not
// the memories of the call, that of the vault in its family that has them.
func (v *vaults) with(ctx context.Context, c call, fn func(*held) error) error {
	v.calls.Add(1)
	defer v.calls.Done()
	own := *v.app
	find := &families.Finder{App: &own, Reach: reach}
	if err := choose(ctx, find, cmp.Or(c.project, own.Flags.Project)); err != nil {
		return err
	}
	err := v.once(ctx, c, find, fn)
	if !families.Missing(err) || len(c.refs) == 0 {
		return err
	}
	if err := find.Elsewhere(ctx, c.verb, c.refs, err); err != nil {
		return err
	}
	return v.once(ctx, c, find, fn)
}

// choose has a call be about the project that it names, or that the server was started for.
func choose(ctx context.Context, find *families.Finder, project string) error {
	if project == "" {
		return nil
	}
	s, err := families.Here(find.App)
	if err != nil {
		return err
	}
	if find.App.Flags.Project = project; project == families.All {
		return find.Everyone(s)
	}
	return chosen(find.Choose(ctx, s, project))
}

// reach says what a client does to get at a project that is no part of the current family: the
// tools that write take no project.
func reach(path string) string {
	return fmt.Sprintf(`memory_recall and memory_tree read there with "project": %q; the other tools do in a server that is started in %s`, path, vault.Path(path).Quoted())
}

// chosen gives the refusal of a project's name a hint for who gave it as a parameter.
func chosen(err error) error {
	var e *vault.Error
	if !errors.As(err, &e) {
		return err
	}
	hint := `leave "project" out to ask the current one; "cp-memory project list" shows those there are`
	if e.Code == vault.CodeAmbiguous {
		hint = `give one of the paths as "project"`
	}
	return vault.Errorf(vault.CodeInvalid, hint, "%w", err)
}

// once hands fn a session of the vault that the finder's program is about.
func (v *vaults) once(ctx context.Context, c call, find *families.Finder, fn func(*held) error) error {
	h, err := v.take(ctx, c, *find.App)
	if err != nil {
		return err
	}
	defer v.give(h)
	h.find = find
	if err := find.Enter(ctx, h.Session, c.refs); err != nil {
		return err
	}
	v.keep(h)
	return fn(h)
}

// family opens the family of the current project for fn.
func (h *held) family(ctx context.Context, fn func(*families.Family) error) error {
	fam, err := h.find.Answering(ctx, h.Session, h.find.Exact(h.Settings))
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
