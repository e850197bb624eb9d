package vault_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// file returns a memory's text.
func file(id, title, summary, body string) string {
	text := "---\nid: " + id + "\ntitle: " + title + "\n"
	if summary != "" {
		text += "summary: " + summary + "\n"
	}
	return text + "---\n" + body
}

// block returns a pointer block of entries id|title|summary.
func block(entries ...string) string {
	var lines []string
	for _, e := range entries {
		p := strings.Split(e, "|")
		lines = append(lines, fmt.Sprintf(`  {"id": %q, "title": %q, "summary": %q}`, p[0], p[1], p[2]))
	}
	return "\n<!-- sub-memories -->\n[\n" + strings.Join(lines, ",\n") + "\n]\n<!-- /sub-memories -->\n"
}

// family is a vault with a parent and two children, in agreement.
func family(t *testing.T) *world {
	w := newWorld(t)
	w.write("deploy.md", file("pf-aa1", "Deployment", "", "How we deploy.\n")+block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks"))
	w.write("deploy/rollback.md", file("pf-aa2", "Rollback", "when to go back", "Roll back.\n"))
	w.write("deploy/secrets.md", file("pf-aa3", "Secrets", "when a key leaks", "Rotate.\n"))
	w.commit("a family")
	return w
}

func TestSyncFindsAFamilyInOrder(t *testing.T) {
	w := family(t)
	out := w.sync(vault.Sync{})
	w.wantFixed(out)
	if out.ParentsChecked != 1 || out.Fixed {
		t.Errorf("got %d parents checked, fixed %v; want 1 and false", out.ParentsChecked, out.Fixed)
	}
}

func TestSyncAddsAMissingPointer(t *testing.T) {
	w := family(t)
	w.write("deploy/monitoring.md", file("pf-aa7", "Monitoring", "", "Watch.\n"))
	w.commit("a child without a pointer")
	dry, err := w.Sync(w.ctx, vault.Sync{DryRun: true})
	w.check(err)
	w.wantFixed(dry, "missing_pointer: added pointer for pf-aa7 (placeholder summary)")
	w.clean()
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "missing_pointer: added pointer for pf-aa7 (placeholder summary)")
	if d := out.Discrepancies[0]; d.Parent != "pf-aa1" || d.ParentTitle != "Deployment" || d.Child != "pf-aa7" || d.ChildTitle != "Monitoring" || !out.Fixed {
		t.Errorf("got %+v", d)
	}
	w.contains("deploy.md", w.read("deploy.md"), `"when a key leaks"},`, `{"id": "pf-aa7", "title": "Monitoring", "summary": "`+vault.Placeholder+`"}`)
	w.clean()
}

func TestSyncRemovesAStalePointer(t *testing.T) {
	w := family(t)
	w.write("deploy.md", strings.Replace(w.read("deploy.md"), "pf-aa3", "pf-deleted-99", 1))
	w.commit("a pointer to nothing")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "stale_pointer: removed stale pointer to pf-deleted-99", "missing_pointer: added pointer for pf-aa3")
	w.contains("deploy.md", w.read("deploy.md"), `"pf-aa3", "title": "Secrets", "summary": "when a key leaks"`)
	w.lacks("deploy.md", w.read("deploy.md"), "pf-deleted-99")
}

func TestSyncLetsTheFilesTitleWin(t *testing.T) {
	w := family(t)
	w.write("deploy/rollback.md", file("pf-aa2", "Going back", "when to go back", "Roll back.\n"))
	out := w.sync(vault.Sync{})
	w.wantFixed(out, `title_mismatch: set the title of pf-aa2 to "Going back"`)
	w.contains("deploy.md", w.head("deploy.md"), `"title": "Going back"`)
	w.contains("the child", w.head("deploy/rollback.md"), "title: Going back")
	w.clean()
}

// A title that is a heading cannot be committed by itself: the block takes it
// over, the heading stays uncommitted, and there is nothing more to do.
func TestSyncTakesATitleFromAHeading(t *testing.T) {
	w := family(t)
	w.write("deploy/rollback.md", "---\nid: pf-aa2\nsummary: when to go back\n---\n# Rollback\n")
	w.commit("a heading")
	w.write("deploy/rollback.md", "---\nid: pf-aa2\nsummary: when to go back\n---\n# Going back\n")
	w.wantFixed(w.sync(vault.Sync{}), `title_mismatch: set the title of pf-aa2 to "Going back"`)
	w.lacks("the commit", w.head("deploy/rollback.md"), "Going back")
	w.wantFixed(w.sync(vault.Sync{}))
}

