package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// What the mirror says of a memory's header is what the file says, for every
// field that has a column; what has none it does not know.
func TestEveryFieldWithAColumnIsHeld(t *testing.T) {
	f := newFolder(t, false)
	doc := "---\nid: pf-a\n"
	for _, one := range inRow {
		value := "some words"
		switch {
		case one.Kind == header.TimeValue:
			value = "2026-02-07T15:30:00Z"
		case one.Key == "type":
			value = header.TypeMemory
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

// The full-text index is written for what it is made of, and for nothing else.
func TestWhatChangesTheTerms(t *testing.T) {
	const doc = "---\ntitle: A\nsummary: when a\nlabels: [x]\ntags: [y]\n---\nText.\n"
	for name, row := range map[string]struct {
		old, new string
		changes  bool
	}{
		"an id":          {"---\ntitle", "---\nid: pf-a\ntitle", false},
		"a status":       {"labels", "status: closed\nlabels", false},
		"a child":        {"Text.\n", "Text.\n\n" + pointer.Start + "\n[\n  {\"id\": \"pf-b\", \"title\": \"Child\", \"summary\": \"when b\"}\n]\n" + pointer.End + "\n", false},
		"the title":      {"title: A", "title: B", true},
		"the phrase":     {"when a", "when b", true},
		"a label":        {"[x]", "[x, z]", true},
		"two for one":    {"[x]", "[x1, x]", true},
		"another's key":  {"[y]", "[word]", true},
		"the text":       {"Text.", "Texts here.", true},
		"text and an id": {"---\nText.", "id: pf-a\n---\nMore.", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t, false)
			f.write("a.md", doc)
			d := f.caughtUp()
			before := blocks(t, d)
			f.write("a.md", strings.Replace(doc, row.old, row.new, 1))
			f.catchUp(d)
			if changed := blocks(t, d) != before; changed != row.changes {
				t.Errorf("it was written: %v, want %v", changed, row.changes)
			}
			fresh := f.fresh()
			defer fresh.Close()
			if diff := cmp.Diff(dump(t, fresh)+terms(t, fresh), dump(t, d)+terms(t, d)); diff != "" {
				t.Errorf("-rebuild +mirror:\n%s", diff)
			}
		})
	}
}

// blocks returns what the full-text index holds, byte for byte.
func blocks(t *testing.T, d *DB) string {
	t.Helper()
	var b strings.Builder
	err := d.view(t.Context(), func(x *tx) error {
		return dumpRows(&b, x, `SELECT id, hex(block) FROM docs_data ORDER BY id`)
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
