package graph_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
)

// world is a vault with an index whose questions are counted.
type world struct {
	*vaulttest.World
	DB *index.DB
	graph.Reader
	asked int
}

func newWorld(t *testing.T) *world {
	w := &world{World: vaulttest.New(t)}
	var err error
	w.DB, err = index.Open(filepath.Join(w.Root, ".cp", "other.db"), index.Options{Source: w.Vault.Store.Source})
	w.Check(err)
	t.Cleanup(func() { _ = w.DB.Close() })
	view := w.DB.Graph().View
	w.Reader.View = func(ctx context.Context, fn func(*sqlite.Tx) error) error {
		w.asked++
		return view(ctx, fn)
	}
	return w
}

// note writes a memory, and its facts unless there are none.
func (w *world) note(id, title, more, text string, entities []fact.Entity, relations ...fact.Relation) {
	w.Write(title+".md", "---\nid: "+id+"\ntitle: "+title+"\n"+more+"---\n"+text+"\n")
	if len(entities)+len(relations) > 0 {
		w.Write(fact.Path(id), string((&fact.Facts{ID: id, Entities: entities, Relations: relations}).Bytes()))
	}
}

// look brings the index up to date.
func (w *world) look() {
	w.T.Helper()
	_, err := w.DB.CatchUp(w.Ctx, w.Vault.Store.Source, vault.Scope{Each: true})
	w.Check(err)
	w.asked = 0
}

// small is a vault of five memories.
func small(t *testing.T) *world {
	w := newWorld(t)
	w.note("pf-aa1", "Databases", "created: 2026-01-01\nlabels: [ops, rare]\n", "See [[Caches]].", []fact.Entity{{Name: "PostgreSQL", Type: "technology", Description: "the database"}, {Name: "db1", Type: "host"}},
		fact.Relation{From: "PostgreSQL", Relation: "Runs on", To: "db1"})
	w.note("pf-aa2", "Caches", "created: 2026-01-02\nlabels: [ops, rare]\n", "Text.", []fact.Entity{{Name: "postgresql", Type: "technology", Description: "the store"}, {Name: "Redis", Type: "technology"}})
	w.note("pf-aa3", "db1", "labels: [ops]\nsummary: When db1 is down\n", "The host itself.", nil)
	w.note("pf-aa4", "Team", "aliases: [Redis]\n", "Who does it.\n\n## Relations\n- asks [[db1]]\n", nil)
	w.note("pf-aa5", "Lone", "", "Nothing.", nil)
	w.Write(".cp/facts/untracked/old.jsonl", `{"type": "entity", "name": "Legacy", "entityType": "thing"}`+"\n")
	w.look()
	return w
}
