package record

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// ErrMemoryNotFound says that no memory has an id. What is returned wraps it.
var ErrMemoryNotFound = errors.New("memory not found")

// MemoryRecord is a memory.
type MemoryRecord struct {
	ID        string           `json:"id"`
	Topic     string           `json:"topic"`   // the title
	Context   string           `json:"context"` // the text
	Decisions []string         `json:"decisions"`
	Rationale []string         `json:"rationale"`
	Metadata  map[string]any   `json:"metadata,omitempty"`
	Source    string           `json:"source,omitempty"`
	CreatedAt time.Time        `json:"created_at"`
	UpdatedAt time.Time        `json:"updated_at"` // when the last commit changed it, or the file while it has other edits
	Version   int              `json:"version"`    // see past.History.Version
	DocHash   string           `json:"doc_hash"`
	Status    graph.FactStatus `json:"facts_status"`
	NodeIDs   []string         `json:"node_ids"` // of the graph, that come from its facts
	EdgeIDs   []string         `json:"edge_ids"`
}

// MemorySummary is a memory in a list.
type MemorySummary struct {
	ID            string    `json:"id"`
	Topic         string    `json:"topic"`
	Preview       string    `json:"preview"` // the first 200 characters of the context
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"` // as in MemoryRecord
	DecisionCount int       `json:"decision_count"`
}

// ListMemoriesOptions choose a page. A limit of 0 is 50, and more than 100 is 100.
type ListMemoriesOptions struct {
	Offset int
	Limit  int
}

// MemoryUpdate says what is to change: nil leaves a field as it is, and an empty value clears it.
type MemoryUpdate struct {
	Topic     *string
	Context   *string
	Decisions *[]string
	Rationale *[]string
	Metadata  *map[string]any
	Source    *string
}

// preview is how many characters of the context a summary has.
const preview = 200

// readRecord returns what a memory's file says.
func readRecord(d *vault.Doc) (*MemoryRecord, error) {
	r := &MemoryRecord{ID: string(d.ID), Topic: d.Mem.Title, Context: d.Mem.Prose, Decisions: d.Mem.Decisions, Rationale: d.Mem.Rationale,
		Source: d.Mem.Source, CreatedAt: d.Mem.Created, DocHash: tree.HashOf(d.Mem), NodeIDs: []string{}, EdgeIDs: []string{}}
	if d.Mem.Metadata == "" {
		return r, nil
	}
	return r, json.Unmarshal([]byte(d.Mem.Metadata), &r.Metadata)
}

// mapOf returns metadata as a header has it.
func mapOf(all map[string]any) (header.Map, error) {
	raw := make(map[string]json.RawMessage, len(all))
	for key, value := range all {
		text, err := json.Marshal(value)
		if err != nil {
			return "", vault.Errorf(vault.CodeInvalid, "use texts, numbers, lists and maps", "the metadata '%s' cannot be kept: %w", vault.Clip(key, 80), err)
		}
		raw[key] = text
	}
	return header.MapOf(raw), nil
}
