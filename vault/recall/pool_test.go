package recall_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

func TestEachAsksWhoHasNotFailed(t *testing.T) {
	broken := errors.New("broken")
	var asked atomic.Int32
	failed, err := recall.AskEach(20, []recall.MemberFailure{{Member: 3, Err: broken}}, func(i int) error {
		asked.Add(1)
		if i == 7 {
			return broken
		}
		return nil
	})
	if err != nil || asked.Load() != 19 || !slices.Equal(failed, []recall.MemberFailure{{3, broken}, {7, broken}}) {
		t.Errorf("%d asked, %v, %v", asked.Load(), failed, err)
	}
	for _, n := range []int{1, 3} {
		first := errors.New("first")
		_, err := recall.AskEach(n, nil, func(i int) error {
			if i == 0 {
				return first
			}
			return broken
		})
		if err != first {
			t.Errorf("of %d nobody is left: %v", n, err)
		}
	}
	if failed, err := recall.AskEach(0, nil, nil); err != nil || failed != nil {
		t.Errorf("nobody: %v, %v", failed, err)
	}
}

func TestTwinsAreOneMemoryInTwoClones(t *testing.T) {
	var seen recall.Twins
	for _, c := range []struct {
		name, content string
		id            vault.ID
		twin          bool
	}{
		{"the first", "c1", "pf-1", false},
		{"the same in a clone", "c1", "pf-1", true},
		{"edited in a clone", "c2", "pf-1", false},
		{"the same text under another id", "c1", "pf-2", false},
		{"a file without an id", "c1", "new-7k2m9qx4", false},
		{"another one of the same name", "c1", "new-7k2m9qx4", false},
		{"nothing known of the content", "", "pf-1", false},
	} {
		if got := seen.HasSeen(&vault.Node{ID: c.id, Content: c.content}); got != c.twin {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestPlaces(t *testing.T) {
	sorted := []recall.PoolPlace{
		{Score: 2, Project: "/p/z", Path: "z.md"},
		{Score: 1, InTree: true, Project: "/p/b", Path: "a.md"},
		{Score: 1, Project: "/p/a", Path: "a.md"},
		{Score: 1, Project: "/p/a", Path: "b.md"},
		{Score: 1, Project: "/p/b", Path: "a.md"},
		{Score: 3, Last: true, Project: "/p/a"},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := a.Compare(b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%d and %d: %d", i, j, got)
			}
		}
	}
}
