// Package facts_test has verbs, hands, git and gc change a vault with facts at random, and
// compares the rows of the graph with those of an index that is made anew.
package facts_test

import (
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"
	"pgregory.net/rapid"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// After any sequence of verbs, edits by hand, merges, undos and gc the nodes, edges and their
// provenance are those of an index that is made anew, and each has a source.
func TestTheGraphIsThatOfANewIndex(t *testing.T) {
	if f := flag.Lookup("rapid.checks"); f.Value.String() == f.DefValue { // a hundred vaults take minutes
		if err := f.Value.Set(strconv.Itoa(testlevel.Rounds(10))); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := newHand(t, rt)
		for step := range 24 {
			h.act()
			if step%6 == 5 {
				h.compare()
			}
		}
	})
}

// hand is who changes the vault.
type hand struct {
	*vaulttest.World
	rt      *rapid.T
	history *past.History
	fresh   int // indexes made so far
	did     []string
}

func newHand(t *testing.T, rt *rapid.T) *hand {
	w := vaulttest.New(t)
	w.Write(".gitignore", "/.cp/*.db*\n")
	w.Commit("what is derived")
	repo, err := gitstore.FindRepo(w.Root)
	w.Check(err)
	store, err := worktree.Open(w.Root, vaulttest.Ports(repo), worktree.Options{})
	w.Check(err)
	h := &hand{World: w, rt: rt, history: &past.History{Vault: w.Vault, Archive: store.Archive()}}
	for range 3 {
		h.add()
	}
	return h
}

func pick[T any](h *hand, what string, all []T) T { return rapid.SampledFrom(all).Draw(h.rt, what) }

// names and verbs are few, so that memories share nodes and edges.
var (
	names = []string{"db1", "DB1", "db2", "PostgreSQL", "Postgre SQL", "Ａnn"}
	types = []string{"host", "person", "thing"}
	verbs = []string{"runs on", "knows"}
)

// act does one thing. Most verbs may refuse what they are asked for, which changes nothing.
func (h *hand) act() {
	all := []struct {
		name string
		do   func()
	}{
		{"add", h.add}, {"add facts", h.addFacts}, {"add facts", h.addFacts}, {"remove facts", h.removeFacts}, {"edit facts", h.editFacts}, {"break facts", h.breakFacts},
		{"unlink facts", h.unlinkFacts}, {"edit", h.edit}, {"delete", h.delete}, {"unlink", h.unlink}, {"move", h.move}, {"copy", h.copy}, {"rename id", h.renameID},
		{"commit", h.commit}, {"sync", h.sync}, {"gc", h.collect}, {"undo", h.undo}, {"merge", h.merge}, {"reset", h.reset}, {"untracked", h.untracked}, {"look", func() { h.catchUp() }},
	}
	a := pick(h, "act", all)
	h.did = append(h.did, a.name)
	a.do()
}

// may ends the test at an error that is no refusal.
func (h *hand) may(err error) {
	if err == nil {
		return
	}
	var refused *vault.Error
	if !errors.As(err, &refused) || refused.Code == vault.CodeInternal || refused.Code == vault.CodeIO {
		h.rt.Fatalf("%v: %v", h.did, err)
	}
}

func (h *hand) add() {
	_, err := tree.Add{Title: fmt.Sprintf("Note %d", rapid.IntRange(0, 999).Draw(h.rt, "n")), Text: "It speaks of [[" + pick(h, "link", names) + "]].", AllowDuplicate: true}.Do(h.Ctx, h.Vault)
	h.may(err)
}

// glob returns files of the vault.
func (h *hand) glob(pattern string) (found []string) {
	all, err := filepath.Glob(filepath.Join(h.Root, pattern))
	h.Check(err)
	for _, name := range all {
		rel, err := filepath.Rel(h.Root, name)
		h.Check(err)
		found = append(found, rel)
	}
	return found
}

