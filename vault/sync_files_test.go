package vault_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestSyncAdoptsAHandMadeFile(t *testing.T) {
	w := family(t)
	w.write("deploy/by-hand.md", "# By hand\n\nTyped.\n")
	w.write("ideas.md", "# Ideas\n")
	w.write("deploy/empty.md", "")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "new_file: adopted it as pf-", "new_file: adopted it as pf-", "missing_pointer: added pointer for pf-")
	text := w.read("deploy/by-hand.md")
	if want := "---\nid: " + string(out.Discrepancies[0].Child) + "\n---\n# By hand\n\nTyped.\n"; text != want || w.head("deploy/by-hand.md") != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	w.contains("deploy.md", w.head("deploy.md"), `"title": "By hand"`)
	w.clean("?? deploy/empty.md")
}

func TestSyncGivesCommittedFilesTheirIds(t *testing.T) {
	w := newWorld(t)
	w.write("notes.md", "# Notes\n")
	w.write("notes/2026/idea.md", "---\nid: 42\ntitle: Idea\n---\ntext\n")
	w.commit("a tree as people keep it")
	w.write("notes/2026/idea.md", w.read("notes/2026/idea.md")+"typed since\n")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "new_file: adopted it as pf-", "new_file: adopted it as pf-", "missing_pointer: added pointer for")
	w.contains("idea.md", w.read("notes/2026/idea.md"), "id: pf-", `source_id: "42"`, "typed since")
	w.lacks("the commit", w.head("notes/2026/idea.md"), "typed since")
	w.clean(" M notes/2026/idea.md")
}

func TestSyncFollowsAFileMovedByHand(t *testing.T) {
	w := family(t)
	w.write("infra.md", file("pf-bb1", "Infra", "", "Infra.\n"))
	w.commit("another root")
	w.move("deploy/rollback.md", "infra/going-back.md")
	w.write("infra/going-back.md", w.read("infra/going-back.md")+"typed since\n")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "moved_file: followed it here from deploy/rollback.md",
		"stale_pointer: removed stale pointer to pf-aa2", "missing_pointer: added pointer for pf-aa2")
	w.contains("infra.md", w.head("infra.md"), `"pf-aa2", "title": "Rollback", "summary": "when to go back"`)
	w.lacks("deploy.md", w.head("deploy.md"), "pf-aa2")
	if w.head("deploy/rollback.md") != "" {
		t.Error("HEAD still has the old place")
	}
	w.lacks("the commit", w.head("infra/going-back.md"), "typed since")
	w.clean(" M infra/going-back.md")
}

func TestSyncFollowsARenamedFolder(t *testing.T) {
	w := family(t)
	w.move("deploy.md", "shipping.md")
	w.move("deploy", "shipping")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "moved_file: followed it here from deploy.md", "moved_file: followed it here from deploy/rollback.md", "moved_file: followed it here from deploy/secrets.md")
	w.contains("HEAD", w.git("ls-tree", "-r", "--name-only", "HEAD"), "shipping.md", "shipping/rollback.md", "shipping/secrets.md")
	w.lacks("HEAD", w.git("ls-tree", "-r", "--name-only", "HEAD"), "deploy")
	w.clean()
}

func TestSyncFollowsFilesThatChangedNames(t *testing.T) {
	w := family(t)
	w.move("deploy/rollback.md", "x")
	w.move("deploy/secrets.md", "deploy/rollback.md")
	w.move("x", "deploy/secrets.md")
	w.sync(vault.Sync{})
	w.contains("HEAD", w.head("deploy/secrets.md"), "id: pf-aa2")
	w.contains("HEAD", w.head("deploy/rollback.md"), "id: pf-aa3")
	w.clean()
}

func TestSyncFollowsAFilePutOverAnother(t *testing.T) {
	w := family(t)
	w.move("deploy/rollback.md", "deploy/secrets.md")
	out := w.sync(vault.Sync{})
	w.contains("HEAD", w.head("deploy/secrets.md"), "id: pf-aa2")
	w.lacks("deploy.md", w.head("deploy.md"), "pf-aa3")
	if w.head("deploy/rollback.md") != "" {
		t.Errorf("HEAD still has the old place; sync did %q", fixed(out))
	}
	w.clean()
}

