package sync_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault/sync"
)

func TestSyncAdoptsAHandMadeFile(t *testing.T) {
	w := family(t)
	w.Write("deploy/by-hand.md", "# By hand\n\nTyped.\n")
	w.Write("ideas.md", "# Ideas\n")
	w.Write("deploy/empty.md", "")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "new_file: adopted it as pf-", "new_file: adopted it as pf-", "missing_pointer: added pointer for pf-")
	text := w.Disk("deploy/by-hand.md")
	if want := "---\nid: " + string(out.Discrepancies[0].Child) + "\n---\n# By hand\n\nTyped.\n"; text != want || w.Head("deploy/by-hand.md") != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	w.Contains("deploy.md", w.Head("deploy.md"), `"title": "By hand"`)
	w.Clean("?? deploy/empty.md")
}

func TestSyncGivesCommittedFilesTheirIds(t *testing.T) {
	w := newWorld(t)
	w.Write("notes.md", "# Notes\n")
	w.Write("notes/2026/idea.md", "---\nid: a/42\ntitle: Idea\n---\ntext\n")
	w.Commit("a tree as people keep it")
	w.Write("notes/2026/idea.md", w.Disk("notes/2026/idea.md")+"typed since\n")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "new_file: adopted it as pf-", "new_file: adopted it as pf-", "missing_pointer: added pointer for")
	w.Contains("idea.md", w.Disk("notes/2026/idea.md"), "cp_id: pf-", "id: a/42", "typed since")
	w.Lacks("the commit", w.Head("notes/2026/idea.md"), "typed since")
	w.Clean(" M notes/2026/idea.md")
}

func TestSyncFollowsAFileMovedByHand(t *testing.T) {
	w := family(t)
	w.Write("infra.md", file("pf-bb1", "Infra", "", "Infra.\n"))
	w.Commit("another root")
	w.Rename("deploy/rollback.md", "infra/going-back.md")
	w.Write("infra/going-back.md", w.Disk("infra/going-back.md")+"typed since\n")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "moved_file: followed it here from deploy/rollback.md",
		"stale_pointer: removed stale pointer to pf-aa2", "missing_pointer: added pointer for pf-aa2")
	w.Contains("infra.md", w.Head("infra.md"), `"pf-aa2", "title": "Rollback", "summary": "when to go back"`)
	w.Lacks("deploy.md", w.Head("deploy.md"), "pf-aa2")
	if w.Head("deploy/rollback.md") != "" {
		t.Error("HEAD still has the old place")
	}
	w.Lacks("the commit", w.Head("infra/going-back.md"), "typed since")
	w.Clean(" M infra/going-back.md")
}

func TestSyncFollowsARenamedFolder(t *testing.T) {
	w := family(t)
	w.Rename("deploy.md", "shipping.md")
	w.Rename("deploy", "shipping")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "moved_file: followed it here from deploy.md", "moved_file: followed it here from deploy/rollback.md", "moved_file: followed it here from deploy/secrets.md")
	w.Contains("HEAD", w.Git("ls-tree", "-r", "--name-only", "HEAD"), "shipping.md", "shipping/rollback.md", "shipping/secrets.md")
	w.Lacks("HEAD", w.Git("ls-tree", "-r", "--name-only", "HEAD"), "deploy")
	w.Clean()
}

func TestSyncFollowsFilesThatChangedNames(t *testing.T) {
	w := family(t)
	w.Rename("deploy/rollback.md", "x")
	w.Rename("deploy/secrets.md", "deploy/rollback.md")
	w.Rename("x", "deploy/secrets.md")
	w.sync(sync.Options{})
	w.Contains("HEAD", w.Head("deploy/secrets.md"), "id: pf-aa2")
	w.Contains("HEAD", w.Head("deploy/rollback.md"), "id: pf-aa3")
	w.Clean()
}

func TestSyncFollowsAFilePutOverAnother(t *testing.T) {
	w := family(t)
	w.Rename("deploy/rollback.md", "deploy/secrets.md")
	out := w.sync(sync.Options{})
	w.Contains("HEAD", w.Head("deploy/secrets.md"), "id: pf-aa2")
	w.Lacks("deploy.md", w.Head("deploy.md"), "pf-aa3")
	if w.Head("deploy/rollback.md") != "" {
		t.Errorf("HEAD still has the old place; sync did %q", fixed(out))
	}
	w.Clean()
}

