package tree_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

func TestPlanAddParent(t *testing.T) {
	notes := files{"notes/a.md": file("pf-a1", "A", "when a", "A.\n"), "notes/b.md": file("pf-b1", "B", "", "B.\n"), "notes/a/c.md": file("pf-c1", "C", "", "")}
	below := family().With(files{"deploy/old/x.md": file("pf-x1", "X", "when old", "X.\n"), "deploy/old/more/y.md": file("pf-y1", "Y", "", "Y.\n"),
		"deploy.md": file("pf-aa1", "Deployment", "", "How we deploy.\n") + block("pf-aa2|Rollback|when to go back", "pf-x1|X|as the parent says", "pf-aa3|Secrets|when a key leaks")})
	vaultmap.Run(t, []vaultmap.Row[tree.Parented]{
		{Name: "a folder at the top gets a memory that points to what lies in it", Start: notes, Verb: tree.AddParent{Dir: "notes/", Title: "Notes", Summary: "when in doubt"}, Says: `"path":"notes.md","summary":"when in doubt","child_count":2`,
			Want: `
				new notes.md
				+head pf-00000001|Notes|when in doubt
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-a1", "title": "A", "summary": "when a"},
				+  {"id": "pf-b1", "title": "B", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->`},
		{Name: "a folder below a memory takes its pointers over", Start: below, Verb: tree.AddParent{Dir: "deploy/old", Written: true, Summary: "when it was"}, Says: `"parent_id":"pf-aa1"`,
			Want: `
				deploy.md
				-  {"id": "pf-x1", "title": "X", "summary": "as the parent says"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "old", "summary": "when it was"}
				new deploy/old.md
				+---
				+id: pf-00000001
				+title: old
				+type: memory
				+status: open
				+summary: when it was
				+summary_of: 83c8f57616e5
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-x1", "title": "X", "summary": "as the parent says"},
				+  {"id": "pf-y1", "title": "Y", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->`},
		{Name: "files without an id wait for sync", Start: notes, Given: set(files{"notes/new.md": "# New\n"}), Verb: tree.AddParent{Dir: "notes"}, Says: `"child_count":3,"without_id":1`,
			Want: `
				new notes.md
				+head pf-00000001|notes
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-a1", "title": "A", "summary": "when a"},
				+  {"id": "pf-b1", "title": "B", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->`,
			Left: `
				new notes/new.md
				+# New`},
		{Name: "a memory's own folder", Verb: tree.AddParent{Dir: "deploy"},
			Err: "deploy/ has its memory already: pf-aa1, deploy.md | `cp memory update pf-aa1 --summary PHRASE` gives it a phrase"},
		{Name: "no such folder", Verb: tree.AddParent{Dir: "none"},
			Err: "no memory lies in none/ | `cp memory tree` shows the folders"},
		{Name: "the name is taken by a task", Start: notes.With(files{"notes.md": task}), Verb: tree.AddParent{Dir: "notes"},
			Err: "notes.md is there already and is no memory of the folder | give it another name, or the type memory"},
		{Name: "the memory above cannot be edited", Start: damaged().With(files{"deploy/old/x.md": file("pf-x1", "X", "", "")}), Verb: tree.AddParent{Dir: "deploy/old"},
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "out of the vault", Verb: tree.AddParent{Dir: "../x"},
			Err: "path \"../x\" leaves the vault's own files | use a path relative to the vault, like notes/idea.md"},
		{Name: "a phrase on two lines", Start: notes, Verb: tree.AddParent{Dir: "notes", Summary: "a\nb"},
			Err: "the trigger phrase holds a control character | put it on one line, without tabs or escapes"},
		{Name: "a credential in the title", Start: notes, Do: func(ctx context.Context, w *world) (tree.Parented, error) {
			return tree.AddParent{Dir: "notes", Title: key}.Do(ctx, w.Vault)
		}, Err: "the front matter looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
	})
}

func TestPlanMoveMendsLinks(t *testing.T) {
	linked := func(text string) files {
		return towers().With(files{"deploy/rollback.md": file("pf-aa2", "Rollback", "when to go back", text), "deploy/rollback/data.md": file("pf-aa4", "D", "", "")})
	}
	links := func(o tree.Move) func(context.Context, *world) (tree.Moved, error) {
		return func(ctx context.Context, w *world) (tree.Moved, error) { return o.Do(ctx, w.Vault) }
	}
	const moved = `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/rollback.md > rollback.md
				deploy/rollback/data.md > rollback/data.md`
	// mended is moved, with a line of the text in the place of another one.
	mended := func(was, is string) string {
		return strings.Replace(moved, "> rollback.md\n", "> rollback.md\n\t\t\t\t-"+was+"\n\t\t\t\t+"+is+"\n", 1)
	}
	vaultmap.Run(t, []vaultmap.Row[tree.Moved]{
		{Name: "a link to a sibling leads there from the new place", Start: linked("See [keys](secrets.md).\n"), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"mended_links":[{"path":"rollback.md","from":"secrets.md","to":"deploy/secrets.md"}]`, Want: mended("See [keys](secrets.md).", "See [keys](deploy/secrets.md).")},
		{Name: "unless links are to stay", Start: linked("See [keys](secrets.md).\n"), Do: links(tree.Move{Ref: "pf-aa2", Root: true, KeepLinks: true}), Says: `"broken_links":["secrets.md"]`, Want: moved},
		{Name: "one to a child moves along", Start: linked("See [data](rollback/data.md).\n"), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"new_depth":0,"path":"rollback.md"}`, Want: moved},
		{Name: "one from the top of the vault stays", Start: linked("See [keys](/deploy/secrets.md).\n"), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"path":"rollback.md"}`, Want: moved},
		{Name: "one that led nowhere is no news", Start: linked("See [keys](none.md).\n"), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"path":"rollback.md"}`, Want: moved},
		{Name: "one out of the vault, too", Start: linked("See [notes](../../notes.md).\n"), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"to":"../notes.md"`, Want: mended("See [notes](../../notes.md).", "See [notes](../notes.md).")},
		{Name: "another file of that name does not take it over", Start: linked("See [it](secrets.md).\n").With(files{"secrets.md": "# Other\n"}), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"to":"deploy/secrets.md"`, Want: mended("See [it](secrets.md).", "See [it](deploy/secrets.md).")},
		{Name: "one in another memory", Start: linked("").With(files{"a.md": file("pf-aa5", "A", "", "See [it](deploy/rollback/data.md \"D\").\n")}), Do: links(tree.Move{Ref: "pf-aa2", Root: true}), Says: `"path":"a.md"`, Want: `
				a.md
				-See [it](deploy/rollback/data.md "D").
				+See [it](rollback/data.md "D").` + moved},
		{Name: "a promotion does it, too", Start: linked("See [keys](secrets.md).\n"), Do: func(ctx context.Context, w *world) (tree.Moved, error) {
			return tree.Promote{Ref: "pf-aa2"}.Do(ctx, w.Vault)
		}, Says: `"to":"deploy/secrets.md"`, Want: mended("See [keys](secrets.md).", "See [keys](deploy/secrets.md).")},
	})
}

func TestSpoilt(t *testing.T) {
	whole := family()["deploy.md"]
	for _, row := range []struct{ name, was, is, want string }{
		{"an edit", whole, whole + "More.\n", ""},
		{"nothing is left", whole, " \n", "nothing is left of the memory"},
		{"nothing was there", "\n", "", ""},
		{"the header is gone", whole, "How we deploy.\n", "the front matter (the lines between ---) is gone"},
		{"behind a byte order mark it is there", whole, "\ufeff" + whole, ""},
		{"there was none", "# A\n", "# B\n", ""},
		{"the block is damaged", whole, damaged()["deploy.md"], "the pointer block (<!-- sub-memories -->) cannot be read any more"},
		{"it was before", damaged()["deploy.md"], damaged()["deploy.md"] + "More.\n", ""},
	} {
		vaultmap.Equal(t, row.name, tree.Spoilt(vault.Path("deploy.md"), []byte(row.was), []byte(row.is)), row.want)
	}
}
