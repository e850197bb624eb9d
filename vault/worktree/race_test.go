package worktree_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/worktree"
)

// meddler is a repository in which something happens just before and after the commit.
type meddler struct {
	*gitstore.Repo
	before, after func()
	asked         func() // before the git directory is named
	err           error
}

func (m *meddler) GitDir() string {
	if m.asked != nil {
		m.asked()
	}
	return m.Repo.GitDir()
}

func (m *meddler) Publish(ctx context.Context, c vault.Commit, state string) (vault.Published, error) {
	if m.before != nil {
		m.before()
	}
	if m.err != nil {
		return vault.Published{}, m.err
	}
	done, err := m.Repo.Publish(ctx, c, state)
	if m.after != nil {
		m.after()
	}
	return done, err
}

// meddle reopens the vault on such a repository.
func (w *sandbox) meddle() *meddler {
	w.Helper()
	repo, err := gitstore.FindRepo(w.top)
	must(w, err)
	m, ports := &meddler{Repo: repo}, vaulttest.Ports(repo)
	ports.Publisher, ports.Folders = m, m
	w.store, err = worktree.Open(w.root, ports, worktree.Options{})
	must(w, err)
	return m
}

// resave saves a file as most editors do: a new file is renamed over the old.
func (w *sandbox) resave(name, text string) {
	w.Helper()
	must(w, os.WriteFile(w.path(name)+"~", []byte(text), 0o644))
	must(w, os.Rename(w.path(name)+"~", w.path(name)))
}

// once returns fn for its first call and nothing for those that follow.
func once(fn func()) func(a, b string) {
	called := false
	return func(_, _ string) {
		if !called {
			called = true
			fn()
		}
	}
}

const typed = "typed by a person\n"

var parent = []string{"a.md", memory("pf-a", "a")}

func TestASaveDuringTheExchangeIsKeptAndEdited(t *testing.T) {
	inPlace := func(w *sandbox, text string) { w.save("a.md", text) }
	byRename := func(w *sandbox, text string) { w.resave("a.md", text) }
	both := memory("pf-a", "a\n"+strings.TrimSpace(typed)) + block("pf-b")
	for _, row := range []struct {
		name    string
		save    func(w *sandbox, text string)
		meddle  func(w *sandbox, save func())
		want    string
		version bool // a note tells of a version that was kept
	}{
		{"before it, by rename", byRename, func(w *sandbox, save func()) { w.store.BeforeExchange(once(save)) }, both, false},
		{"before it, in place", inPlace, func(w *sandbox, save func()) { w.store.BeforeExchange(once(save)) }, both, false},
		{"after it, by rename", byRename, func(w *sandbox, save func()) { w.store.AfterExchange(once(save)) }, memory("pf-a", "a\n"+strings.TrimSpace(typed)), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newSandbox(t, "", parent...)
			row.meddle(w, func() { row.save(w, memory("pf-a", "a\n"+strings.TrimSpace(typed))) })
			r := w.done(addSub("pf-b"))
			w.want("a.md", w.text("a.md"), row.want)
			w.want("a.md in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
			if row.version != (len(r.Notes) > 0) {
				t.Errorf("notes %q", r.Notes)
			}
			w.clean(" M a.md")
		})
	}
}

// A save that comes between the plan and the exchange, to what the write replaces:
// it stays in the file, and the rest of the edit is made. Fault O4.
func TestASaveOfWhatIsBeingReplaced(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a\n\n## Notes\n\nold"))
	w.store.BeforeExchange(once(func() { w.resave("a.md", memory("pf-a", "a\n\n## Notes\n\ntyped")) }))
	c := addSub("pf-b")
	c.Edits[1].Steps = append(c.Edits[1].Steps, vault.Step{Op: vault.OpSetSection, Name: "Notes", Text: "new"})
	r := w.done(c)
	w.want("a.md", w.text("a.md"), memory("pf-a", "a\n\n## Notes\n\ntyped")+block("pf-b"))
	w.want("a.md in HEAD", w.committed("a.md"), memory("pf-a", "a\n\n## Notes\n\nnew")+block("pf-b"))
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "your version is in the file") {
		t.Errorf("notes %q", r.Notes)
	}
	w.clean(" M a.md")
}

