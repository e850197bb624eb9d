package record

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// Memories adds and changes memories, and has their facts drawn before it returns.
type Memories struct {
	Store     Store
	Extractor *graph.Extract // nil draws none: the facts are pending or by hand
}

// MemoryInput is a new memory.
type MemoryInput struct {
	Topic, Context       string
	Decisions, Rationale []string
	Metadata             map[string]any
	Source               string
}

// MemoryResult is the outcome of a change of a memory.
type MemoryResult struct {
	MemoryID     string   `json:"memory_id"`
	Duplicate    bool     `json:"duplicate,omitempty"` // it was stored already
	NodesCreated int      `json:"nodes_created"`       // that its facts have brought, and of which no other memory speaks
	EdgesCreated int      `json:"edges_created"`
	Errors       []string `json:"errors"` // why facts could not be drawn: the memory is stored, and its facts are pending
}

// AddMemory stores a memory, then draws its facts. Adding it again after a failure draws them
// then. The error is that of [Store.AddMemory]: nothing was stored.
func (m Memories) AddMemory(ctx context.Context, in MemoryInput) (out MemoryResult, err error) {
	r := &MemoryRecord{Topic: in.Topic, Context: in.Context, Decisions: in.Decisions, Rationale: in.Rationale, Metadata: in.Metadata, Source: in.Source}
	return m.grown(ctx, func() (string, error) {
		out.Duplicate, err = m.Store.storeRecord(ctx, r)
		return r.ID, err
	}, &out)
}

// UpdateMemory changes a memory, then draws its facts if its text is another one. Where that
// fails the old facts stay. The error is that of [Store.UpdateMemory].
func (m Memories) UpdateMemory(ctx context.Context, id string, u MemoryUpdate) (out MemoryResult, err error) {
	return m.grown(ctx, func() (string, error) { return id, m.Store.UpdateMemory(ctx, id, u) }, &out)
}

// GarbageCollect takes away facts files without a memory, and returns by how many nodes and
// edges the graph is smaller. It may be called at any time.
func (m Memories) GarbageCollect(ctx context.Context) (nodesDeleted, edgesDeleted int, err error) {
	nodes, edges, err := m.Store.Sources.Counts(ctx)
	if err != nil {
		return 0, 0, err
	}
	if _, err := (graph.CollectFacts{}).Do(ctx, m.Store.Vault); err != nil {
		return 0, 0, err
	}
	left, leftEdges, err := m.Store.Sources.Counts(ctx)
	return max(nodes-left, 0), max(edges-leftEdges, 0), err
}

// grown changes a memory, draws its facts and says what of the graph is new by them. What
// another writer brings meanwhile does not count.
func (m Memories) grown(ctx context.Context, change func() (string, error), out *MemoryResult) (_ MemoryResult, err error) {
	out.Errors = []string{}
	if out.MemoryID, err = change(); err != nil {
		return *out, err
	}
	nodes, edges, err := m.Store.GetProvenanceByMemory(ctx, out.MemoryID)
	if err != nil {
		return *out, err
	}
	if err := m.draw(ctx, out.MemoryID); err != nil {
		out.Errors = append(out.Errors, err.Error())
	}
	if _, err := m.Store.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return *out, err
	}
	now, nowEdges, err := m.Store.Sources.Alone(ctx, vault.ID(out.MemoryID))
	out.NodesCreated, out.EdgesCreated = more(now, nodes), more(nowEdges, edges)
	return *out, err
}

// more counts what is in now and was not there before.
func more(now, before []string) (n int) {
	for _, id := range now {
		if !slices.Contains(before, id) {
			n++
		}
	}
	return n
}

// draw draws the facts of a memory, if they are missing or stale.
func (m Memories) draw(ctx context.Context, id string) error {
	if m.Extractor == nil {
		return nil
	}
	chosen, err := graph.ChooseMemories(ctx, m.Store.Vault, graph.WhichMemories{Refs: []string{id}, Missing: true, Stale: true}, m.Extractor.Types)
	if err != nil || len(chosen) == 0 {
		return err
	}
	r, err := m.Extractor.Do(ctx, chosen)
	if err == nil && r.Failed > 0 {
		err = errorOf(r.Rows[0].Reason)
	}
	return err
}

// errorOf is a failure that a row tells of.
type errorOf string

func (e errorOf) Error() string { return string(e) }
