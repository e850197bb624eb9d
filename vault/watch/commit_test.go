package watch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// commits starts a watcher that commits what is left alone for a while.
func (w *world) commits(quiet time.Duration) (stop func()) {
	w.T.Helper()
	return w.start(func(o *Options) { o.Commit, o.Quiet = true, quiet })
}

// head returns a file's text in HEAD; empty when it has none.
func (w *world) head(name string) string {
	w.T.Helper()
	head, err := w.store.Head(w.T.Context())
	w.Check(err)
	b, err := w.store.ReadAt(w.T.Context(), head.Commit, vault.Path(name))
	if vault.CodeOf(err) == vault.CodeNotFound {
		return ""
	}
	w.Check(err)
	return string(b)
}

// left waits until the watcher has said that it leaves a file, and why.
func (w *world) left(p vault.Path, why string) {
	w.T.Helper()
	w.until(fmt.Sprintf("%s to be left because %q", p, why), func() bool {
		for _, pass := range w.seen() {
			for _, l := range pass.Left {
				if l.Path == p && strings.Contains(l.Why, why) {
					return true
				}
			}
		}
		return false
	})
}

const note = "---\nid: pf-%s\ntitle: %s\n---\nSome words about %s, enough of them to tell a half from a whole.\n"

func noteOf(id, title string) string { return fmt.Sprintf(note, id, title, title) }

// An edit is committed by itself, under the memory's name; a new file gets an id.
func TestFinishedEditsAreCommitted(t *testing.T) {
	w := newWorld(t)
	w.Write("a.md", noteOf("aaa", "Alpha"))
	w.Write("b.md", noteOf("bbb", "Beta"))
	w.Commit("by hand")
	w.commits(200 * time.Millisecond)
	w.Write("a.md", noteOf("aaa", "Alpha")+"More.\n")
	w.Write("b.md", noteOf("bbb", "Beta")+"More.\n")
	w.Write("new/c.md", "# Gamma\n\nText.\n")
	w.until("three commits", func() bool {
		return strings.Contains(w.head("a.md"), "More.") && strings.Contains(w.head("b.md"), "More.") && strings.Contains(w.head("new/c.md"), "id: pf-")
	})
	log := w.Git("log", "--format=%an|%s|%(trailers:key=Cp-Verb,valueonly,separator=%x20)")
	for _, want := range []string{`tester|memory: edit pf-aaa "Alpha"|edit`, `tester|memory: edit pf-bbb "Beta"|edit`, `"Gamma"|edit`} {
		if strings.Count(log, want) != 1 {
			t.Errorf("want one commit %q in\n%s", want, log)
		}
	}
	w.until("a clean work tree", func() bool { return w.Git("status", "--porcelain") == "" })
}

// What does not look finished stays its person's, and is told of once; what is
// finished beside it is committed.
func TestUnfinishedEditsAreLeft(t *testing.T) {
	w := newWorld(t)
	names := map[string]string{
		"empty":  "it is empty",
		"cut":    "more than half",
		"merge":  "conflict markers",
		"header": "front matter",
		"staged": "it is staged",
		"vim":    "an editor",
		"emacs":  "an editor",
	}
	for name := range names {
		w.Write(name+".md", noteOf(name, name))
	}
	w.Write("good.md", noteOf("good", "Good"))
	w.Write(".gitignore", ".cp/\nsecret.md\n")
	w.Commit("by hand")
	w.commits(200 * time.Millisecond)
	w.Write(".vim.md.swp", "b0VIM")
	w.Check(os.Symlink("penny@host.1", filepath.Join(w.Root, ".#emacs.md")))
	w.Write("empty.md", "")
	w.Write("cut.md", "---\nid: pf-cut\n---\n")
	w.Write("merge.md", noteOf("merge", "merge")+"<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> theirs\n")
	w.Write("header.md", "---\nid: pf-header\ntitle: [unclosed\n---\nSome words about header, enough of them to tell a half from a whole.\n")
	w.Write("staged.md", noteOf("staged", "staged")+"Staged.\n")
	w.Git("add", "staged.md")
	w.Write("vim.md", noteOf("vim", "vim")+"Half\n")
	w.Write("emacs.md", noteOf("emacs", "emacs")+"Half\n")
	w.Write("secret.md", "# Ignored by git\n")
	for name, why := range names {
		if name != "header" { // how YAML says it is not ours
			w.left(vault.Path(name+".md"), why)
		}
	}
	w.left("header.md", "")
	w.Write("good.md", noteOf("good", "Good")+"More.\n")
	w.until("the good one", func() bool { return strings.Contains(w.head("good.md"), "More.") })
	for name := range names {
		if got := w.head(name + ".md"); got != noteOf(name, name) {
			t.Errorf("%s was committed:\n%s", name, got)
		}
	}
	if w.head("secret.md") != "" {
		t.Error("what git ignores was committed")
	}
	if staged := w.Git("diff", "--cached", "--name-only"); staged != "staged.md\n" {
		t.Errorf("staged: %q", staged)
	}
	w.Check(os.Remove(filepath.Join(w.Root, ".vim.md.swp")))
	w.until("vim's, once it is closed", func() bool { return strings.HasSuffix(w.head("vim.md"), "Half\n") })
	w.Git("reset", "-q", "staged.md")
	w.until("the staged one, once it is not any more", func() bool { return strings.HasSuffix(w.head("staged.md"), "Staged.\n") })
	told := map[vault.Path]int{}
	for _, p := range w.seen() {
		for _, l := range p.Left {
			told[l.Path]++
		}
	}
	for p, n := range told {
		if n > 1 {
			t.Errorf("%s was told of %d times", p, n)
		}
	}
}

