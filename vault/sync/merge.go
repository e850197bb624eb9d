package sync

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
)

// converge puts right what merges made by git itself left behind: files in two
// places, texts merged as text, two memories at one path, children left by a parent
// that moved. Package converge decides on each; a merge that is put right, or left
// nothing to put right, is not looked at again.
func (v *Syncer) converge(ctx context.Context, o Options, out *Synced) error {
	if v.Merges == nil || o.Parent != "" {
		return nil
	}
	all, first, err := v.Merges.ListMerges(ctx)
	if err != nil {
		return err
	}
	for _, m := range all {
		d, receipt, err := doVerb(ctx, v, o, one{v, converge.Input{Merge: m, Quiet: first && !m.New}})
		if err != nil {
			return err
		}
		out.Fixed = out.Fixed || receipt.Commit != receipt.Before
		out.Warn(receipt.Notes...)
		out.Discrepancies = append(out.Discrepancies, d.Discrepancies...)
		if d.Blind && !o.DryRun {
			out.Warnings = append(out.Warnings, "the merge "+vault.Short(m.Commit)+": this git cannot tell what it made by itself from what a person decided, so the texts stay as they are; git 2.38 or newer can")
		}
		out.Conflicts = append(out.Conflicts, d.Conflicts...)
	}
	return nil
}

// markMerges remembers that the merges up to HEAD have been looked at.
func (v *Syncer) markMerges(ctx context.Context, o Options) error {
	if v.Merges == nil || o.Parent != "" {
		return nil
	}
	tip, err := v.Store.Tip(ctx)
	if err != nil || tip == "" {
		return err
	}
	return v.Merges.Mark(ctx, tip)
}

// one is the verb that puts one merge right.
type one struct {
	*Syncer
	in converge.Input
}

// Name is the verb's, as of all that sync does.
func (o one) Name() string { return "sync" }

// Plan compares the versions. An older merge that left nothing to put right has none
// of its business with what later commits made of it.
func (o one) Plan(ctx context.Context, tx *vault.Tx) (d converge.Decision, err error) {
	if _, err = tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return d, err
	}
	in := o.in
	if in.Head, err = tx.Tip(ctx); err != nil {
		return d, err
	}
	var facts changedFacts
	if in.Changed, facts, err = o.listChanged(ctx, in.Merge); err != nil {
		return d, err
	}
	p := &past{Syncer: o.Syncer, ctx: ctx, m: in.Merge, tx: tx, replays: make(map[Replay]func(vault.Path) ([]byte, error))}
	if d, err = o.decideMemories(p, in); err != nil {
		return d, err
	}
	if err = o.addFacts(p, in, facts.both, &d); err != nil {
		return d, err
	}
	if err = o.returnFacts(p, in, facts.lost, &d); err != nil {
		return d, err
	}
	title, note := account(d.Discrepancies)
	c := &vault.Change{Title: "a merge, " + title, Note: note, Edits: d.Edits, Gone: d.Gone, Mirrors: true}
	if !d.Spared {
		c.Settles = in.Commit
	}
	tx.Take(c)
	return d, nil
}

// decideMemories decides about the memories.
func (o one) decideMemories(p *past, in converge.Input) (d converge.Decision, err error) {
	blind := false
	if in.Head != in.Commit {
		alone := in
		alone.Head, alone.Alone = in.Commit, true
		if d, err = converge.Decide(alone, p.answerFacts); err != nil || len(d.Edits) == 0 {
			d.Discrepancies = nil
			return d, err
		}
		blind = d.Blind
	}
	d, err = converge.Decide(in, p.answerFacts)
	d.Blind = d.Blind || blind
	return d, err
}

// ListDropped tells which values give way where both sides of a merge, which is in no
// commit yet, have set them.
func (v *Syncer) ListDropped(ctx context.Context, m Merge) ([]Conflict, error) {
	if v.Merges == nil {
		return []Conflict{}, nil
	}
	m.Commit = m.Sides[0]
	changed, facts, err := v.listChanged(ctx, m)
	if err != nil {
		return nil, err
	}
	all, err := converge.FindDropped(converge.Input{Merge: m, Changed: changed}, (&past{Syncer: v, ctx: ctx, m: m}).answerFacts)
	if err != nil || len(facts.both) == 0 {
		return all, err
	}
	gave, err := v.droppedOf(ctx, m, facts.both)
	return converge.WithoutRepeats(append(all, gave...)), err
}

// droppedOf tells what people wrote into facts files that both sides changed, and a merge does
// not keep.
func (v *Syncer) droppedOf(ctx context.Context, m Merge, both []vault.Path) (all []Conflict, err error) {
	var at [3]map[vault.Path][]byte
	for i, commit := range [...]string{m.Base, m.Sides[0], m.Sides[1]} {
		if at[i], err = v.Merges.Texts(ctx, commit, both); err != nil {
			return nil, err
		}
	}
	for _, path := range both {
		all = append(all, droppedFacts(path, at[0][path], at[1][path], at[2][path], m.Sides)...)
	}
	return all, nil
}

