package watch

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// fewFresh bounds the new files that get a commit each. More at once were put there by a
// program, and come in one.
const fewFresh = 20

// batch commits edits that are finished, each file by itself, and lets sync
// do what is about several files.
type batch struct {
	edits []edit
	calm  bool // no other file is just being made, moved or deleted

	busy     bool // git is at work: nothing was tried
	commits  []tree.Committed
	left     map[vault.Path]string
	later    map[vault.Path]bool // left for now
	warnings []string
}

func (b *batch) runBatch(ctx context.Context, o Options) {
	b.left, b.later = make(map[vault.Path]string), make(map[vault.Path]bool)
	if o.Vault.IsEjected() { // committing a file gives it an id
		return
	}
	slices.SortFunc(b.edits, func(x, y edit) int { return strings.Compare(string(x.Path), string(y.Path)) })
	head, err := o.Vault.Store.Head(ctx)
	if b.busy = err != nil || head.Busy != "" || gitAtWork(o.Git); b.busy {
		return
	}
	b.deliver(ctx, o)
	sync := b.structural()
	for i := range b.edits {
		if e := &b.edits[i]; !e.tried && !e.isGone() && !(sync && e.isNewFile()) && ctx.Err() == nil && !b.busy {
			sync = b.commitFile(ctx, o, e) || sync
		}
	}
	if sync && !b.busy && ctx.Err() == nil && b.mayTake(ctx, o) {
		b.sync(ctx, o)
	}
}

// faulty leaves the edits alone that a mistake of the program's own came of, until they change.
func (b *batch) faulty(err error) {
	if err == nil {
		return
	}
	b.later = nil
	b.warnings = append(b.warnings, err.Error())
	for _, e := range b.edits {
		b.left[e.Path] = err.Error()
	}
}

// structural reports whether the edits are about the tree: files that went, or
// came in numbers.
func (b *batch) structural() bool {
	fresh := 0
	for i := range b.edits {
		switch e := &b.edits[i]; {
		case e.tried:
		case e.isGone():
			return true
		case e.isNewFile():
			fresh++
		}
	}
	return fresh > fewFresh
}

// commitFile commits one file. It reports whether sync is needed beside it.
func (b *batch) commitFile(ctx context.Context, o Options, e *edit) (sync bool) {
	if b.noteHeld(o, e.Path) {
		return false
	}
	done, err := tree.Finish{Path: e.Path, Hash: e.Hash}.Do(ctx, o.Vault.Vault)
	switch vault.CodeOf(err) {
	case "":
	case vault.CodeLocked, vault.CodeBusy, vault.CodeQueued:
		b.busy = true
		return false
	default:
		if ctx.Err() == nil {
			b.left[e.Path] = err.Error()
		}
		return false
	}
	b.warnings = append(b.warnings, done.Warnings...)
	switch {
	case done.Commit != "":
		b.commits = append(b.commits, done.Committed)
	case done.Again:
		b.later[e.Path] = true
	case done.Why != "":
		b.left[e.Path] = done.Why
	}
	return done.Moved || done.Parent && done.Commit != ""
}

// noteHeld notes that an editor has a file open.
func (b *batch) noteHeld(o Options, p vault.Path) bool {
	if !isOpenInEditor(filepath.Join(o.Root, filepath.FromSlash(string(p)))) {
		return false
	}
	b.left[p], b.later[p] = "an editor has it open", true
	return true
}

// mayTake reports whether sync may take the files as they are: none that it
// would take up or delete is in an editor, half-made, or staged.
func (b *batch) mayTake(ctx context.Context, o Options) bool {
	ok := b.calm
	var paths []vault.Path
	for i := range b.edits {
		if e := &b.edits[i]; e.isGone() || e.isNewFile() {
			ok = !b.noteHeld(o, e.Path) && ok
			paths = append(paths, e.Path)
		}
	}
	staged, err := o.Vault.Store.ListStaged(ctx, paths)
	for _, p := range staged {
		b.left[p] = vault.WhyStaged
	}
	if ok = ok && err == nil && len(staged) == 0; !ok {
		for _, p := range paths {
			b.later[p] = true
		}
	}
	return ok
}

// sync does what is about several files, in one commit.
func (b *batch) sync(ctx context.Context, o Options) {
	r, err := o.Vault.Sync(ctx, sync.Options{})
	switch vault.CodeOf(err) {
	case "":
	case vault.CodeLocked, vault.CodeBusy, vault.CodeQueued:
		b.busy = true
		return
	default:
		if ctx.Err() == nil {
			b.warnings = append(b.warnings, "sync: "+err.Error())
		}
		return
	}
	b.warnings = append(b.warnings, r.Warnings...)
	if !r.Fixed {
		return
	}
	head, _ := o.Vault.Store.Head(ctx)
	b.commits = append(b.commits, tree.Committed{Title: account(r.Discrepancies), Commit: head.Commit})
}

// account tells in a line what sync did: its first things, and how many more.
func account(found []sync.Discrepancy) string {
	const told = 3
	var done []string
	for _, d := range found {
		if d.Fixed != "" {
			done = append(done, d.Fixed)
		}
	}
	if n := len(done) - told; n > 0 {
		done = append(done[:told], fmt.Sprintf("%d more", n))
	}
	return strings.Join(done, "; ")
}

// deliver commits what waits in the outbox.
func (b *batch) deliver(ctx context.Context, o Options) {
	added, err := o.Vault.Deliver(ctx)
	if err != nil {
		return // it stays there, and the next command says so
	}
	for _, a := range added {
		b.commits = append(b.commits, tree.Committed{ID: a.ID, Title: a.Title, Path: a.Path})
		b.warnings = append(b.warnings, a.Warnings...)
	}
}
