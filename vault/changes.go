package vault

import (
	"context"
	"slices"
	"strings"
)

// Changes asks what an agent should read again.
type Changes struct {
	Since string // a commit, or a time as ParseSince reads it
}

// What happened to a memory, as Changes tells it. They are promises: add, never change.
const (
	ChangeAdded    = "added"
	ChangeDeleted  = "deleted"
	ChangeText     = "text"     // what it says
	ChangeMoved    = "moved"    // where it stands; its text is the same
	ChangePointers = "pointers" // only what it says of its children
	ChangeHeader   = "header"   // only labels, status, trigger phrase and the like
)

// ChangeRow is one memory that is not what it was.
type ChangeRow struct {
	ID          ID     `json:"id"`
	Title       string `json:"title"`
	Path        Path   `json:"path"`
	Change      string `json:"change"`
	From        Path   `json:"from,omitempty"` // of one that moved
	Summary     string `json:"summary,omitempty"`
	Tokens      int    `json:"tokens"` // of its text, as Tokens estimates
	Uncommitted bool   `json:"uncommitted,omitempty"`
}

// Changed is the outcome of Changes.
type Changed struct {
	Since string      `json:"since"` // the commit compared with; empty where the history begins later
	Head  string      `json:"head"`  // the commit to ask about next time
	Rows  []ChangeRow `json:"changes"`
}

// Changes tells which memories are not what they were in a commit, those first
// that say something else now. Edits that are in no commit count too.
func (v *Vault) Changes(ctx context.Context, o Changes) (Changed, error) {
	a, err := v.past()
	if err != nil {
		return Changed{}, err
	}
	out := Changed{Rows: []ChangeRow{}}
	if out.Since, err = v.commitAt(ctx, a, o.Since); err != nil {
		return out, err
	}
	err = v.View(ctx, Scope{}, func(t Tree) error {
		head, err := v.Store.Head(ctx)
		if err != nil || head.Commit == "" {
			return err
		}
		out.Head = head.Commit
		c := changeList{v: v, t: t, from: out.Since, seen: map[Path]bool{}}
		if err := c.committed(ctx, a, head.Commit); err != nil {
			return err
		}
		out.Rows, err = c.rows, c.uncommitted(ctx, head.Commit)
		if err == nil {
			out.Rows = c.rows
		}
		return err
	})
	slices.SortStableFunc(out.Rows, func(a, b ChangeRow) int {
		return 100*(weight(a.Change)-weight(b.Change)) + strings.Compare(string(a.Path), string(b.Path))
	})
	return out, err
}

// weight orders the kinds of changes by how much there is to read again.
func weight(change string) int {
	return slices.Index([]string{ChangeText, ChangeAdded, ChangeDeleted, ChangeMoved, ChangeHeader, ChangePointers}, change)
}

// changeList collects the rows.
type changeList struct {
	v    *Vault
	t    Tree
	from string // the older commit
	rows []ChangeRow
	seen map[Path]bool
}

// committed adds what differs between the two commits.
func (c *changeList) committed(ctx context.Context, a Archive, head string) error {
	touched, err := a.Touched(ctx, c.from, head)
	if err != nil {
		return err
	}
	for _, t := range touched {
		if err := c.touch(ctx, t, head); err != nil {
			return err
		}
	}
	return nil
}

func (c *changeList) touch(ctx context.Context, t Touch, head string) error {
	c.seen[t.Path] = true
	if t.Gone {
		return c.gone(ctx, t.Path, c.from)
	}
	n, ok, err := c.t.At(ctx, t.Path)
	if err != nil || !ok {
		return err // gone since, or no memory: the uncommitted ones tell
	}
	var was *Memory
	if !t.New {
		was, err = c.version(ctx, c.from, Path(orElse(string(t.From), string(t.Path))))
	}
	return c.compare(ctx, n, was, t.From, err)
}

// uncommitted adds what differs between HEAD and the disk only.
func (c *changeList) uncommitted(ctx context.Context, head string) error {
	drift, err := c.t.Drift(ctx)
	if err != nil {
		return err
	}
	for _, d := range drift {
		if c.seen[d.Path] {
			continue
		}
		if d.Hash == "" {
			if err := c.gone(ctx, d.Path, head); err != nil {
				return err
			}
			continue
		}
		n, ok, err := c.t.At(ctx, d.Path)
		if err != nil || !ok {
			return err
		}
		var was *Memory
		if d.Head != "" {
			was, err = c.version(ctx, head, d.Path)
		}
		if err := c.compare(ctx, n, was, "", err); err != nil {
			return err
		}
	}
	return nil
}

// compare adds a memory that is there.
func (c *changeList) compare(ctx context.Context, n Node, was *Memory, from Path, err error) error {
	if err != nil || n.Type != TypeMemory {
		return err
	}
	doc, _, err := c.v.Store.Read(n.Path)
	if err != nil {
		return err
	}
	is := Parse(n.Path, doc)
	row := ChangeRow{ID: n.ID, Title: n.Title, Path: n.Path, From: from, Summary: n.Summary, Tokens: Tokens(is.Prose), Uncommitted: n.Dirty()}
	switch {
	case was == nil:
		row.Change = ChangeAdded
	case was.ContentHash() != is.ContentHash():
		row.Change = ChangeText
	case from != "":
		row.Change = ChangeMoved
	case sameHeader(was, is):
		row.Change = ChangePointers
	default:
		row.Change = ChangeHeader
	}
	c.rows = append(c.rows, row)
	return nil
}

// sameHeader compares what a memory says of itself beside its text.
func sameHeader(a, b *Memory) bool {
	return a.ID == b.ID && a.Status == b.Status && a.Summary == b.Summary && slices.Equal(a.Labels, b.Labels) && a.Deferred.Equal(b.Deferred)
}

// gone adds a memory that was there in a commit.
func (c *changeList) gone(ctx context.Context, p Path, commit string) error {
	was, err := c.version(ctx, commit, p)
	if err != nil || was == nil || was.Type != TypeMemory || was.ID == "" {
		return err
	}
	if n, err := c.t.Find(ctx, string(was.ID)); err == nil && n.ID == was.ID {
		return nil // it lives elsewhere, and is told there
	}
	c.rows = append(c.rows, ChangeRow{ID: was.ID, Title: was.Title, Path: p, Change: ChangeDeleted, Summary: was.Summary})
	return nil
}

// version reads a file of a commit; nil when it is not in there.
func (c *changeList) version(ctx context.Context, commit string, p Path) (*Memory, error) {
	doc, err := c.v.Store.ReadAt(ctx, commit, p)
	if CodeOf(err) == CodeNotFound || commit == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Parse(p, doc), nil
}
