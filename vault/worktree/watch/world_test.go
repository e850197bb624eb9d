package watch

import (
	"context"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cp-memory/cp/index/usage"
	reconcile "github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// world is a vault in a git repository with the real adapters, a watcher that a
// test starts, and a reader that asks it.
type world struct {
	t     *testing.T
	root  string
	store *worktree.Store
	place string

	mu     sync.Mutex
	passes []tree.Pass
	warned []string
}

const build = "1.test"

func newWorld(t *testing.T) *world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	w := &world{t: t, root: root}
	w.check(err)
	w.git("init", "-q", "-b", "main")
	w.git("config", "user.name", "Ann")
	w.git("config", "user.email", "ann@example.org")
	w.write(".gitignore", ".cp/\n")
	w.git("add", "-A")
	w.git("commit", "-qm", "start")
	repo, err := gitstore.Find(root)
	w.check(err)
	w.store, err = worktree.Open(root, vaulttest.Ports(repo), worktree.Options{})
	w.check(err)
	w.place = Place(root, w.store.StateDir())
	return w
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

func (w *world) write(name, text string) {
	w.t.Helper()
	full := filepath.Join(w.root, name)
	w.check(os.MkdirAll(filepath.Dir(full), 0o755))
	w.check(os.WriteFile(full, []byte(text), 0o644))
}

// mirror opens the index; with live it asks the watcher.
func (w *world) mirror(live index.Live) *index.DB {
	w.t.Helper()
	m, err := index.Open(filepath.Join(w.root, ".cp", "index.db"), index.Options{Source: w.store.Ports().Source, Live: live})
	w.check(err)
	w.t.Cleanup(func() { m.Close() })
	return m
}

func (w *world) reader() Reader { return Reader{Place: w.place, Build: build} }

// vault opens the vault as a command does.
func (w *world) vault() *reconcile.Syncer {
	w.t.Helper()
	return &reconcile.Syncer{Vault: &vault.Vault{Store: w.store.Ports(), Mirror: w.mirror(w.reader()).Ports(), Usage: (*usage.DB)(nil), Prefix: "pf", Agent: "tester", Now: time.Now, Random: rand.Reader, Deliverable: tree.Deliverable()}}
}

// start starts a watcher and waits for its first pass. stop ends it and waits
// for its end.
func (w *world) start(change func(*Options)) (stop func()) {
	w.t.Helper()
	o := Options{
		Vault: w.vault(), Mirror: w.mirror(nil), Folders: w.store, Root: w.root, Place: w.place,
		Git: []string{filepath.Join(w.root, ".git")}, Build: build,
		Told: w.told, Warn: w.warn,
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, o) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Errorf("the watcher ended with: %v", err)
		}
	})
	w.t.Cleanup(stop)
	w.until("the first pass", func() bool { return len(w.seen()) > 0 })
	return stop
}

func (w *world) told(p tree.Pass) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.passes = append(w.passes, p)
	return nil
}

func (w *world) warn(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.warned = append(w.warned, text)
}

// seen returns the passes that were told.
func (w *world) seen() []tree.Pass {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]tree.Pass{}, w.passes...)
}

func (w *world) warnings() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string{}, w.warned...)
}

// until waits for something to hold, for a minute at the most.
func (w *world) until(what string, holds func() bool) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("waited a minute for %s; passes %+v, warnings %q", what, w.seen(), w.warnings())
		}
	}
}

// indexed returns the hash of a file in the index as it stands, without any
// catch-up; empty when it is not there.
func (w *world) indexed(m *index.DB, p vault.Path) string {
	w.t.Helper()
	n, ok, err := m.At(w.t.Context(), p)
	w.check(err)
	if !ok {
		return ""
	}
	return n.Hash
}

// hash is the hash of a text, or of no file.
func (w *world) hash(text string) string {
	if text == "" {
		return ""
	}
	return w.store.BlobID([]byte(text))
}

// shows waits until the index has a text, with no reader around.
func (w *world) shows(m *index.DB, p vault.Path, text string) {
	w.t.Helper()
	w.until("the index to show "+string(p), func() bool { return w.indexed(m, p) == w.hash(text) })
}