// Faults H20.
func TestSyncTakesADeletionOver(t *testing.T) {
	w := family(t)
	w.Unlink("deploy/secrets.md")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "deleted_file: recorded that it was deleted; `cp memory restore pf-aa3` brings it back",
		"stale_pointer: removed stale pointer to pf-aa3")
	w.Lacks("HEAD", w.Git("ls-tree", "-r", "--name-only", "HEAD"), "secrets")
	w.Clean()
	w.Git("checkout", "-q", "HEAD~", "--", "deploy/secrets.md")
	w.Contains("the file", w.Disk("deploy/secrets.md"), "pf-aa3")
}

func TestSyncAttachesOrphans(t *testing.T) {
	w := family(t)
	w.Write("deploy/secrets/vault.md", file("pf-aa4", "Vault", "", "Text.\n"))
	w.Write("deploy/secrets.md", w.Disk("deploy/secrets.md")+block("pf-aa4|Vault|when the vault is sealed"))
	w.Commit("a grandchild")
	w.Unlink("deploy/secrets.md")
	out := w.sync(sync.Options{})
	w.wantFixed(out, "deleted_file: recorded that it was deleted", `orphaned_memory: attached pf-aa4 "Vault"`,
		"stale_pointer: removed stale pointer to pf-aa3", "missing_pointer: added pointer for pf-aa4")
	w.Contains("deploy.md", w.Head("deploy.md"), `"pf-aa4", "title": "Vault", "summary": "when the vault is sealed"`)

	w.Unlink("deploy.md")
	out = w.sync(sync.Options{})
	w.wantFixed(out, "deleted_file: recorded that it was deleted", "orphaned_memory: it is a root memory now", "orphaned_memory: it is a root memory now")
	w.Clean()
}

func TestSyncStopsWhereTooMuchIsGone(t *testing.T) {
	testlevel.Check(t)
	w := family(t)
	for i := range 20 {
		w.Write(fmt.Sprintf("n%d.md", i), file(fmt.Sprintf("pf-n%d", i), "N", "", "N.\n"))
	}
	w.Commit("more")
	for i := range 12 {
		w.Unlink(fmt.Sprintf("n%d.md", i))
	}
	w.Unlink("deploy/secrets.md")
	out := w.sync(sync.Options{})
	if len(out.Warnings) != 1 || !strings.HasPrefix(out.Warnings[0], "13 of 23 memories are gone from the disk") {
		t.Errorf("got warnings %q", out.Warnings)
	}
	w.Contains("deploy.md", w.Disk("deploy.md"), "pf-aa3")
	w.Contains("HEAD", w.Git("ls-tree", "-r", "--name-only", "HEAD"), "n0.md")
	w.sync(sync.Options{Force: true})
	w.Lacks("HEAD", w.Git("ls-tree", "-r", "--name-only", "HEAD"), "n0.md")
	w.Lacks("deploy.md", w.Disk("deploy.md"), "pf-aa3")
	w.Clean()
}

func TestSyncSettlesACopyMadeByHand(t *testing.T) {
	w := family(t)
	w.Write("a-copy.md", w.Disk("deploy/rollback.md"))
	w.Write("deploy/rollback 2.md", w.Disk("deploy/rollback.md"))
	out := w.sync(sync.Options{})
	w.wantFixed(out, "duplicate_id: gave it the new id pf-", "duplicate_id: gave it the new id pf-", "missing_pointer: added pointer for pf-")
	w.Contains("the first", w.Head("deploy/rollback.md"), "id: pf-aa2")
	w.Contains("the copy", w.Head("a-copy.md"), "\nid: pf-aa2\ncp_id: pf-")
	w.Contains("the copy", w.Head("a-copy.md"), "id: pf-", "Roll back.")
	w.Clean()
}

