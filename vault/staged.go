package vault

import (
	"slices"
	"strconv"

	"github.com/cp-memory/cp/pointer"
)

// staged is what the lines of a batch have planned so far: the texts of the
// files as they will be, which the next line is planned on. A nil one is empty
// and keeps nothing.
type staged struct {
	files map[Path]*stagedFile // those that were looked at, and the new ones
	order []Path               // those with an edit
	ids   map[ID]Path
	keys  map[string]ID // what lines call memories
	next  map[Path]int  // the last number that a name was tried with
}

// stagedFile is one file. A parent may get thousands of pointers; they are not
// put into its text one by one but when somebody asks for the text.
type stagedFile struct {
	pinned  *pinned
	edit    Edit
	created bool
	pending []Step // of the edit, which the pinned text does not show yet; pointers only
}

func newStaged() *staged {
	return &staged{files: make(map[Path]*stagedFile), ids: make(map[ID]Path), keys: make(map[string]ID), next: make(map[Path]int)}
}

// name keeps what later lines may call the memory of a line.
func (s *staged) name(l BatchLine, id ID) {
	s.keys[strconv.Itoa(l.Number)] = id
	if l.Key != "" {
		s.keys[l.Key] = id
	}
}

// find returns the memory that ref, an id or a path, names; nil when no line
// has looked at it.
func (s *staged) find(ref string) *pinned {
	if s == nil {
		return nil
	}
	path, ok := s.ids[ID(ref)]
	if !ok {
		path = Path(ref)
	}
	if f := s.files[path]; f != nil {
		return f.pinned
	}
	return nil
}

// keep remembers a memory as it was found, and returns the one to use.
func (s *staged) keep(p *pinned) *pinned {
	if s == nil {
		return p
	}
	if f := s.files[p.Path]; f != nil {
		return f.pinned
	}
	s.files[p.Path] = &stagedFile{pinned: p, edit: Edit{Path: p.Path}}
	s.ids[p.ID] = p.Path
	return p
}

// has reports whether a line creates the file p.
func (s *staged) has(p Path) bool { return s != nil && s.files[p] != nil && s.files[p].created }

// takes reports whether a line has drawn the id.
func (s *staged) takes(id ID) bool { return s != nil && s.ids[id] != "" }

// from returns the first number that a file of that name may get: 1 outside a batch.
func (s *staged) from(name Path) int {
	if s == nil {
		return 1
	}
	return s.after(name, s.next[name])
}

// after returns the number after n, and remembers that n is taken.
func (s *staged) after(name Path, n int) int {
	if s != nil {
		s.next[name] = n + 1
	}
	return n + 1
}

// absorb adds a line's change. n is what is known of the memory it creates.
func (s *staged) absorb(c *Change, n Node) error {
	if c.Empty() {
		return nil
	}
	for _, e := range c.Edits {
		if e.Create != nil {
			s.create(e, n)
			continue
		}
		f := s.files[e.Path]
		if !f.created && len(f.edit.Steps) == 0 {
			s.order = append(s.order, e.Path)
		}
		f.edit.Adopt = f.edit.Adopt || e.Adopt
		if err := f.add(e.Steps); err != nil {
			return f.pinned.at(err)
		}
		s.ids[f.pinned.ID] = e.Path
	}
	return nil
}

func (s *staged) create(e Edit, n Node) {
	p := &pinned{Node: n, doc: e.Create}
	p.Path = e.Path
	p.parsed()
	s.files[e.Path] = &stagedFile{pinned: p, edit: e, created: true}
	s.order = append(s.order, e.Path)
	s.ids[n.ID] = e.Path
}

// parsed takes up what the text says.
func (p *pinned) parsed() {
	p.mem = Parse(p.Path, p.doc)
	p.Title, p.Type, p.Status = p.mem.Title, p.mem.Type, p.mem.Status
}

// add adds a line's steps: pointers are put off, all else shows at once.
func (f *stagedFile) add(steps []Step) error {
	for _, step := range steps {
		f.edit.Steps = gather(f.edit.Steps, step)
		if step.Op == OpAddPointer || step.Op == OpSetPointer {
			f.pending = gather(f.pending, step)
			f.pinned.point(*step.Entry)
			continue
		}
		if err := f.settle(); err != nil {
			return err
		}
		doc, err := step.Apply(f.pinned.doc)
		if err != nil {
			return err
		}
		f.pinned.doc = doc
		f.pinned.parsed()
	}
	return nil
}

// settle brings the text up to date.
func (f *stagedFile) settle() error {
	if len(f.pending) == 0 {
		return nil
	}
	doc, err := ApplySteps(f.pending, f.pinned.doc)
	if err != nil {
		return err
	}
	f.pinned.doc, f.pending = doc, nil
	f.pinned.parsed()
	return nil
}

// point sets an entry of the block as it is known, for the lines to come.
func (p *pinned) point(e pointer.Entry) {
	i := slices.IndexFunc(p.mem.Pointers, func(o pointer.Entry) bool { return o.ID == e.ID })
	if i < 0 {
		p.mem.Pointers = append(p.mem.Pointers, e)
		return
	}
	p.mem.Pointers[i].Title, p.mem.Pointers[i].Summary = e.Title, e.Summary
}

// gather appends a step. New pointers that follow each other become one step,
// since each step reads the whole block.
func gather(steps []Step, s Step) []Step {
	last := len(steps) - 1
	if s.Op != OpAddPointer || last < 0 || steps[last].Op != OpAddPointer {
		return append(steps, s)
	}
	all := steps[last].Entries
	if e := steps[last].Entry; e != nil {
		all = []pointer.Entry{*e}
	}
	steps[last] = Step{Op: OpAddPointer, Entries: append(all, *s.Entry)}
	return steps
}

// edits returns one edit for each file, in the order in which lines first meant it.
func (s *staged) edits() ([]Edit, error) {
	var all []Edit
	for _, path := range s.order {
		f := s.files[path]
		if f.created {
			if err := f.settle(); err != nil {
				return nil, f.pinned.at(err)
			}
			f.edit = Edit{Path: path, Create: f.pinned.doc}
		}
		all = append(all, f.edit)
	}
	return all, nil
}
