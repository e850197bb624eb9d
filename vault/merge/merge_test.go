package merge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/merge"
)

// memory writes a memory: header lines, prose, entries.
func memory(header, prose string, entries ...string) string {
	doc := prose
	if header != "" {
		doc = "---\n" + header + "---\n" + prose
	}
	if len(entries) == 0 {
		return doc
	}
	return doc + "\n<!-- sub-memories -->\n[\n  " + strings.Join(entries, ",\n  ") + "\n]\n<!-- /sub-memories -->\n"
}

// child writes an entry.
func child(id, summary string) string {
	return `{"id": "pf-` + id + `", "title": "` + strings.ToUpper(id) + `", "summary": "` + summary + `"}`
}

// unseen hides the block of a memory.
func unseen(doc string) string {
	return strings.NewReplacer("<!-- sub-memories -->", "<!-- sub-memories", "<!-- /sub-memories -->", "/sub-memories -->").Replace(doc)
}

const head = "id: pf-a\ntitle: A\nlabels: [x]\n"

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs, want string
	}{
		{
			"each side adds a child",
			memory(head, "p\n", child("m", "old")),
			memory(head, "p\n", child("m", "old"), child("z", "ours")),
			memory(head, "p\n", child("m", "old"), child("b", "theirs")),
			memory(head, "p\n", child("m", "old"), child("b", "theirs"), child("z", "ours")),
		}, {
			"each side adds a child to a hidden block",
			unseen(memory(head, "p\n", child("m", "old"))),
			unseen(memory(head, "p\n", child("m", "old"), child("z", "ours"))),
			unseen(memory(head, "p\n", child("m", "old"), child("b", "theirs"))),
			unseen(memory(head, "p\n", child("m", "old"), child("b", "theirs"), child("z", "ours"))),
		}, {
			"the sides spell one child's id differently",
			memory(head, "p\n", child("m", "old")),
			memory(head, "p\n", child("M", "ours"), child("z", "both")),
			memory(head, "p\n", child("m", "old"), child("Z", "both")),
			memory(head, "p\n", child("M", "ours"), child("z", "both")),
		}, {
			"one side hides the block, the other adds to it",
			memory(head, "p\n", child("m", "old")),
			unseen(memory(head, "p\n", child("m", "old"))),
			memory(head, "p\n", child("m", "old"), child("b", "-->")),
			strings.Replace(unseen(memory(head, "p\n", child("m", "old"), child("b", "-->"))), `"-->"`, `"--\u003e"`, 1),
		}, {
			"one side shows the block and writes, the other writes: it stays hidden",
			unseen(memory(head, "p\n", child("m", "old"))),
			memory(head+"mood: good\n", "p\n", child("m", "old"), child("z", "ours")),
			unseen(memory(head, "p\n\nq\n", child("m", "old"))),
			unseen(memory(head+"mood: good\n", "p\n\nq\n", child("m", "old"), child("z", "ours"))),
		}, {
			"two styles are made, below a text without a line end",
			memory(head, "p"),
			strings.Replace(memory(head, "p\n", child("z", "ours")), "\n]", "\n ]", 1),
			strings.Replace(unseen(memory(head, "p\n", child("b", "theirs"))), "\n]", "\n ]", 1),
			strings.Replace(unseen(memory(head, "p\n", child("b", "theirs"), child("z", "ours"))), "\n]", "\n ]", 1),
		}, {
			"each side makes the block",
			memory(head, "p\n"),
			memory(head, "p\n", child("z", "ours")),
			memory(head, "p\n", child("b", "theirs")),
			memory(head, "p\n", child("b", "theirs"), child("z", "ours")),
		}, {
			"a pointer removed here and unchanged there is gone; one changed there stays",
			memory(head, "p\n", child("m", "1"), child("n", "1"), child("o", "1")),
			memory(head, "p\n", child("o", "1")),
			memory(head, "p\n", child("m", "1"), child("n", "2"), child("o", "3")),
			memory(head, "p\n", child("n", "2"), child("o", "3")),
		}, {
			"the last pointer removed here, one added there",
			memory(head, "p\n", child("m", "1")),
			memory(head, "p\n"),
			memory(head, "p\n", child("m", "1"), child("n", "1")),
			memory(head, "p\n", child("n", "1")),
		}, {
			"a person's order survives what the other side adds",
			memory(head, "p\n", child("m", "1"), child("n", "1")),
			memory(head, "p\n", child("n", "1"), child("m", "1")),
			memory(head, "p\n", child("m", "1"), child("n", "1"), child("a", "1")),
			memory(head, "p\n", child("n", "1"), child("a", "1"), child("m", "1")),
		}, {
			"labels are united, what one side removed goes",
			memory("id: pf-a\nlabels: [x, y]\n", "p\n"),
			memory("id: pf-a\nlabels: [x, z]\n", "p\n"),
			memory("id: pf-a\nlabels: [x, y, a]\n", "p\n"),
			memory("id: pf-a\nlabels: [x, a, z]\n", "p\n"),
		}, {
			"labels with remarks are united",
			memory("id: pf-a\nlabels: [a, # one\n  x]\n", "p\n"),
			memory("id: pf-a\nlabels: [a, # one\n  x, z]\n", "p\n"),
			memory("id: pf-a\nlabels: [x, b]\n", "p\n"),
			memory("id: pf-a\nlabels: [x, b, z]\n", "p\n"),
		}, {
			"a mapping is no list that is empty",
			memory("id: pf-a\nlabels: [x]\n", "p\n"),
			memory("id: pf-a\nlabels: {area: net}\n", "p\n"),
			memory("id: pf-a\nlabels: [x, z]\n", "p\n"),
			memory("id: pf-a\nlabels: {area: net}\n", "p\n"),
		}, {
			"labels one a line stay so",
			memory("id: pf-a\nlabels:\n  - x # why\n", "p\n"),
			memory("id: pf-a\nlabels:\n  - x # why\n  - z\n", "p\n"),
			memory("id: pf-a\nlabels:\n  - x # why\n  - b\n", "p\n"),
			memory("id: pf-a\nlabels:\n  - x # why\n  - b\n  - z\n", "p\n"),
		}, {
			"scalars by key, keys of others and comments as they are",
			memory("id: pf-a\ntitle: A\nstatus: open\nmood: {a: 1} # mine\n", "p\n"),
			memory("id: pf-a\ntitle: 'B'\nstatus: open\nmood: {a: 1} # mine\n", "p\n"),
			memory("id: pf-a\n# closed at last\ntitle: A\nstatus: closed\nmood: {a: 2} # mine\n", "p\n"),
			memory("id: pf-a\n# closed at last\ntitle: 'B'\nstatus: closed\nmood: {a: 2} # mine\n", "p\n"),
		}, {
			"of two new values the greater, and the earliest creation",
			memory("id: pf-a\ntitle: A\n", "p\n"),
			memory("id: pf-a\ntitle: B\ncreated: 2026-02-07T15:30:00Z\n", "p\n"),
			memory("id: pf-a\ntitle: C\ncreated: 2026-02-07\n", "p\n"),
			memory("id: pf-a\ntitle: C\ncreated: 2026-02-07\n", "p\n"),
		}, {
			"two regenerated phrases: the one that stays keeps what it was written for",
			memory("id: pf-a\nsummary: When a\nsummary_of: 555555555555\n", "p\n"),
			memory("id: pf-a\nsummary: When b\nsummary_of: ffffffffffff\n", "p\n"),
			memory("id: pf-a\nsummary: When c\nsummary_of: 111111111111\n", "p\n"),
			memory("id: pf-a\nsummary: When c\nsummary_of: 111111111111\n", "p\n"),
		}, {
			"a regenerated phrase and a person's",
			memory("id: pf-a\nsummary: When a\nsummary_of: 555555555555\n", "p\n"),
			memory("id: pf-a\nsummary: When b\nsummary_of: ffffffffffff\n", "p\n"),
			memory("id: pf-a\nsummary: When c\n", "p\n"),
			memory("id: pf-a\nsummary: When c\n", "p\n"),
		}, {
			"a person's phrase, and the old one written for a new text",
			memory("id: pf-a\nsummary: When a\nsummary_of: 555555555555\n", "p\n"),
			memory("id: pf-a\nsummary: When a\nsummary_of: ffffffffffff\n", "p\n"),
			memory("id: pf-a\nsummary: When B\n", "p\n"),
			memory("id: pf-a\nsummary: When B\n", "p\n"),
		}, {
			"a phrase that went takes along what it was written for",
			memory("id: pf-a\nsummary: When a\nsummary_of: 555555555555\n", "p\n"),
			memory("id: pf-a\nsummary: When a\nsummary_of: ffffffffffff\n", "p\n"),
			memory("id: pf-a\n", "q\n"),
			memory("id: pf-a\n", "q\n"),
		}, {
			"one phrase, written anew for two texts",
			memory("id: pf-a\nsummary: When a\nsummary_of: 555555555555\n", "p\n"),
			memory("id: pf-a\nsummary: When a\nsummary_of: ffffffffffff\n", "p\n"),
			memory("id: pf-a\nsummary: 'When a'\nsummary_of: 555555555555\n", "p\n"),
			memory("id: pf-a\nsummary: 'When a'\nsummary_of: ffffffffffff\n", "p\n"),
		}, {
			"both make a header",
			"p\n", memory("id: pf-b\ntitle: B\n", "p\n"), memory("id: pf-c\nmood: x\n", "p\n"),
			memory("id: pf-c\ntitle: B\nmood: x\n", "p\n"),
		}, {
			"paragraphs of the prose",
			memory(head, "one\n\ntwo\n\nthree\n"), memory(head, "ONE\n\ntwo\n\nthree\n"), memory(head, "one\n\ntwo\n\nTHREE\n"),
			memory(head, "ONE\n\ntwo\n\nTHREE\n"),
		}, {
			"text behind the block",
			memory(head, "p\n", child("m", "1")) + "tail\n",
			memory(head, "p\n", child("m", "2")) + "tail\n",
			memory(head, "q\n", child("m", "1")) + "tail, longer\n",
			memory(head, "q\n", child("m", "2")) + "tail, longer\n",
		}, {
			"line ends: the side that changed them is followed",
			memory(head, "one\n\ntwo\n"),
			strings.ReplaceAll(memory(head, "one\n\ntwo\n"), "\n", "\r\n"),
			memory(head, "one\n\nTWO\n", child("m", "1")),
			strings.ReplaceAll(memory(head, "one\n\nTWO\n", child("m", "1")), "\n", "\r\n"),
		}, {
			"a byte order mark and no final line end",
			"p", "\ufeffp", "p\n\n<!-- sub-memories -->\n[\n  " + child("m", "1") + "\n ]\n<!-- /sub-memories -->\n",
			"\ufeffp\n\n<!-- sub-memories -->\n[\n  " + child("m", "1") + "\n ]\n<!-- /sub-memories -->\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, side := range [][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
				r := merge.Merge([]byte(c.base), []byte(side[0]), []byte(side[1]), merge.Options{})
				if d := cmp.Diff(c.want, string(r.Text)); d != "" || r.Plain != "" || !r.Clean() {
					t.Errorf("plain %q, conflicts %v, notes %q:\n%s", r.Plain, r.Conflicts, r.Notes, d)
				}
			}
		})
	}
}

