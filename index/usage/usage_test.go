package usage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

var dawn = time.Date(2026, 2, 7, 15, 30, 0, 0, time.UTC)

func usageFile(t *testing.T) (*DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cp", "vault", "usage.db")
	u, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	return u, path
}

func readsOf(t *testing.T, u *DB, id vault.ID) vault.Reads {
	t.Helper()
	all, err := u.Reads(context.Background(), []vault.ID{id})
	if err != nil {
		t.Fatal(err)
	}
	return all[id]
}

func TestTouch(t *testing.T) {
	ctx := context.Background()
	u, path := usageFile(t)
	at := func(s int) vault.Access {
		return vault.Access{ID: "pf-a", At: dawn.Add(time.Duration(s) * time.Second), By: fmt.Sprint("agent-", s), Depth: 2}
	}

	t.Log("memory_touch initializes counter")
	if err := u.Touch(ctx, []vault.Access{at(0)}); err != nil {
		t.Fatal(err)
	}
	log, err := u.Log(ctx, "pf-a")
	if got := readsOf(t, u, "pf-a"); got.Count != 1 || !got.Last.Equal(dawn) || err != nil || len(log) != 1 || log[0] != at(0) {
		t.Fatalf("reads %v, log %v, %v", got, log, err)
	}

	t.Log("memory_touch increments counter and updates last_accessed, in the other process too")
	other, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Touch(ctx, []vault.Access{at(60)}); err != nil {
		t.Fatal(err)
	}
	if got := readsOf(t, u, "pf-a"); got.Count != 2 || !got.Last.Equal(dawn.Add(time.Minute)) {
		t.Fatalf("reads %v", got)
	}

	t.Log("the 51st entry drops the oldest; the newest comes first; the count goes on")
	for s := 1; s <= 60; s++ {
		if err := u.Touch(ctx, []vault.Access{at(100 + s)}); err != nil {
			t.Fatal(err)
		}
	}
	log, err = u.Log(ctx, "pf-a")
	if err != nil || len(log) != vault.LogLimit || log[0] != at(160) || log[49] != at(111) {
		t.Errorf("%d entries, first %v, last %v, %v", len(log), log[0], log[len(log)-1], err)
	}
	if got := readsOf(t, u, "pf-a"); got.Count != 62 {
		t.Errorf("%d reads, want 62", got.Count)
	}

	t.Log("a memory that is gone is forgotten, the others are not")
	if err := u.Touch(ctx, []vault.Access{{ID: "pf-b", At: dawn}}); err != nil {
		t.Fatal(err)
	}
	if err := u.Forget(ctx, []vault.ID{"pf-a"}); err != nil {
		t.Fatal(err)
	}
	if log, err := u.Log(ctx, "pf-a"); readsOf(t, u, "pf-a").Count != 0 || len(log) != 0 || err != nil {
		t.Errorf("not forgotten: %v, %v", log, err)
	}
	if readsOf(t, u, "pf-b").Count != 1 {
		t.Error("the wrong one was forgotten")
	}
}

func TestTouchIsExactUnderConcurrency(t *testing.T) {
	_, path := usageFile(t)
	const readers, each = 8, 25
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			u, err := Open(path) // a connection of its own, as a process has
			if err != nil {
				t.Error(err)
				return
			}
			defer u.Close()
			for range each {
				if err := u.Touch(context.Background(), []vault.Access{{ID: "pf-a", At: dawn}, {ID: "pf-b", At: dawn}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	u, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	for _, id := range []vault.ID{"pf-a", "pf-b"} {
		if got := readsOf(t, u, id).Count; got != readers*each {
			t.Errorf("%s: %d reads, want %d", id, got, readers*each)
		}
	}
}

func TestUsageThatCannotBeOpened(t *testing.T) {
	t.Log("noise is set aside, not thrown away")
	path := filepath.Join(t.TempDir(), "usage.db")
	if err := os.WriteFile(path, []byte("this is no database, but somebody's text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	u, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Touch(context.Background(), []vault.Access{{ID: "pf-a", At: dawn}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".bad"); err != nil {
		t.Error(err)
	}
	_ = u.Close()

	t.Log("where no file can be, a reading says that it is not counted")
	if err := New("/proc/no/usage.db", nil).Touch(context.Background(), []vault.Access{{ID: "pf-a"}}); err == nil {
		t.Error("counted below /proc")
	}

	t.Log("without telemetry nothing is counted and nothing fails")
	if u, err = Open("/proc/no/usage.db"); err == nil {
		t.Fatal("opened below /proc")
	}
	ctx := context.Background()
	if err := u.Touch(ctx, []vault.Access{{ID: "pf-a"}}); err != nil {
		t.Error(err)
	}
	if reads, err := u.Reads(ctx, []vault.ID{"pf-a"}); len(reads) != 0 || err != nil {
		t.Error(reads, err)
	}
	if log, err := u.Log(ctx, "pf-a"); len(log) != 0 || err != nil {
		t.Error(log, err)
	}
	if err := u.Forget(ctx, []vault.ID{"pf-a"}); err != nil {
		t.Error(err)
	}
}
