package transfer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

type files = vaultmap.Files

var (
	file, block = vaultmap.File, vaultmap.Block
	set, typed  = vaultmap.Set, vaultmap.Type
)

// from turns name, text, name, text … into files to import.
func from(pairs ...string) (all []transfer.File) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, transfer.File{Rel: pairs[i], Text: []byte(pairs[i+1])})
	}
	return all
}

// markdown turns name, text, name, text … into a tree of Markdown.
func markdown(pairs ...string) transfer.Bundle { return transfer.Markdown().Read(from(pairs...)) }

func TestPlanImport(t *testing.T) {
	long := strings.Repeat("The gateway answers with an error when the pool is empty. ", 2)
	old := files{"a.md": file("pf-a1", "A", "", long+"\n") + block("pf-b1|B|when b"), "a/b.md": file("pf-b1", "B", "", "B.\n"), "plain.md": "---\nid: pf-p1\n---\n" + long + "\n"}
	imports := func(pairs ...string) transfer.Import { return transfer.Import{Bundle: markdown(pairs...)} }
	update := func(pairs ...string) transfer.Import {
		return transfer.Import{Update: true, Bundle: markdown(pairs...)}
	}
	below := func(pairs ...string) transfer.Import {
		return transfer.Import{Under: "pf-aa1", Bundle: markdown(pairs...)}
	}
	const key = vaultmap.Key + "\n"
	vaultmap.Run(t, []vaultmap.Row[transfer.Imported]{
		{Name: "a tree with its blocks", Start: files{}, Verb: imports("docs/_index.md", "---\ntitle: Docs\n---\nAll docs.\n", "docs/api/auth.md", "---\ndescription: Use when a token is refused\n---\n# Auth\n",
			"docs/rules.mdc", "# Rules\n", "skills/postmortem/SKILL.md", "---\nname: postmortem\ndescription: After an incident\n---\nWrite it.\n", "CLAUDE.md", "# Agents\n"),
			Want: `
				new CLAUDE.md
				+---
				+id: pf-00000001
				+---
				+# Agents
				new docs/_index.md
				+---
				+id: pf-00000002
				+title: Docs
				+---
				+All docs.
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000003", "title": "Auth", "summary": "Use when a token is refused"},
				+  {"id": "pf-00000004", "title": "Rules", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new docs/api/auth.md
				+---
				+id: pf-00000003
				+description: Use when a token is refused
				+---
				+# Auth
				new docs/rules.md
				+---
				+id: pf-00000004
				+---
				+# Rules
				new skills/postmortem/SKILL.md
				+---
				+id: pf-00000005
				+name: postmortem
				+description: After an incident
				+title: postmortem
				+---
				+Write it.`},
		{Name: "below a memory", Given: typed("deploy.md", "How we deploy.", "Typed."), Verb: below("a.md", "# A\n", "a/b.md", "# B\n", "rollback.md", "# Something else\n"),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "A", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"},
				+  {"id": "pf-00000003", "title": "Something else", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new deploy/a.md
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
				new deploy/a/b.md
				+---
				+id: pf-00000002
				+---
				+# B
				new deploy/rollback-2.md
				+---
				+id: pf-00000003
				+---
				+# Something else`,
			Left: `
				deploy.md
				-How we deploy.
				+Typed.`},
		{Name: "below a hand-made one", Given: set(files{"hand.md": "# Hand\n"}), Verb: transfer.Import{Under: "hand.md", Bundle: markdown("a.md", "# A\n")},
			Want: `
				new hand.md
				+---
				+id: pf-00000002
				+---
				+# Hand
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000001", "title": "A", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new hand/a.md
				+---
				+id: pf-00000001
				+---
				+# A`},
		{Name: "a new parent takes over whom it stands above", Start: files{"top.md": file("pf-tt1", "Top", "", "Top.\n") + block("pf-aa1|Idea|when idle"), "top/notes/idea.md": file("pf-aa1", "Idea", "", "Idea.\n")}, Verb: imports("top/notes.md", "# Notes\n"),
			Want: `
				top.md
				-  {"id": "pf-aa1", "title": "Idea", "summary": "when idle"}
				+  {"id": "pf-00000001", "title": "Notes", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new top/notes.md
				+---
				+id: pf-00000001
				+---
				+# Notes
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-aa1", "title": "Idea", "summary": "when idle"}
				+]
				+<!-- /sub-memories -->`},
		{Name: "what is no text", Start: files{}, Verb: transfer.Import{Bundle: transfer.Markdown().Read(append(from(".hidden.md", "x", "a/.b/c.md", "x", "nul.md", "a\x00b", "latin1.md", "caf\xe9", "x.txt", "x", "x (conflicted copy 2026-02-03).md", "x",
			"lfs.md", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "big.md", strings.Repeat("x", vault.MaxFile+1), "key.md", key), transfer.File{Rel: "link.md", Err: errors.New("a symbolic link")}))},
			Says: `"skipped":10`},
		{Name: "a credential that is allowed", Start: files{}, Verb: transfer.Import{AllowSecret: true, Bundle: markdown("key.md", key)},
			Want: `
				new key.md
				+---
				+id: pf-00000001
				+---
				+AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzQ9kLmN2pRsT`},
		{Name: "one hidden file by itself", Start: files{}, Verb: imports(".hidden.md", "# Hidden\n"),
			Want: `
				new hidden.md
				+---
				+id: pf-00000001
				+---
				+# Hidden`},
		{Name: "names that are taken or unsafe", Start: files{"readme.md": file("pf-rr1", "Ours", "", "Something different.\n")}, Verb: imports("Case.md", "one", "case.md", "two and another", "a:b?.md", "c", "CON.md", "d",
			"Dir/x.md", "g", "dir/x.md", "h and another", "readme.md", "Another project's notes", "x.mdc", "i", "x.md", "j and another", "new\nline.md", "k", "..md", "l"),
			Want: `
				new CON-.md
				+---
				+id: pf-00000001
				+---
				+d
				new Case.md
				+---
				+id: pf-00000002
				+---
				+one
				new Dir/x.md
				+---
				+id: pf-00000003
				+---
				+g
				new a-b-.md
				+---
				+id: pf-00000004
				+---
				+c
				new case-2.md
				+---
				+id: pf-00000005
				+---
				+two and another
				new dir-2/x.md
				+---
				+id: pf-00000006
				+---
				+h and another
				new new-line.md
				+---
				+id: pf-00000007
				+---
				+k
				new readme-2.md
				+---
				+id: pf-00000008
				+---
				+Another project's notes
				new x-2.md
				+---
				+id: pf-00000010
				+---
				+i
				new x.md
				+---
				+id: pf-00000009
				+---
				+j and another`},
		{Name: "a folder goes where its file went", Start: files{"a.md": file("pf-a1", "Ours", "", "Something quite different.\n")}, Verb: imports("a.md", "# Theirs\n", "a/b.md", "# B\n"),
			Want: `
				new a-2.md
				+---
				+id: pf-00000001
				+---
				+# Theirs
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-00000002", "title": "B", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				+]
				+<!-- /sub-memories -->
				new a-2/b.md
				+---
				+id: pf-00000002
				+---
				+# B`},
		{Name: "ids that are valid and free", Verb: imports("a.md", "---\nid: other-vault-1\n---\nfree\n", "b.md", "---\nid: pf-aa2\n---\ntaken by something different\n",
			"c.md", "---\nid: other-vault-1\n---\nthe same again, but not the same text\n", "d.md", "---\nid: [1]\n---\nno id\n"),
			Want: `
				new a.md
				+---
				+id: other-vault-1
				+---
				+free
				new b.md
				+---
				+id: pf-aa2
				+cp_id: pf-00000001
				+---
				+taken by something different
				new c.md
				+---
				+id: other-vault-1
				+cp_id: pf-00000002
				+---
				+the same again, but not the same text
				new d.md
				+---
				+id: [1]
				+cp_id: pf-00000003
				+---
				+no id`},
		{Name: "headers of other programs", Start: files{}, Verb: imports("toml.md", "+++\ntitle = \"Toml\"\ndescription = \"when toml\"\n+++\ntext\n", "json.md", "{\"title\": \"Json\"}\n\ntext\n", "broken.md", "---\ntitle: [\n---\ntext\n", "crlf.md", "# C\r\n\r\ntext\r\n", "bom.md", "\ufeff# B\n"),
			Want: `
				new bom.md
				+<BOM>---
				+id: pf-00000001
				+---
				+# B
				new broken.md
				+---
				+id: pf-00000002
				+---
				+---
				+title: [
				+---
				+text
				new crlf.md
				+---␍
				+id: pf-00000003␍
				+---␍
				+# C␍
				+␍
				+text␍
				new json.md
				+{"id": "pf-00000004", "title": "Json"}
				+
				+text
				new toml.md
				++++
				+id = "pf-00000005"
				+title = "Toml"
				+description = "when toml"
				++++
				+text`},
		{Name: "a second run", Start: old, Verb: imports("a.md", "---\ntitle: A\n---\n"+long+"\n", "a/b.md", "---\ntitle: B\n---\nB.\n", "plain.md", long+"\n"), Says: `"unchanged":3`},
		{Name: "a memory that moved since is known by its id", Start: files{"moved.md": file("other-1", "A", "", long+"\n")}, Verb: imports("a.md", file("other-1", "A", "", long+"\n")), Says: `"unchanged":1`},
		{Name: "what differs is told", Start: old, Verb: imports("plain.md", long+"More.\n"), Says: `"action":"differs","reason":"--update replaces it"`},
		{Name: "and replaced when asked", Start: old, Verb: update("a.md", "---\ntitle: A\n---\n"+long+"Restart it.\n"), Says: `"updated":1`,
			Want: `
				a.md
				-The gateway answers with an error when the pool is empty. The gateway answers with an error when the pool is empty. 
				+The gateway answers with an error when the pool is empty. The gateway answers with an error when the pool is empty. Restart it.`},
		{Name: "with a child at once", Start: old, Verb: update("a.md", "---\ntitle: A\n---\n"+long+"Restart it.\n", "a/c.md", "# C\n"),
			Want: `
				a.md
				-The gateway answers with an error when the pool is empty. The gateway answers with an error when the pool is empty. 
				+The gateway answers with an error when the pool is empty. The gateway answers with an error when the pool is empty. Restart it.
				-  {"id": "pf-b1", "title": "B", "summary": "when b"}
				+  {"id": "pf-b1", "title": "B", "summary": "when b"},
				+  {"id": "pf-00000001", "title": "C", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				new a/c.md
				+---
				+id: pf-00000001
				+---
				+# C`},
		{Name: "but not while it is typed in", Start: old, Given: typed("plain.md", "pool", "pond"), Verb: update("plain.md", long+"More.\n"), Says: `it has uncommitted edits`,
			Left: `
				plain.md
				-The gateway answers with an error when the pool is empty. The gateway answers with an error when the pool is empty. 
				+The gateway answers with an error when the pond is empty. The gateway answers with an error when the pool is empty. `},
		{Name: "nor where the text takes no block", Start: old, Verb: update("a.md", "---\ntitle: A\n---\n"+long+"\n```\nopen\n"), Says: `"action":`},
		{Name: "a file of another type has no place in a block", Verb: below("t.md", "---\ntype: task\n---\nDo it.\n"),
			Want: `
				new deploy/t.md
				+---
				+id: pf-00000001
				+type: task
				+---
				+Do it.`},
		{Name: "a damaged parent by the way", Start: files{"top.md": "---\nid: pf-t1\n---\n\n<!-- sub-memories -->\n[\n"}, Verb: imports("top/a.md", "# A\n"),
			Want: `
				new top/a.md
				+---
				+id: pf-00000001
				+---
				+# A`},
		{Name: "a damaged parent that was named", Start: files{"top.md": "---\nid: pf-t1\n---\n\n<!-- sub-memories -->\n[\n"}, Verb: transfer.Import{Under: "pf-t1", Bundle: markdown("a.md", "# A\n")},
			Err: "sub-memories block: missing closing marker <!-- /sub-memories --> | cp memory sync"},
		{Name: "too deep", Start: files{}, Verb: imports(strings.Repeat("d/", vault.MaxDepth+1)+"x.md", "# X\n"), Says: `deeper than 64 folders`},
		{Name: "below nobody", Verb: transfer.Import{Under: "pf-none"},
			Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "below a task", Start: files{"t.md": "---\nid: pf-tt1\ntype: task\n---\n"}, Verb: transfer.Import{Under: "pf-tt1"},
			Err: "Target pf-tt1 is type 'task', expected 'memory'"},
	})
}

// A dry run says what the import will do, and how far it is.
func TestPlanImportDryRun(t *testing.T) {
	w := vaultmap.New(nil)
	done := 0
	out, err := transfer.Import{DryRun: true, Bundle: markdown("a.md", "# A\n"), Progress: func(n int) { done = n }}.Do(t.Context(), w.Vault)
	if err != nil || !out.DryRun || out.Created != 1 || done != 1 || len(w.Disk) > 0 {
		t.Errorf("%+v, %v; %d done, %d files", out, err, done, len(w.Disk))
	}
}