// A conflict in the prose is marked there; header and block are merged all the same.
func TestConflictInTheProse(t *testing.T) {
	base := memory(head, "one\n", child("m", "1"))
	ours := memory(head, "two\n", child("m", "1"), child("n", "1"))
	theirs := memory("id: pf-a\ntitle: B\nlabels: [x]\n", "three\n", child("m", "2"))
	r := merge.Merge([]byte(base), []byte(ours), []byte(theirs), merge.Options{Ours: "HEAD", Theirs: "topic"})
	want := memory("id: pf-a\ntitle: B\nlabels: [x]\n", "<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> topic\n", child("m", "2"), child("n", "1"))
	if d := cmp.Diff(want, string(r.Text)); d != "" || !slices.Equal(r.Conflicts, []int{6}) {
		t.Errorf("conflicts %v:\n%s", r.Conflicts, d)
	}
	both := func(a, b string) string {
		return string(merge.Merge([]byte(base), []byte(a), []byte(b), merge.Options{Both: true}).Text)
	}
	if got := both(ours, theirs); got != both(theirs, ours) || !strings.Contains(got, "three\n<!-- cp-conflict: or -->\ntwo\n") {
		t.Errorf("kept both as\n%s\nand\n%s", got, both(theirs, ours))
	}
}

// A file in which one side put another memory is that memory's; nothing of the
// one that was there before is mixed into it.
func TestAnotherMemoryInTheSamePlace(t *testing.T) {
	was, edited, other := memory("id: pf-a\n", "p\n"), memory("id: pf-a\n", "p\n\nq\n"), memory("id: pf-b\n", "r\n")
	for _, side := range [][2]string{{edited, other}, {other, edited}} {
		r := merge.Merge([]byte(was), []byte(side[0]), []byte(side[1]), merge.Options{})
		if d := cmp.Diff(other, string(r.Text)); d != "" || !r.Clean() || len(r.Notes) != 1 {
			t.Errorf("conflicts %v, notes %q:\n%s", r.Conflicts, r.Notes, d)
		}
	}
}