func TestSyncLetsTheOlderFileKeepTheId(t *testing.T) {
	w := newWorld(t)
	w.Write("z.md", file("pf-aa1", "Z", "", "Z.\n"))
	w.Git("add", "-A")
	w.Git("-c", "user.name=Ann", "commit", "-q", "-m", "z", "--date", "2026-01-01T00:00:00Z")
	w.Write("parent.md", file("pf-pp1", "P", "", "P.\n")+block("pf-aa1|A|when a"))
	w.Write("parent/a.md", file("pf-aa1", "A", "", "A.\n"))
	w.Commit("a copy, with a pointer")
	w.Git("log", "--format=%ct")
	out := w.sync(sync.Options{})
	if len(out.Discrepancies) == 0 || out.Discrepancies[0].Type != sync.DuplicateID {
		t.Fatalf("got %q", fixed(out))
	}
	loser := w.Head("parent/a.md")
	if strings.Contains(loser, "pf-aa1") {
		t.Skip("both commits are of one second: the smaller path keeps the id")
	}
	w.Contains("the parent", w.Head("parent.md"), `"title": "A", "summary": "when a"`)
	w.Lacks("the parent", w.Head("parent.md"), "pf-aa1")
}

func TestSyncPutsAnIdBack(t *testing.T) {
	w := family(t)
	w.Write("deploy/secrets.md", "# Secrets\n\nRewritten without a header.\n")
	out := w.sync(sync.Options{})
	w.Contains("the file", w.Disk("deploy/secrets.md"), "id: pf-aa3", "Rewritten")
	w.Lacks("HEAD", w.Head("deploy/secrets.md"), "Rewritten")
	w.Contains("deploy.md", w.Disk("deploy.md"), "pf-aa3")
	if len(out.Discrepancies) != 1 || out.Discrepancies[0].Type != sync.ChangedID {
		t.Errorf("sync did %q", fixed(out))
	}
}

func TestSyncLeavesAnEmptiedFileAlone(t *testing.T) {
	w := family(t)
	w.sync(sync.Options{})
	w.Write("deploy/secrets.md", "")
	w.wantFixed(w.sync(sync.Options{}))
	w.Contains("deploy.md", w.Disk("deploy.md"), "pf-aa3")
	w.Contains("HEAD", w.Head("deploy/secrets.md"), "Rotate.")
	w.Clean(" M deploy/secrets.md")
}

func TestSyncCommitsAPointerTypedByHandWithItsChild(t *testing.T) {
	w := family(t)
	w.Write("deploy/new.md", file("pf-aa9", "New", "", "New.\n"))
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "How we deploy.", "Typed since.", 1))
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "leaks\"}\n", "leaks\"},\n  {\"id\": \"pf-aa9\", \"title\": \"New\", \"summary\": \"typed\"}\n", 1))
	w.wantFixed(w.sync(sync.Options{}), "new_file: adopted it as pf-aa9")
	w.Contains("HEAD", w.Head("deploy.md"), `"pf-aa9", "title": "New", "summary": "typed"`)
	w.Lacks("HEAD", w.Head("deploy.md"), "Typed since.")
	w.Clean(" M deploy.md")
}

func TestSyncCommitsAPointerTakenOutByHandWithItsMove(t *testing.T) {
	w := family(t)
	w.Rename("deploy/secrets.md", "secrets.md")
	w.Write("deploy.md", strings.Replace(w.Disk("deploy.md"), "},\n  {\"id\": \"pf-aa3\", \"title\": \"Secrets\", \"summary\": \"when a key leaks\"}", "}", 1))
	w.wantFixed(w.sync(sync.Options{}), "moved_file: followed it here from deploy/secrets.md")
	w.Lacks("HEAD", w.Head("deploy.md"), "pf-aa3")
	w.Clean()
}

func TestSyncMendsWhatPlainGitCommitted(t *testing.T) {
	w := family(t)
	w.Git("rm", "-q", "deploy/secrets.md")
	w.Git("commit", "-q", "-m", "by plain git")
	w.Git("mv", "deploy/rollback.md", "rollback.md")
	w.Git("commit", "-q", "-m", "by plain git")
	w.wantFixed(w.sync(sync.Options{}), "stale_pointer: removed stale pointer to pf-aa2", "stale_pointer: removed stale pointer to pf-aa3")
	w.Lacks("deploy.md", w.Head("deploy.md"), "sub-memories")
	w.Clean()
}

