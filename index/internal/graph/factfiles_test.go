package graph_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// filesWorld is a vault with an index that looks at folders, and one that looks at each file.
type filesWorld struct {
	*vaulttest.World
	byFolder, byFile *index.DB
}

func newFilesWorld(t *testing.T) *filesWorld {
	w := &filesWorld{World: vaulttest.New(t)}
	w.Write(".gitignore", "/.cp/*.db*\n")
	repo, err := gitstore.FindRepo(w.Root)
	w.Check(err)
	store, err := worktree.Open(w.Root, vaulttest.Ports(repo), worktree.Options{})
	w.Check(err)
	w.byFolder, err = index.Open(filepath.Join(w.Root, ".cp", "folder.db"), index.Options{Source: store.Ports().Source, Folders: store})
	w.Check(err)
	w.byFile, err = index.Open(filepath.Join(w.Root, ".cp", "file.db"), index.Options{Source: store.Ports().Source})
	w.Check(err)
	t.Cleanup(func() { _, _ = w.byFolder.Close(), w.byFile.Close() })
	return w
}

// rows returns the rows of facts files after a look.
func (w *filesWorld) rows(d *index.DB, scope vault.Scope) string {
	w.T.Helper()
	_, err := d.CatchUp(w.Ctx, w.Vault.Store.Source, scope)
	w.Check(err)
	var rows []string
	w.Check(d.Graph().View(w.Ctx, func(tx *sqlite.Tx) error {
		rows, err = sqlite.All(tx, `SELECT replace(path, '.cp/facts/', '') || ' ' || id || ' ' || msg || iif(stray, ' no memory', '') FROM facts ORDER BY path`, nil, (*sqlite.Row).Text)
		return err
	}))
	return strings.Join(rows, "\n")
}

func text(id, entity string) string {
	return string((&fact.Facts{ID: id, Entities: []fact.Entity{{Name: entity, Type: "host"}}}).Bytes())
}

// Both ways to look find what came, changed, broke and went, as a new index does.
func TestLooksAgree(t *testing.T) {
	w := newFilesWorld(t)
	one, two := fact.Path("pf-one"), fact.Path("pf-two")
	name := strings.TrimPrefix(one, ".cp/facts/")
	for _, step := range []struct {
		what string
		do   func()
		want string
	}{
		{"nothing yet", func() {}, ""},
		{"a file", func() { w.Write(one, text("pf-one", "db1")) }, name + " pf-one "},
		{"in place", func() { w.Write(one, text("pf-one", "db2")) }, name + " pf-one "},
		{"broken", func() { w.Write(one, "{") }, "not the JSON of facts"},
		{"mended", func() { w.Write(one, text("pf-one", "db1")) }, name + " pf-one "},
		{"another memory's", func() { w.Write(two, text("pf-one", "db1")) }, "pf-one"},
		{"too large", func() { w.Write(two, strings.Repeat(" ", fact.MaxSize+1)) }, "larger than"},
		{"hostile names", func() {
			w.Write(two, "{\"id\": \"pf-two\", \"entities\": [{\"name\": \"a\\u0007\", \"type\": \"x\"}], \"relations\": []}")
		}, "control characters"},
		{"untracked", func() {
			w.Unlink(two)
			w.Write(fact.UntrackedDir+"/old.jsonl", `{"type": "entity", "name": "Legacy", "entityType": "thing"}`+"\n")
		}, "untracked/old.jsonl"},
		{"a link", func() { w.Check(os.Symlink("/etc/passwd", filepath.Join(w.Root, ".cp/facts/untracked/link.jsonl"))) }, "untracked/old.jsonl"},
		{"gone", func() { w.Unlink(".cp/facts/untracked"); w.Unlink(one) }, ""},
	} {
		step.do()
		folder, file := w.rows(w.byFolder, vault.Scope{Each: true}), w.rows(w.byFile, vault.Scope{})
		if folder != file || !strings.Contains(folder, step.want) || step.want == "" && folder != "" {
			t.Errorf("%s: by folder\n%s\nby file\n%s\nwant %q", step.what, folder, file, step.want)
		}
		anew, err := index.Open(filepath.Join(w.Root, ".cp", "anew.db"), index.Options{Source: w.Vault.Store.Source})
		w.Check(err)
		if got := w.rows(anew, vault.Scope{}); got != folder {
			t.Errorf("%s: a new index has\n%s\nwant\n%s", step.what, got, folder)
		}
		w.Check(anew.Close())
		for _, end := range []string{"", "-wal", "-shm"} {
			w.Check(os.RemoveAll(filepath.Join(w.Root, ".cp", "anew.db"+end)))
		}
	}
}

// Where there are many files an ordinary look asks the folders alone, and finds what came and
// went; a look at each file finds one that was written in place, too.
func TestManyFiles(t *testing.T) {
	w := newFilesWorld(t)
	for i := range 1100 {
		id := fmt.Sprintf("pf-m%04d", i)
		w.Write(fact.Path(id), text(id, "db1"))
	}
	before := w.rows(w.byFolder, vault.Scope{})
	if n := strings.Count(before, "\n") + 1; n != 1100 {
		t.Fatalf("%d rows", n)
	}
	w.Unlink(fact.Path("pf-m0007"))
	w.Write(fact.Path("pf-new"), text("pf-new", "db9"))
	after := w.rows(w.byFolder, vault.Scope{})
	if strings.Contains(after, "pf-m0007") || !strings.Contains(after, " pf-new ") {
		t.Error("what came and went is not found")
	}
	w.Write(fact.Path("pf-m0008"), "{")
	if got := w.rows(w.byFolder, vault.Scope{Each: true}); !strings.Contains(got, "not the JSON") {
		t.Error("an edit in place is not found by a look at each file")
	}
	if got := w.rows(w.byFile, vault.Scope{Paths: []vault.Path{vault.Path(fact.Path("pf-m0009"))}}); !strings.Contains(got, "pf-m0009") {
		t.Errorf("a look at one file: %s", got)
	}
}

// A write of facts is in the rows at once, without a look.
func TestAReceipt(t *testing.T) {
	w := newFilesWorld(t)
	w.Commit("what is derived")
	added, err := tree.Add{Title: "Note", Text: "Text."}.Do(w.Ctx, w.Vault)
	w.Check(err)
	_, err = graph.AddFacts{Ref: string(added.ID), Entity: "db1", Type: "host"}.Do(w.Ctx, w.Vault)
	w.Check(err)
	_, err = tree.Delete{Ref: string(added.ID)}.Do(w.Ctx, w.Vault)
	w.Check(err)
	if got := w.rows(w.byFile, vault.Scope{}); got != "" {
		t.Errorf("the facts of a deleted memory: %s", got)
	}
}
