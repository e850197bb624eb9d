package sync

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"math"
	"slices"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/frontmatter"
)

// blocks compares every parent's block with its children.
func (r *reconciler) blocks() error {
	for _, f := range r.allFamilies() {
		if r.only != nil && f.Parent.Path != r.only.Path || r.file(f.Parent.Path).left {
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
func (r *reconciler) allFamilies() []vault.Family {
	known := make(map[vault.Path]bool)
	for i, f := range r.families {
		known[f.Parent.Path] = true
		r.families[i].Children = append(f.Children, r.file(f.Parent.Path).arrived...)
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
		if on := r.file(p); on.there() && !known[p] {
			r.families = append(r.families, vault.Family{Parent: on.Node, Children: on.arrived, Problems: more[p]})
		}
	}
	return r.families
}

// family is the comparison of one parent: what its block is to say, and the
// steps that make it say so.
type family struct {
	*reconciler
	vault.Family
	children map[string]vault.Node // by the id, folded, that an entry may have for them
	before   []pointer.Entry       // as it stands
	after    []pointer.Entry       // as it is to be
	named    map[string]bool       // the ids in after, folded
	editable bool                  // the block may be written
	unsure   string                // why a person has to choose first; empty where nobody has
	aside    string                // why the file is left alone by design; empty where it is not
	repair   bool                  // the block is to be rendered anew
	restyle  bool                  // and in the style of new ones
	steps    []vault.Step
	mark     int // how many discrepancies there were before this family's
}

func (r *reconciler) family(known vault.Family) error {
	f := &family{reconciler: r, Family: known, children: make(map[string]vault.Node), named: make(map[string]bool), before: known.Entries, mark: len(r.out.Discrepancies)}
	f.Parent = r.readable(f.Parent)
	for i, c := range known.Children {
		known.Children[i] = r.readable(c)
	}
	f.index()
	if err := f.open(); err != nil {
		return err
	}
	for _, step := range []func() error{f.present, f.missing} {
		if err := step(); err != nil {
			return err
		}
	}
	if f.editable {
		f.write()
	} else {
		f.refuse()
	}
	return nil
}

// index notes the children by their ids. An entry follows its file when that gets a new one.
func (f *family) index() {
	for _, c := range slices.Backward(f.Children) { // of two with one id the first
		for _, old := range f.file(c.Path).lost {
			f.children[old.Fold()] = c
		}
	}
	for _, c := range f.Children {
		if !f.nameless(c) {
			f.children[f.id(c).Fold()] = c
		}
	}
}

// found records a discrepancy of this parent.
func (f *family) found(d Discrepancy, fixed string, args ...any) {
	d.Parent, d.ParentTitle = f.id(f.Parent), f.Parent.Title
	f.reconciler.found(d, fixed, args...)
}

// open reads the parent's block in its file: the mirror keeps neither repeated nor damaged
// entries. It notes whether the file may be edited: an empty one is left alone, since an
// editor may be at it.
func (f *family) open() error {
	if !f.Parent.HasBlock && len(f.Problems) == 0 {
		f.editable = true
		return nil
	}
	doc, err := f.read(f.Parent.Path)
	if err != nil {
		return nil // the problems tell why
	}
	if len(bytes.TrimSpace(doc)) == 0 {
		f.aside = string(f.Parent.Path) + " is empty: an editor may be at it"
		return nil
	}
	header, body := frontmatter.Split(doc)
	if err := f.readBlock(string(body), bytes.Count(doc[:len(doc)-len(body)], []byte("\n"))); err != nil {
		return err
	}
	if err := header.Err(); err != nil && err.NoKeys() {
		f.aside = string(f.Parent.Path) + " has no front matter, but a list or a text in its place"
	}
	f.editable = header.Err() == nil && f.unsure == ""
	return nil
}

// readBlock takes the entries from the text itself, damaged or not. The file has
// that many lines above the text.
func (f *family) readBlock(body string, above int) error {
	block, err := pointer.Find(body)
	var damage *pointer.Damage
	if errors.As(err, &damage) {
		damage.Line += above
	}
	switch {
	case err != nil:
		f.before, f.repair, f.restyle = pointer.Readable(body), true, f.o.Restyle
		f.found(Discrepancy{Type: InvalidBlock, Path: f.Parent.Path, Detail: err.Error()}, "rendered the pointer block anew")
		return f.choose(pointer.Repetitions(body))
	case block == nil:
		f.before = nil
	default:
		f.before = block.Entries
		if err := f.choose(block.Repeated); err != nil {
			return err
		}
		f.repeated(block.Repeated)
		if f.o.Restyle && block.Hidden != f.tx.Hidden() {
			f.restyle = true
			f.found(Discrepancy{Type: BlockStyle, Path: f.Parent.Path, Detail: "the pointer block is " + style(block.Hidden) + ", new ones are " + style(f.tx.Hidden())}, "the pointer block is %s now", style(f.tx.Hidden()))
		}
	}
	return nil
}

// style is the word for a block's style.
func style(hidden bool) string {
	if hidden {
		return "hidden"
	}
	return "visible"
}

// choose leaves the block to a person if one of two entries for one child says what no
// commit does, and the other something else.
func (f *family) choose(entries []pointer.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	doc, _, err := f.tx.Committed(f.ctx, f.was(f.Parent.Path))
	_, body := frontmatter.Split(doc)
	committed := append(pointer.Readable(string(body)), pointer.Repetitions(string(body))...)
	for _, e := range entries {
		same := func(o pointer.Entry) bool { return o.Names(e.ID) && o.Summary == e.Summary }
		if e.Summary != "" && e.Summary != vault.Placeholder && !slices.ContainsFunc(f.before, same) && !slices.ContainsFunc(committed, same) {
			f.unsure = "two pointers to " + e.ID + " say different things, and \"" + vault.Clip(e.Summary, 80) + "\" is in no commit: take one of them out"
		}
	}
	return err
}

func (f *family) repeated(entries []pointer.Entry) {
	for _, e := range entries {
		f.repair = true
		f.found(Discrepancy{Type: DuplicatePtr, Child: vault.ID(e.ID), ChildTitle: e.Title}, "removed the second pointer to %s", e.ID)
	}
}

// present goes through the entries of the block.
func (f *family) present() error {
	for _, e := range f.before {
		child, ok := f.children[pointer.Fold(e.ID)]
		if ok {
			if err := f.compare(e, child); err != nil {
				return err
			}
			continue
		}
		switch stays, err := f.stays(vault.ID(e.ID)); {
		case err != nil:
			return err
		case stays:
			f.keep(e)
		default:
			said, listed, err := f.typed(e)
			if f.file(f.was(f.Parent.Path)).head == nil && e.Summary != vault.Placeholder { // the commit that adopts the file tells it
				said, listed = e.Summary, true
			}
			switch {
			case err != nil:
				return err
			case said != "" && !listed && f.editable && !f.repair && f.was(f.Parent.Path) == f.Parent.Path:
				f.historic = append(f.historic, vault.Edit{Path: f.Parent.Path, Steps: []vault.Step{{Op: vault.OpSetPointer, Entry: &e}}})
			case said != "":
				f.notes = append(f.notes, string(f.Parent.Path)+": the pointer to "+e.ID+" said: "+said)
				f.found(Discrepancy{Type: EdgeMismatch, Child: vault.ID(e.ID), ChildTitle: e.Title, Detail: "the pointer block said: " + said}, "the commit's message keeps what the pointer to %s said: %s", e.ID, vault.Clip(said, 200))
			}
			f.steps = append(f.steps, vault.Step{Op: vault.OpRemovePointer, ID: vault.ID(e.ID)})
			found := Discrepancy{Type: StalePointer, Child: vault.ID(e.ID)}
			if at := f.memory(found.Child).stands; at != "" {
				found.Detail = "it is at " + string(at) + " now"
			}
			f.found(found, "removed stale pointer to %s", e.ID)
		}
	}
	return nil
}

// keep appends an entry to the new block.
func (f *family) keep(e pointer.Entry) {
	f.after = append(f.after, e)
	f.named[pointer.Fold(e.ID)] = true
}

// stays reports whether an entry without a child is left in the block: its file
// cannot be read just now, or is of another type than memory.
func (f *family) stays(id vault.ID) (bool, error) {
	if f.memory(id).spared || !f.out.Report.Complete {
		return true, nil
	}
	if err := f.loadRecords(); err != nil {
		return false, err
	}
	p := f.memory(id).record
	return p != "" && f.home(f.Parent, p), nil
}

// loadRecords reads where the records of other types lie, once and for all entries: a
// file that was pulled may have thousands without a child.
func (r *reconciler) loadRecords() error {
	if r.recorded {
		return nil
	}
	nodes, _, err := r.t.List(r.ctx, vault.ListOptions{Types: field.Records[:], Status: []string{"*"}, Limit: math.MaxInt32})
	for _, n := range nodes {
		r.memory(n.ID).record = n.Path
	}
	r.recorded = true
	return err
}

// compare settles what an entry and its child say differently.
func (f *family) compare(e pointer.Entry, child vault.Node) error {
	id := f.id(child)
	want := e
	if !e.Names(string(id)) {
		want.ID = string(id)
	}
	if f.file(child.Path).damaged { // what it says of itself cannot be read
		f.keep(e)
		return nil
	}
	var err error
	if want.Title, err = f.title(e, child); err != nil {
		return err
	}
	if want.Summary, err = f.phrase(e, child); err != nil {
		return err
	}
	for _, of := range [...]trait{byTitle, byPhrase} {
		switch is, own := of.entry(&want), of.memory(&vault.Memory{Header: child.Header}); {
		case is == own && is != of.entry(&e):
			f.commit(child, of, own)
		case is == own:
			if err := f.both(e, child, of); err != nil {
				return err
			}
		}
	}
	switch {
	case want.ID != e.ID:
		f.repair = true
	case want.Title != e.Title || want.Summary != e.Summary:
		f.point(want)
	case f.memory(id).touched:
		said, listed, err := f.typed(e)
		if err != nil {
			return err
		}
		if said != "" && listed && !f.memory(id).told {
			break // a person's uncommitted words, which no file says but this one
		}
		if said != "" && !f.memory(id).told && f.file(child.Path).taken {
			f.found(Discrepancy{Type: EdgeMismatch, Child: id, ChildTitle: child.Title}, "committed the phrase of %s in the pointer block: %s", id, vault.Clip(said, 200))
		}
		f.point(want)
	}
	f.keep(want)
	return nil
}

// typed returns the phrase of an entry if HEAD's block does not say it, and whether that has
// an entry.
func (f *family) typed(e pointer.Entry) (said string, listed bool, err error) {
	m, err := f.atHead(f.was(f.Parent.Path))
	if err != nil || m == nil || e.Summary == vault.Placeholder {
		return "", false, err
	}
	was, listed := m.Entry(vault.ID(e.ID))
	if was.Summary != e.Summary {
		said = e.Summary
	}
	return said, listed, nil
}

// point plans that the block says this of a child.
func (f *family) point(e pointer.Entry) {
	f.steps = append(f.steps, vault.Step{Op: vault.OpSetPointer, Entry: &pointer.Entry{ID: e.ID, Title: e.Title, Summary: e.Summary}})
}

// missing adds the children that the block does not name.
func (f *family) missing() error {
	children := slices.Clone(f.Children)
	slices.SortStableFunc(children, byCreation)
	for _, c := range children {
		id := f.id(c)
		if f.nameless(c) || f.file(c.Path).left || f.named[id.Fold()] {
			continue
		}
		e := pointer.Entry{ID: string(id), Title: c.Title, Summary: cmp.Or(c.Summary, f.memory(id).phrase, vault.Placeholder)}
		f.keep(e)
		f.steps = append(f.steps, vault.Step{Op: vault.OpSetPointer, Entry: &e})
		note := f.commit(c, byTitle, e.Title) + f.commit(c, byPhrase, e.Summary)
		if e.Summary == vault.Placeholder {
			note += " (placeholder summary)"
		}
		f.found(Discrepancy{Type: MissingPointer, Child: id, ChildTitle: c.Title}, "added pointer for %s%s", id, note)
	}
	return nil
}

// byCreation orders children by the time of their creation. Children without one come
// last.
func byCreation(a, b vault.Node) int {
	if a.Created.IsZero() != b.Created.IsZero() {
		if a.Created.IsZero() {
			return 1
		}
		return -1
	}
	return a.Created.Compare(b.Created)
}

// bulkPointers is the number of changes of a block from which they are made at once: each
// single one reads the whole block anew.
const bulkPointers = 100

// write adds the steps to the commit.
func (f *family) write() {
	steps := f.steps
	for _, id := range f.file(f.Parent.Path).departed {
		if !f.named[id.Fold()] {
			steps = append(steps, vault.Step{Op: vault.OpRemovePointer, ID: id})
		}
	}
	if f.repair || len(steps) >= bulkPointers {
		steps = []vault.Step{{Op: vault.OpSetBlock, Entries: f.after}}
	}
	if f.restyle {
		steps = append(steps, vault.Step{Op: vault.OpRestyle, Hidden: f.tx.Hidden()})
	}
	if len(steps) > 0 {
		f.edits.Add(f.Parent.Path, steps...)
	}
}

// refuse takes back the promise to fix this family: its file cannot be edited.
func (f *family) refuse() {
	why := cmp.Or(f.aside, f.unsure, "the front matter of "+string(f.Parent.Path)+" has to be mended by hand first")
	for i := f.mark; i < len(f.out.Discrepancies); i++ {
		d := &f.out.Discrepancies[i]
		d.Fixed, d.Detail, d.Aside = "", "not fixed: "+why, f.aside != ""
	}
}
