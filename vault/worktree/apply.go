package worktree

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// bulk is the number of files beyond which one flush of the file system is
// cheaper than a sync of each (measured: 0.6–2.6 ms a file).
const bulk = 32

// run is one application of an intent, by the command that made it or by a later one.
type run struct {
	s      *Store
	ctx    context.Context
	in     *intent
	again  bool // a later command finishes what a crash left
	wrote  bool // and makes the files, too: the commit point was not reached
	bulk   bool
	moves  []relocation
	dirty  map[string]bool // folders whose names changed since the last sync
	stays  map[string]bool // files that keep their old place
	swaps  []swap
	back   returned
	notes  []string
	result vault.Published
	lost   []vault.Revision // what is to be made again before this is published

	putBacks int // how often something was put back into the index before this was published

	blobs     blobText // of what is taken
	blobsDone func()
}

func (s *Store) newRun(ctx context.Context, in *intent) *run {
	r := &run{s: s, ctx: ctx, in: in, dirty: make(map[string]bool), stays: make(map[string]bool)}
	files := 0
	for _, e := range in.Edits {
		files += 1 + len(e.Files)
		if e.To != "" {
			r.moves = append(r.moves, relocation{e.Path, e.To, e.Tree, e.Outside})
		}
	}
	r.bulk = files > bulk
	return r
}

// writeBeforeCommit does what comes before the commit point. All of it adds: a crash
// leaves more files or more text than there were, never less.
func (r *run) writeBeforeCommit() error {
	for _, step := range []struct {
		kind kind
		do   func(*edit) error
	}{{creates, r.create}, {changes, r.makeSteps}, {moves, r.makeSteps}, {moves, r.move}, {takes, r.applyEdit}} {
		for _, e := range r.in.Edits {
			if e.Kind == step.kind {
				if err := step.do(e); err != nil {
					return err
				}
			}
		}
	}
	r.writeSections(false)
	return r.sync()
}

// sync makes the names written so far durable, and in bulk their texts too. A
// later command cannot know what the killed one has not synced.
func (r *run) sync() error {
	if len(r.dirty) == 0 && !r.again {
		return nil
	}
	if r.bulk {
		clear(r.dirty)
		return disk.SyncFS(string(r.s.Dir))
	}
	for dir := range r.dirty {
		if !files.Present(dir) {
			continue
		}
		if err := disk.SyncDir(dir); err != nil {
			return err
		}
	}
	clear(r.dirty)
	return nil
}

func (r *run) markDirty(name string) { r.dirty[filepath.Dir(name)] = true }

// publish commits. Before it, what git took back is put right, and then this write's files.
func (r *run) publish() error {
	if r.in.Back {
		return r.restage()
	}
	for range 2 * rewinds {
		c, err := r.commit()
		if err != nil {
			return err
		}
		if r.result, err = r.s.repo.Publish(r.ctx, c, r.s.state); err == nil {
			return nil
		}
		if again, err := r.putRight(err); !again || err != nil {
			return err
		}
		if err := r.writeBeforeCommit(); err != nil {
			return err
		}
	}
	return vault.Errorf(vault.CodeBusy, "try again when git is done", "git resets the branch again and again")
}

// draft returns a commit without edits.
func (r *run) draft() vault.Commit {
	return vault.Commit{
		Op: r.in.Op, Message: r.in.Message, Agent: r.in.Agent, Time: r.in.At, Base: r.in.Base, Anew: r.in.Anew != "",
		Texts: make(map[vault.Path][]byte), Adopts: make(map[vault.Path]string), Rewound: r.noteRewound, Reverted: r.checkReverted,
	}
}

// commit returns what is to be recorded.
func (r *run) commit() (vault.Commit, error) {
	c := r.draft()
	c.Join = r.in.Join
	for _, e := range r.in.Edits {
		if err := r.addEdit(&c, e); err != nil {
			return c, err
		}
	}
	return c, nil
}

// addEdit adds an edit to the commit, in the repository's paths.
func (r *run) addEdit(c *vault.Commit, e *edit) error {
	out := e.Edit
	out.Outside = false
	out.Path = r.s.inRepo(e.Path, e.Outside)
	if e.To != "" {
		out.To = r.s.inRepo(e.To, e.Outside)
	}
	c.Adopts[out.Path] = e.Adopts
	switch {
	case e.Untrack && e.Kind == creates:
		return nil
	case e.Untrack:
		c.Edits = append(c.Edits, vault.Edit{Path: out.Path, Remove: true})
		return nil
	case e.Kind == creates && out.Create == nil:
		out.Create = []byte{} // JSON does not tell an empty file from none
	case e.Kind == removes && e.Tree:
		for _, f := range e.Files {
			c.Edits = append(c.Edits, vault.Edit{Path: r.s.inRepo(f.path(e.Path), false), Remove: true})
		}
		return nil
	case e.Whole:
		c.Texts[out.Path] = e.Text
	case e.Adopt:
		b, err := r.readAdopted(e)
		if b == nil {
			return err
		}
		c.Texts[out.Path] = b
	}
	c.Edits = append(c.Edits, out)
	return nil
}

// clear does the work after the commit point: it removes the old names of moved files, and
// the removed files.
func (r *run) clear() error {
	r.takeLateSaves()
	if err := r.ensureOnDisk(); err != nil {
		return err
	}
	for i, e := range r.in.Edits {
		var err error
		switch e.Kind {
		case moves:
			err = r.depart(i, e)
		case removes:
			err = r.removeFiles(i, e)
		case takes:
			err = r.takeGone(i, e)
		}
		if err != nil {
			return err
		}
	}
	return r.sync()
}

func (r *run) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// readAdopted reads the text that a hand-made file is committed with; nil when the
// file went away since planning, and the edit with it.
func (r *run) readAdopted(e *edit) ([]byte, error) {
	at := r.s.locateEdit(e.Path, e.Outside, r.moves)
	whole := func(b []byte) bool { return len(b) > 0 || e.After == emptyDigest }
	b, st, err := readSaved(r.ctx, func() ([]byte, vault.Stat, error) { return files.Read(at) }, whole)
	if err == nil && (whole(b) || quiet(st)) {
		return append([]byte{}, b...), nil
	}
	if files.IgnoreMissing(err) != nil {
		return nil, err
	}
	r.note("%s is empty or gone, so it is not committed", e.Path)
	return nil, nil
}
