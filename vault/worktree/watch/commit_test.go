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
	w.t.Helper()
	return w.start(func(o *Options) { o.Commit, o.Quiet = true, quiet })
}

// head returns a file's text in HEAD; empty when it has none.
func (w *world) head(name string) string {
	w.t.Helper()
	head, err := w.store.Head(w.t.Context())
	w.check(err)
	b, err := w.store.ReadAt(w.t.Context(), head.Commit, vault.Path(name))
	if vault.CodeOf(err) == vault.CodeNotFound {
		return ""
	}
	w.check(err)
	return string(b)
}

// commitAll commits what is there, as a person does.
func (w *world) commitAll() {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-qm", "by hand")
}

// left waits until the watcher has said that it leaves a file, and why.
func (w *world) left(p vault.Path, why string) {
	w.t.Helper()
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
	w.write("a.md", noteOf("aaa", "Alpha"))
	w.write("b.md", noteOf("bbb", "Beta"))
	w.commitAll()
	w.commits(200 * time.Millisecond)
	w.write("a.md", noteOf("aaa", "Alpha")+"More.\n")
	w.write("b.md", noteOf("bbb", "Beta")+"More.\n")
	w.write("new/c.md", "# Gamma\n\nText.\n")
	w.until("three commits", func() bool {
		return strings.Contains(w.head("a.md"), "More.") && strings.Contains(w.head("b.md"), "More.") && strings.Contains(w.head("new/c.md"), "id: pf-")
	})
	log := w.git("log", "--format=%an|%s|%(trailers:key=Cp-Verb,valueonly,separator=%x20)")
	for _, want := range []string{`tester|memory: edit pf-aaa "Alpha"|edit`, `tester|memory: edit pf-bbb "Beta"|edit`, `"Gamma"|edit`} {
		if strings.Count(log, want) != 1 {
			t.Errorf("want one commit %q in\n%s", want, log)
		}
	}
	w.until("a clean work tree", func() bool { return w.git("status", "--porcelain") == "" })
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
		w.write(name+".md", noteOf(name, name))
	}
	w.write("good.md", noteOf("good", "Good"))
	w.write(".gitignore", ".cp/\nsecret.md\n")
	w.commitAll()
	w.commits(200 * time.Millisecond)
	w.write(".vim.md.swp", "b0VIM")
	w.check(os.Symlink("penny@host.1", filepath.Join(w.root, ".#emacs.md")))
	w.write("empty.md", "")
	w.write("cut.md", "---\nid: pf-cut\n---\n")
	w.write("merge.md", noteOf("merge", "merge")+"<<<<<<< HEAD\nmine\n=======\nyours\n>>>>>>> theirs\n")
	w.write("header.md", "---\nid: pf-header\ntitle: [unclosed\n---\nSome words about header, enough of them to tell a half from a whole.\n")
	w.write("staged.md", noteOf("staged", "staged")+"Staged.\n")
	w.git("add", "staged.md")
	w.write("vim.md", noteOf("vim", "vim")+"Half\n")
	w.write("emacs.md", noteOf("emacs", "emacs")+"Half\n")
	w.write("secret.md", "# Ignored by git\n")
	for name, why := range names {
		if name != "header" { // how YAML says it is not ours
			w.left(vault.Path(name+".md"), why)
		}
	}
	w.left("header.md", "")
	w.write("good.md", noteOf("good", "Good")+"More.\n")
	w.until("the good one", func() bool { return strings.Contains(w.head("good.md"), "More.") })
	for name := range names {
		if got := w.head(name + ".md"); got != noteOf(name, name) {
			t.Errorf("%s was committed:\n%s", name, got)
		}
	}
	if w.head("secret.md") != "" {
		t.Error("what git ignores was committed")
	}
	if staged := w.git("diff", "--cached", "--name-only"); staged != "staged.md\n" {
		t.Errorf("staged: %q", staged)
	}
	w.check(os.Remove(filepath.Join(w.root, ".vim.md.swp")))
	w.until("vim's, once it is closed", func() bool { return strings.HasSuffix(w.head("vim.md"), "Half\n") })
	w.git("reset", "-q", "staged.md")
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
	w.check(err)
	before, err := os.ReadFile(filepath.Join(w.root, string(parent.Path)))
	w.check(err)
	child, err := tree.AddSub{Parent: string(parent.ID), Title: "Child", Summary: "When in doubt", Body: "Text"}.Do(t.Context(), v)
	w.check(err)
	gone, err := tree.Add{Text: "Goes away", Title: "Goes"}.Do(t.Context(), v)
	w.check(err)
	w.commits(200 * time.Millisecond)

	w.write(string(parent.Path), string(before)+"\nTyped into a stale buffer.\n")
	w.until("the pointer to come back", func() bool {
		head := w.head(string(parent.Path))
		return strings.Contains(head, "stale buffer") && strings.Contains(head, string(child.ID)) && strings.Contains(head, "When in doubt")
	})
	w.check(os.Remove(filepath.Join(w.root, string(gone.Path))))
	w.check(os.MkdirAll(filepath.Join(w.root, "moved"), 0o755))
	w.check(os.Rename(filepath.Join(w.root, string(child.Path)), filepath.Join(w.root, "moved", "child.md")))
	w.until("the tree in HEAD to follow", func() bool {
		return w.head(string(gone.Path)) == "" && w.head(string(child.Path)) == "" && strings.Contains(w.head("moved/child.md"), string(child.ID)) &&
			!strings.Contains(w.head(string(parent.Path)), string(child.ID))
	})
	w.until("a clean work tree", func() bool { return w.git("status", "--porcelain") == "" })
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
	w.write("edited.md", text(0))
	w.commitAll()
	w.commits(30 * time.Millisecond)
	file := filepath.Join(w.root, "edited.md")
	for i := 1; i <= 60; i++ {
		saves[i%len(saves)](w, file, text(i), func() { time.Sleep(time.Duration(random.IntN(15)) * time.Millisecond) })
		if i%4 == 0 {
			want := text(i)
			w.write("edited.md", want)
			w.until("a commit of what was left alone", func() bool { return w.head("edited.md") == want })
		}
	}
	w.until("a clean work tree", func() bool { return w.git("status", "--porcelain") == "" })
	for _, line := range strings.Fields(w.git("log", "--format=%H", "--", "edited.md")) {
		if text := w.git("show", line+":edited.md"); !saved[text] {
			t.Errorf("commit %s holds %d bytes that nobody saved", line, len(text))
		}
	}
	if deletes := w.git("log", "--diff-filter=D", "--format=%s"); deletes != "" {
		t.Errorf("deleted: %s", deletes)
	}
}

