package transfer_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
	"github.com/cp-memory/cp/vault/tree"
)

// world is a vault with the real adapters, and what import promises about it.
type world struct{ *vaulttest.World }

func newWorld(t *testing.T) *world { return &world{vaulttest.New(t)} }

// sources turns name, text, name, text … into files to import.
func sources(pairs ...string) []transfer.File {
	var files []transfer.File
	for i := 0; i < len(pairs); i += 2 {
		files = append(files, transfer.File{Rel: pairs[i], Text: []byte(pairs[i+1])})
	}
	return files
}

// markdown turns name, text, name, text … into a tree of Markdown.
func markdown(pairs ...string) transfer.Bundle { return transfer.Markdown().Read(sources(pairs...)) }

// imports imports and then checks what holds after each import: a second run
// changes nothing, and sync finds nothing to do.
func (w *world) imports(o transfer.Import) transfer.Imported {
	w.T.Helper()
	out, err := o.Do(w.Ctx, w.Vault)
	w.Check(err)
	before := w.Git("rev-parse", "HEAD")
	again, err := o.Do(w.Ctx, w.Vault)
	w.Check(err)
	if again.Created+again.Updated > 0 || w.Git("rev-parse", "HEAD") != before {
		w.T.Errorf("a second run created %d and updated %d: %+v", again.Created, again.Updated, again.Rows)
	}
	synced, err := w.Sync(w.Ctx, sync.Options{DryRun: true})
	w.Check(err)
	if len(synced.Discrepancies) > 0 {
		w.T.Errorf("sync would change after an import: %+v", synced.Discrepancies)
	}
	return out
}

// wantRows compares "action source → path" lines.
func (w *world) wantRows(out transfer.Imported, want ...string) {
	w.T.Helper()
	var got []string
	for _, r := range out.Rows {
		line := r.Action + " " + r.Source
		if r.Path != "" && string(r.Path) != r.Source {
			line += " → " + string(r.Path)
		}
		if r.Action == transfer.Skipped {
			line += ": " + r.Reason
		}
		got = append(got, line)
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		w.T.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestImportBuildsTheTree(t *testing.T) {
	w := newWorld(t)
	out := w.imports(transfer.Import{Bundle: markdown(
		"docs/_index.md", "---\ntitle: Docs\n---\nAll docs.\n",
		"docs/api/auth.md", "---\ndescription: Use when a token is refused\n---\n# Auth\n",
		"docs/rules.mdc", "# Rules\n",
		"skills/postmortem/SKILL.md", "---\nname: postmortem\ndescription: After an incident\n---\nWrite it.\n",
		"CLAUDE.md", "# Agents\n",
	)})
	w.wantRows(out, "created CLAUDE.md", "created docs/_index.md", "created docs/api/auth.md", "created docs/rules.mdc → docs/rules.md", "created skills/postmortem/SKILL.md")
	w.Contains("the parent", w.Head("docs/_index.md"), "title: Docs\n---\nAll docs.\n\n<!-- sub-memories -->\n",
		`"title": "Auth", "summary": "Use when a token is refused"}`, `"title": "Rules", "summary": "`+vault.Placeholder+`"}`)
	w.Contains("the skill", w.Head("skills/postmortem/SKILL.md"), "title: postmortem")
	w.Clean()
	if n := w.Git("rev-list", "--count", "HEAD"); n != "2\n" {
		t.Errorf("HEAD has %s commits, want 2", n)
	}
}

func TestImportUnderAMemory(t *testing.T) {
	w := &world{vaulttest.Family(t)}
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "How we deploy.", "Typed since.", 1))
	out := w.imports(transfer.Import{Under: "pf-aa1", Bundle: markdown("a.md", "# A\n", "a/b.md", "# B\n", "rollback.md", "# Something else\n")})
	w.wantRows(out, "created a.md → deploy/a.md", "created a/b.md → deploy/a/b.md", "created rollback.md → deploy/rollback-2.md")
	w.Contains("the parent", w.Head("deploy.md"), `"title": "A"`, `"title": "Something else"`, `"pf-aa2"`)
	w.Lacks("the parent", w.Head("deploy.md"), "Typed since.", `"title": "B"`)
	w.Clean(" M deploy.md")
}

func TestImportTakesMemoriesBelowANewParentOver(t *testing.T) {
	w := newWorld(t)
	w.Write("top.md", vaulttest.File("pf-tt1", "Top", "", "Top.\n")+vaulttest.Block("pf-aa1|Idea|when idle"))
	w.Write("top/notes/idea.md", vaulttest.File("pf-aa1", "Idea", "", "Idea.\n"))
	w.Commit("a memory in a transparent folder")
	w.imports(transfer.Import{Bundle: markdown("top/notes.md", "# Notes\n")})
	w.Contains("the new parent", w.Head("top/notes.md"), `"pf-aa1", "title": "Idea", "summary": "when idle"`)
	w.Lacks("the old parent", w.Head("top.md"), "pf-aa1")
	w.Clean()
}