// with picks a file, if there is one.
func (h *hand) with(pattern string, do func(name string)) {
	if all := h.glob(pattern); len(all) > 0 {
		do(pick(h, "file", all))
	}
}

const (
	memories   = "*.md"
	factsFiles = ".cp/facts/*/*.json"
)

func (h *hand) relation() string {
	return pick(h, "from", names) + "|" + pick(h, "verb", verbs) + "|" + pick(h, "to", names)
}

func (h *hand) addFacts() {
	h.with(memories, func(name string) {
		o := graph.AddFacts{Ref: name, Entity: pick(h, "entity", names), Type: pick(h, "type", types), Description: pick(h, "said", []string{"", "the first", "the other one"})}
		if rapid.Bool().Draw(h.rt, "relate") {
			o.Relations = []string{h.relation()}
		}
		_, err := o.Do(h.Ctx, h.Vault)
		h.may(err)
	})
}

func (h *hand) removeFacts() {
	h.with(memories, func(name string) {
		_, err := graph.RemoveFacts{Ref: name, Entity: pick(h, "entity", names)}.Do(h.Ctx, h.Vault)
		h.may(err)
	})
}

// editFacts writes what a model might have drawn, by hand.
func (h *hand) editFacts() {
	h.with(factsFiles, func(name string) {
		f, err := fact.Parse([]byte(h.Disk(name)))
		if err != nil {
			return
		}
		f.By, f.Of = "google/x", "0123456789ab"
		f.Entities = append(f.Entities, fact.Entity{Name: pick(h, "entity", names), Type: pick(h, "type", types), Removed: rapid.Bool().Draw(h.rt, "removed")})
		f.Relations = append(f.Relations, fact.Relation{From: pick(h, "from", names), Relation: pick(h, "verb", verbs), To: pick(h, "to", names)})
		h.Write(name, string(f.Bytes()))
	})
}

func (h *hand) breakFacts() {
	h.with(factsFiles, func(name string) {
		h.Write(name, pick(h, "text", []string{"{", "", `{"id": "pf-somebodyelse", "entities": [], "relations": []}`, "<<<<<<< HEAD\n"}))
	})
}

func (h *hand) unlinkFacts() { h.with(factsFiles, h.Unlink) }
func (h *hand) unlink()      { h.with(memories, h.Unlink) }

func (h *hand) edit() {
	h.with(memories, func(name string) { h.Write(name, h.Disk(name)+"More.\n") })
}

func (h *hand) delete() {
	h.with(memories, func(name string) {
		_, err := tree.Delete{Ref: name}.Do(h.Ctx, h.Vault)
		h.may(err)
	})
}

func (h *hand) move() {
	h.with(memories, func(name string) { h.Rename(name, fmt.Sprintf("moved-%d.md", len(h.did))) })
}

func (h *hand) copy() {
	h.with(memories, func(name string) { h.Write(fmt.Sprintf("copy-%d.md", len(h.did)), h.Disk(name)) })
}

func (h *hand) renameID() {
	h.with(memories, func(name string) {
		text := h.Disk(name)
		if _, rest, ok := strings.Cut(text, "id: "); ok {
			id, _, _ := strings.Cut(rest, "\n")
			h.Write(name, strings.Replace(text, "id: "+id, fmt.Sprintf("id: pf-hand%04d", len(h.did)), 1))
		}
	})
}

func (h *hand) commit() {
	if h.Porcelain() != "" {
		h.Commit("by hand")
	}
}

func (h *hand) sync() {
	_, err := h.Sync(h.Ctx, sync.Options{Force: true})
	h.may(err)
}

func (h *hand) collect() {
	_, err := graph.CollectFacts{}.Do(h.Ctx, h.Vault)
	h.may(err)
}

func (h *hand) undo() {
	_, err := h.history.Undo(h.Ctx, past.Undo{})
	h.may(err)
}

