package worktree_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
)

func addSub(id string) *vault.Change {
	return &vault.Change{
		Verb: "add-sub", ID: vault.ID(id), Title: "T " + id, Agent: "agent-x",
		Edits: []vault.Edit{
			{Path: vault.Path("a/" + id + ".md"), Create: []byte(memory(id, "child"))},
			addPointer("a.md", id),
		},
	}
}

// Faults H5, H6.
func TestAWriteIsOneCommitAndAPersonsEditsStayTheirs(t *testing.T) {
	for _, sub := range []string{"", "memory", "docs/memory"} {
		w := newSandbox(t, sub, "a.md", memory("pf-a", "parent"), "other.md", "other\n")
		w.save("a.md", w.text("a.md")+"typed by a person\n")
		w.save("other.md", "staged\n")
		w.save("untracked.md", "untracked\n")
		w.git("add", w.path("other.md"))
		r := w.done(addSub("pf-b"))
		prefix := ""
		if sub != "" {
			prefix = sub + "/"
		}
		w.clean(" M "+prefix+"a.md", "M  "+prefix+"other.md", "?? "+prefix+"untracked.md")
		w.want("child", w.committed("a/pf-b.md"), memory("pf-b", "child"))
		if head := w.committed("a.md"); strings.Contains(head, "typed") || !strings.Contains(head, "pf-b") {
			t.Errorf("the parent in HEAD: %s", head)
		}
		if disk := w.text("a.md"); !strings.Contains(disk, "typed by a person\n") || !strings.Contains(disk, "pf-b") {
			t.Errorf("the parent on disk: %s", disk)
		}
		if diff := cmp.Diff([]vault.Path{"a.md", "a/pf-b.md"}, r.Paths); diff != "" || r.Before == r.Commit || r.Commit != w.git("rev-parse", "HEAD") {
			t.Errorf("receipt %+v\n%s", r, diff)
		}
		w.want("message", w.git("log", "-1", "--format=%an|%B"), "agent-x|memory: add-sub pf-b \"T pf-b\"\n\nCp-Op: "+r.Op+"\nCp-Verb: add-sub\nCp-Id: pf-b\nCp-Agent: agent-x")
	}
}

func TestFirstCommitOfARepository(t *testing.T) {
	w := newSandbox(t, "")
	w.done(&vault.Change{Verb: "add", Edits: []vault.Edit{{Path: "x.md", Create: []byte("x\n")}}})
	w.clean()
}

func TestAMoveTakesEverythingAlong(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", memory("pf-b", "b"), "a/b/c.md", memory("pf-c", "c"),
		"a/b/pic.png", "png", "c.md", memory("pf-z", "z"), ".gitignore", "*.log\n")
	w.save("a/b/d/draft.md", "draft\n")
	w.save("a/b/noise.log", "ignored\n")
	w.save("a/b/c.md", memory("pf-c", "c")+"typed\n")
	must(t, os.Mkdir(w.path("a/b/empty"), 0o700))
	must(t, os.Symlink("c.md", w.path("a/b/link")))
	r := w.done(moveTree())
	w.clean(" M c/b/c.md", "?? c/b/d/draft.md", "?? c/b/link")
	for name, want := range map[string]string{
		"c/b.md": strings.Replace(memory("pf-b", "b"), "pf-b\n---", "pf-b\nsummary: moved\n---", 1), "c/b/c.md": memory("pf-c", "c") + "typed\n", "c/b/pic.png": "png",
		"c/b/d/draft.md": "draft\n", "c/b/noise.log": "ignored\n", "c.md": memory("pf-z", "z") + block("pf-b"), "a.md": memory("pf-a", "a"),
	} {
		w.want(name, w.text(name), want)
	}
	if _, err := os.Stat(w.path("a")); err == nil {
		t.Errorf("the emptied folder is still there")
	}
	if info, err := os.Stat(w.path("c/b/empty")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the empty folder: %v, %v", info, err)
	}
	want := vault.Receipt{Paths: []vault.Path{"a.md", "a/b.md", "c.md", "c/b.md"}, Gone: []vault.Path{"a/b.md"},
		Moved: []vault.Rename{{From: "a/b/c.md", To: "c/b/c.md"}, {From: "a/b/d/draft.md", To: "c/b/d/draft.md"}}}
	if diff := cmp.Diff(want, vault.Receipt{Paths: r.Paths, Gone: r.Gone, Moved: r.Moved, Notes: r.Notes}); diff != "" {
		t.Errorf("the receipt: %s", diff)
	}
	w.want("the old place in HEAD", w.git("ls-files", "a"), "")
}

