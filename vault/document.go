package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
)

// Doc is a memory whose file was read at its place and carries the id: what a
// point read and a write stand on, however old the mirror is. In a [Tx] it is
// the file as it will be after what has been planned so far.
type Doc struct {
	Node
	Mem *Memory

	text    []byte
	pending []Step // pointers that the text does not show yet
	created bool   // by the Tx
}

// newDoc returns the memory of a text.
func newDoc(n Node, text []byte) *Doc {
	return &Doc{Node: n, Mem: Parse(n.Path, text), text: text}
}

// ensureParsed returns d, after its text is parsed; nil for nil.
func (d *Doc) ensureParsed() *Doc {
	if d != nil && d.Mem == nil {
		d.becomes(d.text)
	}
	return d
}

// Text returns the file's bytes. A parent may get thousands of pointers: they
// are put into its text only here.
func (d *Doc) Text() ([]byte, error) {
	if len(d.pending) == 0 {
		return d.text, nil
	}
	text, err := ApplySteps(d.pending, d.text)
	if err != nil {
		return nil, d.ErrWithPath(err)
	}
	d.pending = nil
	d.becomes(text)
	return text, nil
}

// becomes takes up what a new text says.
func (d *Doc) becomes(text []byte) {
	d.text, d.Mem = text, Parse(d.Path, text)
	d.Title, d.Type, d.Status = d.Mem.Title, d.Mem.Type, d.Mem.Status
}

// apply makes a step on the text; pointers are put off.
func (d *Doc) apply(s Step) error {
	if s.Op == OpAddPointer && s.Entry != nil || s.Op == OpSetPointer {
		d.pending = gather(d.pending, s)
		d.setEntry(*s.Entry)
		return nil
	}
	text, err := d.Text()
	if err == nil {
		text, err = s.Apply(text)
	}
	if err != nil {
		return d.ErrWithPath(err)
	}
	d.becomes(text)
	return nil
}

// setEntry sets an entry of the block as it is known, for what is planned next.
func (d *Doc) setEntry(e pointer.Entry) {
	i := slices.IndexFunc(d.Mem.Pointers, func(o pointer.Entry) bool { return o.PointsTo(e.ID) })
	if i < 0 {
		d.Mem.Pointers = append(d.Mem.Pointers, e)
		return
	}
	d.Mem.Pointers[i].Title, d.Mem.Pointers[i].Summary = e.Title, e.Summary
}

// gather appends a step. New pointers that follow each other become one step,
// since each step reads the whole block.
func gather(steps []Step, s Step) []Step {
	last := len(steps) - 1
	if s.Op != OpAddPointer || s.Entry == nil || last < 0 || steps[last].Op != OpAddPointer {
		return append(steps, s)
	}
	all := steps[last].Entries
	if e := steps[last].Entry; e != nil {
		all = []pointer.Entry{*e}
	}
	steps[last] = Step{Op: OpAddPointer, Entries: append(all, *s.Entry), Hidden: s.Hidden}
	return steps
}

// ErrWithPath returns err, about this memory's text, with the file's path.
func (d *Doc) ErrWithPath(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Path != "" {
		return err
	}
	located := *e
	located.Path = string(d.Path)
	return &located
}

// Editable refuses a file that cannot be edited as it stands, with the line.
func (d *Doc) Editable() error {
	if err := d.Writable(); err != nil {
		return err
	}
	for _, pr := range d.Mem.Problems {
		switch pr.Kind {
		case ProblemBlock, ProblemMarkers, ProblemFrontMatter, ProblemNoKeys, ProblemEncoding, ProblemUnfetched, ProblemTooBig:
			return &Error{Code: CodeDamaged, Path: string(d.Path), Line: pr.Line, Msg: pr.Msg, Hint: pr.hint()}
		}
	}
	return nil
}

// hint says how a file with the problem is made editable again.
func (p Problem) hint() string {
	if p.Kind == ProblemUnfetched {
		return "git lfs pull"
	}
	return "mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"
}

// Entry returns the child's entry in the memory's block; a nil Doc has none.
func (d *Doc) Entry(child ID) (pointer.Entry, bool) {
	if d == nil {
		return pointer.Entry{}, false
	}
	return d.Mem.Entry(child)
}

// Entry returns the child's entry in the memory's block.
func (m *Memory) Entry(child ID) (pointer.Entry, bool) {
	for _, e := range m.Pointers {
		if e.PointsTo(string(child)) {
			return e, true
		}
	}
	return pointer.Entry{}, false
}

// Matches compares the hash a caller has read with the file as it is now; an
// empty one fits.
func (d *Doc) Matches(hash string) error {
	if hash == "" || len(hash) >= 7 && strings.HasPrefix(d.Hash, strings.ToLower(hash)) {
		return nil
	}
	return Errorf(CodeConflict, "read it again with `cp memory show "+string(d.ID)+" -o json` and repeat the change",
		"%s has changed since it was read: its hash is %s", d.ID, d.Hash)
}

// IsSameParent reports whether two parents are one; nil is the root level.
func (d *Doc) IsSameParent(other *Doc) bool {
	if d == nil || other == nil {
		return d == nil && other == nil
	}
	return d.ID == other.ID
}

// changes reports whether steps would change the text, and returns what it would be.
func (d *Doc) changes(steps []Step) (after *Memory, text []byte, changed bool, err error) {
	was, err := d.Text()
	if err != nil {
		return nil, nil, false, err
	}
	if text, err = ApplySteps(steps, was); err != nil {
		return nil, nil, false, d.ErrWithPath(err)
	}
	return Parse(d.Path, text), text, !bytes.Equal(text, was), nil
}

// Is reports whether a parsed file is the memory that the mirror means.
func (n *Node) Is(m *Memory) bool { return n.ID.Provisional() || n.ID == m.ID }

// absent tells why nothing has the name ref: a file may be there and be none
// that can be read, or stand where cp leaves everything alone.
func (v *Vault) absent(ctx context.Context, t Tree, ref string) error {
	p, err := ParsePath(ref)
	if err != nil || !p.IsNote() {
		return cmp.Or[error](v.waits(ctx, ref), NotFound(ref))
	}
	if _, _, err := v.Store.Read(p); err != nil && CodeOf(err) != CodeNotFound {
		return err
	}
	problems, err := t.Problems(ctx)
	for _, pr := range problems {
		if pr.Kind == ProblemNestedRepo && p.Within(pr.Path) {
			return &Error{Code: CodeNotFound, Path: string(pr.Path), Msg: pr.Msg, Hint: "move " + string(p) + " out of it, into the vault"}
		}
	}
	return cmp.Or[error](err, NotFound(ref))
}

// NotFound is the error for a reference that names nothing.
func NotFound(ref string) *Error {
	return Errorf(CodeNotFound, "`cp memory list` and `cp memory search` show the ids", "Shard %s not found", Clip(ref, 80))
}
