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
func TestDocShowsPointersWhenAsked(t *testing.T) {
	tx := (&Vault{}).Reading()
	text := []byte("---\nid: pf-a\n---\ntext\n")
	p := tx.rememberDoc(newDoc(Node{ID: "pf-a", Path: "a.md"}, text))
	for _, id := range []string{"pf-b", "pf-c"} {
		tx.Create(Node{ID: ID(id), Path: Path("a/" + id + ".md")}, []byte("---\nid: "+id+"\n---\n"))
		if err := tx.Edit(p, Step{Op: OpAddPointer, Entry: &pointer.Entry{ID: id, Title: id}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := p.Entry("pf-c"); !ok || string(p.text) != string(text) {
		t.Errorf("known %v, text %q", ok, p.text)
	}
	if now, err := p.Text(); err != nil || len(Parse("a.md", now).Pointers) != 2 {
		t.Errorf("text %q, %v", now, err)
	}
	c, err := tx.plannedChange("batch", Options{})
	if err != nil || len(c.Edits) != 3 || len(c.Edits[1].Steps) != 1 {
		t.Errorf("edits %+v, %v", c, err)
	}
}
