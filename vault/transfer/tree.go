package transfer

import (
	"cmp"
	"maps"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// planNewFiles plans the new files with their blocks, and pointers in the parents that
// were there before.
func (im *placer) planNewFiles() error {
	shape := make(tree.FolderNotes)
	for p := range im.nodes {
		shape.Add(p)
	}
	for _, f := range im.made {
		if f.memory.IsMemory() {
			shape.Add(f.path)
		}
	}
	blocks := make(map[vault.Path]*block)
	for _, f := range im.made {
		up, ok := shape.Above(f.path)
		if !ok || !f.memory.IsMemory() {
			continue
		}
		switch parent := im.byPath[up]; {
		case parent == nil:
			blockOf(blocks, up).add = append(blockOf(blocks, up).add, f.entry)
		case !parent.memory.Quiet():
			parent.kids = append(parent.kids, f.entry)
		}
	}
	im.movePointersBelow(shape, blocks)
	if err := im.parents(blocks); err != nil {
		return err
	}
	for _, f := range im.made {
		im.tx.Create(vault.Node{ID: f.memory.ID, Path: f.path}, im.withBlock(f))
	}
	return nil
}

// block is the new pointer block of a parent that existed before.
type block struct {
	add    []pointer.Entry
	remove []vault.ID
}

func blockOf(blocks map[vault.Path]*block, p vault.Path) *block {
	if blocks[p] == nil {
		blocks[p] = &block{}
	}
	return blocks[p]
}

// steps returns the edits of the block: the new pointers are one of them, since
// each reads the whole block.
func (b *block) steps() (steps []vault.Step) {
	if len(b.add) > 0 {
		steps = append(steps, vault.Step{Op: vault.OpAddPointer, Entries: b.add})
	}
	for _, id := range b.remove {
		steps = append(steps, vault.Step{Op: vault.OpRemovePointer, ID: id})
	}
	return steps
}

// movePointersBelow moves the pointers to memories that were there and lie below a new
// file now: notes/idea.md, when notes.md is imported.
func (im *placer) movePointersBelow(shape tree.FolderNotes, blocks map[vault.Path]*block) {
	for _, p := range slices.Sorted(maps.Keys(im.nodes)) {
		n := im.nodes[p]
		up, ok := shape.Above(p)
		parent := im.byPath[up]
		if !ok || parent == nil || n.ID.Provisional() {
			continue
		}
		parent.kids = append(parent.kids, pointer.Entry{ID: string(n.ID), Title: n.Title, Summary: cmp.Or(n.Summary, vault.Placeholder)})
		if old, err := im.tx.Tree().Find(im.ctx, string(n.Parent)); n.Parent != "" && err == nil {
			b := blockOf(blocks, old.Path)
			b.remove = append(b.remove, n.ID)
		}
	}
}

// withBlock returns the text of a new file with the block for its children.
func (im *placer) withBlock(f *newFile) []byte {
	var entries []pointer.Entry
	for _, e := range f.kids {
		if !slices.ContainsFunc(f.memory.Pointers, func(o pointer.Entry) bool { return o.PointsTo(e.ID) }) {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return f.text
	}
	text, err := vault.ApplySteps([]vault.Step{{Op: vault.OpSetBlock, Entries: append(slices.Clone(f.memory.Pointers), entries...), Hidden: im.tx.HidesPointers()}}, f.text)
	if err != nil {
		im.warnings = append(im.warnings, "no pointers in "+string(f.path)+": "+err.Error())
		return f.text
	}
	return text
}

// parents plans the pointers in the parents that were there before. A parent that cannot
// be edited is left alone with a warning, unless it is the one that the person named.
func (im *placer) parents(blocks map[vault.Path]*block) error {
	for _, p := range slices.Sorted(maps.Keys(blocks)) {
		d, steps, err := im.parent(p, blocks[p])
		if err != nil {
			return err
		}
		text, err := d.Text()
		if err == nil {
			_, err = vault.ApplySteps(steps, text)
		}
		switch {
		case err == nil:
			err = im.tx.Edit(d, steps...)
		case p.Within(im.dest) || im.under == "":
			im.warnings = append(im.warnings, "no new pointers in "+string(p)+": "+err.Error())
			continue
		}
		if err == nil {
			err = im.tx.Adopt(im.ctx, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// parent opens a parent that was there and returns what is to be done to it: it
// gets its id too, where it has none yet.
func (im *placer) parent(p vault.Path, b *block) (*vault.Doc, []vault.Step, error) {
	d, err := im.openExisting(p)
	if err != nil || !d.ID.Provisional() {
		return d, b.steps(), err
	}
	if d.ID, err = im.tx.NewID(im.ctx); err != nil {
		return nil, nil, err
	}
	return d, append([]vault.Step{im.tx.Identify(d.ID, d.Mem.ID)}, b.steps()...), nil
}

// openExisting opens a file that was there.
func (im *importer) openExisting(p vault.Path) (*vault.Doc, error) {
	n, ok, err := im.tx.Tree().At(im.ctx, p)
	if err != nil {
		return nil, err
	}
	if !ok {
		n.Path = p
	}
	return im.tx.OpenAt(n)
}
