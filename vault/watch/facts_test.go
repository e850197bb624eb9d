package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
)

// recorder is a mirror that notes what it is asked to look at.
type recorder struct {
	*index.DB
	mu   sync.Mutex
	seen []vault.Path
	each int // whole scans that look at each facts file
}

func (r *recorder) CatchUp(ctx context.Context, src vault.Source, scope vault.Scope) (vault.Report, error) {
	r.mu.Lock()
	r.seen = append(r.seen, scope.Paths...)
	if scope.IsWholeVault() && scope.Each {
		r.each++
	}
	r.mu.Unlock()
	return r.DB.CatchUp(ctx, src, scope)
}

// took returns the paths that were looked at since the last call.
func (r *recorder) took() []vault.Path {
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := r.seen
	r.seen = nil
	slices.Sort(seen)
	return slices.Compact(seen)
}

// TestFactsAreWatched: an answer to a reader is never older than the facts on disk, in a
// vault that had none when the watch began.
func TestFactsAreWatched(t *testing.T) {
	w := newWorld(t)
	w.Write("a.md", "# A\n")
	r := &recorder{DB: w.mirror(nil)}
	w.start(func(o *Options) { o.Mirror = r })
	asks := func() {
		t.Helper()
		w.until("an answer", func() bool {
			_, ok := w.reader().Current(t.Context())
			return ok
		})
	}
	asks()
	if r.each == 0 {
		t.Error("the first pass does not look at each facts file")
	}
	r.took()
	one := vault.FactsDir.Join("3f").Join("one.json")
	abs := filepath.Join(w.Root, filepath.FromSlash(string(one)))
	for _, row := range []struct {
		name   string
		change func() error
		want   []vault.Path // one of them has to be looked at
	}{
		{"the first facts", func() error { w.Write(string(one), "{}\n"); return nil }, []vault.Path{vault.FactsDir}},
		{"written in place", func() error { return os.WriteFile(abs, []byte("{ }\n"), 0o666) }, []vault.Path{one}},
		{"replaced", func() error {
			w.Write(".cp/facts/3f/.new", "{  }\n")
			return os.Rename(filepath.Join(filepath.Dir(abs), ".new"), abs)
		}, []vault.Path{one}},
		{"in a new folder", func() error { w.Write(".cp/facts/a1/two.json", "{}\n"); return nil }, []vault.Path{".cp/facts/a1", ".cp/facts/a1/two.json"}},
		{"removed", func() error { return os.Remove(abs) }, []vault.Path{one}},
		{"all of them removed", func() error { return os.RemoveAll(filepath.Join(w.Root, ".cp", "facts")) }, []vault.Path{vault.FactsDir}},
		{"and made again", func() error { w.Write(string(one), "{}\n"); return nil }, []vault.Path{vault.FactsDir}},
	} {
		w.Check(row.change())
		asks()
		took := r.took()
		if !slices.ContainsFunc(took, func(p vault.Path) bool { return slices.Contains(row.want, p) }) {
			t.Errorf("%s: %q were looked at, want one of %q", row.name, took, row.want)
		}
	}
}

// What lies beside facts is no reason for a pass: the index is written there all the time.
func TestTheVaultsOwnFolderIsNotWatched(t *testing.T) {
	w := newWorld(t)
	w.Write(".cp/facts/3f/one.json", "{}\n")
	r := &recorder{DB: w.mirror(nil)}
	w.start(func(o *Options) { o.Mirror = r })
	r.took()
	w.Write(".cp/other.json", "{}\n")
	w.Write(".cp/facts/3f/.one.json.swp", "{}\n")
	w.Write(".cp/facts/3f/one.json", "{ }\n")
	w.until("the facts to be looked at", func() bool {
		took := r.took()
		if slices.ContainsFunc(took, func(p vault.Path) bool { return p != ".cp/facts/3f/one.json" }) {
			t.Fatalf("%q were looked at", took)
		}
		return len(took) > 0
	})
}