// saves are the ways in which editors save; pause is a moment between two steps.
var saves = []func(w *world, file, text string, pause func()){
	func(w *world, file, text string, pause func()) { // cut and write in place
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
		w.check(err)
		pause()
		_, err = f.WriteString(text[:len(text)/3])
		w.check(err)
		_, err = f.WriteString(text[len(text)/3:])
		w.check(err)
		w.check(f.Close())
	},
	func(w *world, file, text string, pause func()) { // write beside and rename over
		w.check(os.WriteFile(file+".tmp", []byte(text), 0o644))
		pause()
		w.check(os.Rename(file+".tmp", file))
	},
	func(w *world, file, text string, pause func()) { // move away, write anew, delete the old one
		w.check(os.Rename(file, file+"~"))
		pause()
		w.check(os.WriteFile(file, []byte(text), 0o644))
		w.check(os.Remove(file + "~"))
	},
}

// While git is at work, a checkout half done or a merge not concluded, nothing is
// committed; after it what is left is.
func TestNothingIsCommittedWhileGitIsAtWork(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", noteOf("aaa", "Alpha"))
	w.commitAll()
	w.git("checkout", "-qb", "other")
	for i := range 60 {
		w.write(fmt.Sprintf("more/f%d.md", i), noteOf(fmt.Sprintf("f%d", i), fmt.Sprint("F", i)))
	}
	w.write("a.md", noteOf("aaa", "Alpha")+"Of the other branch.\n")
	w.commitAll()
	w.git("checkout", "-q", "main")
	w.commits(100 * time.Millisecond)
	before := w.git("rev-parse", "main", "other")
	for range 3 {
		w.git("checkout", "-q", "other")
		w.git("checkout", "-q", "main")
	}
	lock := filepath.Join(w.root, ".git", "index.lock") // a checkout that goes on
	w.check(os.WriteFile(lock, nil, 0o644))
	w.write("a.md", noteOf("aaa", "Alpha")+"Of a checkout that goes on.\n")
	m := w.mirror(nil)
	w.shows(m, "a.md", noteOf("aaa", "Alpha")+"Of a checkout that goes on.\n")
	time.Sleep(300 * time.Millisecond) // time for a wrong commit
	if after := w.git("rev-parse", "main", "other"); after != before {
		t.Errorf("committed while git was at work:\n%s", w.git("log", "--oneline", "--all"))
	}
	w.check(os.Remove(lock))
	w.until("the commit after it", func() bool { return strings.Contains(w.head("a.md"), "goes on") })

	w.write(".git/MERGE_HEAD", strings.Fields(before)[1]+"\n")
	w.write("a.md", noteOf("aaa", "Alpha")+"While a merge waits.\n")
	w.shows(m, "a.md", noteOf("aaa", "Alpha")+"While a merge waits.\n")
	queued, err := tree.Add{Text: "Waits in the outbox", Title: "Waits"}.Do(t.Context(), w.vault().Vault)
	if err != nil && vault.CodeOf(err) != vault.CodeQueued {
		t.Fatal(err)
	}
	w.check(os.Remove(filepath.Join(w.root, ".git", "MERGE_HEAD")))
	w.until("the edit and the outbox", func() bool {
		return strings.Contains(w.head("a.md"), "a merge waits") && (queued.ID == "" || strings.Contains(w.git("log", "--format=%s"), string(queued.ID)))
	})
}

// Files that come in numbers are adopted in one commit.
func TestManyNewFilesAreOneCommit(t *testing.T) {
	w := newWorld(t)
	w.commits(300 * time.Millisecond)
	for i := range 50 {
		w.write(fmt.Sprintf("in/f%02d.md", i), fmt.Sprintf("# Note %d\n", i))
	}
	w.until("all to be committed", func() bool { return w.git("status", "--porcelain") == "" })
	if n := len(strings.Fields(w.git("log", "--format=%H"))); n > 5 { // slow writing makes more than one batch
		t.Errorf("%d commits:\n%s", n, w.git("log", "--format=%s"))
	}
}
