package vault

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// NewID draws an id that this clone has not seen. The nth of a write is the same
// when it is planned again.
func (tx *Tx) NewID(ctx context.Context) (ID, error) {
	for {
		if tx.drawn == len(tx.fixed.ids) {
			id, err := NewID(tx.v.Prefix, tx.v.Random)
			if err != nil {
				return "", err
			}
			tx.fixed.ids = append(tx.fixed.ids, id)
		}
		id := tx.fixed.ids[tx.drawn]
		taken, err := tx.isTaken(ctx, id)
		switch {
		case err != nil:
			return "", err
		case !taken:
			tx.drawn++
			return id, nil
		}
		tx.fixed.ids = slices.Delete(tx.fixed.ids, tx.drawn, tx.drawn+1)
	}
}

// manyIDs is after how many ids the tree is asked once for all it has: a question
// for each was a third of an import of thousands of files (measured).
const manyIDs = 64

// isTaken reports whether somebody has the id.
func (tx *Tx) isTaken(ctx context.Context, id ID) (bool, error) {
	if tx.drawn >= manyIDs && tx.known == nil {
		all, err := tx.Tree().Walk(ctx, WalkOptions{MaxDepth: MaxDepth + 1, Closed: true})
		if err != nil {
			return false, err
		}
		tx.known = make(map[ID]bool, len(all))
		for _, n := range all {
			tx.known[n.ID] = true
		}
	}
	if tx.known != nil {
		return tx.known[id] || tx.at[id] != nil, nil
	}
	_, err := tx.Tree().Find(ctx, string(id))
	if CodeOf(err) == CodeNotFound {
		return tx.at[id] != nil, nil
	}
	return true, err
}

// NewPath returns a free path in dir for a file named name: name.md, name-2.md, … It skips
// the names of a folder's own memory (index, readme), names whose folder exists and those of notes
// of other kinds, so that a new file never becomes the parent of files that it did not create.
func (tx *Tx) NewPath(ctx context.Context, dir Path, name string) (Path, error) {
	base := dir.Join(name)
	for n := tx.next[base] + 1; ; n++ {
		tx.next[base] = n
		p := dir.Join(numberName(name, n) + ".md")
		if dir.Join("x").Join(p.Base()).FolderRank() > 0 {
			continue
		}
		there, err := tx.Look(ctx, p)
		if err != nil {
			return "", err
		}
		for _, kind := range header.Endings {
			other, err := tx.Look(ctx, p.Stem()+Path(kind))
			if there.File = there.File || other.File; err != nil {
				return "", err
			}
		}
		if !there.File && !there.Folder {
			return p, nil
		}
	}
}

// numberName is the nth form of a name: name, name-2, name-3 …
func numberName(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n)
}

// Create plans a new file. The rest of the plan knows the memory by n, its parent for
// example. The text is parsed only when the memory is opened, which an import of thousands
// never does.
func (tx *Tx) Create(n Node, text []byte) {
	e := tx.editAt(n.Path)
	e.Path, e.To, e.Create = n.Path, "", text
	tx.rememberDoc(&Doc{Node: n, text: text, created: true})
}

// editAt returns the edit of the file that will be at p; a new one changes nothing yet.
func (tx *Tx) editAt(p Path) *Edit {
	e, ok := tx.edits[p]
	if !ok {
		e = &Edit{Path: tx.was(p)}
		if e.Path != p {
			e.To = p
		}
		tx.noteEdit(p, e)
		tx.order = append(tx.order, e)
	}
	return e
}

// Edit plans steps on a file. A parent that keeps no pointers gets none.
func (tx *Tx) Edit(d *Doc, steps ...Step) error {
	if err := d.Writable(); err != nil {
		return err
	}
	e := tx.editAt(d.Path)
	tx.setBlockStyle(steps)
	for _, s := range steps {
		if d.keepsNo(s) {
			continue
		}
		e.Steps = gather(e.Steps, s)
		if err := d.apply(s); err != nil {
			return err
		}
	}
	tx.at[d.ID] = d
	return nil
}

// Adopt plans that the file is committed as it stands where HEAD has no version
// of it, and gives it an id where it has none.
func (tx *Tx) Adopt(ctx context.Context, d *Doc) error {
	tx.editAt(d.Path).Adopt = true
	if d.Mem.ID != "" && !d.ID.Provisional() {
		return nil
	}
	id, err := tx.NewID(ctx)
	if err != nil {
		return err
	}
	d.ID = id
	return tx.Edit(d, tx.Identify(id, d.Mem.ID))
}