func TestImportLeavesOutWhatIsNoText(t *testing.T) {
	w := newWorld(t)
	out := w.imports(transfer.Import{
		Bundle: transfer.Markdown().Read(append(sources(".hidden.md", "x", "a/.b/c.md", "x", "nul.md", "a\x00b", "latin1.md", "caf\xe9", "x.txt", "x", "ok.md", "ok",
			"big.md", strings.Repeat("x", vault.MaxFile+1)), transfer.File{Rel: "link.md", Err: errors.New("a symbolic link")})),
	})
	w.wantRows(out, "skipped .hidden.md: a hidden file", "skipped a/.b/c.md: a hidden file", "skipped big.md: larger than 4 MiB",
		"skipped latin1.md: not UTF-8 text", "skipped nul.md: binary: it holds NUL bytes", "created ok.md",
		"skipped x.txt: not a Markdown file", "skipped link.md: a symbolic link")
	if out.Created != 1 || out.Skipped != 7 {
		t.Errorf("got %d created and %d skipped", out.Created, out.Skipped)
	}
}

func TestImportMakesNamesSafeAndUnique(t *testing.T) {
	w := newWorld(t)
	w.Write("readme.md", vaulttest.File("pf-rr1", "Ours", "", "Something quite different.\n"))
	w.Commit("a name that is taken")
	out := w.imports(transfer.Import{Bundle: markdown(
		"Case.md", "one", "case.md", "two and another", "a:b?.md", "c", "CON.md", "d", "caf\u00e9.md", "e", "cafe\u0301.md", "f and another",
		"Dir/x.md", "g", "dir/x.md", "h and another", "readme.md", "Another project's notes", "x.mdc", "i", "x.md", "j and another", "new\nline.md", "k",
	)})
	w.wantRows(out, "created CON.md → CON-.md", "created Case.md", "created Dir/x.md", "created a:b?.md → a-b-.md",
		"created cafe\u0301.md", "created café.md → café-2.md", "created case.md → case-2.md", "created dir/x.md → dir-2/x.md",
		"created new\nline.md → new-line.md", "created readme.md → readme-2.md", "created x.md", "created x.mdc → x-2.md")
	w.Clean()
}

func TestImportKeepsIdsThatAreValidAndFree(t *testing.T) {
	w := &world{vaulttest.Family(t)}
	out := w.imports(transfer.Import{Bundle: markdown(
		"a.md", "---\nid: other-vault-1\n---\nfree\n", "b.md", "---\nid: pf-aa2\n---\ntaken by something different\n",
		"c.md", "---\nid: other-vault-1\n---\nthe same again, but not the same text\n", "d.md", "---\nid: [1]\n---\nno id\n")})
	if out.Created != 4 {
		t.Fatalf("got %+v", out.Rows)
	}
	if got := w.Head("a.md"); got != "---\nid: other-vault-1\n---\nfree\n" {
		t.Errorf("a.md is not as it came:\n%s", got)
	}
	w.Contains("b.md", w.Head("b.md"), "cp_id: pf-", "id: pf-aa2")
	w.Contains("c.md", w.Head("c.md"), "cp_id: pf-", "id: other-vault-1")
	w.Clean()
}

func TestImportTellsWhatDiffersAndReplacesItWhenAsked(t *testing.T) {
	w := newWorld(t)
	text := strings.Repeat("The gateway answers with an error when the pool is empty. ", 4)
	first := transfer.Import{Bundle: markdown("a.md", "# A\n\n"+text+"\n", "a/b.md", "# B\n", "plain.md", text)}
	w.imports(first)
	b, err := w.Mirror.Find(w.Ctx, "a/b.md")
	w.Check(err)
	_, err = tree.Amend{Ref: "a.md", AddLabels: []string{"ops"}}.Do(w.Ctx, w.Vault)
	w.Check(err)
	next := transfer.Import{Bundle: markdown("a.md", "# A\n\n"+text+"Restart it.\n", "a/b.md", "# B\n", "plain.md", text)}
	w.wantRows(w.imports(next), "differs a.md", "unchanged a/b.md", "unchanged plain.md")

	w.Write("a.md", w.Disk("a.md")+"typed since\n")
	next.Update = true
	out, err := next.Do(w.Ctx, w.Vault)
	w.Check(err)
	w.wantRows(out, "differs a.md", "unchanged a/b.md", "unchanged plain.md")
	w.Contains("the reason", out.Rows[0].Reason, "uncommitted edits")

	w.Git("checkout", "-q", "--", "a.md")
	w.wantRows(w.imports(next), "updated a.md", "unchanged a/b.md", "unchanged plain.md")
	w.Contains("a.md", w.Head("a.md"), "Restart it.\n\n<!-- sub-memories -->", string(b.ID), "labels: [ops]")
	w.Clean()
}

