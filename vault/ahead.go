package vault

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"
)

// Mark says that a memory is shown as no commit holds it yet, and how its code stands.
type Mark struct {
	Pending bool       `json:"pending,omitempty"` // touched by a write that is not finished, see [Unfinished]
	Waiting bool       `json:"waiting,omitempty"` // made by a write in the outbox
	For     string     `json:"-"`                 // what that waits for, as [Head.Busy] says it
	Code    *CodeState `json:"code,omitempty"`    // nil where it is about none
}

// IsUncommitted reports whether no commit holds the memory as it is shown.
func (m Mark) IsUncommitted() bool { return m.Pending || m.Waiting }

// ShowOutbox has the vault show itself as it will be once the writes in the outbox are made. They
// are planned one after the other, as [Vault.Deliver] plans them, over a copy of the mirror
// and over texts that are kept in memory. So each has the id and the place that it will
// have, and neither the disk nor the mirror's file learns of it. A write that cannot be
// planned is left out, and the error says so; the others are shown. A file without an id
// that gets one along with them keeps its stand-in, since that id is not drawn yet.
//
// It is for a command that only reads. The disk is looked at once, here.
func (v *Vault) ShowOutbox(ctx context.Context) error {
	waiting, err := v.Store.Waiting(ctx)
	if len(waiting) == 0 || v.Aside == nil {
		return err
	}
	report, cerr := v.CatchUp(ctx, Scope{})
	if cerr == nil {
		cerr = v.Aside(ctx)
	}
	if cerr != nil {
		return cerr
	}
	head, _ := v.Store.Head(ctx)
	o := &overlay{Files: v.Store.Files, FileStatus: v.Store.FileStatus, texts: make(map[Path]overlaid)}
	f := foresight{v: v, overlay: o, mirror: v.Mirror.Refresher}
	v.Store.Files, v.Store.FileStatus, v.Glimpse, v.waiting = o, o, nil, make(map[ID]Mark)
	v.Mirror.Refresher = still{f.mirror, Report{Files: report.Files, Complete: report.Complete, Generation: report.Generation}}
	for i := range waiting {
		if perr := f.plan(ctx, &waiting[i]); err == nil { // what can be planned is shown
			err = perr
		}
	}
	if cerr := f.showPlanned(ctx); err == nil {
		err = cerr
	}
	for _, p := range f.made {
		if n, ok, _ := v.Mirror.At(ctx, p); ok {
			v.waiting[n.ID] = Mark{Waiting: true, For: head.Busy}
		}
	}
	return err
}

// foresight is the vault as it will be.
type foresight struct {
	v       *Vault
	overlay *overlay
	mirror  Refresher
	unseen  []Path // that the mirror has not been shown yet
	made    []Path // the memories that wait
}

// plan plans a write, and lays what it does over the files. A write that was made already
// has nothing to show. To show the mirror something costs some milliseconds, and most
// writes ask nothing about those before them: so it is shown only to one that misses
// something, which is then planned again.
func (f *foresight) plan(ctx context.Context, q *Queued) error {
	id := q.id()
	if n, err := f.v.Mirror.Find(ctx, string(id)); err == nil && n.ID == id {
		return nil
	}
	tx := f.v.begin(f.v.Mirror.Tree, new(fixed))
	out, err := q.plan(ctx, tx)
	if len(f.unseen) > 0 && (err != nil || len(out.Warnings) > 0) {
		if err := f.showPlanned(ctx); err != nil {
			return err
		}
		tx = f.v.begin(f.v.Mirror.Tree, new(fixed))
		out, err = q.plan(ctx, tx)
	}
	if err == nil && id == "" {
		err = Errorf(CodeDamaged, "look at the outbox with `cp doctor`", "a queued write has no id: %s", Clip(out.Title, 80))
	}
	if err != nil {
		return err
	}
	change, err := tx.plannedChange(q.Verb, Options{})
	if err == nil {
		f.made, f.unseen = append(f.made, out.Path), append(f.unseen, f.overlay.lay(change, q.At)...)
	}
	return err
}

// showPlanned shows the mirror what was planned.
func (f *foresight) showPlanned(ctx context.Context) error {
	if len(f.unseen) == 0 {
		return nil
	}
	_, err := f.mirror.CatchUp(ctx, f.v.Store.Source, Scope{Paths: f.unseen})
	f.unseen = nil
	return err
}

// still is a mirror that has seen the disk, and looks no more.
type still struct {
	Refresher
	report Report
}

// CatchUp returns what the last look saw.
func (s still) CatchUp(context.Context, Source, Scope) (Report, error) { return s.report, nil }

// overlay shows files as they will be, and all others as they are.
type overlay struct {
	Files
	FileStatus
	texts map[Path]overlaid
}

// overlaid is a file as it will be.
type overlaid struct {
	text []byte
	stat Stat
}

// lay puts over the files what a change makes of them, and returns their paths. A file to
// which its steps cannot be applied stays as it is: one that a merge has filled with
// conflict markers is mended by the time the write is made.
func (o *overlay) lay(c *Change, at time.Time) (paths []Path) {
	for _, e := range c.Edits {
		text, stat := e.Create, Stat{MTime: at.UnixNano()}
		if e.Create == nil {
			was, stands, err := o.Read(e.Path)
			if err == nil {
				text, err = ApplySteps(slices.DeleteFunc(e.Steps, func(s Step) bool { return s.Op == OpSetID }), was)
			}
			if err != nil {
				continue
			}
			stat = stands
		}
		stat.Size, stat.CTime = int64(len(text)), at.UnixNano()
		o.texts[e.Path] = overlaid{text, stat}
		paths = append(paths, e.Path)
	}
	return paths
}

// Read is [Files.Read].
func (o *overlay) Read(p Path) ([]byte, Stat, error) {
	if f, ok := o.texts[p]; ok {
		return bytes.Clone(f.text), f.stat, nil
	}
	return o.Files.Read(p)
}

// ReadSaved is [FileStatus.ReadSaved].
func (o *overlay) ReadSaved(ctx context.Context, p Path, whole func([]byte) bool) ([]byte, Stat, error) {
	if f, ok := o.texts[p]; ok {
		whole(f.text)
		return o.Read(p)
	}
	return o.FileStatus.ReadSaved(ctx, p, whole)
}

// Scan is [Files.Scan]. Only in a scope that names its files are there those that will be.
func (o *overlay) Scan(ctx context.Context, scope Scope, fn func(File) error) (complete bool, err error) {
	var others []Path
	for _, p := range scope.Paths {
		f, ok := o.texts[p]
		if !ok {
			others = append(others, p)
		} else if err := fn(File{Path: p, Stat: f.stat}); err != nil {
			return false, err
		}
	}
	if len(scope.Paths) > 0 && len(others) == 0 {
		return true, nil
	}
	scope.Paths = others
	return o.Files.Scan(ctx, scope, fn)
}

// List is [FileStatus.List].
func (o *overlay) List(ctx context.Context, dir Path) ([]string, error) {
	names, err := o.FileStatus.List(ctx, dir)
	for p := range o.texts {
		if dir == "" || p.Within(dir) {
			name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(string(p), string(dir)), "/"), "/")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), err
}
