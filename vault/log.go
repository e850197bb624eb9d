package vault

import (
	"context"
	"time"
)

// Log lists commits, the newest first.
type Log struct {
	Ref   string    // of one memory, through its moves, also of one that is deleted; empty is the whole vault
	Since time.Time // only those that are not older; zero is all
	Limit int       // 0 means 20
}

// LogRow is one commit. What only our own commits tell is empty in others.
type LogRow struct {
	Commit  string    `json:"commit"`
	Time    time.Time `json:"time"`
	Author  string    `json:"author"`
	Subject string    `json:"subject"`
	Verb    string    `json:"verb,omitempty"`
	ID      ID        `json:"id,omitempty"` // the memory that the verb was about
	Agent   string    `json:"agent,omitempty"`
	Op      string    `json:"op,omitempty"`
	Undoes  []string  `json:"undoes,omitempty"` // the operations that it took back
}

// Log tells who did what to the vault, or to one memory.
func (v *Vault) Log(ctx context.Context, o Log) ([]LogRow, error) {
	a, err := v.past()
	if err != nil {
		return nil, err
	}
	q := LogQuery{Since: o.Since, Limit: o.Limit}
	if q.Limit == 0 {
		q.Limit = 20
	}
	if o.Ref != "" {
		if q.From, q.Path, err = v.trail(ctx, a, o.Ref); err != nil {
			return nil, err
		}
	}
	rows := []LogRow{}
	for {
		last, err := v.logOnce(ctx, a, q, &rows)
		if err != nil || last == nil || q.Path == "" || len(rows) == q.Limit {
			return rows, err
		}
		if q.From, q.Path, err = v.before(ctx, a, *last, q.Path); err != nil || q.From == "" {
			return rows, err
		}
	}
}

// logOnce adds the commits of one name of a file, and returns the oldest.
func (v *Vault) logOnce(ctx context.Context, a *Archive, q LogQuery, rows *[]LogRow) (*Revision, error) {
	var last *Revision
	q.Limit -= len(*rows)
	err := a.Log(ctx, q, func(r Revision) bool {
		last = &r
		*rows = append(*rows, LogRow{Commit: r.Commit, Time: r.Time, Author: r.Author, Subject: r.Subject,
			Verb: r.Verb, ID: r.ID, Agent: r.Agent, Op: r.Op, Undoes: r.Undoes})
		return true
	})
	return last, err
}

// before returns where a memory was before the commit that brought it to p: the
// place it was moved from, or for one that was brought back the commit that had
// taken it away. From is empty where its history begins.
func (v *Vault) before(ctx context.Context, a *Archive, r Revision, p Path) (from string, was Path, err error) {
	parent, err := a.Parent(ctx, r.Commit)
	if err != nil || parent == "" {
		return "", "", ignore(err, CodeNotFound) // a shallow clone tells what it has
	}
	doc, err := v.Store.ReadAt(ctx, r.Commit, p)
	if err != nil {
		return "", "", ignore(err, CodeNotFound)
	}
	id := Parse(p, doc).ID
	was, err = a.Moved(ctx, parent, r.Commit, p)
	if err != nil || was != "" && v.carries(ctx, parent, was, id) {
		return parent, was, err
	}
	if r.Verb != "restore" && r.Verb != "undo" || id == "" {
		return "", "", nil
	}
	from, was, err = a.Lost(ctx, parent, id)
	return from, was, ignore(err, CodeNotFound)
}

// carries reports whether a file has the id in a commit; without an id any does.
func (v *Vault) carries(ctx context.Context, commit string, p Path, id ID) bool {
	doc, err := v.Store.ReadAt(ctx, commit, p)
	return err == nil && (id == "" || Parse(p, doc).ID == id || Parse(p, doc).ID == "")
}

// ignore returns err unless it has the code.
func ignore(err error, code Code) error {
	if CodeOf(err) == code {
		return nil
	}
	return err
}

// trail returns where the history of a memory is to be followed from: its file,
// or the commit that took it away.
func (v *Vault) trail(ctx context.Context, a *Archive, ref string) (from string, p Path, err error) {
	n, gone, err := v.locate(ctx, a, ref)
	if err != nil || gone == "" {
		return "", n.Path, err
	}
	return a.Lost(ctx, "HEAD", gone)
}
