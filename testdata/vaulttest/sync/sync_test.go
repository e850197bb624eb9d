package sync_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
)

var file, block = vaulttest.File, vaulttest.Block

// world is a vault with the real adapters, and what sync promises about it.
type world struct{ *vaulttest.World }

func newWorld(t *testing.T) *world { return &world{vaulttest.New(t)} }

func family(t *testing.T) *world { return &world{vaulttest.Family(t)} }

// sync runs sync and then checks what holds after each: a second run finds
// nothing and commits nothing, and the repository is sound.
func (w *world) sync(o sync.Options) sync.Synced {
	w.T.Helper()
	out, err := w.Sync(w.Ctx, o)
	w.Check(err)
	before := w.Git("rev-parse", "HEAD")
	again, err := w.Sync(w.Ctx, o)
	w.Check(err)
	for _, d := range again.Discrepancies {
		if d.Fixed != "" {
			w.T.Errorf("a second run fixed again: %s %s: %s", d.Type, d.Path, d.Fixed)
		}
	}
	if after := w.Git("rev-parse", "HEAD"); after != before || again.Fixed {
		w.T.Errorf("a second run made a commit:\n%s", w.Git("show", "--stat", "-p", "HEAD"))
	}
	w.Git("fsck", "--strict")
	return out
}

// fixed returns the words of what was done, by type.
func fixed(out sync.Synced) []string {
	var words []string
	for _, d := range out.Discrepancies {
		words = append(words, d.Type+": "+d.Fixed)
	}
	return words
}

// wantFixed compares what was done with what should have been; a want may leave
// out the end.
func (w *world) wantFixed(out sync.Synced, want ...string) {
	w.T.Helper()
	got := fixed(out)
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		w.T.Errorf("sync did\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestSyncFindsAFamilyInOrder(t *testing.T) {
	w := family(t)
	out := w.sync(sync.Options{})
	w.wantFixed(out)
	if out.ParentsChecked != 1 || out.Fixed {
		t.Errorf("got %d parents checked, fixed %v; want 1 and false", out.ParentsChecked, out.Fixed)
	}
}

func TestSyncAddsAMissingPointer(t *testing.T) {
	w := family(t)
	w.Write("deploy/monitoring.md", file("pf-aa7", "Monitoring", "", "Watch.\n"))
	w.Commit("a child without a pointer")
	dry, err := w.Sync(w.Ctx, sync.Options{DryRun: true})
	w.Check(err)
	w.wantFixed(dry, "missing_pointer: added pointer for pf-aa7 (placeholder summary)")
	w.Clean()
	out := w.sync(sync.Options{})
	w.wantFixed(out, "missing_pointer: added pointer for pf-aa7 (placeholder summary)")
	if d := out.Discrepancies[0]; d.Parent != "pf-aa1" || d.ParentTitle != "Deployment" || d.Child != "pf-aa7" || d.ChildTitle != "Monitoring" || !out.Fixed {
		t.Errorf("got %+v", d)
	}
	w.Contains("deploy.md", w.Disk("deploy.md"), `"when a key leaks"},`, `{"id": "pf-aa7", "title": "Monitoring", "summary": "`+vault.Placeholder+`"}`)
	w.Clean()
}

func TestSyncRemovesAStalePointer(t *testing.T) {
	w := family(t)
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "pf-aa3", "pf-deleted-99", 1))
	w.Commit("a pointer to nothing")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "stale_pointer: removed stale pointer to pf-deleted-99", "missing_pointer: added pointer for pf-aa3")
	w.Contains("deploy.md", w.Disk("deploy.md"), `"pf-aa3", "title": "Secrets", "summary": "when a key leaks"`)
	w.Lacks("deploy.md", w.Disk("deploy.md"), "pf-deleted-99")
}

func TestSyncLetsTheFilesTitleWin(t *testing.T) {
	w := family(t)
	w.Write("deploy/rollback.md", file("pf-aa2", "Going back", "when to go back", "Roll back.\n"))
	out := w.sync(sync.Options{})
	w.wantFixed(out, `title_mismatch: set the title of pf-aa2 to "Going back"`)
	w.Contains("deploy.md", w.Head("deploy.md"), `"title": "Going back"`)
	w.Contains("the child", w.Head("deploy/rollback.md"), "title: Going back")
	w.Clean()
}

