package usage

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

// counter is the telemetry of a clone that shares it.
type counter struct {
	t    *testing.T
	u    *DB
	path string
}

func newCounter(t *testing.T, path string) counter {
	t.Helper()
	u, err := Open(path)
	if err == nil {
		err = u.NameClone(context.Background(), path, rand.Reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	return counter{t, u, path}
}

func (c counter) read(id vault.ID, times int) {
	c.t.Helper()
	for range times {
		if err := c.u.Touch(context.Background(), []vault.Access{{ID: id, At: time.Now(), By: "x"}}); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c counter) own() (string, []byte) {
	c.t.Helper()
	clone, counts, err := c.u.Own(context.Background())
	if err != nil || clone == "" {
		c.t.Fatalf("clone %q: %v", clone, err)
	}
	return clone, counts
}

func (c counter) take(all map[string][]byte) {
	c.t.Helper()
	if err := c.u.Take(context.Background(), all); err != nil {
		c.t.Fatal(err)
	}
}

func (c counter) count(id vault.ID) int {
	c.t.Helper()
	reads, err := c.u.Reads(context.Background(), []vault.ID{id})
	if err != nil {
		c.t.Fatal(err)
	}
	return reads[id].Count
}

// Counts of other clones are summed up, each once, whatever arrives how often and
// in which order.
func TestTeamCountsAreSummed(t *testing.T) {
	a, b := newCounter(t, filepath.Join(t.TempDir(), "a.db")), newCounter(t, filepath.Join(t.TempDir(), "b.db"))
	a.read("pf-1", 3)
	b.read("pf-1", 2)
	name, early := b.own()
	b.read("pf-1", 5)
	b.read("pf-2", 1)
	_, late := b.own()
	for _, counts := range [][]byte{late, early, late} {
		a.take(map[string][]byte{name: counts})
	}
	if got := a.count("pf-1"); got != 10 {
		t.Errorf("got %d readings, want 10", got)
	}
	if got := a.count("pf-2"); got != 1 {
		t.Errorf("got %d readings, want 1", got)
	}
	own, counts := a.own()
	a.take(map[string][]byte{own: counts}) // our own come back
	if got := a.count("pf-1"); got != 10 {
		t.Errorf("own counts taken in: got %d, want 10", got)
	}
	if !strings.HasPrefix(string(counts), "pf-1\t3\t") {
		t.Errorf("others' counts are given on: %q", counts)
	}
	if err := a.u.Alone(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := a.count("pf-1"); got != 3 {
		t.Errorf("alone: got %d, want 3", got)
	}
}

// A copy of the file is another clone: what was read before is counted once.
// Faults M8.
func TestCopiedCloneIsAnother(t *testing.T) {
	a := newCounter(t, filepath.Join(t.TempDir(), "a.db"))
	a.read("pf-1", 4)
	first, counts := a.own()
	if err := a.u.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(a.path)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCounter(t, path)
	c.read("pf-1", 1)
	second, own := c.own()
	if first == second || !strings.HasPrefix(string(own), "pf-1\t1\t") {
		t.Errorf("the copy of %s is %s with %q", first, second, own)
	}
	c.take(map[string][]byte{first: counts})
	if got := c.count("pf-1"); got != 5 {
		t.Errorf("got %d readings, want 5", got)
	}
	again := newCounter(t, path)
	if third, _ := again.own(); third != second {
		t.Errorf("opened again it is %s, was %s", third, second)
	}
}

// Counts come from other people: what is none is passed over.
func TestCountsThatAreNone(t *testing.T) {
	a := newCounter(t, filepath.Join(t.TempDir(), "a.db"))
	now := time.Now().UTC().Format(time.RFC3339)
	lines := []string{"", "\x00\xff", "pf-1", "pf-1\t5", "pf-1\t-5\t" + now, "pf-1\t1e9\t" + now, "pf-1\t99999999999999999999\t" + now, "pf-1\t5\tyesterday", "../x\t5\t" + now, "pf-1\t5\t" + now + "\tmore"}
	a.take(map[string][]byte{"x": []byte(strings.Join(lines, "\n") + "\n" + fmt.Sprintf("pf-2\t7\t%s\n", now))})
	if got := a.count("pf-1"); got != 0 {
		t.Errorf("got %d readings", got)
	}
	if got := a.count("pf-2"); got != 7 {
		t.Errorf("got %d readings, want 7", got)
	}
}
