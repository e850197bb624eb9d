package merge

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/header"
)

// A header that two people changed is read from both sides; text below keeps its markers.
func TestResolveHeaderTakesMarkersOutOfTheHeader(t *testing.T) {
	const open, middle, shut = "<<<<<<< HEAD\n", "=======\n", ">>>>>>> other\n"
	for _, row := range []struct{ name, doc, want string }{
		{"keys of both sides stay",
			"---\nid: pf-a1\n" + open + "status: closed\n" + middle + "creator: ann\n" + shut + "---\ntext\n",
			"---\nid: pf-a1\nstatus: closed\ncreator: ann\n---\ntext\n"},
		{"lists are united",
			"---\nid: pf-a1\n" + open + "labels: [one]\n" + middle + "labels: [two]\n" + shut + "---\n",
			"---\nid: pf-a1\nlabels: [one, two]\n---\n"},
		{"of two values ours stands",
			"---\n" + open + "title: A\n" + middle + "title: B\n" + shut + "id: pf-a1\n---\n",
			"---\ntitle: A\nid: pf-a1\n---\n"},
		{"what theirs was written for is not said of our phrase",
			"---\nid: pf-a1\n" + open + "summary: mine\n" + middle + "summary: yours\nsummary_of: 0123456789ab\n" + shut + "---\n",
			"---\nid: pf-a1\nsummary: mine\n---\n"},
		{"the base of a diff3 hunk is left out",
			"---\nid: pf-a1\n" + open + "title: A\n||||||| base\ntitle: C\n" + middle + "title: B\n" + shut + "---\n",
			"---\nid: pf-a1\ntitle: A\n---\n"},
		{"two new files of one id: the headers are merged, the texts keep both",
			open + "---\nid: pf-a1\n---\nmine\n" + middle + "---\nid: pf-a1\nstatus: open\n---\nyours\n" + shut,
			"---\nid: pf-a1\nstatus: open\n---\n" + open + "mine\n" + middle + "yours\n" + shut},
		{"the same text on both sides is no conflict",
			open + "---\nid: pf-a1\nstatus: open\n---\ntext\n" + middle + "---\nid: pf-a1\n---\ntext\n" + shut,
			"---\nid: pf-a1\nstatus: open\n---\ntext\n"},
		{"two ids are for a person to settle",
			"---\n" + open + "id: pf-a1\n" + middle + "id: pf-b2\n" + shut + "---\n", ""},
		{"a side that cannot be read is for a person to settle",
			"---\nid: pf-a1\n" + open + "title: [\n" + middle + "title: B\n" + shut + "---\n", ""},
		{"markers in the text are not touched",
			"---\nid: pf-a1\n---\n" + open + "A\n" + middle + "B\n" + shut, ""},
		{"half a hunk is not touched", "---\nid: pf-a1\n" + open + "title: A\n---\n", ""},
		{"no line end after the header",
			"---\nid: pf-a1\n" + open + "title: A\n" + middle + "status: open\n" + shut + "---",
			"---\nid: pf-a1\ntitle: A\nstatus: open\n---"},
		{"CRLF stays",
			"---\r\nid: pf-a1\r\n<<<<<<< HEAD\r\ntitle: A\r\n=======\r\nstatus: open\r\n>>>>>>> o\r\n---\r\n",
			"---\r\nid: pf-a1\r\ntitle: A\r\nstatus: open\r\n---\r\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			want := row.want
			if want == "" {
				want = row.doc
			}
			got, _ := ResolveHeader([]byte(row.doc))
			if string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if again, _ := ResolveHeader(got); string(again) != string(got) {
				t.Errorf("a second time changed it to\n%s", again)
			}
		})
	}
}

// Whatever it is given, ResolveHeader keeps every line of both sides' texts, and holds
// still the second time.
func FuzzResolveHeader(f *testing.F) {
	f.Add("---\nid: pf-a1\n<<<<<<< HEAD\nlabels: [one]\n=======\nlabels: [two]\n>>>>>>> o\n---\ntext\n")
	f.Add("<<<<<<< HEAD\n---\nid: pf-a1\n---\nmine\n=======\n---\nid: pf-a1\n---\nyours\n>>>>>>> other\n")
	f.Fuzz(func(t *testing.T, doc string) {
		got := settledText(doc)
		if again := settledText(got); again != got {
			t.Errorf("%q settles to %q and then to %q", doc, got, again)
		}
		parts, ok := passages(doc)
		if !ok {
			return
		}
		for _, side := range []func(passage) []string{
			func(c passage) []string { return c.ours }, func(c passage) []string { return c.theirs },
		} {
			_, body := header.Split([]byte(takeSide(parts, side)))
			for line := range strings.Lines(string(body)) {
				if !strings.Contains(got, line) {
					t.Errorf("%q settles to %q and loses %q", doc, got, line)
				}
			}
		}
	})
}

func settledText(doc string) string {
	out, _ := ResolveHeader([]byte(doc))
	return string(out)
}