// merge merges what two branches have added.
func (h *hand) merge() {
	h.commit()
	h.Git("branch", "-f", "other")
	h.addFacts()
	h.commit()
	h.Git("checkout", "-q", "other")
	h.addFacts()
	h.add()
	h.commit()
	h.Git("checkout", "-q", "main")
	h.Git("-c", "merge.conflictStyle=merge", "merge", "-q", "-X", "ours", "--no-edit", "other")
}

func (h *hand) reset() {
	h.commit()
	h.Git("reset", "-q", "--hard", fmt.Sprintf("HEAD~%d", rapid.IntRange(0, 1).Draw(h.rt, "back")))
}

func (h *hand) untracked() {
	h.Write(".cp/facts/untracked/old.jsonl", `{"type": "entity", "name": "`+pick(h, "entity", names)+`", "entityType": "host"}`+"\n")
}

func (h *hand) catchUp() {
	_, err := h.Vault.CatchUp(h.Ctx, vault.Scope{Each: true})
	h.may(err)
}

// compare compares the index with a new one.
func (h *hand) compare() {
	h.catchUp()
	h.fresh++
	file := filepath.Join(h.Root, ".cp", fmt.Sprintf("fresh%d.db", h.fresh))
	anew, err := index.Open(file, index.Options{Source: h.Vault.Store.Source})
	h.Check(err)
	_, err = anew.CatchUp(h.Ctx, h.Vault.Store.Source, vault.Scope{})
	h.may(err)
	h.Check(anew.Close())
	got, want := h.rows(filepath.Join(h.Root, ".cp", "index.db")), h.rows(file)
	if !slices.Equal(got, want) {
		h.rt.Fatalf("%v\nthe index has\n%s\na new one has\n%s", h.did, strings.Join(less(got, want), "\n"), strings.Join(less(want, got), "\n"))
	}
	h.Check(os.Remove(file))
}

// less returns what a has and b has not.
func less(a, b []string) (rest []string) {
	for _, row := range a {
		if !slices.Contains(b, row) {
			rest = append(rest, row)
		}
	}
	return rest
}

// The rows that are compared, and what must have none: nodes and edges without a source.
var (
	told = []string{
		`SELECT 'node', id, name, type, description || ' ' || sources FROM graph_nodes ORDER BY id`,
		`SELECT 'edge', id, from_name, relation, to_name FROM graph_edges ORDER BY id`,
		`SELECT kind, id, source, coalesce(memory_id, ''), by_hand || coalesce(created_at, '') FROM memory_provenance ORDER BY kind, id, source`,
		`SELECT 'facts', path, id, drawn, msg || stray FROM facts ORDER BY path`,
		`SELECT 'terms', rowid, '', '', '' FROM nodes WHERE nodes MATCH 'db1 OR db2 OR ann OR first OR other' ORDER BY rowid`,
	}
	sourceless = `SELECT (SELECT count(*) FROM graph_node_rows g WHERE NOT EXISTS (SELECT 1 FROM memory_nodes s WHERE s.k = g.k))
		+ (SELECT count(*) FROM graph_edge_rows g WHERE NOT EXISTS (SELECT 1 FROM memory_edges s WHERE s.k = g.k))`
)

// rows returns what the tables of an index hold.
func (h *hand) rows(file string) (all []string) {
	db, err := sql.Open("sqlite3", "file:"+file)
	h.Check(err)
	defer db.Close()
	var n int
	if h.Check(db.QueryRow(sourceless).Scan(&n)); n > 0 {
		h.rt.Fatalf("%v: %d nodes and edges without a source", h.did, n)
	}
	for _, query := range told {
		rows, err := db.Query(query)
		h.Check(err)
		for rows.Next() {
			var v [5]string
			h.Check(rows.Scan(&v[0], &v[1], &v[2], &v[3], &v[4]))
			all = append(all, strings.Join(v[:], " | "))
		}
		h.Check(errors.Join(rows.Err(), rows.Close()))
	}
	return all
}