func moveTree() *vault.Change {
	return &vault.Change{Verb: "move", ID: "pf-b", Title: "b", Edits: []vault.Edit{
		{Path: "a/b.md", To: "c/b.md", Steps: []vault.Step{{Op: vault.OpSetKey, Key: "summary", Value: "moved"}}},
		{Path: "a/b", To: "c/b", Tree: true},
		removePointer("a.md", "pf-b"),
		addPointer("c.md", "pf-b"),
	}}
}

func TestADeletionKeepsWhatIsNoMemory(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", "b\n", "a/b/c.md", "c\n", "a/b/c/d.md", "d\n",
		"a/b/pic.png", "png", "a/b/gone.md", "by hand\n")
	must(t, os.Remove(w.path("a/b/gone.md")))
	r := w.done(deleteTree())
	w.clean()
	w.want("files", w.git("ls-files"), "a.md\na/b/pic.png")
	if _, err := os.Stat(w.path("a/b/c")); err == nil {
		t.Error("an emptied folder is still there")
	}
	want := []vault.Path{"a.md", "a/b.md", "a/b/c.md", "a/b/c/d.md", "a/b/gone.md"}
	if diff := cmp.Diff(want, r.Paths); diff != "" {
		t.Error(diff)
	}
}

func deleteTree() *vault.Change {
	return &vault.Change{Verb: "delete", ID: "pf-b", Title: "b", Edits: []vault.Edit{
		{Path: "a/b.md", Remove: true}, {Path: "a/b", Remove: true, Tree: true}, removePointer("a.md", "pf-b"),
	}}
}

func TestWhatAPersonHasDoneByHandIsNoError(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"), "a/b.md", "b\n", "a/b/c.md", "c\n", "c.md", "c\n", "d.md", "d\n")
	must(t, os.MkdirAll(w.path("c"), 0o755))
	must(t, os.Rename(w.path("a/b.md"), w.path("c/b.md")))
	must(t, os.Rename(w.path("a/b"), w.path("c/b")))
	must(t, os.Remove(w.path("d.md")))
	w.done(moveTree())
	w.done(&vault.Change{Verb: "delete", Edits: []vault.Edit{{Path: "d.md", Remove: true}, {Path: "never", Remove: true, Tree: true}, {Path: "nor", To: "this", Tree: true}}})
	w.clean()
	w.want("files", w.git("ls-files"), "a.md\nc.md\nc/b.md\nc/b/c.md")
}

func TestAHandMadeFileEntersTheVault(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"))
	w.save("new.md", "typed\n")
	w.save("a.md", w.text("a.md")+"typed\n")
	w.done(&vault.Change{Verb: "sync", Edits: []vault.Edit{
		{Path: "new.md", Adopt: true, Steps: []vault.Step{{Op: vault.OpSetKey, Key: "id", Value: "pf-n"}}},
		{Path: "a.md", Whole: true},
	}})
	w.clean()
	w.want("new.md", w.committed("new.md"), "---\nid: pf-n\n---\ntyped\n")
	w.want("a.md", w.committed("a.md"), memory("pf-a", "a")+"typed\n")
}

