package past

import (
	"cmp"
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Log lists commits, the newest first.
type Log struct {
	Ref   string    // of one memory, through its moves, also of one that is deleted; empty is the whole vault
	Since time.Time // only those that are not older; zero is all
	Limit int       // 0 means 20

	line bool // only the commits on HEAD's line of first parents
}

// LogRow is one commit. Commits of other programs leave some fields empty.
type LogRow struct {
	Commit  string    `json:"commit"`
	Time    time.Time `json:"time"`
	Author  string    `json:"author"`
	Subject string    `json:"subject"`
	Verb    string    `json:"verb,omitempty"`
	ID      vault.ID  `json:"id,omitempty"` // the memory that the verb was about
	Agent   string    `json:"agent,omitempty"`
	Op      string    `json:"op,omitempty"`
	Undoes  []string  `json:"undoes,omitempty"` // the operations that it took back
}

// Log tells who did what to the vault, or to one memory.
func (h *History) Log(ctx context.Context, o Log) ([]LogRow, error) {
	return h.log(ctx, o, nil)
}

// log calls seen, which may be nil, with each version of the memory that it meets.
func (h *History) log(ctx context.Context, o Log, seen func(*vault.Memory)) ([]LogRow, error) {
	a, err := h.past()
	if err != nil {
		return nil, err
	}
	l := logging{h: h, seen: seen, limit: cmp.Or(o.Limit, 20), rows: []LogRow{}}
	q := LogQuery{Since: o.Since, Line: o.line}
	if o.Ref == "" {
		err = a.Log(ctx, q, l.addRow)
		return l.rows, err
	}
	if q.From, q.Path, l.of, err = h.findLogStart(ctx, a, o.Ref); err != nil {
		return nil, err
	}
	for {
		l.last, l.gone, l.broken = nil, nil, false
		err := a.Log(ctx, q, func(r vault.Revision) bool { return l.addCommit(ctx, r, q.Path) })
		if err != nil || l.last == nil || len(l.rows) == l.limit {
			return l.rows, err
		}
		if q.From, q.Path, err = h.placeBefore(ctx, a, *l.last, q.Path); err != nil || q.From == "" {
			return l.rows, err
		}
	}
}

// logging makes a log.
type logging struct {
	h      *History
	of     vault.ID // the memory; a stand-in where its file has no id of its own
	limit  int
	seen   func(*vault.Memory)
	rows   []LogRow
	last   *vault.Revision  // the one added last of this name of the file
	gone   []vault.Revision // that took a file of this name away, whose is not known yet
	broken bool             // another memory, or none, stood here in newer commits
}

// addCommit adds a commit that touched the file at p, unless another memory stood there: one at
// whose place this one was made, say. Before it had an id the file is the memory, too, as long
// as it was there. It reports whether there is room for more.
func (l *logging) addCommit(ctx context.Context, r vault.Revision, p vault.Path) (more bool) {
	doc, err := l.h.Store.ReadAt(ctx, r.Commit, p)
	if vault.CodeOf(err) == vault.CodeNotFound {
		l.gone, l.broken = append(l.gone, r), true
		return true
	}
	m := vault.Parse(p, doc)
	id := m.ID
	if id != "" && !l.broken && l.last != nil && l.last.Verb == "sync" {
		l.of = id // sync gave the file another one, or took that over from a person
	}
	if !id.Is(l.of) && (l.broken || id != "" && !l.of.Provisional()) {
		l.gone, l.broken = nil, true
		return true
	}
	for _, r := range append(l.gone, r) {
		if !l.addRow(r) {
			return false
		}
	}
	if l.gone, l.broken = nil, false; l.seen != nil {
		l.seen(m)
	}
	return true
}

func (l *logging) addRow(r vault.Revision) (more bool) {
	l.last = &r
	l.rows = append(l.rows, LogRow{Commit: r.Commit, Time: r.Time, Author: r.Author, Subject: r.Subject,
		Verb: r.Verb, ID: r.ID, Agent: r.Agent, Op: r.Op, Undoes: r.Undoes})
	return len(l.rows) < l.limit
}

// placeBefore returns the place of a memory before the commit that brought it to p: the path
// from which it was moved, or for a restored memory the commit that had removed it. From
// is empty if its history begins there.
func (h *History) placeBefore(ctx context.Context, a *Archive, r vault.Revision, p vault.Path) (from string, was vault.Path, err error) {
	parent, err := a.Parent(ctx, r.Commit)
	if err != nil || parent == "" {
		return "", "", ignoreNotFound(err) // a shallow clone tells what it has
	}
	doc, err := h.Store.ReadAt(ctx, r.Commit, p)
	if err != nil {
		return "", "", ignoreNotFound(err)
	}
	id := vault.Parse(p, doc).ID
	was, err = a.FindFormerPath(ctx, parent, r.Commit, p)
	if err != nil || was != "" && h.carries(ctx, parent, was, id) {
		return parent, was, err
	}
	if r.Verb != "restore" && r.Verb != "undo" || id == "" {
		return "", "", nil
	}
	from, was, err = a.FindDeletion(ctx, parent, id)
	return from, was, ignoreNotFound(err)
}

// carries reports whether a file has the id in a commit; without an id any does.
func (h *History) carries(ctx context.Context, commit string, p vault.Path, id vault.ID) bool {
	doc, err := h.Store.ReadAt(ctx, commit, p)
	return err == nil && (id == "" || vault.Parse(p, doc).ID.Is(id) || vault.Parse(p, doc).ID == "")
}

// ignoreNotFound returns err unless it says that something is not there.
func ignoreNotFound(err error) error {
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil
	}
	return err
}

// findLogStart returns where the history of a memory is to be followed from: its file,
// or the commit that took it away.
func (h *History) findLogStart(ctx context.Context, a *Archive, ref string) (from string, p vault.Path, id vault.ID, err error) {
	n, gone, err := h.locateRef(ctx, a, ref)
	if err != nil || gone == "" {
		return "", n.Path, n.ID, err
	}
	from, p, err = a.FindDeletion(ctx, "HEAD", gone)
	return from, p, gone, err
}