// AdoptAndEdit plans steps on a file that HEAD may have no version of.
func (tx *Tx) AdoptAndEdit(ctx context.Context, d *Doc, steps ...Step) error {
	if err := tx.Adopt(ctx, d); err != nil {
		return err
	}
	return tx.Edit(d, steps...)
}

// Identify returns the step that gives a file the id in place of was, see [Identify].
func (tx *Tx) Identify(id, was ID) Step { return Identify(id, was, tx.v.Prefix) }

// CommitWhole plans that the file is committed as it is on disk, edits included, with
// the steps made on it.
func (tx *Tx) CommitWhole(d *Doc, steps ...Step) error {
	e := tx.editAt(d.Path)
	e.Whole, e.Adopt = true, true
	return tx.Edit(d, steps...)
}

// Match refuses the write with CodeConflict unless the file's text on disk has
// this blob id when it is made.
func (tx *Tx) Match(p Path, blob string) { tx.editAt(p).Match = blob }

// Point plans that the parent's block holds e, in place of the entry with its id, else at
// the end. The parent is adopted.
func (tx *Tx) Point(ctx context.Context, parent *Doc, e pointer.Entry) error {
	if err := tx.Adopt(ctx, parent); err != nil {
		return err
	}
	return tx.Edit(parent, Step{Op: OpSetPointer, Entry: &e})
}

// RemovePointer plans that the parent's block no longer names the child, if it does: on disk, or
// in the commit, where a person has taken the line away and not committed that.
func (tx *Tx) RemovePointer(ctx context.Context, parent *Doc, child ID) error {
	if _, listed := parent.Entry(child); !listed {
		text, held, err := tx.ReadCommitted(ctx, tx.was(parent.Path))
		if err != nil || !held {
			return err
		}
		if _, listed := Parse(parent.Path, text).Entry(child); !listed {
			return nil
		}
	}
	return tx.Edit(parent, Step{Op: OpRemovePointer, ID: child})
}

// Take plans a change that was decided edit by edit, on files that nothing else
// in the plan touches.
func (tx *Tx) Take(c *Change) {
	tx.about = *c
	for _, e := range c.Edits {
		tx.setBlockStyle(e.Steps)
	}
}

// About names the memory that the commit is about; both may be empty.
func (tx *Tx) About(id ID, title string) { tx.about.ID, tx.about.Title = id, title }

// Section plans what is written to a file of an agent.
func (tx *Tx) Section(s Section) { tx.about.Sections = append(tx.about.Sections, s) }

// Note adds a paragraph to the commit's message.
func (tx *Tx) Note(text string) { tx.about.Note = text }

// AllowSecret lets through what looks like a credential: the history holds it already.
func (tx *Tx) AllowSecret() { tx.about.AllowSecret = true }

// plannedChange returns what was planned.
func (tx *Tx) plannedChange(verb string, o Options) (*Change, error) {
	if tx.reads.failed != nil {
		return nil, tx.reads.failed
	}
	c := tx.about
	c.holds = tx.hasSameAnswers
	c.Verb, c.AllowSecret = cmp.Or(c.Verb, verb), c.AllowSecret || o.AllowSecret
	for _, e := range tx.order {
		if d := tx.docs[e.Path]; e.Create != nil && d != nil {
			text, err := d.Text()
			if err != nil {
				return nil, err
			}
			e.Create, e.Steps = text, nil
		}
		if e.does() {
			c.Edits = append(c.Edits, *e)
		}
	}
	for _, e := range c.Edits {
		if err := tx.spares(&e); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

// spares refuses an edit that writes into a read-only note, unless it makes a memory of it.
func (tx *Tx) spares(e *Edit) error {
	at := e.target()
	if !at.Foreign() || e.Outside || !e.writes() || slices.ContainsFunc(e.Steps, Step.Admits) {
		return nil
	}
	text := e.Create
	if text == nil {
		var err error
		if text, err = tx.Read(e.Path); CodeOf(err) == CodeNotFound { // moved by hand
			text, _ = tx.Read(at)
		}
	}
	return (&Node{Path: at, ID: ParseText(at, text).ID}).Writable()
}

// writes reports whether an edit makes or changes the text of a file.
func (e *Edit) writes() bool { return len(e.Steps) > 0 || e.Create != nil || e.Adopt || e.Whole }

// does reports whether an edit does anything.
func (e *Edit) does() bool {
	return len(e.Steps) > 0 || e.To != "" || e.Remove || e.Whole || e.Create != nil || e.Taken != nil
}