func TestCommitRefusesBeforeItChangesAnything(t *testing.T) {
	w := newSandbox(t, "v", "a.md", "a\n", "a/b.md", "b\n", "Deploy.md", "d\n", "f", "file\n", "nested/x", "x\n")
	must(t, os.Symlink(t.TempDir(), w.path("away")))
	must(t, os.MkdirAll(w.path("nested/.git"), 0o755))
	must(t, os.MkdirAll(w.path("tree/nested/.git"), 0o755))
	status := w.git("status", "--porcelain", "-uall")
	create := func(p vault.Path) vault.Edit { return vault.Edit{Path: p, Create: []byte("new\n")} }
	for _, row := range []struct {
		name string
		edit vault.Edit
		code vault.Code
	}{
		{"out of the vault", create("../x.md"), vault.CodeInvalid},
		{"into .git", create(".git/x.md"), vault.CodeInvalid},
		{"out of the work tree", vault.Edit{Path: "../x", Create: []byte("x"), Outside: true}, vault.CodeInvalid},
		{"into .git at the top", vault.Edit{Path: ".GIT/config", Create: []byte("x"), Outside: true}, vault.CodeInvalid},
		{"taken", create("a.md"), vault.CodeInvalid},
		{"taken in another case", create("deploy.md"), vault.CodeInvalid},
		{"a folder in another case", create("A/x.md"), vault.CodeInvalid},
		{"a name of this write in another case", create("FINE.md"), vault.CodeInvalid},
		{"a folder of this write in another case", create("New/y.md"), vault.CodeInvalid},
		{"below a file", create("f/x.md"), vault.CodeInvalid},
		{"through a link", create("away/x.md"), vault.CodeDamaged},
		{"into another repository", create("nested/y.md"), vault.CodeInvalid},
		{"a move onto a file", vault.Edit{Path: "a/b.md", To: "a.md"}, vault.CodeInvalid},
		{"a move below itself", vault.Edit{Path: "a", To: "a/b/a", Tree: true}, vault.CodeCycle},
		{"a move of a repository", vault.Edit{Path: "tree", To: "grove", Tree: true}, vault.CodeInvalid},
		{"too big", vault.Edit{Path: "big.md", Create: make([]byte, vault.MaxFile+1)}, vault.CodeInvalid},
	} {
		first := create("fine.md")
		_, err := w.commit(&vault.Change{Verb: "test", Edits: []vault.Edit{first, create("new/x.md"), row.edit}})
		if vault.CodeOf(err) != row.code {
			t.Errorf("%s: got %v, want code %s", row.name, err, row.code)
		}
	}
	w.want("status", w.git("status", "--porcelain", "-uall"), status)
	w.want("commits", w.git("rev-list", "--count", "HEAD"), "1")
	w.want("leftovers", strings.Join(w.leftovers(), "\n"), "")
}

func TestARenameThatChangesOnlyTheCase(t *testing.T) {
	w := newSandbox(t, "", "Deploy.md", "d\n", "Deploy/x.md", "x\n")
	w.done(&vault.Change{Verb: "update", Edits: []vault.Edit{{Path: "Deploy.md", To: "deploy.md"}, {Path: "Deploy", To: "deploy", Tree: true}}})
	w.clean()
	w.want("files", w.git("ls-files"), "deploy.md\ndeploy/x.md")
}

func TestEditsOutsideTheVault(t *testing.T) {
	w := newSandbox(t, "memory", "a.md", "a\n")
	r := w.done(&vault.Change{Verb: "init", Edits: []vault.Edit{
		{Path: ".cp.yaml", Create: []byte("vault: memory\n"), Outside: true},
		{Path: "memory/.cp/vault.yaml", Create: []byte("format: 1\n"), Outside: true},
		{Path: "empty.md", Create: []byte{}},
	}})
	w.clean()
	w.want("files", w.git("ls-files"), ".cp.yaml\nmemory/.cp/vault.yaml\nmemory/a.md\nmemory/empty.md")
	if len(r.Paths) != 1 || r.Paths[0] != "empty.md" {
		t.Errorf("paths %q", r.Paths)
	}
}