// A title that is a heading cannot be committed by itself: the block takes it
// over, the heading stays uncommitted, and there is nothing more to do.
func TestSyncTakesATitleFromAHeading(t *testing.T) {
	w := family(t)
	w.Write("deploy/rollback.md", "---\nid: pf-aa2\nsummary: when to go back\n---\n# Rollback\n")
	w.Commit("a heading")
	w.Write("deploy/rollback.md", "---\nid: pf-aa2\nsummary: when to go back\n---\n# Going back\n")
	w.wantFixed(w.sync(sync.Options{}), `title_mismatch: set the title of pf-aa2 to "Going back"`)
	w.Lacks("the commit", w.Head("deploy/rollback.md"), "Going back")
	w.wantFixed(w.sync(sync.Options{}))
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
				w.Write("deploy/rollback.md", strings.Replace(w.Disk("deploy/rollback.md"), "summary: "+old, "summary: "+row.child, 1))
				w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), old, row.block, 1))
				if committed {
					w.Commit("phrases")
				}
				out := w.sync(sync.Options{})
				w.wantFixed(out, "edge_mismatch: took the summary of pf-aa2 from ")
				for _, text := range []string{w.Disk("deploy.md"), w.Head("deploy.md")} {
					w.Contains("deploy.md", text, `"summary": "`+row.want+`"`)
				}
				w.Contains("the child", w.Disk("deploy/rollback.md"), "summary: "+row.want)
			})
		}
	}
}

func TestSyncForcesNoPhraseIntoAChildWithoutOne(t *testing.T) {
	w := family(t)
	w.Write("deploy/rollback.md", file("pf-aa2", "Rollback", "", "Roll back.\n"))
	w.Commit("no summary")
	w.wantFixed(w.sync(sync.Options{}))
	w.Lacks("the child", w.Disk("deploy/rollback.md"), "summary")
}

func TestSyncRepairsBlocks(t *testing.T) {
	good := block("pf-aa2|Rollback|when to go back", "pf-aa3|Secrets|when a key leaks")
	inner := strings.TrimPrefix(good, "\n")
	for _, row := range []struct{ name, block, typ string }{
		{"a comma missing", strings.Replace(good, "},", "}", 1), sync.InvalidBlock},
		{"no closing marker", strings.Replace(good, "<!-- /sub-memories -->\n", "", 1), sync.InvalidBlock},
		{"two blocks", good + "\nText between.\n" + good, sync.InvalidBlock},
		{"no JSON at all", "\n<!-- sub-memories -->\nnothing\n<!-- /sub-memories -->\n", sync.InvalidBlock},
		{"an entry twice", strings.Replace(good, "\n]", ",\n  {\"id\": \"pf-aa2\", \"title\": \"Rollback\", \"summary\": \"again\"}\n]", 1), sync.DuplicatePtr},
		{"conflict markers inside", strings.Replace(good, "  {\"id\": \"pf-aa3\"", "<<<<<<< HEAD\n=======\n  {\"id\": \"pf-aa3\"", 1) + "", sync.ConflictMarkers},
		{"two first children", "<<<<<<< HEAD\n" + inner + "=======\n" + inner + ">>>>>>> other\n", sync.ConflictMarkers},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := family(t)
			w.Write("deploy.md", file("pf-aa1", "Deployment", "", "How we deploy.\n")+row.block+"\nText after.\n")
			w.Commit("a damaged block")
			out := w.sync(sync.Options{})
			if len(out.Discrepancies) == 0 || out.Discrepancies[0].Type != row.typ || out.Discrepancies[0].Fixed == "" {
				t.Errorf("got %+v, want %s", out.Discrepancies, row.typ)
			}
			text := w.Head("deploy.md")
			w.Contains("deploy.md", text, "How we deploy.", "Text after.", "when to go back", "when a key leaks")
			if n := strings.Count(text, "<!-- sub-memories -->"); n != 1 {
				t.Errorf("got %d blocks:\n%s", n, text)
			}
			w.Lacks("deploy.md", text, "<<<<<<<", "=======", "again")
			w.Clean()
		})
	}
}

func TestSyncSettlesMarkersInTheHeader(t *testing.T) {
	w := family(t)
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "title: Deployment\n", "<<<<<<< HEAD\ntitle: Deployment\n=======\ntitle: Deployment\nstatus: open\n>>>>>>> other\n", 1))
	w.Commit("markers")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "conflict_markers: settled the conflict markers in its front matter")
	w.Contains("deploy.md", w.Head("deploy.md"), "title: Deployment\nstatus: open\n")
	w.Lacks("deploy.md", w.Head("deploy.md"), "<<<<<<<")
	w.Clean()
}

