package transfer

import (
	"cmp"
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/header"
)

// Exported is one memory as export gives it.
type Exported struct {
	ID         vault.ID  `json:"id"`
	ParentID   *vault.ID `json:"parent_id"`
	Title      string    `json:"title"`
	Type       string    `json:"type"`
	Status     string    `json:"status"`
	Labels     []string  `json:"labels"`
	Summary    string    `json:"summary"`
	Phraseless bool      `json:"placeholder,omitempty"` // no phrase is in the place of one
	Created    time.Time `json:"created_at,omitzero"`
	Creator    string    `json:"creator,omitempty"`
	header.Record
	Source  string     `json:"source,omitempty"`   // where it comes from
	About   []string   `json:"about,omitempty"`    // the code that it is about
	AboutAt []string   `json:"about_at,omitempty"` // what that was
	Path    vault.Path `json:"path"`
	Depth   int        `json:"depth"`
	Content string     `json:"content"`
	New     bool       `json:"provisional,omitempty"` // it has no id of its own yet
	Facts   *fact.Told `json:"facts,omitempty"`
	Raw     []byte     `json:"-"` // the file's bytes, for a plain tree

	family.Origin

	RawFacts []byte `json:"-"` // the bytes of its facts file; nil is none
}

// Export calls fn for the memory under and everything below it, in the order of
// the tree; with an empty under for all of the vault, files of other types last,
// by path. An error of fn ends it. Files that cannot be read are passed over; it
// then fails in the end and names the first of them.
func Export(ctx context.Context, v *vault.Vault, under string, fn func(Exported) error) error {
	return v.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		e := exporter{v: v, fn: fn, done: make(map[vault.Path]bool)}
		if err := e.tree(ctx, t, under); err != nil {
			return err
		}
		if under == "" {
			if err := e.exportOthers(ctx, t); err != nil {
				return err
			}
		}
		return e.failure()
	})
}

type exporter struct {
	v      *vault.Vault
	fn     func(Exported) error
	done   map[vault.Path]bool
	failed int
	first  error
}

func (e *exporter) tree(ctx context.Context, t vault.Tree, under string) error {
	o := vault.WalkOptions{MaxDepth: vault.MaxDepth + 1, Closed: true}
	if under != "" {
		n, err := t.Find(ctx, under)
		if err != nil {
			return err
		}
		if !n.IsMemory() {
			return e.exportFile(ctx, n)
		}
		o.Root = n.ID
	}
	nodes, err := t.Walk(ctx, o)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if err := e.exportFile(ctx, n); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// exportOthers exports the files that are not in the tree.
func (e *exporter) exportOthers(ctx context.Context, t vault.Tree) error {
	var rest []vault.Path
	_, err := e.v.Store.Scan(ctx, vault.Scope{}, func(f vault.File) error {
		if f.Problem == nil && !e.done[f.Path] {
			rest = append(rest, f.Path)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range rest {
		n, ok, err := t.At(ctx, p)
		if err != nil {
			return err
		}
		if !ok {
			n = vault.Node{Path: p}
		}
		if err := e.exportFile(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// exportFile exports one file. Its fields come from its text; the tree adds its position.
func (e *exporter) exportFile(ctx context.Context, n vault.Node) error {
	if e.done[n.Path] {
		return nil
	}
	e.done[n.Path] = true
	doc, _, err := e.v.Store.Read(n.Path)
	if err != nil {
		e.noteUnreadable(err)
		return nil
	}
	m := vault.Parse(n.Path, doc)
	out := Exported{
		ID: n.ID, New: n.ID.Provisional(), Title: m.Title, Type: m.Type, Status: m.Status, Labels: m.Labels, Summary: cmp.Or(vault.Phrase(m.Summary), n.Summary),
		Created: m.Created, Creator: m.Creator, Path: n.Path, Depth: n.Depth, Content: m.Prose, Record: m.Record, Source: m.Source, About: m.About, AboutAt: m.AboutAt, Raw: doc,
	}
	if out.Labels == nil {
		out.Labels = []string{}
	}
	if n.Parent != "" {
		out.ParentID, out.Phraseless = &n.Parent, out.Summary == ""
	}
	e.exportFacts(ctx, &out)
	return e.fn(out)
}

// noteUnreadable notes that a file could not be read.
func (e *exporter) noteUnreadable(err error) {
	if e.failed++; e.first == nil {
		e.first = err
	}
}

func (e *exporter) failure() error {
	if e.failed == 0 {
		return nil
	}
	return vault.Errorf(vault.CodeIO, "mend them and export again", "%s could not be read: %w", vault.Plural(e.failed, "file", "files"), e.first)
}