func TestSyncLeavesStagedWorkStaged(t *testing.T) {
	w := family(t)
	w.Write("deploy/new.md", "# New\n")
	w.Write("other.txt", "staged\n")
	w.Git("add", "other.txt")
	w.Write("deploy/rollback.md", w.Disk("deploy/rollback.md")+"staged line\n")
	w.Git("add", "deploy/rollback.md")
	w.sync(sync.Options{})
	w.Clean("M  deploy/rollback.md", "A  other.txt")
	w.Lacks("HEAD", w.Head("deploy/rollback.md"), "staged line")
}

func TestSyncTakesNothingUnreadableForDeleted(t *testing.T) {
	w := family(t)
	w.sync(sync.Options{})
	w.Write("deploy/secrets.md", "\xff\xfe not UTF-8 any more")
	w.sync(sync.Options{})
	w.Contains("deploy.md", w.Disk("deploy.md"), "pf-aa3")
	w.Contains("HEAD", w.Head("deploy/secrets.md"), "Rotate.")
}

func TestSyncLeavesAloneWhatGitIgnores(t *testing.T) {
	w := family(t)
	w.Write(".gitignore", ".cp/\nprivate/\n")
	w.Commit("private notes")
	w.Write("deploy/private/salary.md", "# Salary\n")
	w.Write("deploy/private/with-id.md", file("pf-zz1", "Diary", "", "Dear diary.\n"))
	w.Write("private/copy.md", w.Disk("deploy/rollback.md"))
	out := w.sync(sync.Options{})
	w.wantFixed(out)
	if len(out.Warnings) != 0 {
		t.Errorf("got warnings %q", out.Warnings)
	}
	w.Lacks("deploy.md", w.Disk("deploy.md"), "Salary", "Diary")
	w.Clean()
}

func TestSyncFollowsAFileWhosePlaceWasTaken(t *testing.T) {
	w := family(t)
	w.Rename("deploy/rollback.md", "deploy/going-back.md")
	w.Write("deploy/rollback.md", "# Something new\n")
	w.sync(sync.Options{})
	w.Contains("HEAD", w.Head("deploy/going-back.md"), "id: pf-aa2")
	w.Contains("HEAD", w.Head("deploy/rollback.md"), "Something new")
	w.Lacks("HEAD", w.Head("deploy/rollback.md"), "pf-aa2")
	w.Clean()
}

func TestSyncFollowsAChainOfRenames(t *testing.T) {
	w := family(t)
	w.Rename("deploy/secrets.md", "deploy/keys.md")
	w.Rename("deploy/rollback.md", "deploy/secrets.md")
	w.sync(sync.Options{})
	w.Contains("HEAD", w.Head("deploy/keys.md"), "id: pf-aa3")
	w.Contains("HEAD", w.Head("deploy/secrets.md"), "id: pf-aa2")
	w.Contains("deploy.md", w.Head("deploy.md"), "when to go back", "when a key leaks")
	if w.Head("deploy/rollback.md") != "" {
		t.Error("HEAD still has the old place")
	}
	w.Clean()
}

func TestSyncFollowsAMemoryAndItsCopy(t *testing.T) {
	w := family(t)
	w.Rename("deploy/rollback.md", "a.md")
	w.Write("b.md", w.Disk("a.md"))
	w.sync(sync.Options{})
	w.Contains("HEAD", w.Head("a.md"), "id: pf-aa2\ntitle")
	w.Contains("HEAD", w.Head("b.md"), "id: pf-aa2\ncp_id: pf-")
	w.Clean()
}

func TestSyncFollowsAMoveAndAnEditOfTheHeader(t *testing.T) {
	w := family(t)
	w.Rename("deploy/rollback.md", "deploy/secrets/rollback.md")
	w.Write("deploy/secrets/rollback.md", strings.Replace(w.Disk("deploy/secrets/rollback.md"), "title: Rollback", "title: Going back", 1))
	w.wantFixed(w.sync(sync.Options{}), "moved_file: ", "stale_pointer: ", "missing_pointer: added pointer for pf-aa2 and committed its title: Going back")
	w.Contains("the new parent", w.Head("deploy/secrets.md"), `"title": "Going back", "summary": "when to go back"`)
	w.Contains("HEAD", w.Head("deploy/secrets/rollback.md"), "title: Going back")
	w.Clean()
}