func TestSyncLetsTheSideThatChangedHaveThePhrase(t *testing.T) {
	const old = "when to go back"
	for _, row := range []struct{ name, child, block, want string }{
		{"the child changed", "after a bad release", old, "after a bad release"},
		{"the block changed", old, "after a bad release", "after a bad release"},
		{"both changed", "the child's", "the block's", "the child's"},
		{"the block lost it", old, vault.Placeholder, old},
		{"the block has none", old, "", old},
	} {
		for _, committed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, committed %v", row.name, committed), func(t *testing.T) {
				w := family(t)
				w.write("deploy/rollback.md", strings.Replace(w.read("deploy/rollback.md"), "summary: "+old, "summary: "+row.child, 1))
				w.write("deploy.md", strings.Replace(w.read("deploy.md"), old, row.block, 1))
				if committed {
					w.commit("phrases")
				}
				out := w.sync(vault.Sync{})
				w.wantFixed(out, "edge_mismatch: took the summary of pf-aa2 from ")
				for _, text := range []string{w.read("deploy.md"), w.head("deploy.md")} {
					w.contains("deploy.md", text, `"summary": "`+row.want+`"`)
				}
				w.contains("the child", w.read("deploy/rollback.md"), "summary: "+row.want)
			})
		}
	}
}

func TestSyncForcesNoPhraseIntoAChildWithoutOne(t *testing.T) {
	w := family(t)
	w.write("deploy/rollback.md", file("pf-aa2", "Rollback", "", "Roll back.\n"))
	w.commit("no summary")
	w.wantFixed(w.sync(vault.Sync{}))
	w.lacks("the child", w.read("deploy/rollback.md"), "summary")
}

func TestSyncRepairsBlocks(t *testing.T) {
	good := block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks")
	inner := strings.TrimPrefix(good, "\n")
	for _, row := range []struct{ name, block, typ string }{
		{"a comma missing", strings.Replace(good, "},", "}", 1), vault.InvalidBlock},
		{"no closing marker", strings.Replace(good, "<!-- /sub-memories -->\n", "", 1), vault.InvalidBlock},
		{"two blocks", good + "\nText between.\n" + good, vault.InvalidBlock},
		{"no JSON at all", "\n<!-- sub-memories -->\nnothing\n<!-- /sub-memories -->\n", vault.InvalidBlock},
		{"an entry twice", strings.Replace(good, "\n]", ",\n  {\"id\": \"pf-aa2\", \"title\": \"Rollback\", \"summary\": \"again\"}\n]", 1), vault.DuplicatePtr},
		{"conflict markers inside", strings.Replace(good, "  {\"id\": \"pf-aa3\"", "<<<<<<< HEAD\n=======\n  {\"id\": \"pf-aa3\"", 1) + "", vault.InvalidBlock},
		{"two first children", "<<<<<<< HEAD\n" + inner + "=======\n" + inner + ">>>>>>> other\n", vault.InvalidBlock},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := family(t)
			w.write("deploy.md", file("pf-aa1", "Deployment", "", "How we deploy.\n")+row.block+"\nText after.\n")
			w.commit("a damaged block")
			out := w.sync(vault.Sync{})
			if len(out.Discrepancies) == 0 || out.Discrepancies[0].Type != row.typ || out.Discrepancies[0].Fixed == "" {
				t.Errorf("got %+v, want %s", out.Discrepancies, row.typ)
			}
			text := w.head("deploy.md")
			w.contains("deploy.md", text, "How we deploy.", "Text after.", "when to go back", "when a key leaks")
			if n := strings.Count(text, "<!-- sub-memories -->"); n != 1 {
				t.Errorf("got %d blocks:\n%s", n, text)
			}
			w.lacks("deploy.md", text, "<<<<<<<", "=======", "again")
			w.clean()
		})
	}
}

func TestSyncSettlesMarkersInTheHeader(t *testing.T) {
	w := family(t)
	w.write("deploy.md", strings.Replace(w.read("deploy.md"), "title: Deployment\n", "<<<<<<< HEAD\ntitle: Deployment\n=======\ntitle: Deployment\nstatus: open\n>>>>>>> other\n", 1))
	w.commit("markers")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "conflict_markers: settled the conflict markers in its front matter")
	w.contains("deploy.md", w.head("deploy.md"), "title: Deployment\nstatus: open\n")
	w.lacks("deploy.md", w.head("deploy.md"), "<<<<<<<")
	w.clean()
}