// Moved and deleted files follow as by sync, and a pointer that a stale editor
// saved away comes back.
func TestStructureFollows(t *testing.T) {
	w := newWorld(t)
	v := w.vault().Vault
	parent, err := tree.Add{Text: "A parent of some words", Title: "Parent"}.Do(t.Context(), v)
	w.Check(err)
	before, err := os.ReadFile(filepath.Join(w.Root, string(parent.Path)))
	w.Check(err)
	child, err := tree.AddSub{Parent: string(parent.ID), Title: "Child", Summary: "When in doubt", Body: "Text"}.Do(t.Context(), v)
	w.Check(err)
	gone, err := tree.Add{Text: "Goes away", Title: "Goes"}.Do(t.Context(), v)
	w.Check(err)
	w.commits(200 * time.Millisecond)

	w.Write(string(parent.Path), string(before)+"\nTyped into a stale buffer.\n")
	w.until("the pointer to come back", func() bool {
		head := w.head(string(parent.Path))
		return strings.Contains(head, "stale buffer") && strings.Contains(head, string(child.ID)) && strings.Contains(head, "When in doubt")
	})
	w.Check(os.Remove(filepath.Join(w.Root, string(gone.Path))))
	w.Check(os.MkdirAll(filepath.Join(w.Root, "moved"), 0o755))
	w.Check(os.Rename(filepath.Join(w.Root, string(child.Path)), filepath.Join(w.Root, "moved", "child.md")))
	w.until("the tree in HEAD to follow", func() bool {
		return w.head(string(gone.Path)) == "" && w.head(string(child.Path)) == "" && strings.Contains(w.head("moved/child.md"), string(child.ID)) &&
			!strings.Contains(w.head(string(parent.Path)), string(child.ID))
	})
	w.until("a clean work tree", func() bool { return w.Git("status", "--porcelain") == "" })
}

