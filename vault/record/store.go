package record

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

// Store reads and writes records. Its zero value is of no use: all fields but Auto are needed.
type Store struct {
	Vault   *vault.Vault
	History *past.History
	Graph   graph.Mirror
	Sources Sources
	Auto    bool // the user wants the facts of each memory drawn, see [graph.FactStatusOf]
}

// AddMemory writes a new memory, and sets in r what it got: its id, dates and hash. A record
// that is stored already is not written again; r is the stored one then. The error is
// CodeInvalid for an empty topic or context.
func (s Store) AddMemory(ctx context.Context, r *MemoryRecord) error {
	_, err := s.storeRecord(ctx, r)
	return err
}

// storeRecord reports whether the record was stored already.
func (s Store) storeRecord(ctx context.Context, r *MemoryRecord) (duplicate bool, err error) {
	for name, text := range map[string]string{"topic": r.Topic, "context": r.Context} {
		if strings.TrimSpace(text) == "" {
			return false, vault.Errorf(vault.CodeInvalid, "", "a memory needs a %s", name)
		}
	}
	metadata, err := mapOf(r.Metadata)
	if err != nil {
		return false, err
	}
	rec := header.Record{Decisions: r.Decisions, Rationale: r.Rationale, Metadata: metadata}
	out, err := tree.Add{Title: r.Topic, Text: r.Context, Record: tree.Record{Record: rec, Source: r.Source}}.Do(ctx, s.Vault)
	if err != nil {
		return false, err
	}
	stored, err := s.GetMemory(ctx, string(out.ID))
	if err == nil {
		*r = *stored
	}
	return out.Duplicate, err
}

// GetMemory returns a memory as its file is now, with the nodes and edges that come from it.
// The error wraps [ErrMemoryNotFound] where there is none.
func (s Store) GetMemory(ctx context.Context, id string) (*MemoryRecord, error) {
	d, err := s.Vault.Reading().OpenMemory(ctx, id)
	if err != nil {
		return nil, addMissing(err)
	}
	r, err := readRecord(d)
	if err != nil {
		return nil, err
	}
	if _, r.Status, err = graph.AskFacts(ctx, s.Vault, d.ID, d.Path, s.Auto); r.Status == "" {
		r.Status = graph.FactsComplete
	}
	if err != nil {
		return nil, err
	}
	if r.NodeIDs, r.EdgeIDs, err = s.GetProvenanceByMemory(ctx, r.ID); err != nil {
		return nil, err
	}
	if r.Version, err = s.History.Version(ctx, id); err != nil {
		return nil, err
	}
	changed, err := s.dates(ctx)
	if err == nil {
		r.UpdatedAt, err = changed.timeOfChange(ctx, d.Path, r.CreatedAt)
	}
	return r, err
}

// addMissing adds that a memory was not found to an error that says so.
func addMissing(err error) error {
	if vault.CodeOf(err) == vault.CodeNotFound {
		return fmt.Errorf("%w: %w", ErrMemoryNotFound, err)
	}
	return err
}

// ListMemories returns a page of memories, the newest first by when they were made, and how
// many there are. Pages do not overlap. When each was changed last is a look into the history
// for each.
func (s Store) ListMemories(ctx context.Context, o ListMemoriesOptions) ([]MemorySummary, int, error) {
	limit := o.Limit
	if limit <= 0 {
		limit = 50
	}
	page, err := tree.List(ctx, s.Vault, vault.ListOptions{Offset: max(o.Offset, 0), Limit: min(limit, 100)})
	if err != nil {
		return nil, 0, err
	}
	changed, err := s.dates(ctx)
	all := make([]MemorySummary, 0, len(page.Rows))
	for _, row := range page.Rows {
		if err != nil {
			break
		}
		var doc []byte
		if doc, _, err = s.Vault.Store.Read(row.Path); err != nil {
			continue
		}
		text := []rune(strings.TrimSpace(vault.Parse(row.Path, doc).Prose))
		m := MemorySummary{ID: string(row.ID), Topic: row.Title, Preview: string(text[:min(len(text), preview)]), CreatedAt: row.Created, DecisionCount: len(row.Decisions)}
		m.UpdatedAt, err = changed.timeOfChange(ctx, row.Path, row.Created)
		all = append(all, m)
	}
	return all, page.Total, err
}

// UpdateMemory changes a memory. The error wraps [ErrMemoryNotFound] where there is none.
func (s Store) UpdateMemory(ctx context.Context, id string, u MemoryUpdate) error {
	o := tree.Amend{Ref: id, Title: u.Topic, Body: u.Context}
	if u.Context != nil && strings.TrimSpace(*u.Context) == "" {
		o.Clear = []string{tree.ClearBody}
	}
	o.Decisions, o.Rationale, o.Source = anew(u.Decisions), anew(u.Rationale), u.Source
	if u.Metadata != nil {
		d, err := s.Vault.Reading().OpenMemory(ctx, id)
		if err != nil {
			return addMissing(err)
		}
		next := map[string]any{}
		_ = d.Mem.Metadata.EachKey(func(key, _ string) error { next[key] = nil; return nil })
		for key, value := range *u.Metadata {
			next[key] = value
		}
		if o.Metadata, err = mapOf(next); err != nil {
			return err
		}
	}
	_, err := o.Do(ctx, s.Vault)
	return addMissing(err)
}

// anew returns the texts that make a list another one: an empty one clears it first.
func anew(list *[]string) []string {
	if list == nil {
		return nil
	}
	return slices.Concat([]string{""}, *list)
}

// DeleteMemory removes a memory with its facts, and so what of the graph came from it alone. A
// memory with children is not removed.
func (s Store) DeleteMemory(ctx context.Context, id string) error {
	_, err := tree.Delete{Ref: id}.Do(ctx, s.Vault)
	return addMissing(err)
}
