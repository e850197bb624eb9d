package sync

import (
	"cmp"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/pointer"
)

// blocks compares every parent's block with its children.
func (r *reconciler) blocks() error {
	for _, f := range r.allFamilies() {
		if r.only != nil && f.Parent.Path != r.only.Path || r.fileAt(f.Parent.Path).left {
			continue
		}
		r.out.ParentsChecked++
		if err := r.family(f); err != nil {
			return err
		}
	}
	return nil
}

// allFamilies returns the parents the mirror knows, with the orphans that found
// a new one, and those that have no child and no block it could read but need
// looking at: a block in HEAD, or a damaged one.
func (r *reconciler) allFamilies() []household {
	known := make(map[vault.Path]bool)
	for i, f := range r.families {
		known[f.Parent.Path] = true
		r.families[i].Children = append(f.Children, r.fileAt(f.Parent.Path).arrived...)
	}
	more := make(map[vault.Path][]vault.Problem)
	for p, on := range r.files {
		if len(on.arrived)+len(on.departed) > 0 {
			more[p] = nil
		}
	}
	for _, p := range r.out.Problems {
		if p.Kind == vault.ProblemBlock || p.Kind == vault.ProblemMarkers {
			more[p.Path] = append(more[p.Path], p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(more)) {
		if on := r.fileAt(p); on.isInMirror() && !known[p] {
			r.families = append(r.families, household{Parent: on.node, Children: on.arrived, Problems: more[p]})
		}
	}
	return r.families
}

// family is the comparison of one parent: what its block is to say, and the
// steps that make it say so.
type family struct {
	*reconciler
	household
	children map[string]node // by the id, folded, that an entry may have for them
	before   []pointer.Entry // as it stands
	after    []pointer.Entry // as it is to be
	named    map[string]bool // the ids in after, folded
	editable bool            // the block may be written
	unsure   string          // why a person has to choose first; empty where nobody has
	aside    string          // why the file is left alone by design; empty where it is not
	repair   bool            // the block is to be rendered anew
	restyle  bool            // and in the style of new ones
	steps    []vault.Step
	mark     int // how many discrepancies there were before this family's
}

func (r *reconciler) family(known household) error {
	f := &family{reconciler: r, household: known, children: make(map[string]node), named: make(map[string]bool), before: known.Entries, mark: len(r.out.Discrepancies)}
	f.Parent = r.readable(f.Parent)
	for i, c := range known.Children {
		known.Children[i] = r.readable(c)
	}
	f.noteChildren()
	if err := f.openBlock(); err != nil {
		return err
	}
	if f.Parent.Quiet() {
		return f.dropBlock()
	}
	for _, step := range []func() error{f.present, f.addMissing} {
		if err := step(); err != nil {
			return err
		}
	}
	if f.editable {
		f.addSteps()
	} else {
		f.takeBackPromise()
	}
	return nil
}

// noteChildren notes the children by their ids. An entry follows its file when that gets a new one.
func (f *family) noteChildren() {
	for _, c := range slices.Backward(f.Children) { // of two with one id the first
		for _, old := range f.fileAt(c.Path).lost {
			f.children[old.Fold()] = c
		}
	}
	for _, c := range f.Children {
		if !f.nameless(c) {
			f.children[f.idAfterPass(c).Fold()] = c
		}
	}
}

// addDiscrepancy records a discrepancy of this parent.
func (f *family) addDiscrepancy(d Discrepancy, fixed string, args ...any) {
	d.Parent, d.ParentTitle = f.idAfterPass(f.Parent), f.Parent.Title
	f.reconciler.addDiscrepancy(d, fixed, args...)
}

// bulkPointers is the number of changes of a block from which they are made at once: each
// single one reads the whole block anew.
const bulkPointers = 100

// addSteps adds the steps to the commit.
func (f *family) addSteps() {
	steps := f.steps
	for _, id := range f.fileAt(f.Parent.Path).departed {
		if !f.named[id.Fold()] {
			steps = append(steps, vault.Step{Op: vault.OpRemovePointer, ID: id})
		}
	}
	if f.repair || pointers(steps) >= bulkPointers {
		steps = []vault.Step{{Op: vault.OpSetBlock, Entries: f.after}}
	}
	if f.restyle {
		steps = append(steps, vault.Step{Op: vault.OpRestyle, Hidden: f.tx.HidesPointers()})
	}
	if len(steps) > 0 {
		f.edits.Add(f.Parent.Path, steps...)
	}
}

// pointers counts the entries that the steps are about.
func pointers(steps []vault.Step) (n int) {
	for _, s := range steps {
		n += max(1, len(s.Entries))
	}
	return n
}

// takeBackPromise takes back the promise to fix this family: its file cannot be edited.
func (f *family) takeBackPromise() {
	why := cmp.Or(f.aside, f.unsure, "the front matter of "+string(f.Parent.Path)+" has to be mended by hand first")
	for i := f.mark; i < len(f.out.Discrepancies); i++ {
		d := &f.out.Discrepancies[i]
		d.Fixed, d.Detail, d.Aside = "", "not fixed: "+why, f.aside != ""
	}
}
