package merge_test

import (
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault/merge"
)

// What both sides have set and one value of which stays is told, with the side that
// gave way. Faults O6.
func TestDropped(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs string
		want                     []merge.Dropped
	}{
		{"a title", memory("title: A\n", "p\n"), memory("title: B\n", "p\n"), memory("title: C\n", "p\n"), []merge.Dropped{{Key: "title", Kept: "C", Lost: "B"}}},
		{"a key that is new on both", memory("id: pf-a\n", "p\n"), memory("id: pf-a\nstatus: open\n", "p\n"), memory("id: pf-a\nstatus: closed\n", "p\n"),
			[]merge.Dropped{{Key: "status", Kept: "open", Lost: "closed", Theirs: true}}},
		{"a key of others", memory("mood: a\n", "p\n"), memory("mood: b\n", "p\n"), memory("mood: c\n", "p\n"), []merge.Dropped{{Key: "mood", Kept: "c", Lost: "b"}}},
		{"a mapping", memory("mood: {a: 1}\n", "p\n"), memory("mood: {a: 2}\n", "p\n"), memory("mood: {a: 3}\n", "p\n"), []merge.Dropped{{Key: "mood", Kept: "{a: 3}", Lost: "{a: 2}"}}},
		{"a list against a text", memory("aka: [a]\n", "p\n"), memory("aka: [a, b]\n", "p\n"), memory("aka: c\n", "p\n"), []merge.Dropped{{Key: "aka", Kept: "c", Lost: "a, b"}}},
		{"changed and removed", memory("id: pf-a\nmood: a\n", "p\n"), memory("id: pf-a\nmood: b\n", "p\n"), memory("id: pf-a\n", "q\n"), []merge.Dropped{{Key: "mood", Kept: "b", Theirs: true}}},
		{"a later creation", memory("id: pf-a\n", "p\n"), memory("id: pf-a\ncreated: 2026-01-02\n", "p\n"), memory("id: pf-a\ncreated: 2026-01-03\n", "p\n"),
			[]merge.Dropped{{Key: "created", Kept: "2026-01-02", Lost: "2026-01-03", Theirs: true}}},
		{"a phrase in the block", memory("id: pf-a\n", "p\n", child("m", "a")), memory("id: pf-a\n", "p\n", child("m", "b")), memory("id: pf-a\n", "p\n", child("m", "c")),
			[]merge.Dropped{{Pointer: "pf-m", Key: "summary", Kept: "c", Lost: "b"}}},
		{"another key in the block", memory("", "p\n", `{"id": "pf-m", "title": "M", "k": 1}`), memory("", "p\n", `{"id": "pf-m", "title": "M", "k": 2}`), memory("", "p\n", `{"id": "pf-m", "title": "M", "k": 3}`),
			[]merge.Dropped{{Pointer: "pf-m", Key: "k", Kept: "3", Lost: "2"}}},
		{"one value in two forms", memory("title: A\n", "p\n"), memory("title: 'B'\n", "p\n"), memory("title: B\n", "p\n"), nil},
		{"labels", memory("labels: [a]\n", "p\n"), memory("labels: [a, b]\n", "p\n"), memory("labels: [a, c]\n", "p\n"), nil},
		{"one side", memory("title: A\n", "p\n"), memory("title: B\n", "p\n"), memory("title: A\nstatus: x\n", "p\n"), nil},
	} {
		mirrored := make([]merge.Dropped, 0, len(c.want))
		for _, d := range c.want {
			d.Theirs = !d.Theirs
			mirrored = append(mirrored, d)
		}
		for i, side := range [][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
			r := merge.Merge([]byte(c.base), []byte(side[0]), []byte(side[1]), merge.Options{})
			if want := [][]merge.Dropped{c.want, mirrored}[i]; !slices.Equal(want, r.Dropped) || r.Plain != "" {
				t.Errorf("%s: plain %q, got %+v, want %+v", c.name, r.Plain, r.Dropped, want)
			}
		}
	}
}