func TestImportDryRunChangesNothing(t *testing.T) {
	w := newWorld(t)
	before := w.Git("rev-parse", "HEAD")
	out, err := transfer.Import{DryRun: true, Bundle: markdown("a.md", "# A\n")}.Do(w.Ctx, w.Vault)
	w.Check(err)
	w.wantRows(out, "created a.md")
	if w.Git("rev-parse", "HEAD") != before || !out.DryRun {
		t.Errorf("a dry run made a commit, or does not say that it is one")
	}
	w.Clean()
}

// unpack unpacks an archive of the shared test data.
func unpack(t *testing.T, name string) string {
	t.Helper()
	archive, err := filepath.Abs("../../../../shared/data/" + name)
	if err == nil {
		_, err = os.Stat(archive)
	}
	if err != nil {
		t.Skipf("the shared test data is not here: %v", err)
	}
	dir := t.TempDir()
	if out, err := exec.Command("tar", "xzf", archive, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return dir
}

// folder reads a folder as the command line does, only without refusing anything.
func folder(t *testing.T, root string) []transfer.File {
	t.Helper()
	var files []transfer.File
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		files = append(files, transfer.File{Rel: filepath.ToSlash(rel), Text: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Whole trees as people keep them come in, byte for byte, and export gives them back.
func TestImportOfRealTrees(t *testing.T) {
	for _, row := range []struct{ archive, tree string }{
		{"torture.tar.gz", "torture"}, {"markdown-trees.tar.gz", "foam"}, {"markdown-trees.tar.gz", "kepano-vault"},
		{"markdown-trees.tar.gz", "obsidian-tasks"}, {"markdown-trees.tar.gz", "dendron-site"}, {"markdown-trees.tar.gz", "otel-docs"},
	} {
		t.Run(row.tree, func(t *testing.T) {
			if row.tree != "torture" {
				testlevel.Check(t)
			}
			w := newWorld(t)
			files := folder(t, filepath.Join(unpack(t, row.archive), row.tree))
			out := w.imports(transfer.Import{Bundle: transfer.Markdown().Read(files)})
			if out.Created == 0 || out.Created+out.Skipped != len(files) {
				t.Errorf("of %d files %d were created and %d skipped", len(files), out.Created, out.Skipped)
			}
			w.holds(files, out)
			w.Clean()
			w.exports(out)
		})
	}
}

// holds checks that every text stands in the vault byte for byte, below at most a header.
func (w *world) holds(files []transfer.File, out transfer.Imported) {
	w.T.Helper()
	text := make(map[string]string)
	for _, f := range files {
		text[f.Rel] = string(f.Text)
	}
	for _, r := range out.Rows {
		if r.Action != transfer.Created {
			continue
		}
		got, want := w.Disk(string(r.Path)), strings.TrimPrefix(text[r.Source], "\uFEFF")
		if !strings.Contains(got, want) {
			want = belowHeader(want) // the header has the id in it
		}
		if !strings.Contains(got, strings.TrimPrefix(want, "---\n")) {
			w.T.Errorf("%q is not as it came", r.Source)
		}
	}
}

// belowHeader returns text from the line that ends its YAML, TOML or JSON header.
func belowHeader(text string) string {
	for _, fence := range [][2]string{{"---", "\n---"}, {"+++", "\n+++"}, {"{", "\n}"}} {
		if i := strings.Index(text, fence[1]); strings.HasPrefix(text, fence[0]) && i > 0 {
			return text[i:]
		}
	}
	return text
}

// exports checks that export gives every memory, parents first.
func (w *world) exports(out transfer.Imported) {
	w.T.Helper()
	seen := make(map[vault.ID]bool)
	w.Check(transfer.Export(w.Ctx, w.Vault, "", func(e transfer.Exported) error {
		if e.ParentID != nil && !seen[*e.ParentID] {
			return fmt.Errorf("%s comes before its parent %s", e.Path, *e.ParentID)
		}
		seen[e.ID] = true
		return nil
	}))
	for _, r := range out.Rows {
		if r.Action == transfer.Created && !seen[r.ID] {
			w.T.Errorf("export left out %s", r.Path)
		}
	}
}

// A file that is replaced and gets a child at once says both.
func TestImportReplacesAParentThatGetsAChild(t *testing.T) {
	w := newWorld(t)
	text := strings.Repeat("The gateway answers with an error when the pool is empty. ", 4)
	w.imports(transfer.Import{Bundle: markdown("a.md", "# A\n\n"+text+"\n")})
	out := w.imports(transfer.Import{Update: true, Bundle: markdown("a.md", "# A\n\n"+text+"Restart it.\n", "a/b.md", "# B\n")})
	w.wantRows(out, "updated a.md", "created a/b.md")
	w.Contains("a.md", w.Head("a.md"), "Restart it.\n\n<!-- sub-memories -->", `"title": "B"`)
	w.Clean()
}