// Faults H20.
func TestSyncTakesADeletionOver(t *testing.T) {
	w := family(t)
	w.remove("deploy/secrets.md")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "deleted_file: recorded that it was deleted; `git checkout HEAD~ -- deploy/secrets.md` brings it back",
		"stale_pointer: removed stale pointer to pf-aa3")
	w.lacks("HEAD", w.git("ls-tree", "-r", "--name-only", "HEAD"), "secrets")
	w.clean()
	w.git("checkout", "-q", "HEAD~", "--", "deploy/secrets.md")
	w.contains("the file", w.read("deploy/secrets.md"), "pf-aa3")
}

func TestSyncAttachesOrphans(t *testing.T) {
	w := family(t)
	w.write("deploy/secrets/vault.md", file("pf-aa4", "Vault", "", "Text.\n"))
	w.write("deploy/secrets.md", w.read("deploy/secrets.md")+block("pf-aa4|Vault|when the vault is sealed"))
	w.commit("a grandchild")
	w.remove("deploy/secrets.md")
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "deleted_file: recorded that it was deleted", `orphaned_memory: attached pf-aa4 "Vault"`,
		"stale_pointer: removed stale pointer to pf-aa3", "missing_pointer: added pointer for pf-aa4")
	w.contains("deploy.md", w.head("deploy.md"), `"pf-aa4", "title": "Vault", "summary": "when the vault is sealed"`)

	w.remove("deploy.md")
	out = w.sync(vault.Sync{})
	w.wantFixed(out, "deleted_file: recorded that it was deleted", "orphaned_memory: it is a root memory now", "orphaned_memory: it is a root memory now")
	w.clean()
}

func TestSyncStopsWhereTooMuchIsGone(t *testing.T) {
	w := family(t)
	for i := range 20 {
		w.write(fmt.Sprintf("n%d.md", i), file(fmt.Sprintf("pf-n%d", i), "N", "", "N.\n"))
	}
	w.commit("more")
	for i := range 12 {
		w.remove(fmt.Sprintf("n%d.md", i))
	}
	w.remove("deploy/secrets.md")
	out := w.sync(vault.Sync{})
	if len(out.Warnings) != 1 || !strings.HasPrefix(out.Warnings[0], "13 of 23 memories are gone from the disk") {
		t.Errorf("got warnings %q", out.Warnings)
	}
	w.contains("deploy.md", w.read("deploy.md"), "pf-aa3")
	w.contains("HEAD", w.git("ls-tree", "-r", "--name-only", "HEAD"), "n0.md")
	w.sync(vault.Sync{Force: true})
	w.lacks("HEAD", w.git("ls-tree", "-r", "--name-only", "HEAD"), "n0.md")
	w.lacks("deploy.md", w.read("deploy.md"), "pf-aa3")
	w.clean()
}

func TestSyncSettlesACopyMadeByHand(t *testing.T) {
	w := family(t)
	w.write("a-copy.md", w.read("deploy/rollback.md"))
	w.write("deploy/rollback 2.md", w.read("deploy/rollback.md"))
	out := w.sync(vault.Sync{})
	w.wantFixed(out, "duplicate_id: gave it the new id pf-", "duplicate_id: gave it the new id pf-", "missing_pointer: added pointer for pf-")
	w.contains("the first", w.head("deploy/rollback.md"), "id: pf-aa2")
	w.lacks("the copy", w.head("a-copy.md"), "pf-aa2")
	w.contains("the copy", w.head("a-copy.md"), "id: pf-", "Roll back.")
	w.clean()
}