func TestSyncSettlesMarkersOfALeaf(t *testing.T) {
	w := family(t)
	w.Write("deploy/secrets.md", strings.Replace(w.Disk("deploy/secrets.md"), "title: Secrets\n", "<<<<<<< HEAD\ntitle: Secrets\n=======\ntitle: Secrets\nstatus: open\n>>>>>>> other\n", 1))
	w.Commit("markers")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "conflict_markers: settled the conflict markers in its front matter")
	w.Lacks("the leaf", w.Head("deploy/secrets.md"), "<<<<<<<")
	w.Clean()
}

func TestSyncKeepsMarkersInTheTextAndSaysWhere(t *testing.T) {
	w := family(t)
	w.Write("deploy/secrets.md", w.Disk("deploy/secrets.md")+"<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> other\n")
	w.Commit("markers in the text")
	out := w.sync(sync.Options{})
	w.wantFixed(out)
	if len(out.Problems) != 1 || out.Problems[0].Kind != vault.ProblemMarkers || out.Problems[0].Line != 7 {
		t.Errorf("got problems %+v, want conflict markers in line 7", out.Problems)
	}
}

func TestSyncNeverRewritesADamagedParent(t *testing.T) {
	w := family(t)
	text := strings.Replace(w.Disk("deploy.md"), "title: Deployment", "title: [", 1)
	w.Write("deploy.md", text)
	w.Write("deploy/new.md", file("pf-aa9", "New", "", "New.\n"))
	w.Commit("damage")
	out := w.sync(sync.Options{})
	if len(out.Discrepancies) != 1 || out.Discrepancies[0].Fixed != "" || !strings.Contains(out.Discrepancies[0].Detail, "deploy.md") {
		t.Errorf("got %+v", out.Discrepancies)
	}
	if w.Disk("deploy.md") != text {
		t.Errorf("the parent was rewritten:\n%s", w.Disk("deploy.md"))
	}
}

func TestSyncOfOneParentTouchesNoOther(t *testing.T) {
	w := family(t)
	w.Write("infra.md", file("pf-bb1", "Infra", "", "Infra.\n"))
	w.Write("infra/dns.md", file("pf-bb2", "DNS", "", "DNS.\n"))
	w.Write("deploy/new.md", file("pf-aa9", "New", "", "New.\n"))
	w.Commit("two parents out of step")
	w.Write("by-hand.md", "# By hand\n")
	out := w.sync(sync.Options{Parent: "pf-bb1"})
	w.wantFixed(out, "missing_pointer: added pointer for pf-bb2")
	if out.ParentsChecked != 1 {
		t.Errorf("got %d parents checked", out.ParentsChecked)
	}
	w.Lacks("deploy.md", w.Disk("deploy.md"), "pf-aa9")
	w.Clean("?? by-hand.md")
	if _, err := w.Sync(w.Ctx, sync.Options{Parent: "pf-zz9"}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("got %v, want not found", err)
	}
}

func TestSyncWaitsForABusyRepository(t *testing.T) {
	w := family(t)
	w.Write("by-hand.md", "# By hand\n")
	w.Git("checkout", "-q", "--detach")
	if _, err := w.Sync(w.Ctx, sync.Options{}); vault.CodeOf(err) != vault.CodeBusy {
		t.Errorf("got %v, want a busy repository", err)
	}
	w.Clean("?? by-hand.md")
	_, err := w.Sync(w.Ctx, sync.Options{DryRun: true})
	w.Check(err)
}

func TestSyncOnAnUnbornBranch(t *testing.T) {
	w := &world{vaulttest.Unborn(t)}
	w.Write("a.md", "# A\n")
	w.Write("a/b.md", "# B\n")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "new_file: adopted it as pf-", "new_file: adopted it as pf-", "missing_pointer: added pointer for")
	w.Contains("HEAD", w.Head("a.md"), `"title": "B"`)
	w.Clean("?? .gitignore")
}

func TestSyncLeavesFilesOfOtherTypesAlone(t *testing.T) {
	w := family(t)
	w.Write("deploy/task.md", "---\nid: pf-tt1\ntype: task\ntitle: Task\n---\n")
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "leaks\"}\n", "leaks\"},\n  {\"id\": \"pf-tt1\", \"title\": \"Task\", \"summary\": \"typed\"}\n", 1))
	w.Commit("a task below a memory")
	w.wantFixed(w.sync(sync.Options{}))
}
