package past

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Changes asks what an agent should read again.
type Changes struct {
	Since string // a commit, or a time as ParseSince reads it
}

// The kinds of changes that Changes reports. They are promises: add, never change.
const (
	ChangeAdded    = "added"
	ChangeDeleted  = "deleted"
	ChangeText     = "text"     // what it says
	ChangeMoved    = "moved"    // where it stands; its text is the same
	ChangePointers = "pointers" // only what it says of its children
	ChangeHeader   = "header"   // only labels, status, trigger phrase and the like
)

// ChangeRow is one memory that has changed.
type ChangeRow struct {
	ID          vault.ID   `json:"id"`
	Title       string     `json:"title"`
	Path        vault.Path `json:"path"`
	Change      string     `json:"change"`
	From        vault.Path `json:"from,omitempty"` // of one that moved
	Summary     string     `json:"summary,omitempty"`
	Tokens      int        `json:"tokens"` // of its text, as Tokens estimates
	Uncommitted bool       `json:"uncommitted,omitempty"`
	family.Origin
}

// Changed is the outcome of Changes.
type Changed struct {
	Since string      `json:"since"` // the commit compared with; empty where the history begins later
	Head  string      `json:"head"`  // the commit to ask about next time
	Rows  []ChangeRow `json:"changes"`

	Projects []ChangedIn `json:"projects,omitempty"` // the commits of each vault, where several answer
}

// Changes tells which memories are not what they were in a commit, those first
// that say something else now. Edits that are in no commit count too.
func (h *History) Changes(ctx context.Context, o Changes) (Changed, error) {
	a, err := h.past()
	if err != nil {
		return Changed{}, err
	}
	out := Changed{Rows: []ChangeRow{}}
	if out.Since, err = h.commitAt(ctx, a, o.Since); err != nil {
		return out, err
	}
	err = h.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		head, err := h.Store.Head(ctx)
		if err != nil || head.Commit == "" {
			return err
		}
		out.Head = head.Commit
		c := changeList{h: h, t: t, a: a, from: out.Since, seen: map[vault.Path]bool{}, rows: out.Rows}
		if err := c.addDiffering(ctx, head.Commit); err != nil {
			return err
		}
		if err := c.addUncommitted(ctx, head.Commit); err != nil {
			return err
		}
		out.Rows = c.rows
		return nil
	})
	SortChanges(out.Rows)
	return out, err
}

// weight orders the kinds of changes by how much there is to read again.
func weight(change string) int {
	return slices.Index([]string{ChangeText, ChangeAdded, ChangeDeleted, ChangeMoved, ChangeHeader, ChangePointers}, change)
}

// changeList collects the rows.
type changeList struct {
	h    *History
	t    vault.Tree
	a    *Archive
	from string // the older commit
	rows []ChangeRow
	seen map[vault.Path]bool
	was  map[vault.Path]*formerly
}

// formerly is a memory as it was in a commit, without its text.
type formerly struct {
	*vault.Memory
	content string // its ContentHash
}

// readFiles reads files of a commit into c.was, all at once. It skips files that the commit does
// not hold.
func (c *changeList) readFiles(ctx context.Context, commit string, files []Version) error {
	c.was = make(map[vault.Path]*formerly, len(files))
	if commit == "" {
		return nil
	}
	return c.a.Versions(ctx, commit, files, func(p vault.Path, text []byte) error {
		m := vault.ParseText(p, text)
		c.was[p] = &formerly{m, m.ContentHash()}
		m.Prose, m.Pointers = "", nil
		return nil
	})
}

// addDiffering adds what differs between the two commits.
func (c *changeList) addDiffering(ctx context.Context, head string) error {
	touched, err := c.a.ListTouched(ctx, c.from, head)
	if err != nil {
		return err
	}
	var old []Version
	for _, t := range touched {
		if !t.New {
			old = append(old, Version{t.was(), t.Blob})
		}
	}
	if err := c.readFiles(ctx, c.from, old); err != nil {
		return err
	}
	for _, t := range touched {
		if t.Path.IsFacts() {
			continue // they follow their memory
		}
		c.seen[t.Path] = true
		if err := c.addTouch(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// was returns the file's path in the older commit.
func (t Touch) was() vault.Path { return vault.Path(cmp.Or(string(t.From), string(t.Path))) }

func (c *changeList) addTouch(ctx context.Context, t Touch) error {
	if t.Gone {
		return c.addGone(ctx, t.Path)
	}
	n, ok, err := c.t.At(ctx, t.Path)
	if err != nil || !ok {
		return err // gone since, or no memory: the uncommitted ones tell
	}
	return c.compareMemory(n, c.was[t.was()], t.From)
}

// addUncommitted adds what differs between HEAD and the disk only.
func (c *changeList) addUncommitted(ctx context.Context, head string) error {
	drift, err := c.t.Drift(ctx)
	if err != nil {
		return err
	}
	var old []Version
	for _, d := range drift {
		if !c.seen[d.Path] && d.Head != "" {
			old = append(old, Version{Path: d.Path})
		}
	}
	if err := c.readFiles(ctx, head, old); err != nil {
		return err
	}
	for _, d := range drift {
		if c.seen[d.Path] {
			continue
		}
		if err := c.addDrift(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (c *changeList) addDrift(ctx context.Context, d vault.Drift) error {
	if d.Hash == "" {
		return c.addGone(ctx, d.Path)
	}
	n, ok, err := c.t.At(ctx, d.Path)
	if err != nil || !ok {
		return err
	}
	return c.compareMemory(n, c.was[d.Path], "")
}

// compareMemory adds a memory that is there; was is nil when it was not.
func (c *changeList) compareMemory(n vault.Node, was *formerly, from vault.Path) error {
	if !n.IsMemory() {
		return nil
	}
	row := ChangeRow{ID: n.ID, Title: n.Title, Path: n.Path, From: from, Summary: n.Summary, Tokens: n.Tokens, Uncommitted: n.Dirty()}
	switch {
	case was == nil:
		row.Change = ChangeAdded
	case was.content != n.Content:
		row.Change = ChangeText
	case from != "":
		row.Change = ChangeMoved
	default:
		doc, _, err := c.h.Store.Read(n.Path)
		if err != nil {
			return err
		}
		row.Change = ChangeHeader
		if sameHeader(was.Memory, vault.ParseText(n.Path, doc)) {
			row.Change = ChangePointers
		}
	}
	c.rows = append(c.rows, row)
	return nil
}

// sameHeader compares what a memory says of itself beside its text.
func sameHeader(a, b *vault.Memory) bool {
	return a.ID == b.ID && a.Status == b.Status && a.Summary == b.Summary && slices.Equal(a.Labels, b.Labels) && a.Deferred.Equal(b.Deferred)
}

// addGone adds a memory that was there.
func (c *changeList) addGone(ctx context.Context, p vault.Path) error {
	was := c.was[p]
	if was == nil || !was.IsMemory() || was.ID == "" {
		return nil
	}
	if n, err := c.t.Find(ctx, string(was.ID)); err == nil && n.ID == was.ID {
		return nil // it lives elsewhere, and is told there
	}
	c.rows = append(c.rows, ChangeRow{ID: was.ID, Title: was.Title, Path: p, Change: ChangeDeleted, Summary: was.Summary})
	return nil
}