// changedFacts are the facts files that a merge is about.
type changedFacts struct {
	both []vault.Path // that both sides changed
	lost []vault.Path // that one side deleted, and the merge with it
}

// listChanged lists the memories' files that either side changed, or that git put where neither
// has them, and the facts files that both changed or that one deleted.
func (v *Syncer) listChanged(ctx context.Context, m Merge) (files []vault.Path, facts changedFacts, err error) {
	const merged = 2
	changed, touched, gone := make(map[vault.Path]bool), make(map[vault.Path][3]bool), make(map[vault.Path][3]bool)
	for i, commit := range [...]string{m.Sides[0], m.Sides[1], m.Commit} {
		err := v.Store.Changes(ctx, m.Base, commit, func(p vault.Path, blob string) error {
			if p.IsFacts() {
				t, g := touched[p], gone[p]
				t[i], g[i] = true, blob == ""
				touched[p], gone[p] = t, g
			} else if !p.Foreign() {
				changed[p] = true
			}
			return nil
		})
		if err != nil {
			return nil, facts, err
		}
	}
	for p, t := range touched {
		switch g := gone[p]; {
		case g[merged] && g[0] != g[1]:
			facts.lost = append(facts.lost, p)
		case t[0] && t[1] && t[merged]:
			facts.both = append(facts.both, p)
		}
	}
	slices.Sort(facts.both)
	slices.Sort(facts.lost)
	return slices.Sorted(maps.Keys(changed)), facts, nil
}

// past answers the questions of converge about one merge. A file that cannot be read
// counts as missing, or as a person's.
type past struct {
	*Syncer
	ctx     context.Context
	m       Merge
	tx      *vault.Tx
	replays map[Replay]func(vault.Path) ([]byte, error) // what git makes of the sides, as far as that was asked; nil where it cannot
}

func (p *past) answerFacts(f *converge.Facts) error {
	return cmp.Or(p.readTexts(f), f.Clean.Each(p.isClean), f.File.Each(p.isFile), f.Place.Each(p.memoryPath), f.Below.Each(p.listDescendants),
		f.Arrived.Each(p.findArrival), f.Blob.Each(p.blob), f.Made.Each(p.replayMerge))
}

// readTexts reads what commits hold.
func (p *past) readTexts(f *converge.Facts) (err error) {
	for _, commit := range f.Commits() {
		var texts map[vault.Path][]byte
		if len(f.Paths) > 0 {
			texts, err = p.Merges.Texts(p.ctx, commit, f.Paths)
		}
		var others map[vault.Path]string
		if err == nil && len(f.Folders) > 0 {
			others, err = p.Merges.Others(p.ctx, commit, f.Folders)
		}
		if err != nil {
			return err
		}
		f.Tell(commit, texts, others)
	}
	return nil
}

// replayMerge returns what git makes of a path where it merges the sides once more.
func (p *past) replayMerge(of converge.Made) (r converge.Replayed, err error) {
	text, asked := p.replays[of.How]
	if !asked {
		if text, err = p.Merges.Replay(p.ctx, p.m.Sides[0], p.m.Sides[1], of.How); err != nil {
			return r, err
		}
		p.replays[of.How] = text
	}
	if r.Blind = text == nil; !r.Blind {
		r.Text, err = text(of.Path)
	}
	return r, err
}

func (p *past) isClean(at vault.Path) (bool, error) {
	return p.tx.Clean(p.ctx, at) == nil, nil
}

func (p *past) isFile(at vault.Path) (bool, error) {
	there, err := p.tx.Look(p.ctx, at)
	return there.File, err
}

func (p *past) memoryPath(id vault.ID) (vault.Path, error) {
	if n, err := p.tx.Tree().Find(p.ctx, string(id)); err == nil && n.ID == id {
		return n.Path, nil
	}
	return "", nil
}

func (p *past) listDescendants(id vault.ID) ([]vault.Node, error) {
	nodes, _ := p.tx.Tree().Walk(p.ctx, vault.WalkOptions{Root: id, MaxDepth: vault.MaxDepth, Closed: true})
	return nodes, nil
}

func (p *past) findArrival(at converge.At) (vault.Revision, error) {
	return p.Merges.FindArrival(p.ctx, p.m.Base, at.Commit, at.Path)
}

func (p *past) blob(at converge.At) ([]byte, error) {
	texts, err := p.Merges.Texts(p.ctx, at.Commit, []vault.Path{at.Path})
	return texts[at.Path], err
}
