package worktree_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree"
)

func TestTheLockNamesItsHolder(t *testing.T) {
	w := newSandbox(t, "", parent...)
	unlock, err := w.store.Lock(context.Background(), "import")
	must(t, err)
	repo, err := gitstore.FindRepo(w.top)
	must(t, err)
	other, err := worktree.Open(w.root, vaulttest.Ports(repo), worktree.Options{Wait: 20 * time.Millisecond})
	must(t, err)
	_, err = other.Lock(context.Background(), "add")
	if want := fmt.Sprintf("cp import (process %d", os.Getpid()); vault.CodeOf(err) != vault.CodeLocked || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.store.Lock(ctx, "add"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled wait: %v", err)
	}
	unlock()
	unlock, err = other.Lock(context.Background(), "add")
	must(t, err)
	unlock()
	w.clean()
}

func TestOneWriterAtATime(t *testing.T) {
	w := newSandbox(t, "", parent...)
	var inside atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 5 {
				unlock, err := w.store.Lock(context.Background(), "test")
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two writers hold the lock")
				}
				inside.Add(-1)
				unlock()
			}
		})
	}
	group.Wait()
}

func TestWhileAPersonMerges(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.git("switch", "-qc", "side")
	w.save("a.md", "side\n")
	w.git("commit", "-qam", "side")
	w.git("switch", "-q", "main")
	w.save("a.md", "main\n")
	w.git("commit", "-qam", "main")
	_ = exec.Command("git", "-C", w.top, "merge", "-q", "side").Run() // conflicts
	before := w.text("a.md")
	_, err := w.commit(addSub("pf-b"))
	if vault.CodeOf(err) != vault.CodeBusy || !strings.Contains(err.Error(), "merge") {
		t.Errorf("got %v", err)
	}
	w.want("a.md", w.text("a.md"), before)
	w.want("the child", w.text("a/pf-b.md"), "(none)")
	w.git("merge", "--abort")
	w.done(addSub("pf-b"))
	w.clean()
}

func TestARepositoryThatBecomesBusyFinishesLater(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.meddle().err = vault.Errorf(vault.CodeBusy, "", "a rebase is under way")
	_, err := w.commit(addSub("pf-b"))
	if vault.CodeOf(err) != vault.CodeQueued {
		t.Fatalf("got %v", err)
	}
	w.want("commits", w.git("rev-list", "--count", "HEAD"), "1")
	_, err = w.store.Lock(context.Background(), "add")
	if vault.CodeOf(err) != vault.CodeBusy {
		t.Errorf("the next write, which is not saved: %v", err)
	}
	w.reopen()
	unlock, err := w.store.Lock(context.Background(), "status")
	must(t, err)
	unlock()
	w.clean()
	w.want("a.md", w.committed("a.md"), memory("pf-a", "a")+block("pf-b"))
}

// What is in the way is the person's file, and not the name that we would give it.
func TestAnErrorNamesThePersonsFile(t *testing.T) {
	w := newSandbox(t, "", parent...)
	for _, names := range [][2]string{{"a.md", ".cp-1-leaving-0-0.tmp"}, {".cp-1-new.tmp", "a.md"}} {
		err := &os.LinkError{Op: "rename", Old: w.path(names[0]), New: w.path(names[1]), Err: syscall.EPERM}
		if got := w.store.PathOf(err); got != "a.md" {
			t.Errorf("%v: got %q", names, got)
		}
	}
}

func TestAFullDiskSaysWhoseWriteWaits(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.meddle().err = &os.PathError{Op: "write", Path: w.path(".git/objects/x"), Err: syscall.ENOSPC}
	_, first := w.commit(addSub("pf-b"))
	_, second := w.store.Lock(context.Background(), "add")
	for _, row := range []struct {
		err       error
		msg, hint string
	}{
		{first, ".git/objects/x: cannot be written: no space left on device", "free some space on the disk; the next cp command finishes this write, so do not repeat it"},
		{second, ".git/objects/x: an earlier write is not finished: cannot be written: no space left on device", "free some space on the disk; this command has changed nothing"},
	} {
		var e *vault.Error
		if !errors.As(row.err, &e) || e.Code != vault.CodeIO || e.Error() != row.msg || e.Hint != row.hint {
			t.Errorf("got %v, %#v", row.err, e)
		}
	}
	w.reopen()
	w.done(addSub("pf-c"))
	w.clean()
	w.want("a.md", w.committed("a.md"), memory("pf-a", "a")+block("pf-b", "pf-c"))
}

