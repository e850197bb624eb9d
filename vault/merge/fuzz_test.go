package merge_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/merge"
)

// pieces are the lines that the fuzzer's documents are put together from.
var pieces = []string{
	"---\n", "id: pf-a\n", "id: pf-b\n", "title: A\n", "title: 'B' # c\n", "labels: [x, y]\n", "labels:\n  - x\n  - z\n", "labels: x, w\n", "# comment\n",
	"created: 2026-01-01\n", "created: 2025-01-01T00:00:00Z\n", "mood: {a: 1}\n", "text: |\n  a\n  b\n", "status: closed\n", "---\n",
	pointer.Start + "\n[\n", "  " + `{"id": "pf-m", "title": "M", "summary": "S"}` + "\n", "  " + `{"id": "pf-m", "title": "N", "k": 1}` + "\n", "  " + `{"id": "pf-n", "title": "N", "summary": ""},` + "\n",
	"]\n" + pointer.End + "\n", " ]\n" + pointer.End + "\n", "one\n", "two\n", "three\n", "\n", "```\n", "<div>\n", "<<<<<<< HEAD\n", "=======\n", ">>>>>>> x\n", "\ufeff", "end", "\r\n", "a\r\n", "- item\n", "  deep\n", "\x00",
	pointer.HiddenStart + "\n[\n", "]\n" + pointer.HiddenEnd + "\n", " ]\n" + pointer.HiddenEnd + "\n",
}

// document is what data selects from the pieces; a byte that has its highest bit
// set begins a whole memory.
func document(data []byte) string {
	var b strings.Builder
	for _, c := range data[:min(len(data), 30)] {
		if c >= 0x80 {
			start, end := pointer.Start, pointer.End
			if c&1 == 1 {
				start, end = pointer.HiddenStart, pointer.HiddenEnd
			}
			b.WriteString("---\nid: pf-a\ntitle: A\n" + pieces[int(c)%15] + "---\none\n\ntwo\n" + pieces[int(c)%len(pieces)] + "\n" + start + "\n[\n" + pieces[16] + "]\n" + end + "\n")
			continue
		}
		b.WriteString(pieces[int(c)%len(pieces)])
	}
	return b.String()
}

// check holds what is promised for any three texts.
func check(t *testing.T, base, ours, theirs string) {
	t.Helper()
	do := func(o, a, b string, both bool) merge.Result {
		return merge.Merge([]byte(o), []byte(a), []byte(b), merge.Options{Both: both})
	}
	for _, c := range []struct{ o, a, b, want string }{{base, base, theirs, theirs}, {base, ours, base, ours}, {base, ours, ours, ours}} {
		if r := do(c.o, c.a, c.b, false); string(r.Text) != c.want || !r.Clean() {
			t.Fatalf("one side changed: got %q, want %q", r.Text, c.want)
		}
	}
	r, mirrored := do(base, ours, theirs, false), do(base, theirs, ours, false)
	if (len(r.Conflicts) == 0) != (len(mirrored.Conflicts) == 0) || len(r.Conflicts) == 0 && (r.Plain == "") != (mirrored.Plain == "") {
		t.Fatalf("the sides matter: conflicts %v and %v, %q and %q", r.Conflicts, mirrored.Conflicts, r.Plain, mirrored.Plain)
	}
	if len(r.Conflicts) == 0 && !r.Binary && string(r.Text) != string(mirrored.Text) {
		t.Fatalf("the sides matter:\n%q\n%q", r.Text, mirrored.Text)
	}
	if a, b := do(base, ours, theirs, true), do(base, theirs, ours, true); !a.Binary && string(a.Text) != string(b.Text) {
		t.Fatalf("keeping both, the sides matter:\n%q\n%q", a.Text, b.Text)
	}
	if r.Plain == "" && r.Text != nil {
		whole(t, base, ours, theirs, string(r.Text))
	}
}

// whole checks that a merged memory reads as one: whatever conflicts there are,
// they stand neither in the header nor in the block, and no child both sides
// have is gone.
func whole(t *testing.T, base, ours, theirs, merged string) {
	t.Helper()
	a, b, m := vault.Parse("x.md", []byte(ours)), vault.Parse("x.md", []byte(theirs)), vault.Parse("x.md", []byte(merged))
	for _, p := range m.Problems {
		if p.Kind == vault.ProblemBlock || p.Kind == vault.ProblemFrontMatter {
			if len(a.Problems) == 0 && len(b.Problems) == 0 && base != ours && base != theirs && ours != theirs {
				t.Fatalf("%+v in %q", p, merged)
			}
		}
	}
	if len(a.Problems) > 0 || len(b.Problems) > 0 || a.ID != b.ID {
		return
	}
	if a.ID != "" && m.ID != a.ID {
		t.Fatalf("the id %s became %s: %q", a.ID, m.ID, merged)
	}
	for _, e := range a.Pointers {
		if has(b, e.ID) && !has(m, e.ID) {
			t.Fatalf("the pointer to %s is gone: %q", e.ID, merged)
		}
	}
}

func has(m *vault.Memory, id string) bool {
	for _, e := range m.Pointers {
		if e.ID == id {
			return true
		}
	}
	return false
}

// FuzzMerge: any three texts merge without a panic; where one side is the base
// the other comes out; the sides can be changed over.
// Faults S6.
func FuzzMerge(f *testing.F) {
	f.Add([]byte{0x80}, []byte{0x81, 21}, []byte{0x82, 22})
	f.Add([]byte{21, 22}, []byte{0, 1, 5, 14, 21}, []byte{0, 6, 14, 22, 15, 16, 19})
	f.Add([]byte{}, []byte{0, 1, 14, 21, 15, 16, 20}, []byte{0, 1, 14, 21, 24, 15, 18, 17, 19, 31})
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		check(t, document(base), document(ours), document(theirs))
		check(t, string(base), string(ours), string(theirs))
	})
}
