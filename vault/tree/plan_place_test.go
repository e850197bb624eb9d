package tree_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// towers is a second family beside the first one.
func towers() files {
	return family().With(files{
		"infra.md":     file("pf-bb1", "Infra", "", "Infra.\n") + block("pf-bb2|DNS|when a name fails"),
		"infra/dns.md": file("pf-bb2", "DNS", "when a name fails", "Look it up.\n"),
	})
}

// deep is a family of three levels, and what lies beside it.
func deep() files {
	return vaultmap.Deep().With(files{"deploy/rollback/note.txt": "beside\n"})
}

func TestPlanMove(t *testing.T) {
	vaultmap.Run(t, []vaultmap.Row[tree.Moved]{
		{Name: "below another one", Start: towers(), Verb: tree.Move{Ref: "pf-aa2", To: "pf-bb1"}, Says: `"new_parent":"pf-bb1","new_depth":1`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md > infra/rollback.md`},
		{Name: "with a phrase for there", Start: towers(), Verb: tree.Move{Ref: "pf-aa2", To: "pf-bb1", Summary: "when it fails"},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when it fails"}
				deploy/rollback.md > infra/rollback.md
				-summary: when to go back
				+summary: when it fails`},
		{Name: "to the root", Verb: tree.Move{Ref: "pf-aa2", Root: true}, Says: `"new_parent":null`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/rollback.md > rollback.md`},
		{Name: "the folder goes along", Start: deep(), Verb: tree.Move{Ref: "pf-aa2", Root: true},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				gone deploy/rollback/note.txt
				deploy/rollback.md > rollback.md
				deploy/rollback/data.md > rollback/data.md
				new rollback/note.txt
				+beside`},
		{Name: "a root below another one", Start: towers(), Verb: tree.Move{Ref: "pf-bb1", To: "pf-aa3"},
			Want: `
				deploy/secrets.md
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-bb1", "title": "Infra", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				infra.md > deploy/secrets/infra.md
				infra/dns.md > deploy/secrets/infra/dns.md`},
		{Name: "the name is taken there", Start: towers().With(files{"infra/rollback.md": "# Other\n"}), Verb: tree.Move{Ref: "pf-aa2", To: "pf-bb1"},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md > infra/rollback-2.md`},
		{Name: "a README.md that is its folder", Start: towers().With(files{"x/README.md": file("pf-xx1", "X", "", "X.\n"), "x/a.md": file("pf-xx2", "A", "", "")}), Verb: tree.Move{Ref: "pf-xx1", To: "pf-bb1"},
			Want: `
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-xx1", "title": "X", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				x/README.md > infra/x/README.md
				x/a.md > infra/x/a.md`},
		{Name: "a readme that would be its new folder's", Start: towers().With(files{"readme.md": file("pf-xx1", "Read me", "", "X.\n")}), Verb: tree.Move{Ref: "pf-xx1", To: "pf-bb1"},
			Want: `
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-xx1", "title": "Read me", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				readme.md > infra/read-me.md`},
		{Name: "the block did not name it", Start: towers().With(files{"deploy.md": file("pf-aa1", "Deployment", "", "How.\n")}), Verb: tree.Move{Ref: "pf-aa2", To: "pf-bb1"},
			Want: `
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md > infra/rollback.md`},
		{Name: "hand-made files", Start: files{}, Given: set(files{"a.md": "# A\n", "b.md": "# B\n"}), Verb: tree.Move{Ref: "a.md", To: "b.md"},
			Want: `
				new b.md
				+---
				+id: pf-00000002
				+---
				+# B
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000001", "title": "A", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new b/a.md
				+---
				+id: pf-00000001
				+---
				+# A`},
		{Name: "what is typed stays typed", Start: towers(), Given: typed("deploy/rollback.md", "Roll back.", "Typed."), Verb: tree.Move{Ref: "pf-aa2", To: "pf-bb1"},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				infra.md
				-  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"}
				+  {"id": "pf-bb2", "title": "DNS", "summary": "when a name fails"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md > infra/rollback.md`,
			Left: `
				infra/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "it is there already", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa1"}, Says: `"unchanged":true`},
		{Name: "it is there already, with a new phrase", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa1", Summary: "when it fails"}, Says: `"summary":"when it fails"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when it fails"},
				deploy/rollback.md
				-summary: when to go back
				+summary: when it fails`},
		{Name: "it is there already, with the phrase it has", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa1", Summary: "when to go back"}, Says: `"unchanged":true`},
		{Name: "below a closed one", Start: towers().With(files{"infra.md": strings.Replace(towers()["infra.md"], "\n---\n", "\nstatus: closed\n---\n", 1)}), Verb: tree.Move{Ref: "pf-aa2", To: "pf-bb1"},
			Err: "memory pf-bb1 is closed and takes no new sub-memories | reopen it with `cp memory update pf-bb1 --status open`"},
		{Name: "a root stays a root", Verb: tree.Move{Ref: "pf-aa1", Root: true}, Says: `"unchanged":true`},
		{Name: "nowhere", Verb: tree.Move{Ref: "pf-aa2"},
			Err: "a move needs either a new parent or --root | `cp memory move <id> <new-parent-id>` or `cp memory move <id> --root`"},
		{Name: "to two places", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa3", Root: true},
			Err: "a move needs either a new parent or --root | `cp memory move <id> <new-parent-id>` or `cp memory move <id> --root`"},
		{Name: "a phrase on two lines", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa3", Summary: "a\nb"},
			Err: "the trigger phrase holds a control character | put it on one line, without tabs or escapes"},
		{Name: "below itself", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa2"},
			Err: "Cannot move memory to itself"},
		{Name: "below its own child", Start: deep(), Verb: tree.Move{Ref: "pf-aa1", To: "pf-aa4"},
			Err: "Cannot move memory to own descendant (would create cycle) | move the target elsewhere first"},
		{Name: "below a task", Start: family().With(files{"t.md": task}), Verb: tree.Move{Ref: "pf-aa2", To: "pf-tt1"},
			Err: "Target pf-tt1 is type 'task', expected 'memory' | only a memory has sub-memories"},
		{Name: "nobody", Verb: tree.Move{Ref: "pf-none", Root: true},
			Err: "memory pf-none not found | `cp memory list` shows the ids"},
		{Name: "below nobody", Verb: tree.Move{Ref: "pf-aa2", To: "pf-none"},
			Err: "target pf-none not found | `cp memory list` shows the ids"},
		{Name: "several of that beginning", Verb: tree.Move{Ref: "pf-aa2", To: "pf-aa"},
			Err: "'pf-aa' is the beginning of several ids: pf-aa1, pf-aa2, pf-aa3 | type more of the id"},
		{Name: "from a damaged parent", Start: damaged(), Verb: tree.Move{Ref: "pf-aa2", Root: true},
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "below a damaged parent", Start: damaged().With(files{"x.md": file("pf-xx1", "X", "", "")}), Verb: tree.Move{Ref: "pf-xx1", To: "pf-aa1"},
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
	})
}

func TestPlanPromote(t *testing.T) {
	vaultmap.Run(t, []vaultmap.Row[tree.Moved]{
		{Name: "to its grandparent", Start: deep(), Verb: tree.Promote{Ref: "pf-aa4"},
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa4", "title": "Database", "summary": "when data is lost"}
				deploy/rollback/data.md > deploy/data.md
				deploy/rollback.md
				-
				-<!-- sub-memories -->
				-[
				-  {"id": "pf-aa4", "title": "Database", "summary": "when data is lost"}
				-]
				-<!-- /sub-memories -->`},
		{Name: "to the root", Verb: tree.Promote{Ref: "pf-aa3"},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/secrets.md > secrets.md`},
		{Name: "a root", Verb: tree.Promote{Ref: "pf-aa1"},
			Err: "Memory is already at root level"},
		{Name: "nobody", Verb: tree.Promote{Ref: "pf-none"},
			Err: "memory pf-none not found | `cp memory list` shows the ids"},
	})
}

func TestPlanDelete(t *testing.T) {
	vaultmap.Run(t, []vaultmap.Row[tree.Deleted]{
		{Name: "the file and the pointer", Verb: tree.Delete{Ref: "pf-aa2"}, Says: `"deleted":["pf-aa2"],"parent_updated":"pf-aa1"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				gone deploy/rollback.md`},
		{Name: "the last pointer takes the block along", Start: deep(), Verb: tree.Delete{Ref: "pf-aa4"},
			Want: `
				deploy/rollback.md
				-
				-<!-- sub-memories -->
				-[
				-  {"id": "pf-aa4", "title": "Database", "summary": "when data is lost"}
				-]
				-<!-- /sub-memories -->
				gone deploy/rollback/data.md`},
		{Name: "a root with all below it", Start: deep(), Verb: tree.Delete{Ref: "pf-aa1", Recursive: true}, Says: `"deleted":["pf-aa1","pf-aa2","pf-aa4","pf-aa3"],"parent_updated":null`,
			Want: `
				gone deploy.md
				gone deploy/rollback.md
				gone deploy/rollback/data.md
				gone deploy/secrets.md`},
		{Name: "the parent's typed text stays", Given: typed("deploy.md", "How we deploy.", "Typed."), Verb: tree.Delete{Ref: "pf-aa2"},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				gone deploy/rollback.md`,
			Left: `
				deploy.md
				-How we deploy.
				+Typed.`},
		{Name: "a parent with children", Verb: tree.Delete{Ref: "pf-aa1"},
			Err: "Memory has 2 children. Use --recursive to delete subtree, or move children first"},
		{Name: "a child that was made by hand since", Given: set(files{"deploy/rollback/new.md": "# New\n"}), Verb: tree.Delete{Ref: "pf-aa2"},
			Err: "Memory has 1 child. Use --recursive to delete subtree, or move children first",
			Left: `
				new deploy/rollback/new.md
				+# New`},
		{Name: "a text that is in no commit", Given: typed("deploy/rollback.md", "Roll back.", "Typed."), Verb: tree.Delete{Ref: "pf-aa2"},
			Err: "deploy/rollback.md: the file has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "one below it that is in no commit", Given: typed("deploy/rollback.md", "Roll back.", "Typed."), Verb: tree.Delete{Ref: "pf-aa1", Recursive: true},
			Err: "deploy/rollback.md: the file has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "a damaged parent", Start: damaged(), Verb: tree.Delete{Ref: "pf-aa2"},
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "a folder stays for what else lies in it", Start: deep(), Do: func(ctx context.Context, w *world) (tree.Deleted, error) {
			return tree.Delete{Ref: "pf-aa2", Recursive: true}.Do(ctx, w.Vault)
		}, Says: `"kept":["deploy/rollback"]`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				gone deploy/rollback.md
				gone deploy/rollback/data.md`},
		{Name: "a task", Start: files{"t.md": task}, Verb: tree.Delete{Ref: "pf-tt1"},
			Err: "Shard pf-tt1 is type 'task', expected 'memory' | `cp shard show pf-tt1` shows files of any type"},
	})
}

func TestPlanSupersede(t *testing.T) {
	chain := family().With(files{
		"deploy/rollback.md": "---\nid: pf-aa2\ntitle: Rollback\nsummary: when to go back\nsuperseded_by: [pf-aa3]\n---\n",
		"deploy/secrets.md":  "---\nid: pf-aa3\ntitle: Secrets\nsummary: when a key leaks\nsupersedes: [pf-aa2]\nsuperseded_by: [pf-gone, pf-aa1]\n---\n",
	})
	vaultmap.Run(t, []vaultmap.Row[tree.Superseded]{
		{Name: "both files say it", Verb: tree.Supersede{Old: "pf-aa2", New: "pf-aa3"},
			Want: `
				deploy/rollback.md
				+superseded_by: [pf-aa3]
				+superseded_at: 2026-02-07T15:30:00Z
				deploy/secrets.md
				+supersedes: [pf-aa2]`},
		{Name: "a second successor", Start: chain, Verb: tree.Supersede{Old: "pf-aa2", New: "pf-aa1"},
			Want: `
				deploy.md
				+supersedes: [pf-aa2]
				deploy/rollback.md
				-superseded_by: [pf-aa3]
				+superseded_by: [pf-aa3, pf-aa1]`},
		{Name: "hand-made files", Start: files{}, Given: set(files{"a.md": "# A\n", "b.md": "# B\n"}), Verb: tree.Supersede{Old: "a.md", New: "b.md"},
			Want: `
				new a.md
				+---
				+id: pf-00000001
				+superseded_by: [pf-00000002]
				+superseded_at: 2026-02-07T15:30:00Z
				+---
				+# A
				new b.md
				+---
				+id: pf-00000002
				+supersedes: [pf-00000001]
				+---
				+# B`},
		{Name: "it is said already", Start: chain, Verb: tree.Supersede{Old: "pf-aa2", New: "pf-aa3"}, Says: `"unchanged":true`},
		{Name: "itself", Verb: tree.Supersede{Old: "pf-aa2", New: "pf-aa2"},
			Err: "a memory cannot supersede itself | name the memory that has taken its place"},
		{Name: "a circle of two", Start: chain, Verb: tree.Supersede{Old: "pf-aa3", New: "pf-aa2"},
			Err: "pf-aa2 was superseded by pf-aa3; they cannot supersede each other | take `superseded_by` out of deploy/rollback.md first"},
		{Name: "a circle of three", Start: chain, Verb: tree.Supersede{Old: "pf-aa1", New: "pf-aa2"},
			Err: "pf-aa2 was superseded by pf-aa1; they cannot supersede each other | take `superseded_by` out of deploy/rollback.md first"},
		{Name: "a damaged file", Start: damaged(), Verb: tree.Supersede{Old: "pf-aa2", New: "pf-aa1"},
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "no old one", Verb: tree.Supersede{Old: "pf-none", New: "pf-aa1"},
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "no new one", Verb: tree.Supersede{Old: "pf-aa1", New: "pf-none"},
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

func TestPlanFinish(t *testing.T) {
	const p = vault.Path("deploy/rollback.md")
	long := strings.Repeat("A line of the text.\n", 9)
	// left is a file that was left alone after an edit.
	left := func(p vault.Path, given ...func(*world)) func(context.Context, *world) (tree.Finished, error) {
		return func(ctx context.Context, w *world) (tree.Finished, error) {
			hash := w.Store.BlobID([]byte(w.Disk[p]))
			for _, do := range given {
				do(w)
			}
			return tree.Finish{Path: p, Hash: hash}.Do(ctx, w.Vault)
		}
	}
	fresh := set(files{"new.md": "# New\n"})
	vaultmap.Run(t, []vaultmap.Row[tree.Finished]{
		{Name: "an edit is committed", Given: typed(p, "Roll back.", "Typed."), Do: left(p),
			Want: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "of a parent, too", Given: typed("deploy.md", "How we deploy.", "Typed."), Do: left("deploy.md"), Says: `"Parent":true`,
			Want: `
				deploy.md
				-How we deploy.
				+Typed.`},
		{Name: "a new file gets an id", Given: seen(fresh), Do: left("new.md"),
			Want: `
				new new.md
				+---
				+id: pf-00000001
				+---
				+# New`},
		{Name: "a file that the mirror does not know yet", Given: fresh, Do: left("new.md"), Says: `"Again":true`,
			Left: `
				new new.md
				+# New`},
		{Name: "what is committed already", Do: left(p), Says: `"Why":""`},
		{Name: "saved again", Given: typed(p, "Roll back.", "Typed."), Do: left(p, typed(p, "Typed.", "Typed more.")), Says: `"Again":true`,
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed more.`},
		{Name: "saved again while it was planned", Given: typed(p, "Roll back.", "Typed."), Do: left(p, func(w *world) {
			w.Meanwhile = func() func() { typed(p, "Typed.", "Typed more.")(w); return func() {} }
		}), Says: `"Again":true`,
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed more.`},
		{Name: "gone", Do: left(p, set(files{p: ""})), Says: `"Again":true`,
			Left: `
				gone deploy/rollback.md`},
		{Name: "staged", Given: func(w *world) { typed(p, "Roll back.", "Typed.")(w); w.Staged[p] = w.Disk[p] }, Do: left(p), Says: `staged`,
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "ignored", Given: func(w *world) { seen(fresh)(w); w.Ignored = append(w.Ignored, "new.md") }, Do: left("new.md"), Says: `git ignores it`,
			Left: `
				new new.md
				+# New`},
		{Name: "not to be adopted", Given: func(w *world) { seen(fresh)(w); w.NoAdopt = true }, Do: left("new.md"), Says: `not to be adopted`,
			Left: `
				new new.md
				+# New`},
		{Name: "emptied", Given: set(files{p: "\n"}), Do: left(p), Says: `it is empty`,
			Left: `
				deploy/rollback.md
				----
				-id: pf-aa2
				-title: Rollback
				-summary: when to go back
				----
				-Roll back.
				+`},
		{Name: "cut to less than half", Start: files{"x.md": long}, Given: set(files{"x.md": long[:60]}), Do: left("x.md"), Says: `it lost more than half of its text`,
			Left: `
				x.md
				-A line of the text.
				-A line of the text.
				-A line of the text.
				-A line of the text.
				-A line of the text.
				-A line of the text.`},
		{Name: "full of conflict markers", Given: typed(p, "Roll back.", "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> o"), Do: left(p), Says: `it holds conflict markers`,
			Left: `
				deploy/rollback.md
				-Roll back.
				+<<<<<<< HEAD
				+A
				+=======
				+B
				+>>>>>>> o`},
		{Name: "a header that is half typed", Given: typed(p, "title: Rollback", "title: ["), Do: left(p), Says: `"Why":"`,
			Left: `
				deploy/rollback.md
				-title: Rollback
				+title: [`},
		{Name: "another memory at its path", Given: typed(p, "pf-aa2", "pf-zz9"), Do: left(p), Says: `"Moved":true`,
			Left: `
				deploy/rollback.md
				-id: pf-aa2
				+id: pf-zz9`},
	})
}

func TestPlanBatch(t *testing.T) {
	add := func(o tree.Add) tree.BatchLine {
		return tree.BatchLine{Number: 1, Key: "top", Verb: tree.LineOf(o), Texts: []string{o.Text}}
	}
	sub := func(n int, o tree.AddSub) tree.BatchLine {
		return tree.BatchLine{Number: n, Verb: tree.LineOf(o), Texts: []string{o.Body}}
	}
	amend := func(n int, o tree.Amend) tree.BatchLine {
		l := tree.BatchLine{Number: n, Verb: tree.LineOf(o)}
		if o.Append != nil {
			l.Texts = []string{*o.Append}
		}
		return l
	}
	move := func(n int, o tree.Move) tree.BatchLine { return tree.BatchLine{Number: n, Verb: tree.LineOf(o)} }
	line := func(n int, o tree.AddParent) tree.BatchLine { return tree.BatchLine{Number: n, Verb: tree.LineOf(o)} }
	gone := func(n int, o tree.Delete) tree.BatchLine { return tree.BatchLine{Number: n, Verb: tree.LineOf(o)} }
	batch := func(lines ...tree.BatchLine) tree.Batch { return tree.Batch{Lines: lines} }
	do := func(b tree.Batch) func(context.Context, *world) (tree.Batched, error) {
		return func(ctx context.Context, w *world) (tree.Batched, error) { return b.Do(ctx, w.Vault) }
	}
	vaultmap.Run(t, []vaultmap.Row[tree.Batched]{
		{Name: "each line sees those before it", Verb: batch(add(tree.Add{Title: "Top"}), sub(2, tree.AddSub{Parent: "$top", Title: "Below"}), sub(3, tree.AddSub{Parent: "$2", Title: "Below"}),
			amend(4, tree.Amend{Ref: "$1", Summary: ptr("when on top")}), sub(5, tree.AddSub{Parent: "pf-aa1", Title: "New"}), sub(6, tree.AddSub{Parent: "deploy.md", Title: "New"})),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000004", "title": "New", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				+  {"id": "pf-00000005", "title": "New", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new deploy/new-2.md
				+head pf-00000005|New
				new deploy/new.md
				+head pf-00000004|New
				new top.md
				+---
				+id: pf-00000001
				+title: Top
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+summary: when on top
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000002", "title": "Below", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new top/below.md
				+head pf-00000002|Below
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000003", "title": "Below", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new top/below/below.md
				+head pf-00000003|Below`},
		{Name: "references to lines and memories", Verb: batch(add(tree.Add{Title: "Top"}), tree.BatchLine{Number: 2, Verb: tree.LineOf(tree.Add{Title: "Other", References: []string{"$top", "pf-aa1"}})}),
			Want: `
				new other.md
				+---
				+id: pf-00000002
				+title: Other
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+references: [pf-00000001, pf-aa1]
				+---
				new top.md
				+head pf-00000001|Top`},
		{Name: "a memory is changed twice", Verb: batch(amend(1, tree.Amend{Ref: "pf-aa2", Title: ptr("Back")}), amend(2, tree.Amend{Ref: "pf-aa2", Append: ptr("More.")})),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Back", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: Back
				+
				+More.`},
		{Name: "a memory comes below a new one, and goes on there", Verb: batch(add(tree.Add{Title: "Top"}), move(2, tree.Move{Ref: "pf-aa2", To: "$top"}), amend(3, tree.Amend{Ref: "$2", Title: ptr("Back")}),
			sub(4, tree.AddSub{Parent: "top/rollback.md", Title: "New"}), amend(5, tree.Amend{Ref: "deploy/rollback.md", Append: ptr("More.")})), Says: `"title":"Back","path":"top/rollback.md"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				new top.md
				+---
				+id: pf-00000001
				+title: Top
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa2", "title": "Back", "summary": "when to go back"}
				+]
				+<!-- /sub-memories -->
				deploy/rollback.md > top/rollback.md
				-title: Rollback
				+title: Back
				+
				+More.
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000002", "title": "New", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new top/rollback/new.md
				+---
				+id: pf-00000002
				+title: New
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "a parent moves with its folder, and both go on there", Verb: batch(add(tree.Add{Title: "Top"}), sub(2, tree.AddSub{Parent: "pf-aa1", Title: "Before"}), amend(3, tree.Amend{Ref: "pf-aa3", Append: ptr("More.")}),
			move(4, tree.Move{Ref: "pf-aa1", To: "$top"}), sub(5, tree.AddSub{Parent: "pf-aa1", Title: "After"}), amend(6, tree.Amend{Ref: "top/deploy/rollback.md", Title: ptr("Back")}),
			sub(7, tree.AddSub{Parent: "pf-aa2", Title: "Deep"}), amend(8, tree.Amend{Ref: "$2", Title: ptr("First")})),
			Want: `
				new top.md
				+---
				+id: pf-00000001
				+title: Top
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa1", "title": "Deployment", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				deploy.md > top/deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Back", "summary": "when to go back"},
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000002", "title": "First", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				+  {"id": "pf-00000003", "title": "After", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new top/deploy/after.md
				+---
				+id: pf-00000003
				+title: After
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				new top/deploy/before.md
				+---
				+id: pf-00000002
				+title: First
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				deploy/rollback.md > top/deploy/rollback.md
				-title: Rollback
				+title: Back
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000004", "title": "Deep", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new top/deploy/rollback/deep.md
				+---
				+id: pf-00000004
				+title: Deep
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				deploy/secrets.md > top/deploy/secrets.md
				+
				+More.`},
		{Name: "there, and on to the root", Verb: batch(move(1, tree.Move{Ref: "pf-aa2", To: "pf-aa3"}), move(2, tree.Move{Ref: "pf-aa2", Root: true})),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/rollback.md > rollback.md`},
		{Name: "and back", Verb: batch(move(1, tree.Move{Ref: "pf-aa2", Root: true}), move(2, tree.Move{Ref: "pf-aa2", To: "pf-aa1"})),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/rollback.md > deploy/rollback-2.md`},
		{Name: "one child is kept, and the rest goes", Verb: batch(move(1, tree.Move{Ref: "pf-aa2", Root: true}), gone(2, tree.Delete{Ref: "pf-aa1", Recursive: true})),
			Want: `
				gone deploy.md
				gone deploy/secrets.md
				deploy/rollback.md > rollback.md`},
		{Name: "a new child goes, too", Verb: batch(sub(1, tree.AddSub{Parent: "pf-aa3", Title: "New"}), gone(2, tree.Delete{Ref: "pf-aa3", Recursive: true})),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				gone deploy/secrets.md`},
		{Name: "a new child keeps its parent", Verb: batch(sub(1, tree.AddSub{Parent: "pf-aa3", Title: "New"}), gone(2, tree.Delete{Ref: "pf-aa3"})),
			Err: "line 2: Memory has 1 child. Use --recursive to delete subtree, or move children first"},
		{Name: "a folder gets a memory, which points to what comes later, too", Start: files{"notes/a.md": vaultmap.File("pf-aa1", "A", "when a", "A.\n")}, Verb: batch(line(1, tree.AddParent{Dir: "notes/", Summary: "notes"}),
			amend(2, tree.Amend{Ref: "pf-aa1", Title: ptr("First")}), sub(3, tree.AddSub{Parent: "$1", Title: "B"})), Want: `
				new notes.md
				+---
				+id: pf-00000001
				+title: notes
				+type: memory
				+status: open
				+summary: notes
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa1", "title": "First", "summary": "when a"},
				+  {"id": "pf-00000002", "title": "B", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				notes/a.md
				-title: A
				+title: First
				new notes/b.md
				+---
				+id: pf-00000002
				+title: B
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---`},
		{Name: "and cannot be deleted without them", Start: files{"notes/a.md": vaultmap.File("pf-aa1", "A", "when a", "A.\n")}, Verb: batch(line(1, tree.AddParent{Dir: "notes", Summary: "notes"}), gone(2, tree.Delete{Ref: "$1"})),
			Err: "line 2: Memory has 1 child. Use --recursive to delete subtree, or move children first"},
		{Name: "a folder in which something changes gets none", Start: files{"notes/a.md": vaultmap.File("pf-aa1", "A", "when a", "A.\n")}, Verb: batch(gone(1, tree.Delete{Ref: "pf-aa1"}), line(2, tree.AddParent{Dir: "notes", Summary: "notes"})),
			Err: "line 2: what is in notes changes in this commit | do it in a commit of its own, before or after"},
		{Name: "what is gone is gone", Verb: batch(gone(1, tree.Delete{Ref: "pf-aa3"}), amend(2, tree.Amend{Ref: "pf-aa3", Append: ptr("x")})),
			Err: "line 2: Shard pf-aa3 not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "no circle by two lines", Verb: batch(move(1, tree.Move{Ref: "pf-aa2", To: "pf-aa3"}), move(2, tree.Move{Ref: "pf-aa3", To: "pf-aa2"})),
			Err: "line 2: Cannot move memory to own descendant (would create cycle) | move the target elsewhere first"},
		{Name: "what moves with its parent stays with it", Verb: batch(add(tree.Add{Title: "Top"}), move(2, tree.Move{Ref: "pf-aa1", To: "$top"}), move(3, tree.Move{Ref: "pf-aa2", Root: true})),
			Err: "line 3: what is in deploy moves to top/deploy in this commit, and cannot go elsewhere in the same one | do it in a commit of its own, before or after"},
		{Name: "and is not deleted", Verb: batch(add(tree.Add{Title: "Top"}), move(2, tree.Move{Ref: "pf-aa1", To: "$top"}), gone(3, tree.Delete{Ref: "pf-aa2"})),
			Err: "line 3: what is in deploy moves to top/deploy in this commit, and cannot go elsewhere in the same one | do it in a commit of its own, before or after"},
		{Name: "nor with its parent", Verb: batch(add(tree.Add{Title: "Top"}), move(2, tree.Move{Ref: "pf-aa1", To: "$top"}), gone(3, tree.Delete{Ref: "$top", Recursive: true})),
			Err: "line 3: what is in deploy moves to top/deploy in this commit, and cannot go elsewhere in the same one | do it in a commit of its own, before or after"},
		{Name: "a folder that something has left stays", Verb: batch(add(tree.Add{Title: "Top"}), move(2, tree.Move{Ref: "pf-aa2", Root: true}), move(3, tree.Move{Ref: "pf-aa1", To: "$top"})),
			Err: "line 3: what is in deploy/rollback.md moves to rollback.md in this commit, and cannot go elsewhere in the same one | do it in a commit of its own, before or after"},
		{Name: "a line that changes nothing", Verb: batch(amend(1, tree.Amend{Ref: "pf-aa2", Title: ptr("Rollback")})), Says: `"unchanged":true`},
		{Name: "no such line", Verb: batch(sub(1, tree.AddSub{Parent: "$2", Title: "T"})),
			Err: "line 1: '$2' is no earlier line's memory | give the earlier line a \"key\", or name it by its number, as in \"$1\""},
		{Name: "no such line to refer to", Verb: batch(add(tree.Add{Title: "T", References: []string{"$x"}})),
			Err: "line 1: '$x' is no earlier line's memory | give the earlier line a \"key\", or name it by its number, as in \"$1\""},
		{Name: "no such line to change", Verb: batch(amend(1, tree.Amend{Ref: "$x", Append: ptr("x")})),
			Err: "line 1: '$x' is no earlier line's memory | give the earlier line a \"key\", or name it by its number, as in \"$1\""},
		{Name: "a line that cannot be done leaves nothing", Verb: batch(add(tree.Add{Title: "Top"}), sub(2, tree.AddSub{Parent: "pf-none", Title: "T"})),
			Err: "line 2: Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "a line that says nothing", Verb: batch(add(tree.Add{Title: "Top"}), sub(7, tree.AddSub{Parent: "$1"})),
			Err: "line 7: the title is empty | give the memory a title or some text"},
		{Name: "a line without a section's text", Verb: batch(amend(3, tree.Amend{Ref: "pf-aa2", Section: "S"})),
			Err: "line 3: a section says where the new text goes, and there is no text | add --body or --body-file"},
		{Name: "a credential, with its line", Do: do(batch(add(tree.Add{Title: "Top"}), amend(2, tree.Amend{Ref: "pf-aa2", Append: ptr(key)}))),
			Err: "line 2: line 1 of the text of the update looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
		{Name: "one in a new memory", Do: do(batch(add(tree.Add{Title: "T", Text: key}))),
			Err: "line 1: line 1 of the text of the add looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
		{Name: "one in a child", Do: do(batch(sub(1, tree.AddSub{Parent: "pf-aa1", Title: "T", Body: key}))),
			Err: "line 1: line 1 of the text of the add-sub looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
		{Name: "one that a hand-made parent brings", Given: set(files{"x.md": key + "\n"}), Do: do(batch(sub(1, tree.AddSub{Parent: "x.md", Title: "T"}))),
			Err: "x.md:1: this looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret",
			Left: `
				new x.md
				+AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT`},
		{Name: "a typed text, with its line", Given: typed("deploy/rollback.md", "title: Rollback", "title: Typed"), Do: do(batch(amend(5, tree.Amend{Ref: "pf-aa2", Title: ptr("Back")}))),
			Err: "line 5: deploy/rollback.md: its title has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-title: Rollback
				+title: Typed`},
		{Name: "a dry run tells no ids", Do: do(tree.Batch{DryRun: true, Lines: []tree.BatchLine{add(tree.Add{Title: "Top"}), sub(2, tree.AddSub{Parent: "$top", Title: "Below"})}}), Says: `{"line":1,"verb":"add","key":"top","title":"Top","path":"top.md"},{"line":2,"verb":"add-sub","title":"Below","path":"top/below.md"}`},
	})
}

func TestPlanDeliver(t *testing.T) {
	// delivers queues writes, and delivers them.
	delivers := func(queue ...string) func(context.Context, *world) ([]vault.Delivered, error) {
		return func(ctx context.Context, w *world) (out []vault.Delivered, err error) {
			for _, q := range queue {
				verb, options, _ := strings.Cut(q, " ")
				if err := w.Store.Queue(ctx, vault.Queued{Verb: verb, Options: []byte(options)}); err != nil {
					return nil, err
				}
			}
			return w.Deliver(ctx)
		}
	}
	const made = `"ID":"pf-00000009","Created":"2026-02-07T15:30:00Z"`
	vaultmap.Run(t, []vaultmap.Row[[]vault.Delivered]{
		{Name: "an add", Do: delivers(`add {"Text":"How.","Title":"Deploying",` + made + `}`),
			Want: `
				new deploying.md
				+head pf-00000009|Deploying
				+How.`},
		{Name: "an add-sub", Do: delivers(`add-sub {"Parent":"pf-aa1","Title":"Gateway","Summary":"If",` + made + `}`), Says: `"parent_id":"pf-aa1"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000009", "title": "Gateway", "summary": "If"}
				new deploy/gateway.md
				+head pf-00000009|Gateway|If`},
		{Name: "a parent that is gone", Do: delivers(`add-sub {"Parent":"pf-gone","Title":"Gateway","Body":"B.",` + made + `}`),
			Want: `
				new gateway.md
				+head pf-00000009|Gateway
				+B.`},
		{Name: "a parent that is closed by now", Start: files{"x.md": "---\nid: pf-xx1\nstatus: closed\n---\n"}, Do: delivers(`add-sub {"Parent":"pf-xx1","Title":"Gateway",` + made + `}`),
			Want: `
				new gateway.md
				+head pf-00000009|Gateway`},
		{Name: "one after the other", Do: delivers(`add {"Title":"Top",`+made+`}`, `add-sub {"Parent":"pf-00000009","Title":"Below","ID":"pf-00000008","Created":"2026-02-07T15:30:00Z"}`),
			Want: `
				new top.md
				+head pf-00000009|Top
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000008", "title": "Below", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new top/below.md
				+head pf-00000008|Below`},
		{Name: "while the repository is busy it waits", Given: func(w *world) { w.Busy = "merge" }, Do: delivers(`add {"Title":"T",` + made + `}`), Says: `null`},
		{Name: "a verb of a newer cp", Do: delivers(`record {}`),
			Err: "a queued write has a verb that this cp does not know: record | run the newer cp that queued it"},
		{Name: "options that cannot be read", Do: delivers(`add {"Text":1}`),
			Err: "a queued write cannot be read: json: cannot unmarshal number into Go struct field queuedAdd.Add.text of type string | look at the outbox with `cp doctor`"},
	})
}

// What a new memory waits in while the repository is busy comes out as it went in.
func TestPlanQueuedWhileBusy(t *testing.T) {
	w := vaultmap.New(family())
	w.Busy = "rebase"
	added, err := tree.Add{Title: "Top", Text: "T."}.Do(t.Context(), w.Vault)
	sub, err2 := tree.AddSub{Parent: "pf-aa1", Title: "Below", Summary: strings.Repeat("long ", 30)}.Do(t.Context(), w.Vault)
	if err != nil || err2 != nil || !added.Queued || !sub.Queued || !strings.Contains(sub.Why, "rebase") || len(sub.Warnings) != 1 {
		t.Fatalf("queued %+v, %v and %+v, %v", added, err, sub, err2)
	}
	w.Busy = ""
	out, err := w.Deliver(t.Context())
	if err != nil || len(out) != 2 || out[0].ID != added.ID || out[1].ID != sub.ID || out[1].ParentID != "pf-aa1" {
		t.Errorf("delivered %+v, %v", out, err)
	}
}

// What is asked before a write answers as the write will.
func TestPlanPreviews(t *testing.T) {
	w := vaultmap.New(deep())
	p, err := tree.Delete{Ref: "pf-aa1", Recursive: true}.Preview(t.Context(), w.Vault)
	if err != nil || p.Children != 2 || p.Descendants != 3 {
		t.Errorf("delete: %+v, %v", p, err)
	}
	if n, err := (tree.AddSub{Parent: "pf-aa1", Title: "T"}).Under(t.Context(), w.Vault); err != nil || n.ID != "pf-aa1" {
		t.Errorf("add-sub: %+v, %v", n, err)
	}
	if _, err := (tree.AddSub{Parent: "pf-aa1", Title: "T", Body: key}).Under(t.Context(), w.Vault); vault.CodeOf(err) != vault.CodeSecret {
		t.Errorf("add-sub of a credential: %v", err)
	}
}
