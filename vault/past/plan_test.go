package past_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

type (
	files = vaultmap.Files
	world = vaultmap.World
)

var (
	set, typed = vaultmap.Set, vaultmap.Type
	deep       = vaultmap.Deep
)

// did is what commands did before, one after the other.
func did(t *testing.T, verbs ...any) func(*world) {
	return func(w *world) {
		for _, v := range verbs {
			var err error
			switch v := v.(type) {
			case tree.Add:
				_, _, err = vault.Do(t.Context(), w.Vault, v, vault.Options{})
			case tree.AddSub:
				_, _, err = vault.Do(t.Context(), w.Vault, v, vault.Options{})
			case tree.Amend:
				_, _, err = vault.Do(t.Context(), w.Vault, v, vault.Options{})
			case tree.Move:
				_, _, err = vault.Do(t.Context(), w.Vault, v, vault.Options{})
			case tree.Delete:
				_, _, err = vault.Do(t.Context(), w.Vault, v, vault.Options{})
			case past.Undo:
				_, err = w.History().Undo(t.Context(), v)
			case func(*world):
				v(w)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// person commits what lies on the disk.
func person(w *world) { w.Commit("by hand") }

func ptr[T any](v T) *T { return &v }

// returned is what the commit that brings Rollback back changes.
const returned = `
deploy.md
-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
new deploy/rollback.md
+---
+id: pf-aa2
+title: Rollback
+summary: when to go back
+---
+Roll back.`

// retitled is what the commit that gives Rollback its title back changes.
const retitled = `
deploy.md
-  {"id": "pf-aa2", "title": "Back", "summary": "when to go back"},
+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
deploy/rollback.md
-title: Back
+title: Rollback`

func TestPlanRestore(t *testing.T) {
	restores := func(o past.Restore) func(context.Context, *world) (past.Restored, error) {
		return func(ctx context.Context, w *world) (past.Restored, error) { return w.History().Restore(ctx, o) }
	}
	const first = "0000000000000000000000000000000000000001"
	edited := typed("deploy/rollback.md", "title: Rollback\nsummary: when to go back\n---\nRoll back.", "title: Back\nsummary: when it fails\n---\nChanged.")
	gone := did(t, tree.Delete{Ref: "pf-aa2", Recursive: true})
	vaultmap.Run(t, []vaultmap.Row[past.Restored]{
		{Name: "an earlier text, and what the parent says of it", Given: did(t, tree.Amend{Ref: "pf-aa2", Title: ptr("Back"), Summary: ptr("when it fails")}), Do: restores(past.Restore{Ref: "pf-aa2", Rev: first}), Says: `"restored":["pf-aa2"]`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Back", "summary": "when it fails"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/rollback.md
				-title: Back
				-summary: when it fails
				+title: Rollback
				+summary: when to go back`},
		{Name: "the block stays as it is", Given: did(t, tree.AddSub{Parent: "pf-aa1", Title: "New"}, typed("deploy.md", "How we deploy.", "Changed."), person), Do: restores(past.Restore{Ref: "pf-aa1", Rev: first}),
			Want: `
				deploy.md
				-Changed.
				+How we deploy.`},
		{Name: "what it says already", Do: restores(past.Restore{Ref: "pf-aa2", Rev: first}), Says: `"unchanged":true`},
		{Name: "from where it was then", Given: did(t, tree.Move{Ref: "pf-aa2", Root: true}, typed("rollback.md", "Roll back.", "Changed."), person), Do: restores(past.Restore{Ref: "pf-aa2", Rev: first}),
			Want: `
				rollback.md
				-Changed.
				+Roll back.`},
		{Name: "a deleted memory, and the pointer to it", Given: gone, Do: restores(past.Restore{Ref: "pf-aa2"}), Says: `"parent_updated":"pf-aa1"`,
			Want: returned},
		{Name: "by the path that it had", Given: gone, Do: restores(past.Restore{Ref: "deploy/rollback.md"}),
			Want: returned},
		{Name: "not what was below it", Start: deep(), Given: gone, Do: restores(past.Restore{Ref: "pf-aa2"}), Says: `"left":["pf-aa4"]`,
			Want: returned},
		{Name: "with all that was below it", Start: deep(), Given: gone, Do: restores(past.Restore{Ref: "pf-aa2", Recursive: true}), Says: `"restored":["pf-aa2","pf-aa4"]`,
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				new deploy/rollback.md
				+---
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa4", "title": "Database", "summary": "when data is lost"}
				+]
				+<!-- /sub-memories -->
				new deploy/rollback/data.md
				+---
				+id: pf-aa4
				+title: Database
				+summary: when data is lost
				+---
				+Restore it.`},
		{Name: "but for what lives again", Start: deep(), Given: did(t, gone, set(files{"data.md": deep()["deploy/rollback/data.md"]}), person), Do: restores(past.Restore{Ref: "pf-aa2", Recursive: true}),
			Want: returned},
		{Name: "an earlier version of a deleted one", Given: did(t, edited, person, gone), Do: restores(past.Restore{Ref: "pf-aa2", Rev: first}),
			Want: returned},
		{Name: "its place was taken", Given: did(t, gone, set(files{"deploy/rollback.md": "# Other\n"}), person), Do: restores(past.Restore{Ref: "pf-aa2"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				new deploy/rollback-2.md
				+---
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.`},
		{Name: "its parent is gone, too", Given: did(t, tree.Delete{Ref: "pf-aa1", Recursive: true}), Do: restores(past.Restore{Ref: "pf-aa2"}), Says: `"parent_updated":null`,
			Want: `
				new deploy/rollback.md
				+---
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.`},
		{Name: "its parent is damaged", Given: did(t, gone, typed("deploy.md", "]", ""), person), Do: restores(past.Restore{Ref: "pf-aa2"}),
			Err: "deploy.md:9: invalid sub-memories JSON: it ends too early | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "typed texts are not lost", Given: did(t, edited, person, typed("deploy/rollback.md", "Changed.", "Typed.")), Do: restores(past.Restore{Ref: "pf-aa2", Rev: first}),
			Err: "deploy/rollback.md: the file has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-Changed.
				+Typed.`},
		{Name: "which version", Do: restores(past.Restore{Ref: "pf-aa2"}),
			Err: "pf-aa2 is not deleted, so say which version of it | `cp memory log pf-aa2` lists its versions; then `cp memory restore pf-aa2 <commit>`"},
		{Name: "no such version", Do: restores(past.Restore{Ref: "pf-aa2", Rev: "nonsense"}),
			Err: "there is no commit \"nonsense\", and a time it is not | `cp memory log` lists the commits; a time is 24h, 7d, yesterday or 2026-01-31"},
		{Name: "older than all", Do: restores(past.Restore{Ref: "pf-aa2", Rev: "2001-01-01"}),
			Err: "there is no commit as old as 2001-01-01 | `cp memory log pf-aa2` lists its versions"},
		{Name: "it was not there then", Given: did(t, tree.Add{Title: "New"}), Do: restores(past.Restore{Ref: "pf-00000001", Rev: first}),
			Err: "pf-00000001 was not there in 0000000000 | `cp memory log pf-00000001` lists its versions"},
		{Name: "removed by hand, and still committed", Given: vaultmap.Seen(set(files{"deploy/rollback.md": ""})), Do: restores(past.Restore{Ref: "pf-aa2"}),
			Err: "deploy/rollback.md: the file was removed by hand and is still committed | bring it back with `git restore -- deploy/rollback.md`, or let `cp memory sync` commit the removal first",
			Left: `
				gone deploy/rollback.md`},
		{Name: "nobody ever", Do: restores(past.Restore{Ref: "pf-none"}),
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "no file ever", Do: restores(past.Restore{Ref: "no/such.md"}),
			Err: "Shard no/such.md not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "without a repository", Do: func(ctx context.Context, w *world) (past.Restored, error) {
			return (&past.History{Vault: w.Vault}).Restore(ctx, past.Restore{Ref: "pf-aa2"})
		},
			Err: "the vault is in no git repository, which would keep its history | run `git init` and `cp init` in the vault's folder"},
	})
}

func TestPlanUndo(t *testing.T) {
	undoes := func(o past.Undo) func(context.Context, *world) ([]string, error) {
		return func(ctx context.Context, w *world) (all []string, err error) {
			planned, perr := w.History().PlanUndo(ctx, o)
			rows, err := w.History().Undo(ctx, o)
			vaultmap.Equal(t, "the error of the plan", vaultmap.Told(perr), vaultmap.Told(err))
			for i, r := range rows {
				all = append(all, r.Verb+": "+strings.Join(r.Files, ", "))
				if strings.Join(planned[i].Files, ", ") != strings.Join(r.Files, ", ") || r.Undone == "" {
					t.Errorf("planned %v, did %v", planned[i], r)
				}
			}
			return all, err
		}
	}
	last := undoes(past.Undo{})
	add, sub := tree.Add{Title: "New"}, tree.AddSub{Parent: "pf-aa1", Title: "Sub", Body: "Sub.\n"}
	title := tree.Amend{Ref: "pf-aa2", Title: ptr("Back")}
	root := tree.Move{Ref: "pf-aa2", Root: true}
	del := tree.Delete{Ref: "pf-aa2"}
	byHand := set(files{"hand.md": "# Hand\n"})
	adopt := tree.Amend{Ref: "hand.md", Append: ptr("More.")}
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "an add", Given: did(t, add), Do: last,
			Want: `
				gone new.md`,
			Says: `["add: remove new.md"]`},
		{Name: "an add-sub, with its pointer", Given: did(t, sub), Do: last,
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				-  {"id": "pf-00000001", "title": "Sub", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				gone deploy/sub.md`,
			Says: `["add-sub: change deploy.md, remove deploy/sub.md"]`},
		{Name: "an update", Given: did(t, title), Do: last,
			Want: retitled,
			Says: `["update: change deploy.md, change deploy/rollback.md"]`},
		{Name: "a move", Given: did(t, root), Do: last,
			Want: `
				deploy.md
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				rollback.md > deploy/rollback.md`,
			Says: `["move: change deploy.md, move back to deploy/rollback.md: rollback.md"]`},
		{Name: "a move of a folder", Start: deep(), Given: did(t, root), Do: last,
			Want: `
				deploy.md
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				rollback.md > deploy/rollback.md
				rollback/data.md > deploy/rollback/data.md`,
			Says: `["move: change deploy.md, move back to deploy/rollback.md: rollback.md, move back to deploy/rollback/data.md: rollback/data.md"]`},
		{Name: "a delete", Given: did(t, del), Do: last,
			Want: `
				deploy.md
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				new deploy/rollback.md
				+---
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.`,
			Says: `["delete: change deploy.md, bring back deploy/rollback.md"]`},
		{Name: "two at once", Given: did(t, sub, title), Do: undoes(past.Undo{Count: 2}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Back", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				-  {"id": "pf-00000001", "title": "Sub", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				deploy/rollback.md
				-title: Back
				+title: Rollback
				gone deploy/sub.md`,
			Says: `["update: change deploy.md, change deploy/rollback.md","add-sub: change deploy.md, remove deploy/sub.md"]`},
		{Name: "a change of what another one made", Given: did(t, add, tree.Amend{Ref: "pf-00000001", Append: ptr("More.")}), Do: undoes(past.Undo{Count: 2}),
			Want: `
				gone new.md`,
			Says: `["update: change new.md","add: remove new.md"]`},
		{Name: "a move of what was changed before", Given: did(t, title, root), Do: undoes(past.Undo{Count: 2}),
			Want: `
				deploy.md
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				rollback.md > deploy/rollback.md
				-title: Back
				+title: Rollback`,
			Says: `["move: change deploy.md, move back to deploy/rollback.md: rollback.md","update: change deploy.md, change deploy/rollback.md"]`},
		{Name: "made and deleted comes to nothing", Given: did(t, add, tree.Delete{Ref: "pf-00000001"}), Do: undoes(past.Undo{Count: 2}),
			Says: `["delete: bring back new.md","add: remove new.md"]`},
		{Name: "a place that another one left", Given: did(t, root, tree.AddSub{Parent: "pf-aa1", Title: "Rollback"}), Do: undoes(past.Undo{Count: 2}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				-  {"id": "pf-00000001", "title": "Rollback", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				deploy/rollback.md
				-id: pf-00000001
				+id: pf-aa2
				-type: memory
				-status: open
				-created: 2026-02-07T15:30:00Z
				-creator: tester
				+summary: when to go back
				+Roll back.
				gone rollback.md`,
			Says: `["add-sub: change deploy.md, remove deploy/rollback.md","move: change deploy.md, move back to deploy/rollback.md: rollback.md"]`},
		{Name: "deleted and made anew there", Given: did(t, del, tree.AddSub{Parent: "pf-aa1", Title: "Rollback"}), Do: undoes(past.Undo{Count: 2}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				-  {"id": "pf-00000001", "title": "Rollback", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				deploy/rollback.md
				-id: pf-00000001
				+id: pf-aa2
				-type: memory
				-status: open
				-created: 2026-02-07T15:30:00Z
				-creator: tester
				+summary: when to go back
				+Roll back.`,
			Says: `["add-sub: change deploy.md, remove deploy/rollback.md","delete: change deploy.md, bring back deploy/rollback.md"]`},
		{Name: "the one before the last", Given: did(t, title, sub), Do: undoes(past.Undo{Op: "op-1"}),
			Want: retitled,
			Says: `["update: change deploy.md, change deploy/rollback.md"]`},
		{Name: "by its commit", Given: did(t, title, sub), Do: undoes(past.Undo{Op: "0000000000000000000000000000000000000002"}),
			Want: retitled,
			Says: `["update: change deploy.md, change deploy/rollback.md"]`},
		{Name: "an undo", Given: did(t, title, past.Undo{}), Do: undoes(past.Undo{Op: "op-2"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Back", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: Back`,
			Says: `["undo: change deploy.md, change deploy/rollback.md"]`},
		{Name: "what is undone is passed over", Given: did(t, title, sub, past.Undo{}), Do: last,
			Want: retitled,
			Says: `["update: change deploy.md, change deploy/rollback.md"]`},
		{Name: "an adoption leaves the file", Given: did(t, byHand, adopt), Do: last,
			Want: `
				gone hand.md`,
			Left: `
				new hand.md
				+# Hand`,
			Says: `["update: keep hand.md, in no commit: without what adoption put into it"]`},
		{Name: "with what was typed since", Given: did(t, byHand, adopt, typed("hand.md", "# Hand", "# Hands")), Do: last,
			Want: `
				gone hand.md`,
			Left: `
				new hand.md
				+# Hands`,
			Says: `["update: keep hand.md, in no commit: without what adoption put into it, with what was typed since"]`},
		{Name: "and it can be adopted again", Given: did(t, byHand, adopt, past.Undo{}), Do: undoes(past.Undo{Op: "op-2"}),
			Want: `
				new hand.md
				+---
				+id: pf-00000001
				+---
				+# Hand
				+
				+More.`,
			Says: `["undo: adopt again hand.md"]`},
		{Name: "an adoption with a move", Given: did(t, byHand, tree.Move{Ref: "hand.md", To: "pf-aa1"}), Do: last,
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				-  {"id": "pf-00000001", "title": "Hand", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				gone deploy/hand.md`,
			Left: `
				new hand.md
				+# Hand`,
			Says: `["move: change deploy.md, move back to hand.md, in no commit: deploy/hand.md: without what adoption put into it"]`},
		{Name: "the file was deleted since", Given: did(t, byHand, adopt, set(files{"hand.md": ""})), Do: last,
			Want: `
				gone hand.md`,
			Says: `["update: forget hand.md, which was deleted since"]`},
		{Name: "the file is staged", Given: did(t, byHand, adopt, func(w *world) { w.Staged["hand.md"] = "staged" }), Do: last,
			Err: "hand.md: it is staged, and so yours to commit | commit it first: git commit"},
		{Name: "a block that was changed since", Given: did(t, sub, tree.AddSub{Parent: "pf-aa1", Title: "Other"}), Do: undoes(past.Undo{Op: "op-1"}),
			Want: `
				deploy.md
				-  {"id": "pf-00000001", "title": "Sub", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				gone deploy/sub.md`,
			Says: `["add-sub: change deploy.md, remove deploy/sub.md"]`},
		{Name: "a text that was changed since", Given: did(t, title, typed("deploy/rollback.md", "Roll back.", "Changed."), person), Do: last,
			Err: "deploy/rollback.md: undoing the update of 0000000000 would lose later work: it was changed again since | `cp memory log deploy/rollback.md` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand"},
		{Name: "a text that is typed", Given: did(t, title, typed("deploy/rollback.md", "Roll back.", "Typed.")), Do: last,
			Err: "deploy/rollback.md: the file has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "a new file that was changed since", Given: did(t, add, typed("new.md", "New", "Newer"), person), Do: last,
			Err: "new.md: undoing the add of 0000000000 would lose later work: it was changed since | `cp memory log new.md` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand"},
		{Name: "a file that is gone since", Given: did(t, title, tree.Delete{Ref: "pf-aa2"}), Do: undoes(past.Undo{Op: "op-1"}),
			Err: "deploy/rollback.md: undoing the update of 0000000000 would lose later work: it is not there any more | `cp memory log deploy/rollback.md` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand"},
		{Name: "a new file that is gone since", Given: did(t, add, tree.Delete{Ref: "pf-00000001"}), Do: undoes(past.Undo{Op: "op-1"}),
			Err: "new.md: undoing the add of 0000000000 would lose later work: it is not there any more | `cp memory log new.md` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand"},
		{Name: "a place that is taken", Given: did(t, del, set(files{"deploy/rollback.md": "# Other\n"})), Do: last,
			Err: "deploy/rollback.md: undoing the delete of 0000000000 would lose later work: another file is there | `cp memory log deploy/rollback.md` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand",
			Left: `
				new deploy/rollback.md
				+# Other`},
		{Name: "a moved file's place is taken", Given: did(t, root, set(files{"deploy/rollback.md": "# Other\n"})), Do: last,
			Err: "deploy/rollback.md: undoing the move of 0000000000 would lose later work: another file is there | `cp memory log deploy/rollback.md` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand",
			Left: `
				new deploy/rollback.md
				+# Other`},
		{Name: "nothing to undo", Do: last,
			Err: "there is nothing to undo | `cp memory log` lists what was done"},
		{Name: "more than there is", Given: did(t, add), Do: undoes(past.Undo{Count: 3}),
			Err: "only 1 operation can be undone, not 3 | see what that would do: cp memory undo 1 --dry-run"},
		{Name: "no such operation", Do: undoes(past.Undo{Op: "nonsense"}),
			Err: "nonsense is no commit of this program | `cp memory log` lists what was done; `git revert` takes back what was committed with other tools"},
		{Name: "without a repository", Do: func(ctx context.Context, w *world) ([]string, error) {
			_, err := (&past.History{Vault: w.Vault}).Undo(ctx, past.Undo{})
			return nil, err
		},
			Err: "the vault is in no git repository, which would keep its history | run `git init` and `cp init` in the vault's folder"},
	})
}
