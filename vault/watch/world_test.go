package watch

import (
	"context"
	"crypto/rand"
	"path/filepath"
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
	*vaulttest.World
	store *worktree.Store
	place string

	mu     sync.Mutex
	passes []tree.Pass
	warned []string
}

const build = "1.test"

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: vaulttest.Repository(t)}
	w.Commit("start")
	repo, err := gitstore.FindRepo(w.Root)
	w.Check(err)
	w.store, err = worktree.Open(w.Root, vaulttest.Ports(repo), worktree.Options{})
	w.Check(err)
	w.place = LockFolder(w.Root, w.store.StateDir())
	return w
}

// mirror opens the index; with live it asks the watcher.
func (w *world) mirror(live index.Live) *index.DB {
	w.T.Helper()
	m, err := index.Open(filepath.Join(w.Root, ".cp", "index.db"), index.Options{Source: w.store.Ports().Source, Folders: w.store, Live: live})
	w.Check(err)
	w.T.Cleanup(func() { m.Close() })
	return m
}

func (w *world) reader() Reader { return Reader{Place: w.place, Build: build} }

// vault opens the vault as a command does.
func (w *world) vault() *reconcile.Syncer {
	w.T.Helper()
	return &reconcile.Syncer{Vault: &vault.Vault{Store: w.store.Ports(), Mirror: w.mirror(w.reader()).Ports(), Usage: (*usage.DB)(nil), Prefix: "pf", Agent: "tester", Now: time.Now, Random: rand.Reader, Deliverable: tree.Deliverable()}}
}

// start starts a watcher and waits for its first pass. stop ends it and waits
// for its end.
func (w *world) start(change func(*Options)) (stop func()) {
	w.T.Helper()
	o := Options{
		Vault: w.vault(), Mirror: w.mirror(nil), Folders: w.store, Root: w.Root, Place: w.place,
		Git: []string{filepath.Join(w.Root, ".git")}, Build: build,
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
			w.T.Errorf("the watcher ended with: %v", err)
		}
	})
	w.T.Cleanup(stop)
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
	w.T.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			w.T.Fatalf("waited a minute for %s; passes %+v, warnings %q", what, w.seen(), w.warnings())
		}
	}
}

// indexed returns the hash of a file in the index as it stands, without any
// catch-up; empty when it is not there.
func (w *world) indexed(m *index.DB, p vault.Path) string {
	w.T.Helper()
	n, ok, err := m.At(w.T.Context(), p)
	w.Check(err)
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
	w.T.Helper()
	w.until("the index to show "+string(p), func() bool { return w.indexed(m, p) == w.hash(text) })
}
