package sync

import (
	"context"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// settleMerges puts right what merges made by git itself left behind: files in
// two places, texts merged as text, two memories at one path, children left by
// a parent that moved. What it decides follows from the commits alone: the
// base, the two sides and what git made of them, alike whichever of them is
// whose. So every clone comes to the same tree, in whatever order it merges.
//
// It touches only what is as git by itself made it, and still is as the merge left
// it: a person who has settled something by hand, in the merge or after it, has
// decided.
func (v *Syncer) settleMerges(ctx context.Context, o Options, out *Synced) error {
	if v.Merges == nil || o.Parent != "" {
		return nil
	}
	all, first, err := v.Merges.Made(ctx)
	if err != nil || len(all) == 0 {
		return err
	}
	for _, m := range all {
		s := &settlement{v: v, ctx: ctx, o: o, m: m, quiet: first && !m.New, replays: make(map[Replay]func(vault.Path) ([]byte, error))}
		plan := func(ctx context.Context, t vault.Tree) (*vault.Change, error) {
			s.out = nil
			if idle, err := s.idle(t); idle || err != nil {
				return nil, err
			}
			return s.plan(t)
		}
		if o.DryRun {
			err = v.View(ctx, vault.Scope{}, func(t vault.Tree) error { _, err := plan(ctx, t); return err })
		} else {
			var receipt vault.Receipt
			receipt, err = v.Update(ctx, "sync", vault.Scope{}, plan)
			out.Fixed = out.Fixed || receipt.Commit != receipt.Before
			out.Warnings = append(out.Warnings, receipt.Notes...)
		}
		if err != nil {
			return err
		}
		out.Discrepancies = append(out.Discrepancies, s.out...)
		if s.blind {
			out.Warnings = append(out.Warnings, "the merge "+vault.Short(m.Commit)+": this git cannot tell what it made by itself from what a person decided, so the texts stay as they are; git 2.38 or newer can")
		}
		out.Conflicts = append(out.Conflicts, s.gave...)
	}
	return nil
}

// markMerges remembers that the merges up to HEAD have been looked at.
func (v *Syncer) markMerges(ctx context.Context, o Options) error {
	if v.Merges == nil || o.Parent != "" || o.DryRun {
		return nil
	}
	tip, err := v.Store.Tip(ctx)
	if err != nil || tip == "" {
		return err
	}
	return v.Merges.Mark(ctx, tip)
}

// settlement is the work on one merge.
type settlement struct {
	v     *Syncer
	ctx   context.Context
	o     Options
	m     Merge
	quiet bool // a clone's first look at old merges: only what is mended is told
	t     vault.Tree
	head  string
	alone bool // only the commits are asked, as if HEAD were the merge

	replays map[Replay]func(vault.Path) ([]byte, error) // what git makes of the sides, as far as that was asked; nil where it cannot
	blind   bool                                        // it was asked, and git could not
	spared  bool                                        // something was left alone for a person's uncommitted work

	asked  map[vault.Path]bool // of the versions
	paths  []vault.Path        // that either side, or git, changed
	base   *snapshot
	sides  [2]*snapshot
	merged *snapshot // what git made of it
	now    *snapshot // HEAD

	moves   map[vault.ID]move
	byHand  map[vault.ID]bool       // of the moves: a person chose that place in the merge
	paired  map[vault.Path]bool     // places that two memories took
	targets map[vault.ID]vault.Path // where a memory is to be, as far as that was asked
	edits   editList
	gone    []vault.ID
	back    []vault.ID // that git had left out
	out     []Discrepancy
	gave    []Conflict
}

// idle reports whether an older merge left nothing to put right. Changes that later
// commits made to its files do not count.
func (s *settlement) idle(t vault.Tree) (bool, error) {
	head, err := s.v.Store.Head(s.ctx)
	if err != nil || head.Commit == s.m.Commit {
		return false, err
	}
	alone := &settlement{v: s.v, ctx: s.ctx, o: s.o, m: s.m, quiet: s.quiet, head: s.m.Commit, alone: true, replays: s.replays}
	c, err := alone.compare(t)
	s.blind, s.gave = alone.blind, alone.gave
	return err == nil && len(c.Edits) == 0, err
}

// plan says what is to be done.
func (s *settlement) plan(t vault.Tree) (*vault.Change, error) {
	head, err := s.v.Store.Head(s.ctx)
	if err != nil {
		return nil, err
	}
	s.head = head.Commit
	return s.compare(t)
}

// compare compares the versions.
func (s *settlement) compare(t vault.Tree) (*vault.Change, error) {
	s.t, s.moves, s.targets, s.edits, s.gone, s.back = t, make(map[vault.ID]move), make(map[vault.ID]vault.Path), editList{}, nil, nil
	s.paired, s.byHand, s.spared = make(map[vault.Path]bool), make(map[vault.ID]bool), false
	for _, step := range []func() error{s.load, s.deleted, s.twoAtOnePath, s.apart, s.moved, s.cycles, s.place, s.files, s.texts, s.tell} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	title := vault.Plural(len(s.out), "discrepancy", "discrepancies")
	r := reconciler{out: &Synced{Discrepancies: s.out}}
	_, note := r.account()
	c := &vault.Change{Verb: "sync", Title: "a merge, " + title, Note: note, Edits: s.edits.all(), Gone: s.gone, Mirrors: true}
	if !s.spared {
		c.Settles = s.m.Commit
	}
	return c, nil
}

// load reads the files that either side changed, and those that can be the memory of a
// folder above one, in all versions.
func (s *settlement) load() error {
	changed := make(map[vault.Path]bool)
	for _, commit := range [...]string{s.m.Sides[0], s.m.Sides[1], s.m.Commit} { // git may choose a place that is neither's
		err := s.v.Store.Changes(s.ctx, s.m.Base, commit, func(p vault.Path, _ string) error {
			changed[p] = true
			return nil
		})
		if err != nil {
			return err
		}
	}
	s.paths = slices.Sorted(maps.Keys(changed))
	s.asked = make(map[vault.Path]bool)
	s.base, s.sides[0], s.sides[1] = newSnapshot(s.m.Base), newSnapshot(s.m.Sides[0]), newSnapshot(s.m.Sides[1])
	s.merged, s.now = newSnapshot(s.m.Commit), newSnapshot(s.head)
	return s.read(s.paths)
}

// all returns the versions.
func (s *settlement) all() []*snapshot {
	return []*snapshot{s.base, s.sides[0], s.sides[1], s.merged, s.now}
}

// read adds the files at the paths, and those that can be the memory of a folder above
// one, to all versions.
func (s *settlement) read(paths []vault.Path) error {
	var more []vault.Path
	ask := func(p vault.Path) {
		if !s.asked[p] {
			s.asked[p] = true
			more = append(more, p)
		}
	}
	for _, p := range paths {
		if p.IsMarkdown() {
			ask(p)
		}
		for dir := p.Dir(); dir != ""; dir = dir.Dir() {
			for _, seat := range [...]vault.Path{dir + ".md", dir.Join("index.md"), dir.Join("_index.md"), dir.Join("README.md"), dir.Join("readme.md")} {
				ask(seat)
			}
		}
	}
	slices.Sort(more)
	for _, n := range s.all() {
		if len(more) == 0 {
			break
		}
		texts, err := s.v.Merges.Texts(s.ctx, n.commit, more)
		if err != nil {
			return err
		}
		n.add(texts)
	}
	return nil
}

// ids lists the ids that stand in a changed file of some version.
func (s *settlement) ids() []vault.ID {
	found := make(map[vault.ID]bool)
	for _, n := range []*snapshot{s.base, s.sides[0], s.sides[1], s.merged} {
		for _, p := range s.paths {
			if m := n.mem[p]; m != nil && m.ID != "" {
				found[m.ID] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// untouched reports whether the memory is still where the merge left it, and in how many
// places.
func (s *settlement) untouched(id vault.ID) bool {
	return len(s.merged.at[id]) > 0 && slices.Equal(s.merged.at[id], s.now.at[id])
}

// find returns where a memory is that neither side has changed.
func (s *settlement) find(id vault.ID) (vault.Path, bool) {
	if s.alone {
		return s.merged.one(id)
	}
	n, err := s.t.Find(s.ctx, string(id))
	return n.Path, err == nil && n.ID == id
}

// look reports whether there is a file at p.
func (s *settlement) look(p vault.Path) (bool, error) {
	if s.alone {
		_, other := s.merged.others[p]
		return other || s.merged.texts[p] != nil, nil
	}
	there, err := s.v.Store.Look(s.ctx, p)
	return there.File, err
}

// clean reports whether the file at p is on disk as it is in HEAD.
func (s *settlement) clean(p vault.Path) bool {
	if s.alone {
		return true
	}
	disk, staged, err := s.v.Store.Modified(s.ctx, p)
	clean := err == nil && len(disk)+len(staged) == 0
	s.spared = s.spared || !clean
	return clean
}

func (s *settlement) found(kind string, id vault.ID, p vault.Path, detail, fixed string) {
	title := ""
	for _, n := range []*snapshot{s.now, s.merged, s.base} {
		if m := n.mem[p]; m != nil && title == "" {
			title = m.Title
		}
	}
	s.out = append(s.out, Discrepancy{Type: kind, Child: id, ChildTitle: title, Path: p, Detail: detail, Fixed: fixed})
}