func TestTwoSavesDuringOneExchange(t *testing.T) {
	w := newSandbox(t, "", parent...)
	exchanges := 0
	w.store.BeforeExchange(func(_, _ string) {
		exchanges++
		switch exchanges {
		case 1: // one editor saves before ours goes in
			w.resave("a.md", memory("pf-a", "first save"))
		case 2: // and another into ours before theirs goes back
			w.save("a.md", memory("pf-a", "second save"))
		}
	})
	r := w.done(addSub("pf-b"))
	w.want("a.md", w.text("a.md"), memory("pf-a", "second save")+block("pf-b"))
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "git diff --no-index") {
		t.Errorf("notes %q", r.Notes)
	}
	w.want("kept", strings.Join(w.keptTexts(), "|"), memory("pf-a", "first save")+"|"+memory("pf-a", "second save"))
}

// keptTexts returns the texts in displaced/, sorted, without repetitions.
func (w *sandbox) keptTexts() []string {
	w.Helper()
	names, err := filepath.Glob(filepath.Join(w.store.StateDir(), "displaced", "*", "*"))
	must(w, err)
	var texts []string
	for _, name := range names {
		b, err := os.ReadFile(name)
		must(w, err)
		texts = append(texts, string(b))
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func TestAFileThatVanishesDuringTheExchange(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.store.BeforeExchange(once(func() { // an editor moves the old file away and writes anew, slowly
		must(t, os.Rename(w.path("a.md"), w.path("a.md~")))
		go func() {
			time.Sleep(20 * time.Millisecond)
			_ = os.WriteFile(w.path("a.md"), []byte(memory("pf-a", "saved")), 0o644)
			_ = os.Remove(w.path("a.md~"))
		}()
	}))
	w.done(addSub("pf-b"))
	w.want("a.md", w.text("a.md"), memory("pf-a", "saved")+block("pf-b"))
	w.clean(" M a.md")
}

func TestAProgramThatSavesAllTheTimeWins(t *testing.T) {
	testlevel.Check(t)
	w := newSandbox(t, "", parent...)
	n := 0
	w.store.BeforeExchange(func(a, b string) {
		if !strings.Contains(a, "displaced") {
			n++
			w.save("a.md", memory("pf-a", "save "+strings.Repeat("x", n)))
		}
	})
	r := w.done(addSub("pf-b"))
	if len(r.Notes) == 0 || !strings.Contains(r.Notes[len(r.Notes)-1], "cp memory sync") {
		t.Errorf("notes %q", r.Notes)
	}
	w.want("in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.clean(" M a.md")
}

func TestAFileThatStaysEmptyIsLeftAlone(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.store.BeforeExchange(once(func() { must(t, os.Truncate(w.path("a.md"), 0)) }))
	r := w.done(addSub("pf-b"))
	w.want("a.md", w.text("a.md"), "")
	w.want("in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
	if len(r.Notes) != 1 {
		t.Errorf("notes %q", r.Notes)
	}
}

func TestWithoutExchangeAndLinks(t *testing.T) {
	for _, row := range []struct {
		name string
		lack func(s *worktree.Store)
	}{
		{"no exchange", func(s *worktree.Store) { s.WithoutExchange(disk.ErrNoExchange) }},
		{"no hard links", func(s *worktree.Store) { s.WithoutLinks(syscall.EPERM) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", memory("pf-b", "b"), "a/b/c.md", memory("pf-c", "c"), "c.md", "c\n")
			must(t, os.Symlink("c.md", w.path("a/b/link")))
			must(t, os.Chmod(w.path("a/b/c.md"), 0o600))
			row.lack(w.store)
			w.done(moveTree())
			w.clean("?? c/b/link")
			w.want("files", w.git("ls-files"), "a.md\nc.md\nc/b.md\nc/b/c.md")
			w.want("c.md", w.text("c.md"), "c\n"+block("pf-b"))
			if info, err := os.Stat(w.path("c/b/c.md")); err != nil || info.Mode() != 0o600 {
				t.Errorf("mode %v, %v", info.Mode(), err)
			}
		})
	}
}

func TestASaveIntoTheReplacedFile(t *testing.T) {
	open := func(w *sandbox) *os.File {
		f, err := os.OpenFile(w.path("a.md"), os.O_WRONLY, 0)
		must(t, err)
		t.Cleanup(func() { f.Close() })
		return f
	}
	save := func(f *os.File) {
		must(t, f.Truncate(0))
		_, err := f.WriteAt([]byte(memory("pf-a", "late")), 0)
		must(t, err)
	}
	t.Run("before the write ends is edited", func(t *testing.T) {
		w := newSandbox(t, "", parent...)
		editor := open(w)
		w.meddle().after = func() { save(editor) }
		r := w.done(addSub("pf-b"))
		w.want("a.md", w.text("a.md"), memory("pf-a", "late")+block("pf-b"))
		w.clean(" M a.md")
		if r := w.done(addSub("pf-c")); len(r.Notes) > 0 {
			t.Errorf("told later: %q", r.Notes)
		}
		if len(r.Notes) > 0 {
			t.Errorf("notes %q", r.Notes)
		}
	})
	t.Run("later is told once", func(t *testing.T) {
		w := newSandbox(t, "", parent...)
		editor := open(w)
		w.done(addSub("pf-b"))
		save(editor)
		for i, want := range []int{1, 0} {
			w.reopen()
			r := w.done(addSub([]string{"pf-c", "pf-d"}[i]))
			if len(r.Notes) != want || want > 0 && !strings.Contains(r.Notes[0], "a.md: a program saved") {
				t.Errorf("write %d: notes %q", i, r.Notes)
			}
		}
		if !slices.Contains(w.keptTexts(), memory("pf-a", "late")) {
			t.Errorf("kept %q", w.keptTexts())
		}
	})
}

func TestSavesWhileAFolderMoves(t *testing.T) {
	for _, row := range []struct {
		name   string
		before func(w *sandbox) // the commit
		after  func(w *sandbox)
		want   map[string]string
		notes  int
	}{
		{"in place at the old name", func(w *sandbox) { w.save("a/b/c.md", typed) }, nil, map[string]string{"c/b/c.md": typed, "a/b/c.md": "(none)"}, 0},
		{"by rename at the old name", func(w *sandbox) { w.resave("a/b/c.md", typed) }, nil, map[string]string{"c/b/c.md": typed, "a/b/c.md": "(none)"}, 1},
		{"by rename after the commit", nil, func(w *sandbox) { w.resave("a/b.md", typed) }, map[string]string{"c/b.md": typed, "a/b.md": "(none)"}, 1},
		{"by rename at the new name", func(w *sandbox) { w.resave("c/b/c.md", memory("pf-c", typed)) }, nil, map[string]string{"c/b/c.md": memory("pf-c", typed), "a/b/c.md": "(none)"}, 0},
		{"at both names", func(w *sandbox) { w.resave("a/b/c.md", "old place\n"); w.resave("c/b/c.md", typed) }, nil, map[string]string{"c/b/c.md": typed, "a/b/c.md": "old place\n"}, 1},
		{"a new file in the old folder", nil, func(w *sandbox) { w.save("a/b/new/late.md", typed) }, map[string]string{"c/b/new/late.md": typed, "a/b/new/late.md": "(none)"}, 0},
		{"somebody else's file at the new name", nil, func(w *sandbox) { must(w, os.Remove(w.path("c/b/c.md"))); w.save("c/b/c.md", memory("pf-x", "x")) },
			map[string]string{"c/b/c.md": memory("pf-x", "x"), "a/b/c.md": memory("pf-c", "c")}, 1},
		{"deleted at the new name", nil, func(w *sandbox) { must(w, os.Remove(w.path("c/b/c.md"))) }, map[string]string{"a/b/c.md": "(none)", "c/b/c.md": memory("pf-c", "c")}, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", memory("pf-b", "b"), "a/b/c.md", memory("pf-c", "c"), "c.md", "c\n")
			m := w.meddle()
			if row.before != nil {
				m.before = func() { row.before(w) }
			}
			if row.after != nil {
				m.after = func() { row.after(w) }
			}
			r := w.done(moveTree())
			for name, want := range row.want {
				w.want(name, w.text(name), want)
			}
			if len(r.Notes) != row.notes {
				t.Errorf("notes %q", r.Notes)
			}
			w.want("leftovers", strings.Join(w.leftovers(), " "), "")
		})
	}
}

func TestAFileSavedWhileItIsDeletedStays(t *testing.T) {
	for name, save := range map[string]func(w *sandbox){
		"by rename": func(w *sandbox) { w.resave("a/b/c.md", typed) },
		"in place":  func(w *sandbox) { w.save("a/b/c.md", typed) },
	} {
		w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", "b\n", "a/b/c.md", "c\n")
		w.meddle().before = func() { save(w) }
		r := w.done(deleteTree())
		w.want(name, w.text("a/b/c.md"), typed)
		w.clean("?? a/b/c.md")
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "a/b/c.md was saved") {
			t.Errorf("%s: notes %q", name, r.Notes)
		}
	}
}

// planning is a repository in which something happens while a write is planned.
type planning struct {
	*gitstore.Repo
	during func()
}

func (p planning) Changes(ctx context.Context, from, to, prefix string, fn func(path, blob string) error) error {
	p.during()
	return p.Repo.Changes(ctx, from, to, prefix, fn)
}

func TestANameTakenAtTheLastMoment(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"), "old/x.md", "x\n")
	repo, err := gitstore.FindRepo(w.top)
	must(t, err)
	ports := vaulttest.Ports(repo)
	ports.Contents = planning{repo, func() { w.save("a/pf-b.md", "somebody's\n") }}
	w.store, err = worktree.Open(w.root, ports, worktree.Options{})
	must(t, err)
	c := addSub("pf-b")
	c.Edits = append(c.Edits, vault.Edit{Path: "old", Remove: true, Tree: true})
	r := w.done(c)
	w.want("theirs", w.text("a/pf-b.md"), "somebody's\n")
	w.want("ours", w.committed("a/pf-b-2.md"), memory("pf-b", "child"))
	if len(r.Notes) != 1 || !slices.Contains(r.Paths, "a/pf-b-2.md") {
		t.Errorf("%+v", r)
	}
	w.clean("?? a/pf-b.md")
}

// A crash between the exchange and the look leaves a person's save in the
// temporary file, and ours in its place.
func TestACrashWhileAPersonsSaveIsOutOfItsPlace(t *testing.T) {
	saved := memory("pf-a", "saved")
	for _, row := range []struct{ name, text, later, want string }{
		{"it goes back and is edited", saved, "", saved + block("pf-b")},
		{"an empty one is an editor half-way: ours stays", "", "", memory("pf-a", "a") + block("pf-b")},
		{"saved again since: the newer one stays", saved, memory("pf-a", "newer"), memory("pf-a", "newer") + block("pf-b")},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newSandbox(t, "", parent...)
			w.store.BeforeExchange(func(_, _ string) { w.resave("a.md", row.text) })
			w.store.AfterExchange(func(_, _ string) { panic("crash") })
			func() {
				defer func() { _ = recover() }()
				_, _ = w.commit(addSub("pf-b"))
			}()
			if row.later != "" {
				w.resave("a.md", row.later)
			}
			w.reopen()
			unlock, err := w.store.Lock(context.Background(), "status")
			must(t, err)
			unlock()
			w.want("a.md", w.text("a.md"), row.want)
			w.want("in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
			w.want("leftovers", strings.Join(w.leftovers(), " "), "")
			if !slices.Contains(append(w.keptTexts(), row.want), row.text) && !strings.Contains(row.want, "saved") {
				t.Errorf("the save is not kept: %q", w.keptTexts())
			}
		})
	}
}

// What a person's git takes from the disk while the commit is made is there
// again when the write succeeds: git clean a new file and the new name of a
// moved one, git checkout or stash our edit.
func TestWhatGitTookDuringTheCommitIsOnDisk(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"), "c.md", memory("pf-z", "z"), "x.md", memory("pf-x", "x"))
	m := w.meddle()
	m.before = func() {
		w.git("clean", "-fdxq")
		w.git("checkout", "-q", "--", "a.md")
	}
	c := addSub("pf-new")
	c.Edits = append(c.Edits, vault.Edit{Path: "x.md", To: "y/x.md"})
	w.done(c)
	w.clean()
	w.want("the new file", w.text("a/pf-new.md"), memory("pf-new", "child"))
	w.want("the moved file", w.text("y/x.md"), memory("pf-x", "x"))
	if !strings.Contains(w.text("a.md"), "pf-new") {
		t.Errorf("the pointer is not on disk:\n%s", w.text("a.md"))
	}
}

// git stash -u takes our temporary file along, and its pop brings it back while the edit
// that git took is made again.
func TestAStashBringsATemporaryFileBack(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"))
	m, was := w.meddle(), w.text("a.md")
	temp := ""
	w.store.BeforeExchange(func(a, b string) {
		if temp == "" {
			temp = a
		}
	})
	m.before = func() {
		w.git("checkout", "-q", "--", "a.md")
		must(w, os.WriteFile(temp, []byte(was), 0o644))
	}
	w.done(addSub("pf-new"))
	w.clean()
	if !strings.Contains(w.text("a.md"), "pf-new") {
		t.Errorf("the pointer is not on disk:\n%s", w.text("a.md"))
	}
}

// What git did to the files while it held the index is put right when it lets go.
func TestAGitThatHeldTheIndexTookTheEdit(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"))
	m, was := w.meddle(), w.text("a.md")
	lock := filepath.Join(w.top, ".git", "index.lock")
	m.after = func() {
		m.asked = func() { // where the lock is looked for, now that all else is done
			m.asked = nil
			must(w, os.WriteFile(lock, nil, 0o644))
			must(w, os.WriteFile(w.path("a.md"), []byte(was), 0o644))
			time.AfterFunc(20*time.Millisecond, func() { _ = os.Remove(lock) })
		}
	}
	w.done(addSub("pf-new"))
	w.clean()
	if !strings.Contains(w.text("a.md"), "pf-new") {
		t.Errorf("the pointer is not on disk:\n%s", w.text("a.md"))
	}
}

// A git reset --hard that began before our commit puts the branch back after it,
// as each git stash may; the write is acknowledged only where it stays.
func TestAResetThatCameTooLateTakesNothing(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	m, left := w.meddle(), 2
	m.after = func() {
		if left--; left >= 0 {
			w.git("update-ref", "-m", "reset: moving to HEAD", "refs/heads/main", was)
		}
	}
	r := w.done(addSub("pf-b"))
	w.want("HEAD", w.git("rev-parse", "HEAD"), r.Commit)
	w.want("a.md in HEAD", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
	w.want("commits", w.git("rev-list", "--count", "HEAD"), "2")
	w.clean("")
}

// A git merge that fails while a write is under way puts index and files back to before an
// earlier write. The write in hand must not record that as a person's wish: a later commit
// -a would take the earlier one out of the branch. Faults of the kind come in two moments:
// before the write's own files are on disk, and after.
func TestAMergeThatFailsBesideAWriteTakesNothing(t *testing.T) {
	for _, row := range []struct {
		name string
		set  func(m *meddler, fail func())
	}{
		{"after its files are on disk", func(m *meddler, fail func()) { m.before = fail }},
		{"after it is published", func(m *meddler, fail func()) { m.after = fail }},
	} {
		w := newSandbox(t, "", parent...)
		was := w.git("rev-parse", "HEAD")
		w.done(addSub("pf-b"))
		m, failed := w.meddle(), false
		row.set(m, func() {
			if !failed {
				failed = true
				w.git("update-ref", "ORIG_HEAD", was)
				w.git("read-tree", "--reset", "-u", was)
			}
		})
		w.done(addSub("pf-c"))
		m.before, m.after = nil, nil
		w.done(addSub("pf-d"))
		w.clean("")
		w.want(row.name+": a.md", w.text("a.md"), memory("pf-a", "a")+block("pf-b", "pf-c", "pf-d"))
		for _, id := range []string{"pf-b", "pf-c", "pf-d"} {
			w.want(row.name+": "+id, w.committed("a/"+id+".md"), memory(id, "child"))
		}
	}
}

// The merge may also be left half-way, with a write that could not be finished because of
// it: what the merge took back is put back before that is refused.
func TestAMergeThatIsLeftHalfWayTakesNothing(t *testing.T) {
	w := newSandbox(t, "", parent...)
	was := w.git("rev-parse", "HEAD")
	w.done(addSub("pf-b"))
	m := w.meddle()
	m.err = vault.Standstill("merge")
	if _, err := w.commit(addSub("pf-c")); vault.CodeOf(err) != vault.CodeQueued {
		t.Fatalf("a write in a merge: %v", err)
	}
	w.git("update-ref", "ORIG_HEAD", was)
	w.git("read-tree", "--reset", "-u", was)
	must(w, os.WriteFile(filepath.Join(w.top, ".git", "MERGE_HEAD"), []byte(was+"\n"), 0o644))
	if _, err := w.store.Lock(t.Context(), "sync"); vault.CodeOf(err) != vault.CodeBusy {
		t.Errorf("a lock in a merge: %v", err)
	}
	w.want("staged", w.git("diff", "--cached", "--name-only"), "")
	w.want("pf-b", w.text("a/pf-b.md"), memory("pf-b", "child"))
	w.git("commit", "-qam", "by hand")
	m.err = nil
	w.done(addSub("pf-d"))
	w.clean("")
	w.want("a.md", w.committed("a.md"), memory("pf-a", "a")+block("pf-b", "pf-c", "pf-d"))
}
