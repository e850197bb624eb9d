package vault_test

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

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree"
)

// world is a vault in a git repository of its own, with the real adapters, and
// a person who types into it.
type world struct {
	*vault.Vault
	t    *testing.T
	ctx  context.Context
	root string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, ctx: t.Context(), root: t.TempDir()}
	w.git("init", "-q", "-b", "main")
	w.git("config", "user.name", "Ann")
	w.git("config", "user.email", "ann@example.org")
	w.write(".gitignore", ".cp/\n")
	w.commit("start")
	w.open()
	return w
}

func (w *world) open() {
	w.t.Helper()
	repo, err := gitstore.Find(w.root)
	w.check(err)
	store, err := worktree.Open(w.root, repo, worktree.Options{})
	w.check(err)
	usage, err := index.OpenUsage(filepath.Join(store.CommonStateDir(), "usage.db"))
	w.check(err)
	mirror, err := index.Open(filepath.Join(w.root, ".cp", "index.db"), index.Options{Source: store.Ports().Source, Usage: usage})
	w.check(err)
	w.t.Cleanup(func() { mirror.Close(); usage.Close() })
	w.Vault = &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Usage: usage, Prefix: "pf", Agent: "tester", Now: time.Now, Random: rand.Reader}
	merges := store.Merges(repo)
	w.Merges, w.Conflicts = merges, merges
}

func (w *world) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) git(args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = w.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// write writes a file as an editor does.
func (w *world) write(name, text string) {
	w.t.Helper()
	full := filepath.Join(w.root, name)
	w.check(os.MkdirAll(filepath.Dir(full), 0o755))
	w.check(os.WriteFile(full, []byte(text), 0o644))
}

func (w *world) read(name string) string {
	w.t.Helper()
	b, err := os.ReadFile(filepath.Join(w.root, name))
	w.check(err)
	return string(b)
}

func (w *world) move(from, to string) {
	w.t.Helper()
	w.check(os.MkdirAll(filepath.Dir(filepath.Join(w.root, to)), 0o755))
	w.check(os.Rename(filepath.Join(w.root, from), filepath.Join(w.root, to)))
}

func (w *world) remove(name string) {
	w.t.Helper()
	w.check(os.RemoveAll(filepath.Join(w.root, name)))
}

// commit commits everything, as a person does.
func (w *world) commit(message string) {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "-m", message)
}

// head returns HEAD's version of a file; empty where there is none.
func (w *world) head(name string) string {
	w.t.Helper()
	cmd := exec.Command("git", "show", "HEAD:"+name)
	cmd.Dir = w.root
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// sync runs sync and then checks what holds after each: a second run finds
// nothing and commits nothing, and the repository is sound.
func (w *world) sync(o vault.Sync) vault.Synced {
	w.t.Helper()
	out, err := w.Sync(w.ctx, o)
	w.check(err)
	before := w.git("rev-parse", "HEAD")
	again, err := w.Sync(w.ctx, o)
	w.check(err)
	for _, d := range again.Discrepancies {
		if d.Fixed != "" {
			w.t.Errorf("a second run fixed again: %s %s: %s", d.Type, d.Path, d.Fixed)
		}
	}
	if after := w.git("rev-parse", "HEAD"); after != before || again.Fixed {
		w.t.Errorf("a second run made a commit:\n%s", w.git("show", "--stat", "-p", "HEAD"))
	}
	w.git("fsck", "--strict")
	return out
}

// status returns what git says of the person's own changes.
func (w *world) status() string { return w.git("status", "--porcelain") }

// fixed returns the words of what was done, by type.
func fixed(out vault.Synced) []string {
	var words []string
	for _, d := range out.Discrepancies {
		words = append(words, d.Type+": "+d.Fixed)
	}
	return words
}

// wantFixed compares what was done with what should have been; a want may leave
// out the end.
func (w *world) wantFixed(out vault.Synced, want ...string) {
	w.t.Helper()
	got := fixed(out)
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = strings.HasPrefix(got[i], want[i])
	}
	if !ok {
		w.t.Errorf("sync did\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// clean fails unless git sees no changes but those.
func (w *world) clean(changes ...string) {
	w.t.Helper()
	got := strings.Split(strings.TrimRight(w.status(), "\n"), "\n")
	if len(got) == 1 && got[0] == "" {
		got = nil
	}
	if !slices.Equal(got, changes) {
		w.t.Errorf("git status says %q, want %q", got, changes)
	}
}

// contains fails unless text holds all the parts.
func (w *world) contains(name, text string, parts ...string) {
	w.t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			w.t.Errorf("%s lacks %q:\n%s", name, part, text)
		}
	}
}

func (w *world) lacks(name, text string, parts ...string) {
	w.t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			w.t.Errorf("%s holds %q:\n%s", name, part, text)
		}
	}
}