func TestSyncSettlesMarkersOfALeaf(t *testing.T) {
	w := family(t)
	w.write("deploy/secrets.md", strings.Replace(w.read("deploy/secrets.md"), "title: Secrets\n", "<<<<<<< HEAD\ntitle: Secrets\n=======\ntitle: Secrets\nstatus: open\n>>>>>>> other\n", 1))
	w.commit("markers")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "conflict_markers: settled the conflict markers in its front matter")
	w.lacks("the leaf", w.head("deploy/secrets.md"), "<<<<<<<")
	w.clean()
}

func TestSyncKeepsMarkersInTheTextAndSaysWhere(t *testing.T) {
	w := family(t)
	w.write("deploy/secrets.md", w.read("deploy/secrets.md")+"<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> other\n")
	w.commit("markers in the text")
	out := w.sync(vault.Sync{})
	w.wantFixed(out)
	if len(out.Problems) != 1 || out.Problems[0].Kind != vault.ProblemMarkers || out.Problems[0].Line != 7 {
		t.Errorf("got problems %+v, want conflict markers in line 7", out.Problems)
	}
}

func TestSyncNeverRewritesADamagedParent(t *testing.T) {
	w := family(t)
	text := strings.Replace(w.read("deploy.md"), "title: Deployment", "title: [", 1)
	w.write("deploy.md", text)
	w.write("deploy/new.md", file("pf-aa9", "New", "", "New.\n"))
	w.commit("damage")
	out := w.sync(vault.Sync{})
	if len(out.Discrepancies) != 1 || out.Discrepancies[0].Fixed != "" || !strings.Contains(out.Discrepancies[0].Detail, "deploy.md") {
		t.Errorf("got %+v", out.Discrepancies)
	}
	if w.read("deploy.md") != text {
		t.Errorf("the parent was rewritten:\n%s", w.read("deploy.md"))
	}
}

func TestSyncOfOneParentTouchesNoOther(t *testing.T) {
	w := family(t)
	w.write("infra.md", file("pf-bb1", "Infra", "", "Infra.\n"))
	w.write("infra/dns.md", file("pf-bb2", "DNS", "", "DNS.\n"))
	w.write("deploy/new.md", file("pf-aa9", "New", "", "New.\n"))
	w.commit("two parents out of step")
	w.write("by-hand.md", "# By hand\n")
	out := w.sync(vault.Sync{Parent: "pf-bb1"})
	w.wantFixed(out, "missing_pointer: added pointer for pf-bb2")
	if out.ParentsChecked != 1 {
		t.Errorf("got %d parents checked", out.ParentsChecked)
	}
	w.lacks("deploy.md", w.read("deploy.md"), "pf-aa9")
	w.clean("?? by-hand.md")
	if _, err := w.Sync(w.ctx, vault.Sync{Parent: "pf-zz9"}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("got %v, want not found", err)
	}
}

func TestSyncWaitsForABusyRepository(t *testing.T) {
	w := family(t)
	w.write("by-hand.md", "# By hand\n")
	w.git("checkout", "-q", "--detach")
	if _, err := w.Sync(w.ctx, vault.Sync{}); vault.CodeOf(err) != vault.CodeBusy {
		t.Errorf("got %v, want a busy repository", err)
	}
	w.clean("?? by-hand.md")
	_, err := w.Sync(w.ctx, vault.Sync{DryRun: true})
	w.check(err)
}

func TestSyncOnAnUnbornBranch(t *testing.T) {
	w := &world{t: t, ctx: t.Context(), root: t.TempDir()}
	w.git("init", "-q", "-b", "main")
	w.git("config", "user.name", "Ann")
	w.git("config", "user.email", "ann@example.org")
	w.write(".gitignore", ".cp/\n")
	w.open()
	w.write("a.md", "# A\n")
	w.write("a/b.md", "# B\n")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "new_file: adopted it as pf-", "new_file: adopted it as pf-", "missing_pointer: added pointer for")
	w.contains("HEAD", w.head("a.md"), `"title": "B"`)
	w.clean("?? .gitignore")
}

func TestSyncLeavesFilesOfOtherTypesAlone(t *testing.T) {
	w := family(t)
	w.write("deploy/task.md", "---\nid: pf-tt1\ntype: task\ntitle: Task\n---\n")
	w.write("deploy.md", strings.Replace(w.read("deploy.md"), "leaks\"}\n", "leaks\"},\n  {\"id\": \"pf-tt1\", \"title\": \"Task\", \"summary\": \"typed\"}\n", 1))
	w.commit("a task below a memory")
	w.wantFixed(w.sync(vault.Sync{}))
}
