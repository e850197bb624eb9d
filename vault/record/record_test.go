package record_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/record"
)

// opened returns a Store of a new vault.
func opened(t *testing.T) (record.Store, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, end, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return s, dir
}

func add(t *testing.T, s record.Store, topic, text string) *record.MemoryRecord {
	t.Helper()
	r := &record.MemoryRecord{Topic: topic, Context: text}
	if err := s.AddMemory(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARecordComesBackAsItWas(t *testing.T) {
	s, dir := opened(t)
	r := &record.MemoryRecord{Topic: "Databases", Context: "The primary is db1.", Decisions: []string{"one", "two\nlines"}, Rationale: []string{"why"},
		Metadata: map[string]any{"size": 3.5, "tags": []any{"a", "b"}, "deep": map[string]any{"x": true}}, Source: "a talk"}
	want := *r
	if err := s.AddMemory(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if r.ID == "" || len(r.DocHash) != 64 || r.Version != 1 || r.Status != graph.FactsComplete || r.CreatedAt.IsZero() || r.UpdatedAt.IsZero() || r.NodeIDs == nil || r.EdgeIDs == nil {
		t.Errorf("got %+v", r)
	}
	if !slices.Equal(r.Decisions, want.Decisions) || !slices.Equal(r.Rationale, want.Rationale) || !reflect.DeepEqual(r.Metadata, want.Metadata) || r.Source != want.Source || r.Topic != want.Topic || strings.TrimSpace(r.Context) != want.Context {
		t.Errorf("got %+v, want %+v", r, want)
	}

	// A person's edit in an editor counts.
	path := filepath.Join(dir, "databases.md")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(text), "db1", "db9", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.GetMemory(t.Context(), r.ID); err != nil || !strings.Contains(got.Context, "db9") || got.DocHash == r.DocHash {
		t.Errorf("after an edit: %+v, %v", got, err)
	}
}

func TestAnEmptyRecordIsRefused(t *testing.T) {
	s, _ := opened(t)
	for _, r := range []record.MemoryRecord{{Topic: " \n", Context: "text"}, {Topic: "T", Context: "\t"}} {
		if err := s.AddMemory(t.Context(), &r); vault.CodeOf(err) != vault.CodeInvalid {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if err := s.AddMemory(t.Context(), &record.MemoryRecord{Topic: "T", Context: "x", Metadata: map[string]any{"f": func() {}}}); vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("metadata that is no JSON: %v", err)
	}
}

func TestUpdateChangesOnlyWhatIsGiven(t *testing.T) {
	s, _ := opened(t)
	r := &record.MemoryRecord{Topic: "T", Context: "text", Decisions: []string{"a", "b"}, Metadata: map[string]any{"x": 1.0, "y": "2"}, Source: "s"}
	if err := s.AddMemory(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	none, decisions, metadata := "", []string{"c"}, map[string]any{"y": "3"}
	if err := s.UpdateMemory(t.Context(), r.ID, record.MemoryUpdate{Source: &none, Decisions: &decisions, Metadata: &metadata}); err != nil {
		t.Fatal(err)
	}
	got, err := s.GetMemory(t.Context(), r.ID)
	if err != nil || got.Source != "" || !slices.Equal(got.Decisions, decisions) || !reflect.DeepEqual(got.Metadata, metadata) || got.Topic != "T" || got.Version != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	var empty []string
	var nothing map[string]any
	if err := s.UpdateMemory(t.Context(), r.ID, record.MemoryUpdate{Decisions: &empty, Metadata: &nothing}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.GetMemory(t.Context(), r.ID); err != nil || len(got.Decisions) != 0 || len(got.Metadata) != 0 {
		t.Errorf("cleared: %+v, %v", got, err)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	s, _ := opened(t)
	ctx := t.Context()
	_, get := s.GetMemory(ctx, "pf-none")
	x := "x"
	for name, err := range map[string]error{"get": get, "delete": s.DeleteMemory(ctx, "pf-none"), "update": s.UpdateMemory(ctx, "pf-none", record.MemoryUpdate{Topic: &x}),
		"metadata": s.UpdateMemory(ctx, "pf-none", record.MemoryUpdate{Metadata: &map[string]any{}})} {
		if !errors.Is(err, record.ErrMemoryNotFound) || vault.CodeOf(err) != vault.CodeNotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.LinkProvenance(ctx, "pf-none", []string{"n-0000000000000000"}, nil); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("link: %v", err)
	}
	if err := s.LinkProvenance(ctx, "pf-none", nil, []string{"e-0000000000000000"}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("link: %v", err)
	}
}

func TestPagesDoNotOverlap(t *testing.T) {
	s, _ := opened(t)
	for i := range 7 {
		add(t, s, fmt.Sprint("T", i), strings.Repeat("é", 300))
	}
	var ids []string
	for offset := 0; offset < 7; offset += 3 {
		page, total, err := s.ListMemories(t.Context(), record.ListMemoriesOptions{Offset: offset, Limit: 3})
		if err != nil || total != 7 {
			t.Fatalf("%d, %v", total, err)
		}
		for _, m := range page {
			ids = append(ids, m.ID)
			if utf8.RuneCountInString(m.Preview) != 200 || !utf8.ValidString(m.Preview) {
				t.Errorf("preview %q", m.Preview)
			}
		}
	}
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 7 {
		t.Errorf("got %v", ids)
	}
	if page, _, err := s.ListMemories(t.Context(), record.ListMemoriesOptions{Offset: -5, Limit: 1000}); err != nil || len(page) != 7 {
		t.Errorf("%d, %v", len(page), err)
	}
}

// A name may hold what parts the words of a relation on the command line.
func TestProvenanceOfANameWithABar(t *testing.T) {
	s, dir := opened(t)
	ctx := t.Context()
	a, b := add(t, s, "A", "of it"), add(t, s, "B", "of it, too")
	f := fact.Facts{ID: a.ID, Entities: []fact.Entity{{Name: "a|b", Type: "host"}, {Name: "c", Type: "host"}}, Relations: []fact.Relation{{From: "a|b", Relation: "x|y", To: "c"}}}
	path := filepath.Join(dir, filepath.FromSlash(fact.Path(a.ID)))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	nodes, edges, err := s.GetProvenanceByMemory(ctx, a.ID)
	if err != nil || len(nodes) != 2 || len(edges) != 1 {
		t.Fatalf("%v %v %v", nodes, edges, err)
	}
	if err := s.LinkProvenance(ctx, b.ID, nil, edges); err != nil {
		t.Fatal(err)
	}
	if linked, same, err := s.GetProvenanceByMemory(ctx, b.ID); err != nil || !slices.Equal(linked, nodes) || !slices.Equal(same, edges) {
		t.Errorf("linked %v %v, want %v %v, %v", linked, same, nodes, edges, err)
	}
}

func TestProvenance(t *testing.T) {
	s, _ := opened(t)
	ctx := t.Context()
	a, b := add(t, s, "A", "of db1"), add(t, s, "B", "of db1, too")
	if _, err := (graph.AddFacts{Ref: a.ID, Entity: "db1", Type: "host", Relations: []string{"db1|runs on|rack 4"}}).Do(ctx, s.Vault); err != nil {
		t.Fatal(err)
	}
	nodes, edges, err := s.GetProvenanceByMemory(ctx, a.ID)
	if err != nil || len(nodes) != 2 || len(edges) != 1 {
		t.Fatalf("%v %v %v", nodes, edges, err)
	}
	for range 2 { // the second time changes nothing
		if err := s.LinkProvenance(ctx, b.ID, nil, edges); err != nil {
			t.Fatal(err)
		}
	}
	linked, linkedEdges, err := s.GetProvenanceByMemory(ctx, b.ID)
	if err != nil || !slices.Equal(linked, nodes) || !slices.Equal(linkedEdges, edges) {
		t.Errorf("linked %v %v, want %v %v, %v", linked, linkedEdges, nodes, edges, err)
	}
	if n, err := s.CountMemoryReferences(ctx, nodes[0]); n != 2 || err != nil {
		t.Errorf("%d memories, %v", n, err)
	}

	// The node stays while one of the two speaks of it, and goes with the other.
	for want, id := range map[int]string{1: a.ID} {
		if err := s.DeleteMemory(ctx, id); err != nil {
			t.Fatal(err)
		}
		if all, err := s.GetMemoriesByNodeID(ctx, nodes[0]); len(all) != want || err != nil {
			t.Errorf("%v, %v", all, err)
		}
	}
	if err := s.DeleteMemory(ctx, b.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.CountMemoryReferences(ctx, nodes[0]); err != nil {
		t.Fatal(err)
	}
	if n, e, err := s.Sources.Counts(ctx); n != 0 || e != 0 || err != nil {
		t.Errorf("%d nodes and %d edges are left, %v", n, e, err)
	}
}

// A record says when it was changed last: by the last commit, or in an editor since.
func TestWhenARecordWasChanged(t *testing.T) {
	s, dir := opened(t)
	r := add(t, s, "Databases", "The primary is db1.")
	old := time.Date(2020, 5, 17, 10, 0, 0, 0, time.UTC)
	path := filepath.Join(dir, "databases.md")
	text, err := os.ReadFile(path)
	if err == nil {
		err = errors.Join(os.WriteFile(path, append(text, "\nAnd db2.\n"...), 0o600), os.Chtimes(path, old, old))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []func(at time.Time) bool{old.Equal, func(at time.Time) bool { return !at.Before(r.UpdatedAt) }} {
		got, err := s.GetMemory(t.Context(), r.ID)
		all, _, err2 := s.ListMemories(t.Context(), record.ListMemoriesOptions{})
		if err := errors.Join(err, err2); err != nil || !want(got.UpdatedAt) || len(all) != 1 || !all[0].UpdatedAt.Equal(got.UpdatedAt) {
			t.Errorf("changed at %v, in the list %+v, %v", got.UpdatedAt, all, err)
		}
		git := exec.CommandContext(t.Context(), "git", "commit", "-qam", "typed")
		git.Dir = dir
		_ = git.Run() // the second time there is nothing
	}
}

func TestSearch(t *testing.T) {
	s, _ := opened(t)
	ctx := t.Context()
	a, b := add(t, s, "A", "of db1"), add(t, s, "B", "of db1, too")
	for _, id := range []string{a.ID, b.ID} {
		if _, err := (graph.AddFacts{Ref: id, Entity: "db1", Type: "host", Description: "the primary"}).Do(ctx, s.Vault); err != nil {
			t.Fatal(err)
		}
	}
	no := false
	for _, row := range []struct {
		query string
		o     record.SearchOptions
		nodes int
		ids   []string
	}{
		{"primary", record.SearchOptions{}, 1, []string{b.ID, a.ID}},
		{"db1", record.SearchOptions{IncludeMemoryIDs: &no}, 1, []string{}},
		{"nothing like this", record.SearchOptions{}, 0, nil},
	} {
		found, err := s.Search(ctx, row.query, row.o)
		if err != nil || len(found) != row.nodes || found == nil {
			t.Fatalf("%s: %+v, %v", row.query, found, err)
		}
		for _, r := range found {
			slices.Sort(r.MemoryIDs)
			slices.Sort(row.ids)
			if r.Name != "db1" || r.Type != "host" || r.Description != "the primary" || r.MemoryIDs == nil || !slices.Equal(r.MemoryIDs, row.ids) {
				t.Errorf("%s: %+v", row.query, r)
			}
		}
	}
	// A part of an id finds the same record.
	if got, err := s.GetMemory(ctx, a.ID[:8]); err != nil || got.ID != a.ID || len(got.NodeIDs) != 1 {
		t.Errorf("by a part of its id: %+v, %v", got, err)
	}
}

// model answers with the given text, or fails.
type model struct {
	text      string
	err       error
	meanwhile func() // what happens while it thinks; may be nil
}

func (m *model) Generate(context.Context, string) (string, error) {
	if m.meanwhile != nil {
		m.meanwhile()
	}
	return m.text, m.err
}

// What another writer brings while a model thinks is not counted as this memory's.
func TestOnlyTheOwnNodesAreCounted(t *testing.T) {
	s, _ := opened(t)
	other := add(t, s, "Other", "of db1 and of db9")
	g := &model{text: `{"entities": [{"name": "db1", "type": "host", "description": "x"}, {"name": "db2", "type": "host", "description": "y"}], "relations": [{"from": "db2", "relation": "replicates", "to": "db1"}]}`}
	g.meanwhile = func() {
		if _, err := (graph.AddFacts{Ref: other.ID, Entity: "db1", Type: "host", Relations: []string{"db1|stands by|db9", "db9|feeds|db8"}}).Do(t.Context(), s.Vault); err != nil {
			t.Error(err)
		}
	}
	m := record.Memories{Store: s, Extractor: &graph.Extract{Vault: s.Vault, Model: g, By: "test/m", Types: graph.EntityTypes()}}
	out, err := m.AddMemory(t.Context(), record.MemoryInput{Topic: "Databases", Context: "db2 replicates db1."})
	if err != nil || len(out.Errors) != 0 || out.NodesCreated != 1 || out.EdgesCreated != 1 {
		t.Errorf("%+v, %v; want db2 and one edge", out, err)
	}

	// Another text brings what was not there before, and nothing that was.
	g.meanwhile, g.text = nil, `{"entities": [{"name": "db2", "type": "host", "description": "y"}, {"name": "db3", "type": "host", "description": "z"}], "relations": []}`
	text := "db2 is beside db3."
	if out, err = m.UpdateMemory(t.Context(), out.MemoryID, record.MemoryUpdate{Context: &text}); err != nil || out.NodesCreated != 1 || out.EdgesCreated != 0 {
		t.Errorf("%+v, %v; want db3 alone", out, err)
	}
}

func TestFactsAreDrawnBeforeItReturns(t *testing.T) {
	s, dir := opened(t)
	s.Auto = true
	g := &model{err: errors.New("the model is down")}
	m := record.Memories{Store: s, Extractor: &graph.Extract{Vault: s.Vault, Model: g, By: "test/m", Types: graph.EntityTypes()}}
	in := record.MemoryInput{Topic: "Databases", Context: "db2 replicates db1."}
	failed, err := m.AddMemory(t.Context(), in)
	if err != nil || len(failed.Errors) != 1 || failed.NodesCreated != 0 {
		t.Fatalf("%+v, %v", failed, err)
	}
	if r, err := s.GetMemory(t.Context(), failed.MemoryID); err != nil || r.Status != graph.Pending {
		t.Errorf("%+v, %v", r, err)
	}
	// Adding it again draws them.
	g.err, g.text = nil, `{"entities": [{"name": "db1", "type": "host", "description": "x"}, {"name": "db2", "type": "host", "description": "y"}], "relations": [{"from": "db2", "relation": "replicates", "to": "db1"}]}`
	again, err := m.AddMemory(t.Context(), in)
	if err != nil || !again.Duplicate || again.MemoryID != failed.MemoryID || again.NodesCreated != 2 || again.EdgesCreated != 1 || len(again.Errors) != 0 {
		t.Fatalf("%+v, %v", again, err)
	}
	// A new text while the model is down keeps the old facts.
	g.err = errors.New("the model is down")
	text := "db3 replicates db1."
	changed, err := m.UpdateMemory(t.Context(), again.MemoryID, record.MemoryUpdate{Context: &text})
	if err != nil || len(changed.Errors) != 1 {
		t.Fatalf("%+v, %v", changed, err)
	}
	r, err := s.GetMemory(t.Context(), again.MemoryID)
	if err != nil || r.Status != graph.Pending || len(r.NodeIDs) != 2 || len(r.EdgeIDs) != 1 || r.Version != 2 {
		t.Errorf("%+v, %v", r, err)
	}

	// A memory that is removed by hand leaves facts, which the collection takes away.
	if err := os.Remove(filepath.Join(dir, "databases.md")); err != nil {
		t.Fatal(err)
	}
	nodes, edges, err := m.GarbageCollect(t.Context())
	if err != nil || nodes != 2 || edges != 1 {
		t.Errorf("%d, %d, %v", nodes, edges, err)
	}
	if n, e, err := m.GarbageCollect(t.Context()); n != 0 || e != 0 || err != nil {
		t.Errorf("a second time: %d, %d, %v", n, e, err)
	}
}