func TestSyncLetsTheOlderFileKeepTheId(t *testing.T) {
	w := newWorld(t)
	w.write("z.md", file("pf-aa1", "Z", "", "Z.\n"))
	w.git("add", "-A")
	w.git("-c", "user.name=Ann", "commit", "-q", "-m", "z", "--date", "2026-01-01T00:00:00Z")
	w.write("parent.md", file("pf-pp1", "P", "", "P.\n")+block("pf-aa1|A|when a"))
	w.write("parent/a.md", file("pf-aa1", "A", "", "A.\n"))
	w.commit("a copy, with a pointer")
	w.git("log", "--format=%ct")
	out := w.sync(vault.Sync{})
	if len(out.Discrepancies) == 0 || out.Discrepancies[0].Type != vault.DuplicateID {
		t.Fatalf("got %q", fixed(out))
	}
	loser := w.head("parent/a.md")
	if strings.Contains(loser, "pf-aa1") {
		t.Skip("both commits are of one second: the smaller path keeps the id")
	}
	w.contains("the parent", w.head("parent.md"), `"title": "A", "summary": "when a"`)
	w.lacks("the parent", w.head("parent.md"), "pf-aa1")
}

func TestSyncPutsAnIdBack(t *testing.T) {
	w := family(t)
	w.write("deploy/secrets.md", "# Secrets\n\nRewritten without a header.\n")
	out := w.sync(vault.Sync{})
	w.contains("the file", w.read("deploy/secrets.md"), "id: pf-aa3", "Rewritten")
	w.lacks("HEAD", w.head("deploy/secrets.md"), "Rewritten")
	w.contains("deploy.md", w.read("deploy.md"), "pf-aa3")
	if len(out.Discrepancies) != 1 || out.Discrepancies[0].Type != vault.ChangedID {
		t.Errorf("sync did %q", fixed(out))
	}
}

func TestSyncLeavesAnEmptiedFileAlone(t *testing.T) {
	w := family(t)
	w.sync(vault.Sync{})
	w.write("deploy/secrets.md", "")
	w.wantFixed(w.sync(vault.Sync{}))
	w.contains("deploy.md", w.read("deploy.md"), "pf-aa3")
	w.contains("HEAD", w.head("deploy/secrets.md"), "Rotate.")
	w.clean(" M deploy/secrets.md")
}

func TestSyncCommitsAPointerTypedByHandWithItsChild(t *testing.T) {
	w := family(t)
	w.write("deploy/new.md", file("pf-aa9", "New", "", "New.\n"))
	w.write("deploy.md", strings.Replace(w.read("deploy.md"), "How we deploy.", "Typed since.", 1))
	w.write("deploy.md", strings.Replace(w.read("deploy.md"), "leaks\"}\n", "leaks\"},\n  {\"id\": \"pf-aa9\", \"title\": \"New\", \"summary\": \"typed\"}\n", 1))
	w.wantFixed(w.sync(vault.Sync{}), "new_file: adopted it as pf-aa9")
	w.contains("HEAD", w.head("deploy.md"), `"pf-aa9", "title": "New", "summary": "typed"`)
	w.lacks("HEAD", w.head("deploy.md"), "Typed since.")
	w.clean(" M deploy.md")
}

func TestSyncCommitsAPointerTakenOutByHandWithItsMove(t *testing.T) {
	w := family(t)
	w.move("deploy/secrets.md", "secrets.md")
	w.write("deploy.md", strings.Replace(w.read("deploy.md"), "},\n  {\"id\": \"pf-aa3\", \"title\": \"Secrets\", \"summary\": \"when a key leaks\"}", "}", 1))
	w.wantFixed(w.sync(vault.Sync{}), "moved_file: followed it here from deploy/secrets.md")
	w.lacks("HEAD", w.head("deploy.md"), "pf-aa3")
	w.clean()
}

func TestSyncMendsWhatPlainGitCommitted(t *testing.T) {
	w := family(t)
	w.git("rm", "-q", "deploy/secrets.md")
	w.git("commit", "-q", "-m", "by plain git")
	w.git("mv", "deploy/rollback.md", "rollback.md")
	w.git("commit", "-q", "-m", "by plain git")
	w.wantFixed(w.sync(vault.Sync{}), "stale_pointer: removed stale pointer to pf-aa2", "stale_pointer: removed stale pointer to pf-aa3")
	w.lacks("deploy.md", w.head("deploy.md"), "sub-memories")
	w.clean()
}