func TestModesSurvive(t *testing.T) {
	w := newSandbox(t, "", "a.md", "a\n", "b.md", "b\n")
	must(t, os.Chmod(w.path("a.md"), 0o664))
	must(t, os.Chmod(w.path("b.md"), 0o600))
	w.done(&vault.Change{Verb: "x", Edits: []vault.Edit{addPointer("a.md", "pf-1"), addPointer("b.md", "pf-1")}})
	for name, want := range map[string]os.FileMode{"a.md": 0o664, "b.md": 0o600} {
		if info, err := os.Stat(w.path(name)); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestManyFilesInOneWrite(t *testing.T) {
	w := newSandbox(t, "", "a.md", "a\n")
	c := &vault.Change{Verb: "import"}
	for i := range 300 {
		id := "pf-" + strings.Repeat("x", 1+i%5) + strings.Repeat("y", i)[:i%50] + string(rune('a'+i%26)) + strings.Repeat("z", i/26)
		c.Edits = append(c.Edits, vault.Edit{Path: vault.Path("a/" + id + ".md"), Create: []byte(memory(id, "x"))})
	}
	c.Edits = append(c.Edits, addPointer("a.md", "pf-0"))
	w.done(c)
	w.clean()
}

func TestAFileThatWasSavedSinceStays(t *testing.T) {
	ctx := context.Background()
	w := newSandbox(t, "", "a.md", "a\n")
	if dirty, staged, err := w.store.ListModified(ctx, "a.md"); err != nil || len(dirty)+len(staged) > 0 {
		t.Errorf("a committed file: %v, %v", dirty, err)
	}
	w.save("a.md", "a\r\n")
	if dirty, staged, err := w.store.ListModified(ctx, "a.md"); err != nil || len(dirty)+len(staged) > 0 {
		t.Errorf("with other line endings: %v, %v", dirty, err)
	}
	w.save("a.md", "typed\n")
	w.save("b.md", "new\n")
	for _, p := range []vault.Path{"a.md", "b.md"} {
		if dirty, _, err := w.store.ListModified(ctx, p); err != nil || len(dirty) == 0 {
			t.Errorf("%s: %v, %v", p, dirty, err)
		}
	}
}

func TestWhatIsOnlyStagedIsSomebodysText(t *testing.T) {
	ctx := context.Background()
	w := newSandbox(t, "", "a.md", "a\n")
	w.save("a.md", "typed\n")
	w.git("add", "a.md")
	for _, row := range []struct {
		onDisk       string
		disk, staged int
	}{{"typed\n", 1, 0}, {"a\n", 0, 1}, {"later\n", 1, 1}} {
		w.save("a.md", row.onDisk)
		disk, staged, err := w.store.ListModified(ctx, "a.md", "none.md")
		if err != nil || len(disk) != row.disk || len(staged) != row.staged {
			t.Errorf("%q on disk: %v, %v, %v", row.onDisk, disk, staged, err)
		}
	}
}

func TestWhatMayNotBeWrittenIsRefusedFirst(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"), "a/b.md", "b\n", "c/d.md", "d\n")
	for name, change := range map[string]*vault.Change{
		"a": addSub("pf-new"), "a.md": {Verb: "x", Edits: []vault.Edit{addPointer("a.md", "pf-1")}},
		"c": {Verb: "x", Edits: []vault.Edit{{Path: "c/d.md", Remove: true}}}, "a/": {Verb: "x", Edits: []vault.Edit{{Path: "a/b.md", To: "c/b.md"}}},
	} {
		info, err := os.Stat(w.path(name))
		must(t, err)
		must(t, os.Chmod(w.path(name), info.Mode()&^0o222))
		_, err = w.commit(change)
		must(t, os.Chmod(w.path(name), info.Mode()))
		var e *vault.Error
		if !errors.As(err, &e) || e.Code != vault.CodeIO || e.Path != strings.TrimSuffix(name, "/") || !strings.Contains(e.Hint, "nothing has changed") {
			t.Errorf("%s: %#v", name, err)
		}
		w.clean()
	}
}
