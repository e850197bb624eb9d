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

type (
	files = vaultmap.Files
	world = vaultmap.World
)

var (
	file, block = vaultmap.File, vaultmap.Block
	set, typed  = vaultmap.Set, vaultmap.Type
	family      = vaultmap.Family
)

// told is what a pass says, a line each.
func told(out sync.Synced) (all []string) {
	for _, d := range out.Discrepancies {
		line := d.Type + " " + string(d.Path)
		if d.Fixed != "" {
			line += ": " + d.Fixed
		}
		if d.Detail != "" {
			line += " (" + d.Detail + ")"
		}
		all = append(all, strings.Join(strings.Fields(line), " "))
	}
	for _, p := range out.Problems {
		all = append(all, fmt.Sprintf("%s:%d %s", p.Path, p.Line, p.Kind))
	}
	return append(all, out.Warnings...)
}

// syncs runs a pass and checks what holds after each: a second one finds nothing
// to settle and commits nothing. A dry run before it says the same and changes nothing.
func syncs(t *testing.T, o sync.Options, with ...func(*sync.Syncer, *world)) func(context.Context, *world) ([]string, error) {
	return func(ctx context.Context, w *world) ([]string, error) {
		s := &sync.Syncer{Vault: w.Vault}
		for _, with := range with {
			with(s, w)
		}
		dry := o
		dry.DryRun = true
		head, disk := w.Head(), w.Disk
		if _, err := s.Sync(ctx, dry); err != nil {
			return nil, err
		}
		vaultmap.Equal(t, "what a dry run changed", vaultmap.Diff(head, w.Head())+vaultmap.Diff(disk, w.Disk), "")
		out, err := s.Sync(ctx, o)
		if err != nil {
			return nil, err
		}
		head = w.Head()
		again, err := s.Sync(ctx, o)
		for _, d := range again.Discrepancies {
			if d.Fixed != "" {
				t.Errorf("a second pass fixed again: %s %s: %s", d.Type, d.Path, d.Fixed)
			}
		}
		vaultmap.Equal(t, "what a second pass committed", vaultmap.Diff(head, w.Head()), "")
		return told(out), err
	}
}

// rename moves a file or folder as a person does.
func rename(w *world, from, to vault.Path) {
	for p, text := range w.Disk {
		if p == from || p.Within(from) {
			delete(w.Disk, p)
			defer func() { w.Disk[to+p[len(from):]] = text }()
		}
	}
}

// moves renames one after the other.
func moves(pairs ...vault.Path) func(*world) {
	return func(w *world) {
		for i := 0; i < len(pairs); i += 2 {
			rename(w, pairs[i], pairs[i+1])
		}
	}
}

// after does one thing after the other.
func after(given ...func(*world)) func(*world) {
	return func(w *world) {
		for _, do := range given {
			do(w)
		}
	}
}

const hunk = "<<<<<<< HEAD\ntitle: Secrets\n=======\ntitle: Secrets\nstatus: open\n>>>>>>> other\n"

