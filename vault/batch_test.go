package vault

import (
	"slices"
	"testing"

	"github.com/cp-memory/cp/pointer"
)

// Pointers that follow each other become one step, and other steps stay between.
func TestGatherKeepsTheOrder(t *testing.T) {
	add := func(id string) Step { return Step{Op: OpAddPointer, Entry: &pointer.Entry{ID: id, Title: id}} }
	var steps []Step
	for _, s := range []Step{add("pf-a"), add("pf-b"), {Op: OpAppend, Text: "x"}, add("pf-c"), add("pf-a"), add("pf-d")} {
		steps = gather(steps, s)
	}
	var ops []Op
	for _, s := range steps {
		ops = append(ops, s.Op)
	}
	if want := []Op{OpAddPointer, OpAppend, OpAddPointer}; !slices.Equal(ops, want) {
		t.Fatalf("got %v, want %v", ops, want)
	}
	doc, err := ApplySteps(steps, []byte("text\n"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range Parse("a.md", doc).Pointers {
		got = append(got, e.ID)
	}
	if want := []string{"pf-a", "pf-b", "pf-c", "pf-d"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A text that is asked for shows the pointers that were put off.
func TestStagedFileShowsPointersWhenAsked(t *testing.T) {
	s := newStaged()
	doc := []byte("---\nid: pf-a\n---\ntext\n")
	p := s.keep(&pinned{Node: Node{ID: "pf-a", Path: "a.md"}, mem: Parse("a.md", doc), doc: doc})
	for _, id := range []string{"pf-b", "pf-c"} {
		c := &Change{Edits: []Edit{
			{Path: Path("a/" + id + ".md"), Create: []byte("---\nid: " + id + "\n---\n")},
			{Path: "a.md", Steps: []Step{{Op: OpAddPointer, Entry: &pointer.Entry{ID: id, Title: id}}}},
		}}
		if err := s.absorb(c, Node{ID: ID(id)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := p.entry("pf-c"); !ok || string(p.doc) != string(doc) {
		t.Errorf("known %v, text %q", ok, p.doc)
	}
	if err := s.files["a.md"].settle(); err != nil || len(Parse("a.md", p.doc).Pointers) != 2 {
		t.Errorf("text %q, %v", p.doc, err)
	}
	edits, err := s.edits()
	if err != nil || len(edits) != 3 || len(edits[1].Steps) != 1 {
		t.Errorf("edits %+v, %v", edits, err)
	}
}
