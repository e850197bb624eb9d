package vault

import (
	"context"
	"errors"
)

// pinned is a memory whose file was read at its place and carries the id: what
// a point read and a write stand on, however old the mirror is.
type pinned struct {
	Node
	mem *Memory
	doc []byte
}

// pinTries bounds how often a memory is looked for: its file may be caught in
// the middle of an editor's save, when it does not carry its id.
const pinTries = 4

// pin finds ref in the mirror and checks the answer on disk. Only when the two
// disagree does it bring the whole mirror up to date, and tries again.
func (v *Vault) pin(ctx context.Context, t Tree, ref string) (*pinned, error) {
	for try := 1; ; try++ {
		p, err := v.check(ctx, t, ref)
		if err == nil || !stale(err) || try == pinTries {
			return p, err
		}
		report, err2 := v.catchUp(ctx, Scope{})
		if err2 != nil {
			return nil, err2
		}
		if try > 1 && report.Changed == 0 && report.Removed == 0 {
			return p, err
		}
	}
}

// stale reports whether err may come from a mirror that is behind the disk.
func stale(err error) bool {
	switch CodeOf(err) {
	case CodeNotFound, CodeAmbiguous:
		return true
	}
	return false
}

func (v *Vault) check(ctx context.Context, t Tree, ref string) (*pinned, error) {
	if p := v.staged.find(ref); p != nil {
		return p, nil
	}
	n, err := t.Find(ctx, ref)
	if CodeOf(err) == CodeNotFound {
		return nil, v.absent(ctx, t, ref)
	}
	if err != nil {
		return nil, err
	}
	var m *Memory
	doc, _, err := v.Store.ReadWhole(ctx, n.Path, func(doc []byte) bool {
		m = Parse(n.Path, doc)
		return n.is(m) && len(m.Problems) == 0
	})
	if err != nil {
		return nil, err
	}
	if !n.is(m) {
		return nil, NotFound(ref)
	}
	n.Hash = v.Store.BlobID(doc)
	return v.staged.keep(&pinned{Node: n, mem: m, doc: doc}), nil
}

// is reports whether a parsed file is the memory that the mirror means.
func (n *Node) is(m *Memory) bool { return n.ID.Provisional() || n.ID == m.ID }

// absent tells why nothing has the name ref: a file may be there and be none
// that can be read, or stand where cp leaves everything alone.
func (v *Vault) absent(ctx context.Context, t Tree, ref string) error {
	p, err := ParsePath(ref)
	if err != nil || !p.IsMarkdown() {
		return NotFound(ref)
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
	return firstError(err, NotFound(ref))
}

// NotFound is the error for a reference that names nothing.
func NotFound(ref string) *Error {
	return Errorf(CodeNotFound, "`cp memory list` and `cp memory search` show the ids", "Shard %s not found", clip(ref, 80))
}

// pinMemory pins ref and refuses what is not of the type memory.
func (v *Vault) pinMemory(ctx context.Context, t Tree, ref string) (*pinned, error) {
	p, err := v.pin(ctx, t, ref)
	if err != nil {
		return nil, err
	}
	if p.Type != TypeMemory {
		return nil, Errorf(CodeType, "`cp shard show "+string(p.ID)+"` shows files of any type",
			"Shard %s is type '%s', expected 'memory'", p.ID, p.Type)
	}
	return p, nil
}

// at returns err, about this memory's text, with the file's path.
func (p *pinned) at(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Path != "" {
		return err
	}
	located := *e
	located.Path = string(p.Path)
	return &located
}

// editable refuses a file that cannot be edited as it stands, with the line.
func (p *pinned) editable() error {
	for _, pr := range p.mem.Problems {
		switch pr.Kind {
		case ProblemBlock, ProblemMarkers, ProblemFrontMatter, ProblemEncoding, ProblemUnfetched, ProblemTooBig:
			return &Error{Code: CodeDamaged, Path: string(p.Path), Line: pr.Line, Msg: pr.Msg, Hint: pr.remedy()}
		}
	}
	return nil
}

// remedy is what makes a file with the problem one that can be edited.
func (p Problem) remedy() string {
	if p.Kind == ProblemUnfetched {
		return "git lfs pull"
	}
	return "mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"
}

// parent pins the memory above p; nil for a root.
func (v *Vault) parentOf(ctx context.Context, t Tree, p *pinned) (*pinned, error) {
	if p.Parent == "" {
		return nil, nil
	}
	up, err := v.pin(ctx, t, string(p.Parent))
	var e *Error
	if errors.As(err, &e) && e.Code == CodeNotFound {
		return nil, nil
	}
	return up, err
}

// entry returns the child's entry in the parent's block as it stands on disk.
func (p *pinned) entry(child ID) (pointerEntry, bool) {
	if p == nil {
		return pointerEntry{}, false
	}
	for _, e := range p.mem.Pointers {
		if e.ID == string(child) {
			return e, true
		}
	}
	return pointerEntry{}, false
}

// adopt gives the file an id where it has none, as the first step of an edit.
func (v *Vault) adopt(ctx context.Context, t Tree, p *pinned) ([]Step, error) {
	if p.mem.ID != "" && !p.ID.Provisional() {
		return nil, nil
	}
	id, err := v.newID(ctx, t)
	if err != nil {
		return nil, err
	}
	p.ID = id
	return []Step{{Op: OpSetKey, Key: "id", Value: string(id)}}, nil
}

// newID draws an id that this clone has not seen.
func (v *Vault) newID(ctx context.Context, t Tree) (ID, error) {
	for {
		id, err := NewID(v.Prefix, v.Random)
		if err != nil {
			return "", err
		}
		if _, err := t.Find(ctx, string(id)); CodeOf(err) == CodeNotFound && !v.staged.takes(id) {
			return id, nil
		} else if err != nil && CodeOf(err) != CodeNotFound {
			return "", err
		}
	}
}