func TestSyncLeavesStagedWorkStaged(t *testing.T) {
	w := family(t)
	w.write("deploy/new.md", "# New\n")
	w.write("other.txt", "staged\n")
	w.git("add", "other.txt")
	w.write("deploy/rollback.md", w.read("deploy/rollback.md")+"staged line\n")
	w.git("add", "deploy/rollback.md")
	w.sync(vault.Sync{})
	w.clean("M  deploy/rollback.md", "A  other.txt")
	w.lacks("HEAD", w.head("deploy/rollback.md"), "staged line")
}

func TestSyncTakesNothingUnreadableForDeleted(t *testing.T) {
	w := family(t)
	w.sync(vault.Sync{})
	w.write("deploy/secrets.md", "\xff\xfe not UTF-8 any more")
	w.sync(vault.Sync{})
	w.contains("deploy.md", w.read("deploy.md"), "pf-aa3")
	w.contains("HEAD", w.head("deploy/secrets.md"), "Rotate.")
}

func TestSyncLeavesAloneWhatGitIgnores(t *testing.T) {
	w := family(t)
	w.write(".gitignore", ".cp/\nprivate/\n")
	w.commit("private notes")
	w.write("deploy/private/salary.md", "# Salary\n")
	w.write("deploy/private/with-id.md", file("pf-zz1", "Diary", "", "Dear diary.\n"))
	w.write("private/copy.md", w.read("deploy/rollback.md"))
	out := w.sync(vault.Sync{})
	w.wantFixed(out)
	if len(out.Warnings) != 1 || out.Warnings[0] != "git ignores 3 files, which sync leaves alone (deploy/private/salary.md)" {
		t.Errorf("got warnings %q", out.Warnings)
	}
	w.lacks("deploy.md", w.read("deploy.md"), "Salary", "Diary")
	w.clean()
}

func TestSyncFollowsAFileWhosePlaceWasTaken(t *testing.T) {
	w := family(t)
	w.move("deploy/rollback.md", "deploy/going-back.md")
	w.write("deploy/rollback.md", "# Something new\n")
	w.sync(vault.Sync{})
	w.contains("HEAD", w.head("deploy/going-back.md"), "id: pf-aa2")
	w.contains("HEAD", w.head("deploy/rollback.md"), "Something new")
	w.lacks("HEAD", w.head("deploy/rollback.md"), "pf-aa2")
	w.clean()
}

func TestSyncFollowsAChainOfRenames(t *testing.T) {
	w := family(t)
	w.move("deploy/secrets.md", "deploy/keys.md")
	w.move("deploy/rollback.md", "deploy/secrets.md")
	w.sync(vault.Sync{})
	w.contains("HEAD", w.head("deploy/keys.md"), "id: pf-aa3")
	w.contains("HEAD", w.head("deploy/secrets.md"), "id: pf-aa2")
	w.contains("deploy.md", w.head("deploy.md"), "when to go back", "when a key leaks")
	if w.head("deploy/rollback.md") != "" {
		t.Error("HEAD still has the old place")
	}
	w.clean()
}

func TestSyncFollowsAMemoryAndItsCopy(t *testing.T) {
	w := family(t)
	w.move("deploy/rollback.md", "a.md")
	w.write("b.md", w.read("a.md"))
	w.sync(vault.Sync{})
	w.contains("HEAD", w.head("a.md"), "id: pf-aa2")
	w.lacks("HEAD", w.head("b.md"), "pf-aa2")
	w.clean()
}

func TestSyncFollowsAMoveAndAnEditOfTheHeader(t *testing.T) {
	w := family(t)
	w.move("deploy/rollback.md", "deploy/secrets/rollback.md")
	w.write("deploy/secrets/rollback.md", strings.Replace(w.read("deploy/secrets/rollback.md"), "title: Rollback", "title: Going back", 1))
	w.wantFixed(w.sync(vault.Sync{}), "moved_file: ", "stale_pointer: ", "missing_pointer: added pointer for pf-aa2 and committed its title: Going back")
	w.contains("the new parent", w.head("deploy/secrets.md"), `"title": "Going back", "summary": "when to go back"`)
	w.contains("HEAD", w.head("deploy/secrets/rollback.md"), "title: Going back")
	w.clean()
}