func TestWhatTheRepositoryRefusesIsUndone(t *testing.T) {
	for _, row := range []struct {
		name   string
		change *vault.Change
	}{{"add-sub", addSub("pf-new")}, {"move", moveTree()}, {"delete", deleteTree()}} {
		t.Run(row.name, func(t *testing.T) {
			w := newSandbox(t, "", "a.md", memory("pf-a", "a")+block("pf-b"), "a/b.md", memory("pf-b", "b"), "a/b/c.md", memory("pf-c", "c"), "c.md", "c\n")
			w.save("c.md", "c\n"+typed)
			must(t, os.Mkdir(w.path("a/b/empty"), 0o755))
			w.meddle().err = vault.Errorf(vault.CodeDamaged, "", "refused")
			if _, err := w.commit(row.change); vault.CodeOf(err) != vault.CodeDamaged {
				t.Errorf("got %v", err)
			}
			w.clean(" M c.md")
			w.want("c.md", w.text("c.md"), "c\n"+typed)
			w.want("a folder of the new place", w.text("c"), "(none)")
		})
	}
}

func TestTheOutbox(t *testing.T) {
	ctx := context.Background()
	w := newSandbox(t, "", parent...)
	if waiting, err := w.store.Waiting(ctx); err != nil || len(waiting) > 0 {
		t.Errorf("before the first: %v, %v", waiting, err)
	}
	at := time.Date(2026, 11, 2, 14, 0, 0, 0, time.UTC)
	first := vault.Queued{Op: "pf-z" /* as an earlier version named it */, At: at, Verb: "add", Options: []byte(`{"Text":"x"}`)}
	second := vault.Queued{Op: "../odd/name", At: at.Add(time.Second), Verb: "add-sub", Options: []byte(`{}`)}
	must(t, w.store.Queue(ctx, second))
	must(t, os.WriteFile(filepath.Join(w.store.StateDir(), "outbox", "pf-z.json.tmp"), []byte("a killed process's"), 0o600))
	must(t, w.store.Queue(ctx, first))
	must(t, w.store.Queue(ctx, first)) // a delivery that met a busy repository again
	w.reopen()
	waiting, err := w.store.Waiting(ctx)
	must(t, err)
	if diff := cmp.Diff([]vault.Queued{first, second}, waiting); diff != "" {
		t.Error(diff)
	}
	made := addSub("pf-new")
	if made.Queued, err = w.store.Next(ctx); err != nil || made.Queued == nil || made.Queued.Op != first.Op {
		t.Fatalf("next: %v, %v", made.Queued, err)
	}
	w.done(made)
	must(t, w.store.Queue(ctx, first)) // a crash before it was removed
	if next, err := w.store.Next(ctx); err != nil || next == nil || next.Op != second.Op {
		t.Errorf("next after the delivery: %v, %v", next, err)
	}
	waiting, err = w.store.Waiting(ctx)
	if err != nil || len(waiting) != 1 || waiting[0].Op != second.Op {
		t.Errorf("after the delivery: %v, %v", waiting, err)
	}
	must(t, w.store.Queue(ctx, vault.Queued{Verb: "add"}))
	must(t, os.WriteFile(filepath.Join(w.store.StateDir(), "outbox", "bad.json"), []byte("{"), 0o600))
	if waiting, err := w.store.Waiting(ctx); vault.CodeOf(err) != vault.CodeDamaged || len(waiting) != 2 {
		t.Errorf("a damaged record, beside two: %v, %v", waiting, err)
	}
}

func TestTornRecordsWereNeverStarted(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.done(addSub("pf-b"))
	tx := filepath.Join(w.store.StateDir(), "tx")
	for name, text := range map[string]string{"1.json": `{"sum":"`, "2.json": "", "3.json.tmp": "x", "4.json": `{"sum":"00","intent":{"format":1,"op":"4"}}`} {
		must(t, os.WriteFile(filepath.Join(tx, name), []byte(text), 0o600))
	}
	w.done(addSub("pf-c"))
	w.clean()
}