// Editors save in three ways, with moments in which a file is missing, empty or
// half there. None of these is ever committed, and no deletion.
func TestNoHalfSavedFileIsCommitted(t *testing.T) {
	w := newWorld(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	saved := map[string]bool{}
	text := func(i int) string {
		s := noteOf("edited", "Edited") + strings.Repeat(fmt.Sprintf("Line of save %d.\n", i), 200)
		saved[s] = true
		return s
	}
	w.Write("edited.md", text(0))
	w.Commit("by hand")
	w.commits(30 * time.Millisecond)
	file := filepath.Join(w.Root, "edited.md")
	for i := 1; i <= 60; i++ {
		saves[i%len(saves)](w, file, text(i), func() { time.Sleep(time.Duration(random.IntN(15)) * time.Millisecond) })
		if i%4 == 0 {
			want := text(i)
			w.Write("edited.md", want)
			w.until("a commit of what was left alone", func() bool { return w.head("edited.md") == want })
		}
	}
	w.until("a clean work tree", func() bool { return w.Git("status", "--porcelain") == "" })
	for _, line := range strings.Fields(w.Git("log", "--format=%H", "--", "edited.md")) {
		if text := w.Git("show", line+":edited.md"); !saved[text] {
			t.Errorf("commit %s holds %d bytes that nobody saved", line, len(text))
		}
	}
	if deletes := w.Git("log", "--diff-filter=D", "--format=%s"); deletes != "" {
		t.Errorf("deleted: %s", deletes)
	}
}

// saves are the ways in which editors save; pause is a moment between two steps.
var saves = []func(w *world, file, text string, pause func()){
	func(w *world, file, text string, pause func()) { // cut and write in place
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
		w.Check(err)
		pause()
		_, err = f.WriteString(text[:len(text)/3])
		w.Check(err)
		_, err = f.WriteString(text[len(text)/3:])
		w.Check(err)
		w.Check(f.Close())
	},
	func(w *world, file, text string, pause func()) { // write beside and rename over
		w.Check(os.WriteFile(file+".tmp", []byte(text), 0o644))
		pause()
		w.Check(os.Rename(file+".tmp", file))
	},
	func(w *world, file, text string, pause func()) { // move away, write anew, delete the old one
		w.Check(os.Rename(file, file+"~"))
		pause()
		w.Check(os.WriteFile(file, []byte(text), 0o644))
		w.Check(os.Remove(file + "~"))
	},
}

// While git is at work, a checkout half done or a merge not concluded, nothing is
// committed; after it what is left is.
func TestNothingIsCommittedWhileGitIsAtWork(t *testing.T) {
	w := newWorld(t)
	w.Write("a.md", noteOf("aaa", "Alpha"))
	w.Commit("by hand")
	w.Git("checkout", "-qb", "other")
	for i := range 60 {
		w.Write(fmt.Sprintf("more/f%d.md", i), noteOf(fmt.Sprintf("f%d", i), fmt.Sprint("F", i)))
	}
	w.Write("a.md", noteOf("aaa", "Alpha")+"Of the other branch.\n")
	w.Commit("by hand")
	w.Git("checkout", "-q", "main")
	w.commits(100 * time.Millisecond)
	before := w.Git("rev-parse", "main", "other")
	for range 3 {
		w.Git("checkout", "-q", "other")
		w.Git("checkout", "-q", "main")
	}
	lock := filepath.Join(w.Root, ".git", "index.lock") // a checkout that goes on
	w.Check(os.WriteFile(lock, nil, 0o644))
	w.Write("a.md", noteOf("aaa", "Alpha")+"Of a checkout that goes on.\n")
	m := w.mirror(nil)
	w.shows(m, "a.md", noteOf("aaa", "Alpha")+"Of a checkout that goes on.\n")
	time.Sleep(300 * time.Millisecond) // time for a wrong commit
	if after := w.Git("rev-parse", "main", "other"); after != before {
		t.Errorf("committed while git was at work:\n%s", w.Git("log", "--oneline", "--all"))
	}
	w.Check(os.Remove(lock))
	w.until("the commit after it", func() bool { return strings.Contains(w.head("a.md"), "goes on") })

	w.Write(".git/MERGE_HEAD", strings.Fields(before)[1]+"\n")
	w.Write("a.md", noteOf("aaa", "Alpha")+"While a merge waits.\n")
	w.shows(m, "a.md", noteOf("aaa", "Alpha")+"While a merge waits.\n")
	queued, err := tree.Add{Text: "Waits in the outbox", Title: "Waits"}.Do(t.Context(), w.vault().Vault)
	if err != nil && vault.CodeOf(err) != vault.CodeQueued {
		t.Fatal(err)
	}
	w.Check(os.Remove(filepath.Join(w.Root, ".git", "MERGE_HEAD")))
	w.until("the edit and the outbox", func() bool {
		return strings.Contains(w.head("a.md"), "a merge waits") && (queued.ID == "" || strings.Contains(w.Git("log", "--format=%s"), string(queued.ID)))
	})
}

// Files that come in numbers are adopted in one commit.
func TestManyNewFilesAreOneCommit(t *testing.T) {
	w := newWorld(t)
	w.commits(300 * time.Millisecond)
	for i := range 50 {
		w.Write(fmt.Sprintf("in/f%02d.md", i), fmt.Sprintf("# Note %d\n", i))
	}
	w.until("all to be committed", func() bool { return w.Git("status", "--porcelain") == "" })
	if n := len(strings.Fields(w.Git("log", "--format=%H"))); n > 5 { // slow writing makes more than one batch
		t.Errorf("%d commits:\n%s", n, w.Git("log", "--format=%s"))
	}
}
