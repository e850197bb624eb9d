package tree_test

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

type (
	files = vaultmap.Files
	world = vaultmap.World
)

var (
	file, block = vaultmap.File, vaultmap.Block
	set, typed  = vaultmap.Set, vaultmap.Type
	seen        = vaultmap.Seen
	family      = vaultmap.Family
	damaged     = vaultmap.Damaged
	broken      = vaultmap.Broken
)

// task is a file of another type.
const task = "---\nid: pf-tt1\ntitle: Task\ntype: task\n---\nDo it.\n"

const key = vaultmap.Key

// shipped is the parent that was renamed by hand, with a new child.
const shipped = `
new ship.md
+---
+id: pf-aa1
+title: Deployment
+---
+How we deploy.
+
+<!-- sub-memories -->
+[
+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
+]
+<!-- /sub-memories -->
new ship/gateway.md
+head pf-00000001|Gateway|If it hangs
+Restart it.`

// hung is a child below a memory that had none.
const hung = `
deploy/rollback.md
+
+<!-- sub-memories -->
+[
+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
+]
+<!-- /sub-memories -->
new deploy/rollback/gateway.md
+head pf-00000001|Gateway|If it hangs
+Restart it.`

// said is a memory that says what a new one says, too.
func said(id, title string) string { return vaultmap.File(id, title, "", "Restart it.\n") }

