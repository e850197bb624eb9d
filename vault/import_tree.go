package vault

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/frontmatter"
)

// edits returns what the import does: the new files with their blocks, pointers
// in the parents that were there before, and replaced texts.
func (im *importer) edits() ([]Edit, error) {
	tree := make(seats)
	for p := range im.nodes {
		tree.add(p)
	}
	for _, f := range im.made {
		if f.memory.Type == TypeMemory {
			tree.add(f.path)
		}
	}
	steps := make(map[Path][]Step) // in parents that were there
	for _, f := range im.made {
		up, ok := tree.above(f.path)
		if !ok || f.memory.Type != TypeMemory {
			continue
		}
		if parent := im.byPath[up]; parent != nil {
			parent.kids = append(parent.kids, f.entry)
		} else {
			steps[up] = append(steps[up], Step{Op: OpAddPointer, Entry: &f.entry})
		}
	}
	im.captured(tree, steps)
	edits, err := im.parents(steps)
	if err != nil {
		return nil, err
	}
	for _, f := range im.made {
		edits = append(edits, Edit{Path: f.path, Create: im.withBlock(f)})
	}
	return append(edits, im.updates...), nil
}

// captured moves the pointers to memories that were there and lie below a new
// file now: notes/idea.md, when notes.md is imported.
func (im *importer) captured(tree seats, steps map[Path][]Step) {
	for _, p := range sortedKeys(im.nodes) {
		n := im.nodes[p]
		up, ok := tree.above(p)
		parent := im.byPath[up]
		if !ok || parent == nil || n.ID.Provisional() {
			continue
		}
		parent.kids = append(parent.kids, pointer.Entry{ID: string(n.ID), Title: n.Title, Summary: cmp.Or(n.Summary, Placeholder)})
		if old, err := im.t.Find(im.ctx, string(n.Parent)); n.Parent != "" && err == nil {
			steps[old.Path] = append(steps[old.Path], Step{Op: OpRemovePointer, ID: n.ID})
		}
	}
}

// withBlock returns the text of a new file with the block for its children.
func (im *importer) withBlock(f *newFile) []byte {
	var entries []pointer.Entry
	for _, e := range f.kids {
		if entryOf(f.memory.Pointers, ID(e.ID)) == nil {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return f.text
	}
	text, err := ApplySteps([]Step{{Op: OpSetBlock, Entries: append(slices.Clone(f.memory.Pointers), entries...)}}, f.text)
	if err != nil {
		im.warnings = append(im.warnings, "no pointers in "+string(f.path)+": "+err.Error())
		return f.text
	}
	return text
}

// parents returns the edits of the parents that were there. One that cannot be
// edited is left alone with a warning, unless it is the one that was named.
func (im *importer) parents(steps map[Path][]Step) ([]Edit, error) {
	var edits []Edit
	for _, p := range sortedKeys(steps) {
		doc, _, err := im.v.Store.Read(p)
		if err != nil {
			return nil, err
		}
		var s []Step
		for _, step := range steps[p] {
			s = gather(s, step)
		}
		if n := im.nodes[p]; n.ID.Provisional() {
			id, err := im.v.reading().NewID(im.ctx)
			if err != nil {
				return nil, err
			}
			header, _ := frontmatter.Split(doc)
			s = append(idSteps(header, id), s...)
		}
		if _, err := ApplySteps(s, doc); err == nil {
			edits = append(edits, Edit{Path: p, Steps: s, Adopt: true})
		} else if p.Within(im.dest) || im.o.Under == "" {
			im.warnings = append(im.warnings, "no new pointers in "+string(p)+": "+err.Error())
		} else {
			return nil, err
		}
	}
	return edits, nil
}