func TestPlanSync(t *testing.T) {
	with := func(more files) files { return family().With(more) }
	parent := func(body string) files { return with(files{"deploy.md": file("pf-aa1", "Deployment", "", body)}) }
	blocks := block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks")
	many := func(w *world) {
		for i := range 12 {
			delete(w.Disk, vault.Path(fmt.Sprintf("n%02d.md", i)))
		}
	}
	all := family()
	for i := range 20 {
		all[vault.Path(fmt.Sprintf("n%02d.md", i))] = file(fmt.Sprintf("pf-n%02d", i), "N", "", "N.\n")
	}
	rows := []vaultmap.Row[[]string]{
		{Name: "all in order"},
		{Name: "a missing pointer", Start: with(files{"deploy/new.md": file("pf-aa9", "New", "", "New.\n")}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa9", "title": "New", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}`,
			Says: `["missing_pointer : added pointer for pf-aa9 (placeholder summary)"]`},
		{Name: "a pointer to nothing", Start: parent("How.\n" + block("pf-aa2|Rollback|when to go back", "pf-gone|Gone|when gone", "pf-aa3|Secrets|when a key leaks")),
			Want: `
				deploy.md
				-  {"id": "pf-gone", "title": "Gone", "summary": "when gone"},`,
			Says: `["stale_pointer : removed stale pointer to pf-gone"]`},
		{Name: "the file's title wins", Given: typed("deploy/rollback.md", "title: Rollback", "title: Going back"),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Going back", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: Going back`,
			Says: `["title_mismatch : set the title of pf-aa2 to \"Going back\" (was Rollback)"]`},
		{Name: "a title of a heading", Start: with(files{"deploy/rollback.md": "---\nid: pf-aa2\nsummary: when to go back\n---\n# Rollback\n"}), Given: typed("deploy/rollback.md", "# Rollback", "# Going back"),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Going back", "summary": "when to go back"},`,
			Left: `
				deploy/rollback.md
				-# Rollback
				+# Going back`,
			Says: `["title_mismatch : set the title of pf-aa2 to \"Going back\"; the pointer block said: Rollback (the pointer block said: Rollback)"]`},
		{Name: "a title that is typed while the pass plans", Given: after(typed("deploy/rollback.md", "title: Rollback", "title: Going"), func(w *world) {
			w.Meanwhile = func() func() { typed("deploy/rollback.md", "title: Going", "title: Going back")(w); return func() {} }
		}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Going back", "summary": "when to go back"},
				deploy/rollback.md
				-title: Rollback
				+title: Going back`,
			Says: `["title_mismatch : set the title of pf-aa2 to \"Going back\" (was Rollback)"]`},
		{Name: "the child's phrase was changed", Given: typed("deploy/rollback.md", "when to go back", "after a bad release"),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "after a bad release"},
				deploy/rollback.md
				-summary: when to go back
				+summary: after a bad release`,
			Says: `["edge_mismatch : took the summary of pf-aa2 from the memory: after a bad release"]`},
		{Name: "the block's phrase was changed", Given: typed("deploy.md", "when to go back", "after a bad release"),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "after a bad release"},
				deploy/rollback.md
				-summary: when to go back
				+summary: after a bad release`,
			Says: `["edge_mismatch : took the summary of pf-aa2 from the pointer block: after a bad release"]`},
		{Name: "both phrases were changed", Given: after(typed("deploy.md", "when to go back", "the block's"), typed("deploy/rollback.md", "when to go back", "the child's")),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "the child's"},
				deploy/rollback.md
				-summary: when to go back
				+summary: the child's`,
			Says: `["edge_mismatch : took the summary of pf-aa2 from the memory: the child's; the pointer block said: the block's (the pointer block said: the block's)"]`},
		{Name: "the block lost the phrase", Given: typed("deploy.md", "when to go back", vault.Placeholder),
			Says: `["edge_mismatch : took the summary of pf-aa2 from the memory: when to go back"]`},
		{Name: "no phrase is forced into a child", Start: with(files{"deploy/rollback.md": file("pf-aa2", "Rollback", "", "Roll back.\n")})},
		{Name: "a comma is missing", Start: parent("How.\n" + strings.Replace(blocks, "},", "}", 1)),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},`,
			Says: `["invalid_block deploy.md: rendered the pointer block anew (line 10: invalid sub-memories JSON: expected comma after array element)"]`},
		{Name: "no closing marker", Start: parent("How.\n" + strings.Replace(blocks, "<!-- /sub-memories -->\n", "", 1)),
			Want: `
				deploy.md
				+<!-- /sub-memories -->`,
			Says: `["invalid_block deploy.md: rendered the pointer block anew (line 7: sub-memories block: missing closing marker \u003c!-- /sub-memories --\u003e)"]`},
		{Name: "two blocks", Start: parent("How.\n" + blocks + "\nBetween.\n" + blocks),
			Want: `
				deploy.md
				-<!-- sub-memories -->
				-[
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				-]
				-<!-- /sub-memories -->`,
			Says: `["invalid_block deploy.md: rendered the pointer block anew (line 7: sub-memories block: several blocks or stray markers)"]`},
		{Name: "an entry twice", Start: parent("How.\n" + strings.Replace(blocks, "\n]", ",\n  {\"id\": \"pf-aa2\", \"title\": \"Rollback\", \"summary\": \"again\"}\n]", 1)),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "again"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}`,
			Says: `["duplicate_pointer : removed the second pointer to pf-aa2"]`},
		{Name: "markers in the block", Start: parent("How.\n" + strings.Replace(blocks, "  {\"id\": \"pf-aa3\"", "<<<<<<< HEAD\n=======\n  {\"id\": \"pf-aa3\"", 1)),
			Want: `
				deploy.md
				-<<<<<<< HEAD
				-=======`,
			Says: `["conflict_markers deploy.md: rendered the pointer block anew (line 10: sub-memories block: git conflict markers inside)"]`},
		{Name: "both sides' blocks", Start: parent("How.\n<<<<<<< HEAD\n" + blocks + "\n=======\n" + blocks + "\n>>>>>>> other\n"),
			Want: `
				deploy.md
				-<<<<<<< HEAD
				-
				-=======
				-
				-<!-- sub-memories -->
				-[
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				-]
				-<!-- /sub-memories -->
				-
				->>>>>>> other`,
			Says: `["conflict_markers deploy.md: rendered the pointer block anew (line 6: sub-memories block: git conflict markers inside)"]`},
		{Name: "markers in a header", Start: with(files{"deploy/secrets.md": strings.Replace(family()["deploy/secrets.md"], "title: Secrets\n", hunk, 1)}),
			Want: `
				deploy/secrets.md
				-<<<<<<< HEAD
				-=======
				-title: Secrets
				-status: open
				->>>>>>> other
				+status: open`,
			Says: `["conflict_markers deploy/secrets.md: settled the conflict markers in its front matter"]`},
		{Name: "markers in a text stay", Start: with(files{"deploy/secrets.md": family()["deploy/secrets.md"] + "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> other\n"}),
			Says: `["deploy/secrets.md:7 conflict_markers"]`},
		{Name: "a damaged header is left alone", Start: with(files{"deploy.md": strings.Replace(family()["deploy.md"], "title: Deployment", "title: [", 1), "deploy/new.md": file("pf-aa9", "New", "", "")}),
			Says: `["missing_pointer (not fixed: the front matter of deploy.md has to be mended by hand first)","deploy.md:3 bad_front_matter"]`},
		{Name: "hand-made files", Given: set(files{"deploy/by-hand.md": "# By hand\n\nTyped.\n", "ideas.md": "# Ideas\n", "deploy/empty.md": "\n"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "By hand", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new deploy/by-hand.md
				+---
				+id: pf-00000001
				+---
				+# By hand
				+
				+Typed.
				new ideas.md
				+---
				+id: pf-00000002
				+---
				+# Ideas`,
			Left: `
				new deploy/empty.md
				+`,
			Says: `["new_file deploy/by-hand.md: adopted it as pf-00000001 (committed for the first time, with all of its text)","new_file ideas.md: adopted it as pf-00000002 (committed for the first time, with all of its text)","missing_pointer : added pointer for pf-00000001 (placeholder summary)","deploy/empty.md:0 empty"]`},
		{Name: "hand-made files that are committed", Start: files{"notes.md": "# Notes\n", "notes/2026/idea.md": "---\nid: a/42\ntitle: Idea\n---\ntext\n"}, Given: typed("notes/2026/idea.md", "text", "typed"),
			Want: `
				notes.md
				+---
				+id: pf-8pep96t3
				+---
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-p4ax4smq", "title": "Idea", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				notes/2026/idea.md
				+cp_id: pf-p4ax4smq`,
			Left: `
				notes/2026/idea.md
				-text
				+typed`,
			Says: `["new_file notes.md: adopted it as pf-8pep96t3","new_file notes/2026/idea.md: adopted it as pf-p4ax4smq","missing_pointer : added pointer for pf-p4ax4smq (placeholder summary)"]`},
		{Name: "not to be adopted", Given: after(set(files{"ideas.md": "# Ideas\n"}), func(w *world) { w.NoAdopt = true }),
			Left: `
				new ideas.md
				+# Ideas`,
			Says: `["1 file is in no commit, which sync leaves alone (ideas.md): they are not to be adopted"]`},
		{Name: "an unborn branch", Start: files{"a.md": "# A\n", "a/b.md": "# B\n"}, Given: (*world).Unborn,
			Want: `
				new a.md
				+---
				+id: pf-00000001
				+---
				+# A
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000002", "title": "B", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new a/b.md
				+---
				+id: pf-00000002
				+---
				+# B`,
			Says: `["new_file a.md: adopted it as pf-00000001 (committed for the first time, with all of its text)","new_file a/b.md: adopted it as pf-00000002 (committed for the first time, with all of its text)","missing_pointer : added pointer for pf-00000002 (placeholder summary)"]`},
		{Name: "a parent by hand that points to one of its children", Start: files{"a.md": "# A\n" + block("pf-b|B|typed"), "a/b.md": "---\nid: pf-b\n---\n# B\n", "a/c.md": "# C\n", "a/d.md": "# D\n"}, Given: (*world).Unborn,
			Want: `
				new a.md
				+---
				+id: pf-00000001
				+---
				+# A
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-b", "title": "B", "summary": "typed"},
				+  {"id": "pf-00000002", "title": "C", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				+  {"id": "pf-00000003", "title": "D", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new a/b.md
				+---
				+id: pf-b
				+---
				+# B
				new a/c.md
				+---
				+id: pf-00000002
				+---
				+# C
				new a/d.md
				+---
				+id: pf-00000003
				+---
				+# D`,
			Says: ``},
		{Name: "a folder that was renamed", Given: after(moves("deploy.md", "shipping.md", "deploy", "shipping")),
			Want: `
				deploy.md > shipping.md
				deploy/rollback.md > shipping/rollback.md
				deploy/secrets.md > shipping/secrets.md`,
			Says: `["moved_file shipping.md: followed it here from deploy.md (was deploy.md)","moved_file shipping/rollback.md: followed it here from deploy/rollback.md (was deploy/rollback.md)","moved_file shipping/secrets.md: followed it here from deploy/secrets.md (was deploy/secrets.md)"]`},
		{Name: "a file that was moved to another parent", Given: moves("deploy/rollback.md", "deploy/secrets/rollback.md"),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/secrets.md
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				+]
				+<!-- /sub-memories -->
				deploy/rollback.md > deploy/secrets/rollback.md`,
			Says: `["moved_file deploy/secrets/rollback.md: followed it here from deploy/rollback.md (was deploy/rollback.md)","stale_pointer : removed stale pointer to pf-aa2 (it is at deploy/secrets/rollback.md now)","missing_pointer : added pointer for pf-aa2"]`},
		{Name: "and got another title", Given: after(moves("deploy/rollback.md", "deploy/secrets/rollback.md"), typed("deploy/secrets/rollback.md", "title: Rollback", "title: Going back")),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				deploy/secrets.md
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa2", "title": "Going back", "summary": "when to go back"}
				+]
				+<!-- /sub-memories -->
				deploy/rollback.md > deploy/secrets/rollback.md
				-title: Rollback
				+title: Going back`,
			Says: `["moved_file deploy/secrets/rollback.md: followed it here from deploy/rollback.md (was deploy/rollback.md)","stale_pointer : removed stale pointer to pf-aa2 (it is at deploy/secrets/rollback.md now)","missing_pointer : added pointer for pf-aa2 and committed its title: Going back"]`},
		{Name: "two files that changed names", Given: moves("deploy/rollback.md", "x", "deploy/secrets.md", "deploy/rollback.md", "x", "deploy/secrets.md"),
			Want: `
				deploy/rollback.md
				-id: pf-aa2
				-title: Rollback
				-summary: when to go back
				+id: pf-aa3
				+title: Secrets
				+summary: when a key leaks
				-Roll back.
				+Rotate.
				deploy/secrets.md
				-id: pf-aa3
				-title: Secrets
				-summary: when a key leaks
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				-Rotate.
				+Roll back.`,
			Says: `["moved_file deploy/rollback.md: committed it as it is now, with the id pf-aa3 (was pf-aa2)","moved_file deploy/secrets.md: committed it as it is now, with the id pf-aa2 (was pf-aa3)","title_mismatch : committed the title of pf-aa2 in both places: Rollback","edge_mismatch : committed the summary of pf-aa2 in both places: when to go back","title_mismatch : committed the title of pf-aa3 in both places: Secrets","edge_mismatch : committed the summary of pf-aa3 in both places: when a key leaks"]`},
		{Name: "a file put over another one", Given: moves("deploy/rollback.md", "deploy/secrets.md"),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				gone deploy/rollback.md
				deploy/secrets.md
				-id: pf-aa3
				-title: Secrets
				-summary: when a key leaks
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				-Rotate.
				+Roll back.`,
			Says: `["moved_file deploy/secrets.md: followed it here from deploy/rollback.md (was deploy/rollback.md)","title_mismatch : committed the title of pf-aa2 in both places: Rollback","edge_mismatch : committed the summary of pf-aa2 in both places: when to go back","stale_pointer : removed stale pointer to pf-aa3"]`},
		{Name: "a place that was taken", Given: after(moves("deploy/rollback.md", "deploy/going-back.md"), set(files{"deploy/rollback.md": "# Something new\n"})),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-q59xz32s", "title": "Something new", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new deploy/going-back.md
				+---
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.
				deploy/rollback.md
				-id: pf-aa2
				-title: Rollback
				-summary: when to go back
				+id: pf-q59xz32s
				-Roll back.
				+# Something new`,
			Says: `["new_file deploy/going-back.md: adopted it as pf-aa2 (committed for the first time, with all of its text)","new_file deploy/rollback.md: adopted it as pf-q59xz32s (committed for the first time, with all of its text)","missing_pointer : added pointer for pf-q59xz32s (placeholder summary)"]`},
		{Name: "a chain of renames", Given: moves("deploy/secrets.md", "deploy/keys.md", "deploy/rollback.md", "deploy/secrets.md"),
			Want: `
				new deploy/keys.md
				+---
				+id: pf-aa3
				+title: Secrets
				+summary: when a key leaks
				+---
				+Rotate.
				gone deploy/rollback.md
				deploy/secrets.md
				-id: pf-aa3
				-title: Secrets
				-summary: when a key leaks
				+id: pf-aa2
				+title: Rollback
				+summary: when to go back
				-Rotate.
				+Roll back.`,
			Says: `["moved_file deploy/secrets.md: followed it here from deploy/rollback.md (was deploy/rollback.md)","new_file deploy/keys.md: adopted it as pf-aa3 (committed for the first time, with all of its text)","title_mismatch : committed the title of pf-aa2 in both places: Rollback","edge_mismatch : committed the summary of pf-aa2 in both places: when to go back"]`},
		{Name: "a memory and its copy", Given: after(moves("deploy/rollback.md", "a.md"), set(files{"b.md": family()["deploy/rollback.md"]})),
			Want: `
				deploy/rollback.md > a.md
				new b.md
				+---
				+id: pf-aa2
				+cp_id: pf-00000001
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},`,
			Says: `["duplicate_id b.md: gave it the new id pf-00000001; a.md keeps pf-aa2 (the same id as a.md)","moved_file a.md: followed it here from deploy/rollback.md (was deploy/rollback.md)","stale_pointer : removed stale pointer to pf-aa2 (it is at a.md now)"]`},
		{Name: "a pointer typed with its child", Given: after(set(files{"deploy/new.md": file("pf-aa9", "New", "", "New.\n")}), typed("deploy.md", "leaks\"}\n", "leaks\"},\n  {\"id\": \"pf-aa9\", \"title\": \"New\", \"summary\": \"typed\"}\n")),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa9", "title": "New", "summary": "typed"}
				new deploy/new.md
				+---
				+id: pf-aa9
				+title: New
				+---
				+New.`,
			Says: `["new_file deploy/new.md: adopted it as pf-aa9 (committed for the first time, with all of its text)"]`},
		{Name: "a pointer taken out with its move", Given: after(moves("deploy/secrets.md", "secrets.md"), typed("deploy.md", "},\n  {\"id\": \"pf-aa3\", \"title\": \"Secrets\", \"summary\": \"when a key leaks\"}", "}")),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				deploy/secrets.md > secrets.md`,
			Says: `["moved_file secrets.md: followed it here from deploy/secrets.md (was deploy/secrets.md)"]`},
		{Name: "a deleted file", Given: set(files{"deploy/secrets.md": ""}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"}
				gone deploy/secrets.md`,
			Says: "[\"deleted_file deploy/secrets.md: recorded that it was deleted; `cp memory restore pf-aa3` brings it back\",\"stale_pointer : removed stale pointer to pf-aa3\"]"},
		{Name: "orphans go to the grandparent", Start: with(files{"deploy/secrets.md": family()["deploy/secrets.md"] + block("pf-aa4|Vault|when sealed"), "deploy/secrets/vault.md": file("pf-aa4", "Vault", "", "Text.\n")}), Given: set(files{"deploy/secrets.md": ""}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa4", "title": "Vault", "summary": "when sealed"}
				gone deploy/secrets.md`,
			Says: "[\"deleted_file deploy/secrets.md: recorded that it was deleted; `cp memory restore pf-aa3` brings it back\",\"orphaned_memory deploy/secrets/vault.md: attached pf-aa4 \\\"Vault\\\" (its parent's file is gone)\",\"stale_pointer : removed stale pointer to pf-aa3\",\"missing_pointer : added pointer for pf-aa4\"]"},
		{Name: "or become roots", Given: set(files{"deploy.md": ""}),
			Want: `
				gone deploy.md`,
			Says: "[\"deleted_file deploy.md: recorded that it was deleted; `cp memory restore pf-aa1` brings it back\",\"orphaned_memory deploy/rollback.md: it is a root memory now (its parent's file is gone)\",\"orphaned_memory deploy/secrets.md: it is a root memory now (its parent's file is gone)\"]"},
		{Name: "too much is gone", Start: all, Given: after(many, set(files{"deploy/secrets.md": ""})),
			Left: `
				gone deploy/secrets.md
				gone n00.md
				gone n01.md
				gone n02.md
				gone n03.md
				gone n04.md
				gone n05.md
				gone n06.md
				gone n07.md
				gone n08.md
				gone n09.md
				gone n10.md
				gone n11.md`,
			Says: "[\"deleted_file deploy/secrets.md (not deleted: too many are gone at once)\",\"deleted_file n00.md (not deleted: too many are gone at once)\",\"deleted_file n01.md (not deleted: too many are gone at once)\",\"deleted_file n02.md (not deleted: too many are gone at once)\",\"deleted_file n03.md (not deleted: too many are gone at once)\",\"deleted_file n04.md (not deleted: too many are gone at once)\",\"deleted_file n05.md (not deleted: too many are gone at once)\",\"deleted_file n06.md (not deleted: too many are gone at once)\",\"deleted_file n07.md (not deleted: too many are gone at once)\",\"deleted_file n08.md (not deleted: too many are gone at once)\",\"deleted_file n09.md (not deleted: too many are gone at once)\",\"deleted_file n10.md (not deleted: too many are gone at once)\",\"deleted_file n11.md (not deleted: too many are gone at once)\",\"13 of 23 memories are gone from the disk; none was taken for deleted. `git checkout-index -q -a` in the vault brings them back and writes over nothing; `cp memory sync --force` deletes them\"]"},
		{Name: "a copy keeps no id", Given: set(files{"a-copy.md": family()["deploy/rollback.md"], "deploy/rollback 2.md": family()["deploy/rollback.md"]}),
			Want: `
				new a-copy.md
				+---
				+id: pf-aa2
				+cp_id: pf-00000001
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000002", "title": "Rollback", "summary": "when to go back"}
				new deploy/rollback 2.md
				+---
				+id: pf-aa2
				+cp_id: pf-00000002
				+title: Rollback
				+summary: when to go back
				+---
				+Roll back.`,
			Says: `["duplicate_id a-copy.md: gave it the new id pf-00000001; deploy/rollback.md keeps pf-aa2 (the same id as deploy/rollback.md)","duplicate_id deploy/rollback 2.md: gave it the new id pf-00000002; deploy/rollback.md keeps pf-aa2 (the same id as deploy/rollback.md)","missing_pointer : added pointer for pf-00000002"]`},
		{Name: "an id that got lost", Given: set(files{"deploy/secrets.md": "# Secrets\n\nRewritten without a header.\n"}),
			Left: `
				deploy/secrets.md
				-title: Secrets
				-summary: when a key leaks
				-Rotate.
				+# Secrets
				+
				+Rewritten without a header.`,
			Says: `["changed_id deploy/secrets.md: put its id pf-aa3 back (without its id)"]`},
		{Name: "an emptied file", Given: set(files{"deploy/secrets.md": "\n"}),
			Left: `
				deploy/secrets.md
				----
				-id: pf-aa3
				-title: Secrets
				-summary: when a key leaks
				----
				-Rotate.
				+`,
			Says: `["deploy/secrets.md:0 empty"]`},
		{Name: "a text that is none any more", Given: set(files{"deploy/secrets.md": "\xff\xfe not UTF-8"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "secrets", "summary": "when a key leaks"}`,
			Left: `
				deploy/secrets.md
				-title: Secrets
				-summary: when a key leaks
				-Rotate.
				+� not UTF-8`,
			Says: `["changed_id deploy/secrets.md: put its id pf-aa3 back (without its id)","title_mismatch : set the title of pf-aa3 to \"secrets\"; the pointer block said: Secrets (the pointer block said: Secrets)","deploy/secrets.md:4 not_utf8"]`},
		{Name: "what git ignores", Given: after(set(files{"deploy/private.md": "# Private\n"}), func(w *world) { w.Ignored = append(w.Ignored, "deploy/private.md") }),
			Left: `
				new deploy/private.md
				+# Private`},
		{Name: "a credential is not adopted", Given: set(files{"deploy/key.md": "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT\n"}),
			Left: `
				new deploy/key.md
				+AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT`,
			Says: `["deploy/key.md:1 secret"]`},
		{Name: "a file of another type", Start: with(files{"deploy/task.md": "---\nid: pf-tt1\ntype: task\ntitle: Task\n---\n"}).With(files{"deploy.md": file("pf-aa1", "Deployment", "", "How.\n") + block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks", "pf-tt1|Task|typed")})},
		{Name: "what is in the outbox comes first", Given: func(w *world) {
			_ = w.Store.Queue(t.Context(), vault.Queued{Verb: "add", Options: []byte(`{"Title":"Queued","ID":"pf-q1","Created":"2026-02-07T15:30:00Z"}`)})
		},
			Want: `
				new queued.md
				+head pf-q1|Queued`},
		{Name: "a busy repository", Given: after(set(files{"ideas.md": "# Ideas\n"}), func(w *world) { w.Busy = "rebase" }),
			Err: "a rebase is under way | finish or abort it, then run the command again",
			Left: `
				new ideas.md
				+# Ideas`},
	}
	for i := range rows {
		rows[i].Do = syncs(t, sync.Options{})
	}
	vaultmap.Run(t, rows)
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "so much is to go", Start: all, Given: many, Do: syncs(t, sync.Options{Force: true}),
			Want: `
				gone n00.md
				gone n01.md
				gone n02.md
				gone n03.md
				gone n04.md
				gone n05.md
				gone n06.md
				gone n07.md
				gone n08.md
				gone n09.md
				gone n10.md
				gone n11.md`,
			Says: "[\"deleted_file n00.md: recorded that it was deleted; `cp memory restore pf-n00` brings it back\",\"deleted_file n01.md: recorded that it was deleted; `cp memory restore pf-n01` brings it back\",\"deleted_file n02.md: recorded that it was deleted; `cp memory restore pf-n02` brings it back\",\"deleted_file n03.md: recorded that it was deleted; `cp memory restore pf-n03` brings it back\",\"deleted_file n04.md: recorded that it was deleted; `cp memory restore pf-n04` brings it back\",\"deleted_file n05.md: recorded that it was deleted; `cp memory restore pf-n05` brings it back\",\"deleted_file n06.md: recorded that it was deleted; `cp memory restore pf-n06` brings it back\",\"deleted_file n07.md: recorded that it was deleted; `cp memory restore pf-n07` brings it back\",\"deleted_file n08.md: recorded that it was deleted; `cp memory restore pf-n08` brings it back\",\"deleted_file n09.md: recorded that it was deleted; `cp memory restore pf-n09` brings it back\",\"deleted_file n10.md: recorded that it was deleted; `cp memory restore pf-n10` brings it back\",\"deleted_file n11.md: recorded that it was deleted; `cp memory restore pf-n11` brings it back\"]"},
		{Name: "one parent only", Start: with(files{"infra.md": file("pf-bb1", "Infra", "", "Infra.\n"), "infra/dns.md": file("pf-bb2", "DNS", "", "DNS.\n"), "deploy/new.md": file("pf-aa9", "New", "", "New.\n")}), Do: syncs(t, sync.Options{Parent: "pf-bb1"}),
			Want: `
				infra.md
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-bb2", "title": "DNS", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->`,
			Says: `["missing_pointer : added pointer for pf-bb2 (placeholder summary)"]`},
		{Name: "no such parent", Do: syncs(t, sync.Options{Parent: "pf-none"}),
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "a parent of another type", Start: files{"t.md": "---\nid: pf-tt1\ntype: task\n---\n"}, Do: syncs(t, sync.Options{Parent: "pf-tt1"}),
			Err: "Shard pf-tt1 is type 'task', expected 'memory'"},
		{Name: "a credential that is allowed", Given: set(files{"key.md": "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT\n"}), Do: syncs(t, sync.Options{AllowSecret: true}),
			Want: `
				new key.md
				+---
				+id: pf-00000001
				+---
				+AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT`,
			Says: `["new_file key.md: adopted it as pf-00000001 (committed for the first time, with all of its text)"]`},
	})
}
