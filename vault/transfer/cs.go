package transfer

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/kind"
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
	all, err := o.entries(ctx, v)
	if err != nil {
		return out, err
	}
	var e exporter
	for i := range all {
		n := &all[i]
		doc, _, err := v.Store.Read(n.Path)
		if err != nil {
			e.fail(err)
			continue
		}
		out.Memories = append(out.Memories, csMemory(n.ID, vault.ParseText(n.Path, doc)))
		if err := ctx.Err(); err != nil {
			return out, err
		}
	}
	return out, e.failure()
}

// entries lists the entries, the oldest first, and those of one time by path.
func (o CS) entries(ctx context.Context, v *vault.Vault) (all []vault.Node, err error) {
	var types []string
	for _, k := range kind.All() {
		types = append(types, string(k))
	}
	err = v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		all, _, err = t.List(ctx, vault.ListOptions{Types: types, Spec: o.Spec, Status: []string{"*"}, Limit: math.MaxInt32})
		return err
	})
	slices.SortFunc(all, func(a, b vault.Node) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(string(a.Path), string(b.Path)))
	})
	return all, err
}

// csMemory returns an entry in the form of cs-memory.
func csMemory(id vault.ID, m *vault.Memory) CSMemory {
	h := &m.Header
	out := CSMemory{ID: id, Namespace: kind.Kind(h.Type).Namespace(), Summary: h.Title, Content: m.Prose, Tags: h.Labels,
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