func TestReplacedFilesGoAfterAWeek(t *testing.T) {
	w := newSandbox(t, "", parent...)
	repo, err := gitstore.FindRepo(w.top)
	must(t, err)
	now := time.Now()
	w.store, err = worktree.Open(w.root, vaulttest.Ports(repo), worktree.Options{Now: func() time.Time { return now }})
	must(t, err)
	w.done(addSub("pf-b"))
	for _, row := range []struct {
		after time.Duration
		want  int
	}{{6 * 24 * time.Hour, 1}, {8 * 24 * time.Hour, 0}} {
		start := now
		now = now.Add(row.after)
		unlock, err := w.store.Lock(context.Background(), "status")
		must(t, err)
		unlock()
		if kept := w.keptTexts(); len(kept) != row.want {
			t.Errorf("after %s: %q", row.after, kept)
		}
		now = start
	}
}

func TestAVaultWhoseGitDirectoryIsElsewhere(t *testing.T) {
	w := newSandbox(t, "")
	top, gitDir := filepath.Join(t.TempDir(), "w"), filepath.Join(t.TempDir(), "g")
	w.git("init", "-q", "-b", "main", "--separate-git-dir="+gitDir, top)
	other := &sandbox{TB: t, top: top, root: top}
	other.git("config", "user.email", "x@example.com")
	other.reopen()
	other.save("a.md", memory("pf-a", "a"))
	other.done(addSub("pf-b"))
	if !strings.HasPrefix(other.store.StateDir(), gitDir) {
		t.Errorf("state in %s", other.store.StateDir())
	}
	other.clean("?? a.md")
}

func TestALinkedWorkTreeHasItsOwnState(t *testing.T) {
	w := newSandbox(t, "", parent...)
	side := filepath.Join(t.TempDir(), "side")
	w.git("worktree", "add", "-q", side)
	other := &sandbox{TB: t, top: side, root: side}
	other.reopen()
	other.done(addSub("pf-b"))
	other.clean()
	w.done(addSub("pf-c"))
	w.clean()
	if w.store.StateDir() == other.store.StateDir() || w.store.CommonStateDir() != other.store.CommonStateDir() {
		t.Errorf("state in %s and %s", w.store.StateDir(), other.store.StateDir())
	}
}

func TestALinkThatCameIntoTheWayOfAnUnfinishedWrite(t *testing.T) {
	w := newSandbox(t, "", parent...)
	w.meddle().err = vault.Errorf(vault.CodeBusy, "", "a rebase is under way")
	_, _ = w.commit(addSub("pf-b"))
	outside := t.TempDir()
	must(t, os.RemoveAll(w.path("a")))
	must(t, os.Symlink(outside, w.path("a")))
	w.reopen()
	_, err := w.store.Lock(context.Background(), "add")
	if vault.CodeOf(err) != vault.CodeDamaged {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("written through the link: %v", entries)
	}
	must(t, os.Remove(w.path("a")))
	unlock, err := w.store.Lock(context.Background(), "add")
	must(t, err)
	unlock()
	w.clean()
}

func TestWithoutGitReadingWorksAndWritingSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("text\n"), 0o644))
	s, err := worktree.Open(dir, nil, worktree.Options{})
	must(t, err)
	ctx := context.Background()
	if head, err := s.Head(ctx); err != nil || head != (vault.Head{}) {
		t.Errorf("Head = %+v, %v", head, err)
	}
	if dirty, _, err := s.ListModified(ctx, "a.md"); err != nil || len(dirty) == 0 {
		t.Errorf("Modified = %v, %v", dirty, err)
	}
	if id := s.BlobID([]byte("hello\n")); id != "ce013625030ba8dba906f756967f9e9ca394464a" {
		t.Errorf("BlobID = %s", id)
	}
	_, err = s.Lock(ctx, "add")
	_, cerr := s.Commit(ctx, &vault.Change{Edits: []vault.Edit{{Path: "x.md", Create: []byte("x")}}})
	for _, err := range []error{err, cerr, s.Queue(ctx, vault.Queued{})} {
		if vault.CodeOf(err) != vault.CodeNoGit || !strings.Contains(err.(*vault.Error).Hint, "git init && cp init") {
			t.Errorf("got %v", err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("something was written: %v", entries)
	}
}
