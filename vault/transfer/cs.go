package transfer

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// CS exports the entries of the journal, those with a place in the tree included, in the
// form of the program cs-memory.
type CS struct {
	Spec string // only entries of this piece of work; empty is all
}

// CSDocument is what CS gives. Its fields and their names are that program's.
type CSDocument struct {
	Exported time.Time  `json:"exported_at"`
	Filter   CSFilter   `json:"filter"`
	Memories []CSMemory `json:"memories"` // the oldest first
}

// CSFilter tells which entries were asked for. Without a filter it is an empty object.
type CSFilter struct {
	Spec string `json:"spec,omitempty"`
}

// CSMemory is one entry. A field for which the entry has no value is null.
type CSMemory struct {
	ID        vault.ID   `json:"id"`
	Namespace string     `json:"namespace"`
	Spec      *string    `json:"spec"`
	Summary   string     `json:"summary"` // the title: cs-memory calls it so
	Content   string     `json:"content"`
	Timestamp *time.Time `json:"timestamp"`
	Commit    *string    `json:"commit_sha"`
	Tags      []string   `json:"tags"`
}

// Read returns the document. Closed and denied entries are in it. Where files cannot be
// read it fails, and names the first of them.
func (o CS) Read(ctx context.Context, v *vault.Vault) (CSDocument, error) {
	out := CSDocument{Exported: v.Now().UTC().Truncate(time.Second), Filter: CSFilter(o), Memories: []CSMemory{}}
	var e exporter
	err := eachEntry(ctx, v, vault.ListOptions{Spec: o.Spec}, func(n *vault.Node, m *vault.Memory, err error) error {
		if err != nil {
			e.noteUnreadable(err)
			return nil
		}
		out.Memories = append(out.Memories, csMemory(n.ID, m))
		return nil
	})
	return out, cmp.Or(err, e.failure())
}

// eachEntry calls fn for the entries that o asks for, in the journal and in the tree: the
// oldest first, and those of one time by path. It gives why the file of one cannot be read. An
// error of fn ends it.
func eachEntry(ctx context.Context, v *vault.Vault, o vault.ListOptions, fn func(*vault.Node, *vault.Memory, error) error) error {
	for _, k := range header.Kinds() {
		o.Types = append(o.Types, string(k))
	}
	o.Status, o.Limit = []string{"*"}, math.MaxInt32
	var all []vault.Node
	err := v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		all, _, err = t.List(ctx, o)
		return err
	})
	slices.SortFunc(all, func(a, b vault.Node) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(string(a.Path), string(b.Path)))
	})
	for i := range all {
		if err == nil {
			doc, _, rerr := v.Store.Read(all[i].Path)
			err = fn(&all[i], vault.ParseText(all[i].Path, doc), rerr)
		}
		if err == nil {
			err = ctx.Err()
		}
	}
	return err
}

// csMemory returns an entry in the form of cs-memory.
func csMemory(id vault.ID, m *vault.Memory) CSMemory {
	h := &m.Header
	out := CSMemory{ID: id, Namespace: header.Kind(h.Type).Namespace(), Summary: h.Title, Content: m.Prose, Tags: h.Labels,
		Spec: present(h.Spec), Commit: present(h.Commit)}
	if out.Tags == nil {
		out.Tags = []string{}
	}
	if !h.Created.IsZero() {
		at := h.Created.UTC()
		out.Timestamp = &at
	}
	return out
}

// present returns a pointer to a text; nil for an empty one.
func present(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