func TestPlanAdd(t *testing.T) {
	vaultmap.Run(t, []vaultmap.Row[tree.Added]{
		{Name: "it is stored already", Start: vaultmap.Family().With(vaultmap.Files{"gateway.md": said("pf-aa9", "Gateway")}), Verb: tree.Add{Title: "Gateway", Text: "Restart it.\n"},
			Says: `"id":"pf-aa9","title":"Gateway","path":"gateway.md"`},
		{Name: "a text is a root memory", Verb: tree.Add{Text: "How we restart the gateway.\n"},
			Want: `
				new how-we-restart-the-gateway.md
				+head pf-00000001|How we restart the gateway.
				+How we restart the gateway.`},
		{Name: "all that can be said", Verb: tree.Add{Text: "Text.", Title: "A title", Labels: []string{"a, b", "a"}, Summary: "when", Type: "task", References: []string{"pf-aa2", "deploy/secrets.md"}},
			Want: `
				new a-title.md
				+---
				+id: pf-00000001
				+title: A title
				+type: task
				+status: open
				+labels: [a, b]
				+summary: when
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+references: [pf-aa2, pf-aa3]
				+---
				+Text.`},
		{Name: "a heading is no part of the title", Verb: tree.Add{Text: "# Head\n\nand text"},
			Want: `
				new head-and-text.md
				+head pf-00000001|Head and text
				+# Head
				+
				+and text`},
		{Name: "a name that is taken gets a number", Verb: tree.Add{Title: "Deploy"},
			Want: `
				new deploy-2.md
				+head pf-00000001|Deploy`},
		{Name: "and one in another case", Start: files{"DEPLOY.md": "# X\n", "deploy-2.md": "# Y\n"}, Verb: tree.Add{Title: "Deploy"},
			Want: `
				new deploy-3.md
				+head pf-00000001|Deploy`},
		{Name: "a folder's name is taken, too", Start: files{"deploy/x.md": file("pf-xx1", "X", "", "")}, Verb: tree.Add{Title: "Deploy"},
			Want: `
				new deploy-2.md
				+head pf-00000001|Deploy`},
		{Name: "what was made by hand since is seen", Given: set(files{"fresh.md": "typed\n"}), Verb: tree.Add{Title: "Fresh"},
			Want: `
				new fresh-2.md
				+head pf-00000001|Fresh`,
			Left: `
				new fresh.md
				+typed`},
		{Name: "a title of no letters", Verb: tree.Add{Title: "☃"},
			Want: `
				new 00000001.md
				+head pf-00000001|☃`},
		{Name: "references that nobody has", Verb: tree.Add{Title: "T", References: []string{"pf-none", "pf-aa", "pf-aa1"}}, Says: `"id":"pf-00000001"`,
			Want: `
				new t.md
				+---
				+id: pf-00000001
				+title: T
				+type: memory
				+status: open
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+references: [pf-aa1]
				+---`},
		{Name: "what was queued keeps its id and time", Verb: tree.Add{Title: "T", ID: "pf-queued", Created: time.Unix(0, 0).UTC()},
			Want: `
				new t.md
				+---
				+id: pf-queued
				+title: T
				+type: memory
				+status: open
				+created: 1970-01-01T00:00:00Z
				+creator: tester
				+---`},
		{Name: "an id that somebody has is drawn again", Start: files{"x.md": file("pf-00000001", "X", "", "")}, Verb: tree.Add{Title: "T"},
			Want: `
				new t.md
				+head pf-00000002|T`},
		{Name: "no text and no title", Verb: tree.Add{},
			Err: "the title is empty | give the memory a title or some text"},
		{Name: "a label on two lines", Verb: tree.Add{Title: "T", Labels: []string{"a\nb"}},
			Err: "the label holds a control character | put it on one line, without tabs or escapes"},
		{Name: "a text with NUL", Verb: tree.Add{Text: "a\x00b"},
			Err: "the title holds a control character | put it on one line, without tabs or escapes"},
		{Name: "a credential", Verb: tree.Add{Title: "T", Text: key},
			Err: "line 1 of the text looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
		{Name: "a reference to what cannot be read", Given: broken("deploy.md"), Verb: tree.Add{Title: "T", References: []string{"pf-aa1"}},
			Err: "deploy.md: cannot be read"},
		{Name: "a folder that cannot be read", Given: broken("t.md"), Verb: tree.Add{Title: "T"},
			Err: "t.md: cannot be read"},
		{Name: "a busy repository", Given: func(w *world) { w.Busy = "rebase" }, Verb: tree.Add{Title: "T"},
			Err: "a rebase is under way | finish or abort it, then run the command again"},
	})
}

func TestPlanAddSub(t *testing.T) {
	sub := func(parent string) tree.AddSub {
		return tree.AddSub{Parent: parent, Title: "Gateway", Body: "Restart it.\n", Summary: "If it hangs"}
	}
	vaultmap.Run(t, []vaultmap.Row[tree.Added]{
		{Name: "a sibling says the same", Start: vaultmap.Family().With(vaultmap.Files{"deploy/gateway.md": said("pf-aa9", "Gateway")}), Verb: tree.AddSub{Parent: "pf-aa1", Title: "Gateway", Body: "Restart it.\n"},
			Says: `"id":"pf-aa9","title":"Gateway","parent_id":"pf-aa1","path":"deploy/gateway.md","duplicate":true`},
		{Name: "it says the same elsewhere", Start: vaultmap.Family().With(vaultmap.Files{"gateway.md": said("pf-aa9", "Gateway")}), Verb: tree.AddSub{Parent: "pf-aa2", Title: "Gateway", Body: "Restart it.\n", Summary: "If it hangs"},
			Want: hung},
		{Name: "a title of two lines", Verb: tree.AddSub{Parent: "pf-aa1", Title: "Gate\nway"}, Err: "the title holds a control character | put it on one line, without tabs or escapes"},
		{Name: "a child comes last in the block", Verb: sub("pf-aa1"), Says: `"parent_id":"pf-aa1"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
				new deploy/gateway.md
				+head pf-00000001|Gateway|If it hangs
				+Restart it.`},
		{Name: "the first child brings the block", Verb: sub("deploy/rollback.md"),
			Want: hung},
		{Name: "a prefix that only one has", Verb: sub("pf-aa2"),
			Want: hung},
		{Name: "no phrase yet", Verb: tree.AddSub{Parent: "pf-aa1", Title: "Gateway"},
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "Gateway", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new deploy/gateway.md
				+head pf-00000001|Gateway`},
		{Name: "labels, and a phrase of a model", Verb: tree.AddSub{Parent: "pf-aa1", Title: "Gateway", Body: "Restart it.\n", Summary: "If it hangs", Labels: []string{"a"}, Written: true},
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
				new deploy/gateway.md
				+---
				+id: pf-00000001
				+title: Gateway
				+type: memory
				+status: open
				+labels: [a]
				+summary: If it hangs
				+summary_of: e4875c9cccda
				+created: 2026-02-07T15:30:00Z
				+creator: tester
				+---
				+Restart it.`},
		{Name: "a README.md that stands for its folder", Start: files{"x/README.md": file("pf-xx1", "X", "", "X.\n")}, Verb: sub("pf-xx1"),
			Want: `
				x/README.md
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
				+]
				+<!-- /sub-memories -->
				new x/gateway.md
				+head pf-00000001|Gateway|If it hangs
				+Restart it.`},
		{Name: "a hand-made parent gets an id and is committed", Given: set(files{"notes.md": "# Notes\n"}), Verb: sub("notes"),
			Want: `
				new notes.md
				+---
				+id: pf-00000002
				+---
				+# Notes
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
				+]
				+<!-- /sub-memories -->
				new notes/gateway.md
				+head pf-00000001|Gateway|If it hangs
				+Restart it.`},
		{Name: "what is typed in the parent is not committed", Given: typed("deploy.md", "How we deploy.", "Typed since."), Verb: sub("pf-aa1"),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "Gateway", "summary": "If it hangs"}
				new deploy/gateway.md
				+head pf-00000001|Gateway|If it hangs
				+Restart it.`,
			Left: `
				deploy.md
				-How we deploy.
				+Typed since.`},
		{Name: "a parent that was renamed by hand", Given: seen(set(files{"deploy.md": "", "ship.md": family()["deploy.md"]})), Verb: sub("pf-aa1"),
			Want: shipped,
			Left: `
				gone deploy.md`},
		{Name: "and that the mirror has not seen", Given: set(files{"deploy.md": "", "ship.md": family()["deploy.md"]}), Verb: sub("pf-aa1"),
			Want: shipped,
			Left: `
				gone deploy.md`},
		{Name: "a name that is taken", Verb: tree.AddSub{Parent: "pf-aa1", Title: "Rollback"},
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "Rollback", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new deploy/rollback-2.md
				+head pf-00000001|Rollback`},
		{Name: "a closed parent", Start: files{"x.md": "---\nid: pf-xx1\nstatus: closed\n---\n"}, Verb: sub("pf-xx1"),
			Err: "memory pf-xx1 is closed and takes no new sub-memories | reopen it with `cp memory update pf-xx1 --status open`"},
		{Name: "a parent of another type", Start: files{"t.md": task}, Verb: sub("pf-tt1"),
			Err: "Shard pf-tt1 is type 'task', expected 'memory' | `cp shard show pf-tt1` shows files of any type"},
		{Name: "no such parent", Verb: sub("pf-none"),
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "several of that beginning", Verb: sub("pf-aa"),
			Err: "'pf-aa' is the beginning of several ids: pf-aa1, pf-aa2, pf-aa3 | type more of the id"},
		{Name: "a parent whose block is damaged", Start: damaged(), Verb: sub("pf-aa1"),
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "a parent that a merge has filled with markers", Start: files{"x.md": "---\nid: pf-xx1\n<<<<<<< HEAD\n=======\n>>>>>>> o\n---\n"}, Given: func(w *world) { w.Busy = "merge" }, Verb: sub("pf-xx1"),
			Err: "a merge is under way | finish or abort it, then run the command again"},
		{Name: "a path at which no memory stands", Verb: sub("deploy/none.md"),
			Err: "Shard deploy/none.md not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "an empty title", Verb: tree.AddSub{Parent: "pf-aa1", Title: " "},
			Err: "the title is empty | give the memory a title or some text"},
		{Name: "a folder that cannot be read", Given: broken("deploy/gateway.md"), Verb: sub("pf-aa1"),
			Err: "deploy/gateway.md: cannot be read"},
		{Name: "a credential", Verb: tree.AddSub{Parent: "pf-aa1", Title: "T", Body: key},
			Err: "line 1 of the text looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
	})
}

// provisional is what everybody calls new.md as long as it has no id.
var provisional = vault.ProvisionalID("new.md", func(vault.ID) bool { return false })

func ptr[T any](v T) *T { return &v }

func TestPlanAmend(t *testing.T) {
	child := func(keys string) files {
		return family().With(files{"deploy/rollback.md": "---\nid: pf-aa2\ntitle: Rollback\nsummary: when to go back\n" + keys + "---\nRoll back.\n"})
	}
	vaultmap.Run(t, []vaultmap.Row[tree.Amended]{
		{Name: "a title goes into the parent's block", Verb: tree.Amend{Ref: "pf-aa2", Title: ptr("Going back")}, Says: `"title":"Going back"`,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Going back", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: Going back`},
		{Name: "a phrase, too, and it is a person's now", Start: child("summary_of: 0123456789ab\n"), Verb: tree.Amend{Ref: "pf-aa2", Summary: ptr("after a bad release")},
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "after a bad release"},
				deploy/rollback.md
				-summary: when to go back
				-summary_of: 0123456789ab
				+summary: after a bad release`},
		{Name: "a root has nobody to tell", Verb: tree.Amend{Ref: "pf-aa1", Title: ptr("Shipping")},
			Want: `
				deploy.md
				-title: Deployment
				+title: Shipping`},
		{Name: "a status by another word", Verb: tree.Amend{Ref: "pf-aa1", Status: ptr("In-Progress")}, Says: `"status":"in_progress"`,
			Want: `
				deploy.md
				+status: in_progress`},
		{Name: "a status that nobody knows", Verb: tree.Amend{Ref: "pf-aa1", Status: ptr("banana")},
			Err: `status "banana" is none of open, in_progress, deferred, closed | resolved is taken for closed, and unresolved for open; a word of your own can be a label`},
		{Name: "one that stands in the file stays", Start: family().With(files{"deploy.md": "---\nid: pf-aa1\nstatus: banana\n---\n"}), Verb: tree.Amend{Ref: "pf-aa1", Status: ptr("banana"), Append: ptr("More.")},
			Want: `
				deploy.md
				+More.`},
		{Name: "a phrase that the block lacks", Start: family().With(files{"deploy.md": file("pf-aa1", "Deployment", "", "How.\n")}), Verb: tree.Amend{Ref: "pf-aa2", Append: ptr("More.")},
			Want: `
				deploy.md
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				+]
				+<!-- /sub-memories -->
				deploy/rollback.md
				+
				+More.`},
		{Name: "what was typed into the child's title is for sync", Given: typed("deploy/rollback.md", "title: Rollback", "title: Typed"), Verb: tree.Amend{Ref: "pf-aa2", Append: ptr("More.")},
			Want: `
				deploy/rollback.md
				+
				+More.`,
			Left: `
				deploy/rollback.md
				-title: Rollback
				+title: Typed`},
		{Name: "labels come and go", Start: child("labels: [a, b]\n"), Verb: tree.Amend{Ref: "pf-aa2", AddLabels: []string{"c,a"}, RemoveLabels: []string{"b"}},
			Want: `
				deploy/rollback.md
				-labels: [a, b]
				+labels: [a, c]`},
		{Name: "closed, with what came of it", Start: child("deferred_until: 2026-03-01\n"), Verb: tree.Amend{Ref: "pf-aa2", Status: ptr("closed"), Resolution: "Automated.", Verb: "close"},
			Want: `
				deploy/rollback.md
				-deferred_until: 2026-03-01
				+status: closed
				+resolved_at: 2026-02-07T15:30:00Z
				+
				+## Resolution
				+
				+Automated.`},
		{Name: "opened again", Start: child("status: closed\nresolved_at: 2026-01-01\n"), Verb: tree.Amend{Ref: "pf-aa2", Status: ptr("open"), Verb: "reopen"},
			Want: `
				deploy/rollback.md
				-status: closed
				-resolved_at: 2026-01-01
				+status: open`},
		{Name: "put off", Verb: tree.Amend{Ref: "pf-aa2", Status: ptr("deferred"), Deferred: ptr(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))},
			Want: `
				deploy/rollback.md
				+status: deferred
				+deferred_until: 2026-03-01T00:00:00Z`},
		{Name: "a paragraph", Verb: tree.Amend{Ref: "pf-aa1", Append: ptr("One more thing.")},
			Want: `
				deploy.md
				+One more thing.
				+`},
		{Name: "a section", Start: child("").With(files{"deploy/rollback.md": "---\nid: pf-aa2\ntitle: Rollback\nsummary: when to go back\n---\n# How\n\nOld.\n\n# Why\n\nSince.\n"}), Verb: tree.Amend{Ref: "pf-aa2", Section: "How", Body: ptr("New.")},
			Want: `
				deploy/rollback.md
				-Old.
				+New.`},
		{Name: "the whole prose; the block stays", Verb: tree.Amend{Ref: "pf-aa1", Body: ptr("Anew.")},
			Want: `
				deploy.md
				-How we deploy.
				+Anew.`},
		{Name: "a paragraph below what is typed", Given: typed("deploy/rollback.md", "Roll back.", "Typed."), Verb: tree.Amend{Ref: "pf-aa2", Append: ptr("More.")},
			Want: `
				deploy/rollback.md
				+
				+More.`,
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "the prose, while it is typed in", Given: typed("deploy/rollback.md", "Roll back.", "Typed."), Verb: tree.Amend{Ref: "pf-aa2", Body: ptr("Anew.")},
			Err: "deploy/rollback.md: the file has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "the prose, while it is staged", Given: func(w *world) { w.Staged["deploy/rollback.md"] = "Staged.\n" }, Verb: tree.Amend{Ref: "pf-aa2", Body: ptr("Anew.")},
			Err: "deploy/rollback.md: the file has staged edits that are not on disk, which git's history would not keep | commit them first (`git commit`), then repeat the command"},
		{Name: "a title, while that is typed", Given: typed("deploy/rollback.md", "title: Rollback", "title: Typed"), Verb: tree.Amend{Ref: "pf-aa2", Title: ptr("Going back")},
			Err: "deploy/rollback.md: its title has uncommitted edits, which git's history would not keep | commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command",
			Left: `
				deploy/rollback.md
				-title: Rollback
				+title: Typed`},
		{Name: "what the file says already", Verb: tree.Amend{Ref: "pf-aa2", Title: ptr("Rollback")}, Says: `"unchanged":true`},
		{Name: "a hand-made file gets its id", Given: set(files{"deploy/new.md": "# New\n"}), Verb: tree.Amend{Ref: "deploy/new", Summary: ptr("when new")},
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "New", "summary": "when new"}
				new deploy/new.md
				+---
				+id: pf-00000001
				+summary: when new
				+---
				+# New`},
		{Name: "CRLF stays", Start: files{"x.md": "---\r\nid: pf-xx1\r\n---\r\nText.\r\n"}, Verb: tree.Amend{Ref: "pf-xx1", Append: ptr("More."), Title: ptr("X")},
			Want: `
				x.md
				+title: X␍
				+␍
				+More.␍`},
		{Name: "the file was read as it is", Verb: tree.Amend{Ref: "pf-aa2", IfMatch: "2d9a7a9", Append: ptr("More.")},
			Err: "pf-aa2 has changed since it was read: its hash is 80e1dd86e30a00d949699bba3bef3a949b14f3ad | read it again with `cp memory show pf-aa2 -o json` and repeat the change"},
		{Name: "a section and no text", Verb: tree.Amend{Ref: "pf-aa2", Section: "How"},
			Err: "a section says where the new text goes, and there is no text | add --body or --body-file"},
		{Name: "a status with a tab", Verb: tree.Amend{Ref: "pf-aa2", Status: ptr("a\tb")},
			Err: "the status holds a control character | put it on one line, without tabs or escapes"},
		{Name: "a title of nothing", Verb: tree.Amend{Ref: "pf-aa2", Title: ptr("")},
			Err: "the title is empty | give the memory a title or some text"},
		{Name: "a file of another type", Start: files{"t.md": task}, Verb: tree.Amend{Ref: "pf-tt1", Append: ptr("More.")},
			Err: "Shard pf-tt1 is type 'task', expected 'memory' | `cp shard show pf-tt1` shows files of any type"},
		{Name: "a damaged file", Start: damaged(), Verb: tree.Amend{Ref: "pf-aa1", Append: ptr("More.")},
			Err: "deploy.md:10: invalid sub-memories JSON: expected comma after array element | mend the file in an editor, or run `cp memory sync`, which repairs pointer blocks"},
		{Name: "a damaged parent is left as it is", Start: damaged(), Verb: tree.Amend{Ref: "pf-aa2", Title: ptr("Going back")},
			Want: `
				deploy/rollback.md
				-title: Rollback
				+title: Going back`},
		{Name: "a text that would hide the block", Verb: tree.Amend{Ref: "pf-aa1", Append: ptr("```\nopen")},
			Err: "deploy.md: the text would damage the file's sub-memories block | close the code fence or comment, and leave sub-memories markers out of the text"},
		{Name: "a credential", Verb: tree.Amend{Ref: "pf-aa2", Append: ptr(key)},
			Err: "line 1 of the text looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret"},
		{Name: "nobody", Verb: tree.Amend{Ref: "pf-none", Append: ptr("More.")},
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

func TestPlanEdit(t *testing.T) {
	edited := tree.Edited{Path: "deploy/rollback.md", ID: "pf-aa2"}
	vaultmap.Run(t, []vaultmap.Row[tree.Amended]{
		{Name: "all that was typed is committed", Given: typed("deploy/rollback.md", "Roll back.", "Typed."), Verb: edited,
			Want: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "nothing was typed", Verb: edited, Says: `"unchanged":true`},
		{Name: "a title and a phrase go into the parent's block", Given: typed("deploy/rollback.md", "title: Rollback\nsummary: when to go back", "title: Back\nsummary: when it fails"), Verb: edited,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Back", "summary": "when it fails"},
				deploy/rollback.md
				-title: Rollback
				-summary: when to go back
				+title: Back
				+summary: when it fails`},
		{Name: "an id that got lost is put back", Given: typed("deploy/rollback.md", "id: pf-aa2\n", ""), Verb: edited},
		{Name: "an id that was changed is put back", Given: typed("deploy/rollback.md", "pf-aa2", "pf-7k2m9qx4"), Verb: edited},
		{Name: "below the one of the person's own that was typed", Given: typed("deploy/rollback.md", "pf-aa2", "pf-other"), Verb: edited,
			Want: `
				deploy/rollback.md
				-id: pf-aa2
				+id: pf-other
				+cp_id: pf-aa2`},
		{Name: "a hand-made file gets an id", Given: seen(set(files{"new.md": "# New\n"})), Verb: tree.Edited{Path: "new.md", ID: provisional},
			Want: `
				new new.md
				+---
				+id: pf-00000001
				+---
				+# New`},
		{Name: "or the one that was typed", Given: seen(set(files{"new.md": file("pf-typed", "New", "", "")})), Verb: tree.Edited{Path: "new.md", ID: provisional},
			Want: `
				new new.md
				+---
				+id: pf-typed
				+title: New
				+---`},
		{Name: "but none that another one has", Given: seen(set(files{"new.md": "# New\n"}), set(files{"new.md": file("pf-aa3", "New", "", "")})), Verb: tree.Edited{Path: "new.md", ID: provisional},
			Want: `
				new new.md
				+---
				+id: pf-aa3
				+cp_id: pf-00000001
				+title: New
				+---`},
		{Name: "a header that cannot be read is told", Given: typed("deploy/rollback.md", "title: Rollback", "title: ["), Verb: edited,
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "rollback", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: [`},
		{Name: "a file that moved since", Given: seen(set(files{"deploy/rollback.md": "", "back.md": family()["deploy/rollback.md"] + "Typed.\n"})), Verb: edited,
			Want: `
				new back.md
				+---
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.
				+Typed.`,
			Left: `
				gone deploy/rollback.md`},
		{Name: "a file that is gone", Given: seen(set(files{"deploy/rollback.md": ""})), Verb: edited,
			Err: "Shard pf-aa2 not found | `cp memory list` and `cp memory search` show the ids",
			Left: `
				gone deploy/rollback.md`},
		{Name: "a credential that was typed", Given: typed("deploy/rollback.md", "Roll back.", key), Verb: edited,
			Err: "deploy/rollback.md:6: this looks like a secret; a commit would keep it for ever, so nothing was written | take it out and keep it where secrets are kept; if it is none, repeat the command with --allow-secret",
			Left: `
				deploy/rollback.md
				-Roll back.
				+AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT`},
	})
}
