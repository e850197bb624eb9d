package vaultmap

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/past"
)

// Commit makes a change: each edit on HEAD's version of a file for the commit, and
// on the disk's for the disk.
func (s store) Commit(ctx context.Context, c *vault.Change) (vault.Receipt, error) {
	w := s.w
	if err := w.twice(ctx, c); err != nil {
		return vault.Receipt{}, err
	}
	w.Plans = append(w.Plans, *c)
	back := func() {}
	if meanwhile := w.Meanwhile; meanwhile != nil {
		w.Meanwhile = nil
		back = meanwhile()
	}
	moved := c.Holds(ctx)
	back()
	if moved != nil || w.Busy != "" {
		return vault.Receipt{}, cmp.Or[error](moved, vault.Standstill(w.Busy))
	}
	m := maker{w: w, c: c, head: maps.Clone(w.Head()), disk: maps.Clone(w.Disk), r: vault.Revision{
		Op: fmt.Sprintf("op-%d", len(w.commits)), Verb: c.Verb, ID: c.ID, Subject: fmt.Sprintf("memory: %s %s %q", c.Verb, c.ID, c.Title), Agent: c.Agent, Undoes: c.Undoes}}
	for i := range c.Edits {
		if err := m.edit(&c.Edits[i]); err != nil {
			return vault.Receipt{}, err
		}
	}
	return m.land(), nil
}

// twice sends a first plan back as if something had changed, and hands the second one to
// Twice, with the first.
func (w *World) twice(ctx context.Context, c *vault.Change) error {
	if w.Twice == nil {
		return nil
	}
	if w.first != nil {
		w.Twice(w.first, c)
		w.first = nil
		return nil
	}
	w.mirror.generation++
	err := c.Holds(ctx)
	if err != nil {
		w.first = c
	}
	return err
}

// Rehearse returns the error with which Commit would refuse the change.
func (s store) Rehearse(ctx context.Context, c *vault.Change) error {
	tried := *s.w
	tried.Twice, tried.Meanwhile = nil, nil
	tried.Disk, tried.commits = maps.Clone(s.w.Disk), slices.Clone(s.w.commits)
	_, err := store{&tried}.Commit(ctx, c)
	return err
}

// maker makes one change: what it reads is as it was, and what it writes as it will be.
type maker struct {
	w          *World
	c          *vault.Change
	head, disk Files // as they will be
	r          vault.Revision
	adopted    []vault.Path
	put        []func()
}

// land puts the new maps in the place of the old ones.
func (m *maker) land() vault.Receipt {
	w := m.w
	for _, put := range m.put { // after all that goes has gone
		put()
	}
	r := vault.Receipt{Op: m.r.Op, Adopted: m.adopted, Paths: append(differing(w.Disk, m.disk), differing(w.Head(), m.head)...)}
	if c := w.at("HEAD"); c != nil {
		r.Before, r.Commit = c.Commit, c.Commit
	}
	slices.Sort(r.Paths)
	r.Paths = slices.Compact(r.Paths)
	for _, p := range r.Paths {
		if _, there := m.disk[p]; !there {
			r.Gone = append(r.Gone, p)
		}
	}
	w.Disk = m.disk
	if j := m.c.Join; j != nil && j.Tree == j.Commit { // HEAD is behind it
		m.r.Commit = j.Commit
	}
	if !maps.Equal(w.Head(), m.head) || len(m.c.Undoes) > 0 || m.c.Join != nil {
		r.Commit = w.commit(m.r, m.head)
	}
	if m.c.Queued != nil {
		w.waiting = w.waiting[1:]
	}
	return r
}

// edit makes one edit.
func (m *maker) edit(e *vault.Edit) error {
	switch {
	case e.Taken != nil:
		return m.take(e)
	case e.Create != nil:
		return m.create(e)
	case e.Remove:
		delete(m.head, e.Path)
		delete(m.disk, e.Path)
		return nil
	case e.Tree:
		m.folder(e, m.w.Head(), m.head)
		m.folder(e, m.w.Disk, m.disk)
		return nil
	}
	return m.change(e)
}