// What is no memory is merged as a text.
func TestPlain(t *testing.T) {
	for _, c := range []struct{ name, base, ours, theirs, plain, want string }{
		{"two new files", "", memory("id: pf-a\n", "p\n"), memory("id: pf-b\n", "p\n"), "two files were made at one path, with the ids pf-a and pf-b",
			"---\n<<<<<<< ours\nid: pf-a\n=======\nid: pf-b\n>>>>>>> theirs\n---\np\n"},
		{"a damaged header", memory("id: pf-a\n", "p\n"), memory("id: [pf-a\n", "p\n"), memory("id: pf-a\n", "q\n"), "its front matter cannot be read", ""},
		{"two blocks", memory("", "p\n", child("m", "1")), memory("", "q\n", child("m", "1")), memory("", "p\n", child("m", "1")) + memory("", "", child("n", "1")), "its pointer block is damaged", ""},
		{"no text", "a\x00", "b\x00", "c\x00", "it is not a text", "b\x00"},
	} {
		r := merge.Merge([]byte(c.base), []byte(c.ours), []byte(c.theirs), merge.Options{})
		if !strings.Contains(r.Plain, c.plain) || c.want != "" && c.want != string(r.Text) {
			t.Errorf("%s: %q, got\n%s", c.name, r.Plain, r.Text)
		}
	}
}
