package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
)

// What the mirror says of a memory's header is what the file says, for every
// field that has a column; what has none it does not know.
func TestEveryFieldWithAColumnIsHeld(t *testing.T) {
	f := newFolder(t, false)
	doc := "---\nid: pf-a\n"
	for _, one := range inRow {
		value := "some words"
		switch {
		case one.Kind == field.Time:
			value = "2026-02-07T15:30:00Z"
		case one.Key == "type":
			value = field.Memory
		}
		doc += one.Key + ": " + value + "\n"
	}
	f.write("a.md", doc+"---\nText.\n")
	d := f.caughtUp()
	got, err := d.Find(t.Context(), "pf-a")
	want := vault.Parse("a.md", []byte(doc+"---\nText.\n")).Header
	if diff := cmp.Diff(want, got.Header); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	again, err := d.Walk(t.Context(), vault.WalkOptions{})
	if err != nil || len(again) != 1 || !cmp.Equal(again[0].Header, want) {
		t.Errorf("got %+v, %v", again, err)
	}
}
