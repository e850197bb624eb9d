package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// tell gives a trail the lines of a history, the newest commit first: "c3 y<x z" is a
// commit that moved x to y and brought z. It returns how many arrivals were taken.
func tell(t *Trail, history string) (taken int) {
	defer t.End()
	for line := range strings.SplitSeq(history, "; ") {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			p, from, _ := strings.Cut(w, "<")
			taken++
			if !t.Add(vault.Arrival{Commit: words[0], Origin: vault.Origin{Author: words[0]}, Path: vault.Path(p), From: vault.Path(from)}) {
				return taken
			}
		}
	}
	return taken
}

// found tells by which commits which files were brought.
func found(t *Trail) string {
	var all []string
	for _, c := range t.Commits {
		slices.Sort(c.Files)
		all = append(all, fmt.Sprintf("%s %s", c.Author, strings.Trim(fmt.Sprint(c.Files), "[]")))
	}
	return strings.Join(all, "; ")
}

// A name that was moved away from is followed for itself, too: a merge may bring it back.
func TestTrail(t *testing.T) {
	for _, row := range []struct{ name, history, want string }{
		{"what came", "c2 y; c1 x", "c2 y; c1 x"},
		{"what moved was there before", "c3 y<x; c2 z; c1 x", "c2 z; c1 x y"},
		{"twice", "c3 z<y; c2 y<x; c1 x", "c1 x y z"},
		{"a name that was taken again", "c3 x; c2 y<x; c1 x", "c3 x; c1 y"},
		{"two that changed names", "c3 x<y y<x; c2 y; c1 x", "c2 x; c1 y"},
		{"a round of three", "c2 x<y y<z z<x; c1 x; c0 y z", "c1 z; c0 x y"},
		{"deleted and made again", "c3 x; c1 x", "c3 x"},
		{"one side of a merge moved it, the other kept it", "c3 y<x; c1 x", "c1 x y"},
		{"nothing", "c1", ""},
	} {
		trail := WholeTrail()
		tell(trail, row.history)
		if got := found(trail); got != row.want {
			t.Errorf("%s: %q brought %q, want %q", row.name, row.history, got, row.want)
		}
	}
}

// The way of each file through new commits goes on where an older trail began.
func TestTrailGoesOn(t *testing.T) {
	trail := WholeTrail()
	tell(trail, "c5 b; c4 y<x a<b")
	if got := found(trail); got != "c5 b" {
		t.Errorf("brought %q", got)
	}
	if got, want := trail.MovedFiles(), (map[vault.Path]vault.Path{"y": "x", "a": "b"}); !maps.Equal(got, want) {
		t.Errorf("moved %v, want %v", got, want)
	}
}

// A trail of some files ends when they are found, at the end of a commit.
func TestTrailEnds(t *testing.T) {
	trail := NewTrail([]vault.Path{"y", "z"})
	if n := tell(trail, "c4 q z; c3 y<x r; c2 x s; c1 t; c0 u"); n != 7 {
		t.Errorf("%d arrivals were taken, want 7: those of three commits and the next one, which says that the third is whole", n)
	}
	if got, want := found(trail), "c4 q z; c3 r; c2 s x y; c1 t"; got != want {
		t.Errorf("brought %q, want %q", got, want)
	}
	if more := NewTrail(nil).Add(vault.Arrival{Commit: "c1", Path: "x"}); more {
		t.Error("a trail of no file wants more")
	}
}
