package sync_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/sync"
)

// What a person's hand leaves that is rarer: ids that were edited, folders that were left
// behind, blocks of another style, and one parent that is asked for.
func TestPlanSyncByHand(t *testing.T) {
	const rollback = vault.Path("deploy/rollback.md")
	with := func(more files) files { return family().With(more) }
	hidden := func(s *sync.Syncer, _ *world) { s.Hidden = true }
	marked := "---\nid: pf-aa2\n" + between("title: Mine\n", "title: Yours\n") + "summary: when to go back\n---\nRoll back.\n"
	deep := vaultmap.Deep()
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "an id that was changed by hand", Given: typed(rollback, "id: pf-aa2", "id: pf-mine"), Do: syncs(t, sync.Options{}), Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-mine", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md
				-id: pf-aa2
				+id: pf-mine`},
		{Name: "a second id that was taken out", Start: with(files{rollback: "---\nid: mine\ncp_id: pf-aa2\ntitle: Rollback\nsummary: when to go back\n---\nRoll back.\n"}), Given: typed(rollback, "cp_id: pf-aa2\n", ""), Do: syncs(t, sync.Options{}), Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "mine", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md
				-cp_id: pf-aa2`},
		{Name: "a file whose folder stayed takes it along", Start: deep, Given: moves("deploy/rollback.md", "deploy/back.md"), Do: syncs(t, sync.Options{}), Want: `
				deploy/rollback.md > deploy/back.md
				deploy/rollback/data.md > deploy/back/data.md`},
		{Name: "unless it is to stay", Start: deep, Given: moves("deploy/rollback.md", "deploy/back.md"), Do: syncs(t, sync.Options{KeepFolders: true}), Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa4", "title": "Database", "summary": "when data is lost"}
				deploy/rollback.md > deploy/back.md
				-
				-<!-- sub-memories -->
				-[
				-  {"id": "pf-aa4", "title": "Database", "summary": "when data is lost"}
				-]
				-<!-- /sub-memories -->`},
		{Name: "children that the block does not name come by their creation", Start: with(files{"deploy/b.md": "---\nid: pf-b1\ntitle: B\ncreated: 2026-01-02\n---\n", "deploy/a.md": file("pf-a1", "A", "", ""), "deploy/c.md": "---\nid: pf-c1\ntitle: C\ncreated: 2026-01-01\n---\n"}), Do: syncs(t, sync.Options{}), Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-c1", "title": "C", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				+  {"id": "pf-b1", "title": "B", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				+  {"id": "pf-a1", "title": "A", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}`},
		{Name: "facts in a vault that was made before there were some", Start: with(files{".cp/.gitignore": "*\n!vault.yaml\n", ".gitattributes": "*.md merge=cp-memory", ".cp/facts/aa/x.json": "{}\n"}), Do: syncs(t, sync.Options{}), Want: `
				.cp/.gitignore
				+!facts/
				+!facts/**
				.gitattributes
				-*.md merge=cp-memory
				+*.md merge=cp-memory
				+.cp/facts/** merge=cp-memory`},
		{Name: "facts where a person took one of the lines away", Start: with(files{".cp/.gitignore": "*\n!facts/\n", ".cp/facts/aa/x.json": "{}\n"}), Do: syncs(t, sync.Options{}), Want: `
				.cp/.gitignore
				+!facts/**`},
		{Name: "facts, and all is said", Start: with(files{".cp/.gitignore": "*\n!facts/\n!facts/**\n", ".cp/facts/aa/x.json": "{}\n"}), Do: syncs(t, sync.Options{})},
		{Name: "no facts, and the lines are missing", Start: with(files{".cp/.gitignore": "*\n", ".gitattributes": "*.md merge=cp-memory\n"}), Do: syncs(t, sync.Options{})},
		{Name: "a block becomes a hidden one", Do: syncs(t, sync.Options{Restyle: true}, hidden), Want: `
				deploy.md
				-<!-- sub-memories -->
				+<!-- sub-memories
				-<!-- /sub-memories -->
				+/sub-memories -->`},
		{Name: "nobody asked for that", Do: syncs(t, sync.Options{}, hidden)},
		{Name: "a child deleted, for its parent alone", Given: set(files{rollback: ""}), Do: syncs(t, sync.Options{Parent: "pf-aa1"}), Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				gone deploy/rollback.md`},
		{Name: "and for another one nothing", Start: with(files{"x.md": file("pf-xx1", "X", "", "")}), Given: set(files{rollback: ""}), Do: syncs(t, sync.Options{Parent: "pf-xx1"}), Left: `
				gone deploy/rollback.md`},
		{Name: "a sparse checkout leaves files out", Start: deep, Given: after(set(files{rollback: "", "deploy/rollback/data.md": ""}), func(w *world) { w.LeftOut = []vault.Path{rollback, "deploy/rollback/data.md"} }), Do: syncs(t, sync.Options{}), Left: `
				gone deploy/rollback.md
				gone deploy/rollback/data.md`},
		{Name: "markers in the header of a new file: first it is committed as it is", Given: set(files{"new.md": strings.Replace(marked, "pf-aa2", "pf-nn1", 1)}), Do: syncs(t, sync.Options{}), Want: `
				new new.md
				+---
				+id: pf-nn1
				+title: Mine
				+summary: when to go back
				+---
				+Roll back.`},
		{Name: "markers that a person has typed are theirs", Given: set(files{rollback: marked}), Do: syncs(t, sync.Options{}), Left: `
				deploy/rollback.md
				-title: Rollback
				+<<<<<<< HEAD
				+title: Mine
				+=======
				+title: Yours
				+>>>>>>> theirs`},
		{Name: "two old files with one id: the older one keeps it", Given: after(set(files{"a.md": strings.Replace(family()[rollback], "Rollback", "A", 1)}), func(w *world) { w.Commit("a copy") }), Do: syncs(t, sync.Options{}), Want: `
				a.md
				+cp_id: pf-8p6cct9x`},
	})
}

// What sync would take along is asked before.
func TestLeftFolders(t *testing.T) {
	deep := vaultmap.Deep()
	for _, row := range []struct {
		name  string
		given func(*world)
		want  string
	}{
		{"nothing moved", nil, "[]"},
		{"a file without its folder", moves("deploy/rollback.md", "deploy/back.md"), "[deploy/rollback > deploy/back]"},
		{"with its folder", moves("deploy/rollback.md", "deploy/back.md", "deploy/rollback", "deploy/back"), "[]"},
		{"without a folder", moves("deploy/secrets.md", "secrets.md"), "[]"},
		{"deleted", set(files{"deploy/rollback.md": ""}), "[]"},
		{"into its own folder", moves("deploy/rollback.md", "deploy/rollback/index.md"), "[]"},
		{"a folder that another memory has by now", after(moves("deploy/rollback.md", "back.md"), set(files{"deploy/rollback.md": file("pf-zz9", "Other", "", "")})), "[]"},
		{"to where a folder is", after(moves("deploy/rollback.md", "back.md"), set(files{"back/x.md": "# X\n"})), "[]"},
	} {
		w := vaultmap.New(deep)
		if row.given != nil {
			row.given(w)
		}
		all, err := (&sync.Syncer{Vault: w.Vault}).LeftFolders(t.Context())
		said := []string{}
		for _, f := range all {
			said = append(said, fmt.Sprintf("%s > %s", f.From, f.To))
		}
		if got := fmt.Sprint(said); got != row.want || err != nil {
			t.Errorf("%s: got %s, %v; want %s", row.name, got, err, row.want)
		}
	}
}

// What doctor asks is what a pass would do, and changes nothing.
func TestSurvey(t *testing.T) {
	w := vaultmap.New(family())
	set(files{"deploy/rollback.md": "", "new.md": "# New\n"})(w)
	head := w.Head()
	out, err := (&sync.Syncer{Vault: w.Vault}).Survey(context.Background())
	vaultmap.Equal(t, "the error", vaultmap.Told(err), "")
	vaultmap.Equal(t, "what is found", strings.Join(told(out), "\n"), strings.Join([]string{
		"new_file new.md: adopted it as " + string(vault.ProvisionalID("new.md", func(vault.ID) bool { return false })) + " (committed for the first time, with all of its text)",
		"deleted_file deploy/rollback.md: recorded that it was deleted; `cp memory restore pf-aa2` brings it back",
		"stale_pointer : removed stale pointer to pf-aa2"}, "\n"))
	vaultmap.Equal(t, "what it changed", vaultmap.Diff(head, w.Head()), "")
}
