package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// A change names the memories whose pages show something else since.
func TestChangedSinceAGeneration(t *testing.T) {
	f := newFolder(t, true)
	text := func(id, more string) string {
		return "---\nid: pf-" + id + "\ntitle: Title " + id + "\n---\n" + more + "\n"
	}
	f.write("a.md", text("a", "Sees [b](b.md) and [later](late.md)."))
	f.write("b.md", text("b", "Text."))
	f.write("b/c.md", text("c", "Text."))
	f.write("d.md", text("d", "Text."))
	f.commit()
	d := f.caughtUp()
	at := func() vault.Generation {
		t.Helper()
		g, err := d.Generation(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, row := range []struct {
		name string
		do   func()
		want string
	}{
		{"nothing", func() {}, "[]"},
		{"a text, and what it links to", func() { f.write("a.md", text("a", "Sees [b](b.md) now, and [later](late.md).")) }, "[pf-a pf-b]"},
		{"a text, and its parent", func() { f.write("b/c.md", text("c", "Another.")) }, "[pf-b pf-c]"},
		{"one that came, and who links to it", func() { f.write("late.md", text("late", "Text.")) }, "[pf-a pf-late]"},
		{"a title", func() { f.write("late.md", strings.Replace(text("late", "Text."), "Title", "Name", 1)) }, "[pf-a pf-late]"},
		{"a commit", func() { f.commit() }, "[pf-a pf-b pf-c pf-late]"},
		{"one that went", func() { f.remove("d.md"); f.commit() }, "[pf-d]"},
		{"one that moved", func() { f.rename("late.md", "b/late.md"); f.commit() }, "[pf-b pf-late]"},
		{"another id", func() { f.write("b/late.md", text("new1", "Text.")) }, "[pf-b pf-late pf-new1]"},
	} {
		before := at()
		row.do()
		f.catchUp(d)
		ids, err := d.ListChanged(t.Context(), before, 200)
		slices.Sort(ids)
		if got := fmt.Sprint(ids); err != nil || ids == nil || got != row.want {
			t.Errorf("%s: %s, %v; want %s", row.name, got, err, row.want)
		}
	}
}

// What the list does not tell is told as everything: another mirror, more than is asked for,
// and what lies before its beginning.
func TestChangedTellsWhereItDoesNotKnow(t *testing.T) {
	testlevel.Check(t)
	f := newFolder(t, true)
	for n := range 600 {
		f.write(fmt.Sprintf("n%03d.md", n), fmt.Sprintf("---\nid: pf-%03d\n---\nText.\n", n))
	}
	f.commit()
	d := f.caughtUp()
	first, err := d.Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	told := func(name string, since vault.Generation, want int) {
		t.Helper()
		ids, err := d.ListChanged(t.Context(), since, 200)
		if got := map[bool]int{true: -1, false: len(ids)}[ids == nil]; err != nil || got != want {
			t.Errorf("%s: %d ids, want %d (-1 is everything): %v", name, got, want, err)
		}
	}
	told("another mirror", vault.Generation{Epoch: first.Epoch + 1, Number: first.Number}, -1)
	for n := range 250 {
		f.write(fmt.Sprintf("n%03d.md", n), fmt.Sprintf("---\nid: pf-%03d\n---\nOther.\n", n))
	}
	f.catchUp(d)
	told("250", first, -1)
	for n := range 600 {
		f.write(fmt.Sprintf("n%03d.md", n), fmt.Sprintf("---\nid: pf-%03d\n---\nThird.\n", n))
	}
	f.catchUp(d)
	told("600", first, -1)
	last, _ := d.Generation(t.Context())
	for round := range 8 {
		for n := range 90 {
			f.write(fmt.Sprintf("n%03d.md", n), fmt.Sprintf("---\nid: pf-%03d\n---\nRound %d.\n", n, round))
		}
		f.catchUp(d)
	}
	told("eight times the same ninety", last, 90)
	told("before the beginning of the list", first, -1)
}
