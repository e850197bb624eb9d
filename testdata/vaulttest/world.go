// Package vaulttest gives the tests of the hall and of the rooms a whole vault to
// work on: a git repository, the adapters as they are, and somebody who types.
//
//	w := vaulttest.New(t)
//	w.Write("deploy.md", vaulttest.File("pf-aa1", "Deployment", "", "How we deploy.\n"))
//	w.Commit("a memory")
//	w.Clean()
//
// What a room does on it is tested in the folder of its name; "make test" runs
// these with the rest. A plan by itself is tested in its room, on a [vaultmap].
//
// [vaultmap]: ../vaultmap
package vaulttest

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// World is a vault in a git repository of its own, with the real adapters, and
// a person who types into it.
type World struct {
	*sync.Syncer
	T     *testing.T
	Ctx   context.Context
	Root  string
	Index *index.DB
}

// New returns an empty vault whose repository has one commit.
func New(t *testing.T) *World {
	t.Helper()
	w := Unborn(t)
	w.Commit("start")
	return w
}

// Unborn returns an empty vault whose branch has no commit yet.
func Unborn(t *testing.T) *World {
	t.Helper()
	w := Repository(t)
	w.open()
	return w
}

// NeedsGit skips a test where there is no git. What needs none is tested there all the same.
func NeedsGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git on the PATH")
	}
}

// Repository returns a World without a vault: a person and a repository.
func Repository(t *testing.T) *World {
	t.Helper()
	NeedsGit(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	w := &World{T: t, Ctx: t.Context(), Root: root}
	w.Check(err)
	w.Git("init", "-q", "-b", "main")
	w.Git("config", "user.name", "Ann")
	w.Git("config", "user.email", "ann@example.org")
	w.Write(".gitignore", ".cp/\n")
	return w
}

// open wires the adapters.
func (w *World) open() {
	w.T.Helper()
	repo, err := gitstore.FindRepo(w.Root)
	w.Check(err)
	store, err := worktree.Open(w.Root, Ports(repo), worktree.Options{})
	w.Check(err)
	usage, err := usage.Open(filepath.Join(store.CommonStateDir(), "usage.db"))
	w.Check(err)
	mirror, err := index.Open(filepath.Join(w.Root, ".cp", "index.db"), index.Options{Source: store.Ports().Source, Folders: store, Usage: usage})
	w.Check(err)
	w.T.Cleanup(func() { mirror.Close(); usage.Close() })
	w.Index = mirror
	v := &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Usage: usage, Prefix: "pf", Agent: "tester", Now: time.Now, Random: rand.Reader, Deliverable: tree.Deliverable()}
	merges := store.Merges()
	w.Syncer = &sync.Syncer{Vault: v, Merges: merges, Conflicts: merges}
}

// Ports returns a repository as a vault needs it.
func Ports(r *gitstore.Repo) *worktree.Repo {
	return &worktree.Repo{Folders: r, Branch: r, Publisher: r, Takebacks: r, Status: r, Contents: r, Trail: r, Search: r, Joins: r}
}

// Check ends the test at an error.
func (w *World) Check(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// Git runs git in the work tree and returns what it says. As a person does, it tries again
// while another process has git's index locked, for two seconds.
func (w *World) Git(args ...string) string {
	w.T.Helper()
	for until := time.Now().Add(2 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		out, err := w.git(args)
		if err == nil {
			return out
		}
		if !strings.Contains(out, "index.lock': File exists") || time.Now().After(until) {
			w.T.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

func (w *World) git(args []string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = w.Root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Write writes a file as an editor does.
func (w *World) Write(name, text string) {
	w.T.Helper()
	full := filepath.Join(w.Root, name)
	w.Check(os.MkdirAll(filepath.Dir(full), 0o755))
	w.Check(os.WriteFile(full, []byte(text), 0o644))
}

// Disk returns a file's text on disk.
func (w *World) Disk(name string) string {
	w.T.Helper()
	b, err := os.ReadFile(filepath.Join(w.Root, name))
	w.Check(err)
	return string(b)
}

// Rename moves a file or folder as a person does, without git.
func (w *World) Rename(from, to string) {
	w.T.Helper()
	w.Check(os.MkdirAll(filepath.Dir(filepath.Join(w.Root, to)), 0o755))
	w.Check(os.Rename(filepath.Join(w.Root, from), filepath.Join(w.Root, to)))
}

// Unlink deletes a file or folder likewise.
func (w *World) Unlink(name string) {
	w.T.Helper()
	w.Check(os.RemoveAll(filepath.Join(w.Root, name)))
}

// Commit commits everything, as a person does.
func (w *World) Commit(message string) {
	w.T.Helper()
	w.Git("add", "-A")
	w.Git("commit", "-q", "-m", message)
}

// Head returns HEAD's version of a file; empty where there is none.
func (w *World) Head(name string) string {
	w.T.Helper()
	cmd := exec.Command("git", "show", "HEAD:"+name)
	cmd.Dir = w.Root
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// Porcelain returns what git says of the person's own changes.
func (w *World) Porcelain() string { return w.Git("status", "--porcelain") }

// Clean fails unless git sees no changes but those.
func (w *World) Clean(changes ...string) {
	w.T.Helper()
	got := strings.Split(strings.TrimRight(w.Porcelain(), "\n"), "\n")
	if len(got) == 1 && got[0] == "" {
		got = nil
	}
	if !slices.Equal(got, changes) {
		w.T.Errorf("git status says %q, want %q", got, changes)
	}
}

// Contains fails unless text holds all the parts.
func (w *World) Contains(name, text string, parts ...string) {
	w.T.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			w.T.Errorf("%s lacks %q:\n%s", name, part, text)
		}
	}
}

// Lacks fails if text holds any of the parts.
func (w *World) Lacks(name, text string, parts ...string) {
	w.T.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			w.T.Errorf("%s holds %q:\n%s", name, part, text)
		}
	}
}