// take brings a file from one version to another, on disk only where nobody has typed.
func (m *maker) take(e *vault.Edit) error {
	if e.Taken.Into == "" {
		delete(m.head, e.Path)
		delete(m.disk, e.Path)
		return nil
	}
	if typed, there := m.w.Disk[e.Path]; there && blob(typed) != e.Taken.From {
		return vault.ErrUncommitted(e.Path, "the file", false)
	}
	text := m.w.Blob(e.Taken.Into)
	m.put = append(m.put, func() { m.head[e.Path], m.disk[e.Path] = text, text })
	return nil
}

// folder moves what lies in a folder, but for the files and folders that have an edit of
// their own.
func (m *maker) folder(e *vault.Edit, was, files Files) {
	parts := func(p vault.Path) bool {
		return slices.ContainsFunc(m.c.Edits, func(o vault.Edit) bool {
			return o.Path == p || o.Tree && len(o.Path) > len(e.Path) && p.Within(o.Path)
		})
	}
	for p, text := range was {
		if p.Within(e.Path) && !parts(p) {
			delete(files, p)
			m.put = append(m.put, func() { files[e.To+p[len(e.Path):]] = text })
		}
	}
}

func (m *maker) create(e *vault.Edit) error {
	for p := range m.w.Disk {
		if filename.Fold(string(p)) == filename.Fold(string(e.Path)) {
			return &vault.Error{Code: vault.CodeInvalid, Path: string(e.Path), Msg: "there is " + string(p) + " already", Hint: "choose another name"}
		}
	}
	m.put = append(m.put, func() {
		m.disk[e.Path] = string(e.Create)
		if !e.Untrack {
			m.head[e.Path] = string(e.Create)
		}
	})
	return nil
}

// change makes steps on both versions of a file, and moves it. On disk a person
// may have moved it already.
func (m *maker) change(e *vault.Edit) error {
	at, to := e.Path, cmp.Or(e.To, e.Path)
	committed, held := m.w.Head()[at]
	typed, there := m.w.Disk[at]
	if !there {
		at = to
		typed, there = m.w.Disk[at]
	}
	if e.Match != "" && blob(typed) != e.Match {
		return &vault.Error{Code: vault.CodeConflict, Path: string(e.Path), Msg: "was saved again a moment ago", Hint: "look at it and run the command again"}
	}
	if !m.c.Mirrors && !e.Whole {
		if what := vault.Loses(e.Steps, []byte(typed), []byte(committed)); what != "" {
			return vault.ErrUncommitted(e.Path, what, false)
		}
	}
	after, err := vault.ApplySteps(e.Steps, []byte(typed))
	if err != nil {
		return err
	}
	base := []byte(committed)
	if e.Whole || e.Adopt && !held {
		base = []byte(typed)
		m.adopt(e, held, base, after)
	}
	becomes, err := vault.ApplySteps(e.Steps, base)
	if err != nil {
		return err
	}
	delete(m.head, e.Path)
	if there {
		delete(m.disk, at)
	}
	m.put = append(m.put, func() {
		if there {
			m.disk[to] = string(after)
		}
		if (held || e.Whole || e.Adopt) && !e.Untrack {
			m.head[to] = string(becomes)
		}
	})
	return nil
}

// adopt notes a file that no commit of the branch held before.
func (m *maker) adopt(e *vault.Edit, held bool, before, after []byte) {
	if held {
		return
	}
	alone := !slices.ContainsFunc(m.c.Edits, func(e vault.Edit) bool { return e.Create != nil })
	m.r.Adopts = append(m.r.Adopts, past.Adopts(e, before, after, alone))
	m.adopted = append(m.adopted, e.Path)
}
