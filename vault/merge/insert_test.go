package merge_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cp-memory/cp/vault/merge"
)

// Two texts put into one place are both kept, in the order of their bytes; a change
// or a deletion there makes a conflict of it all the same. Faults O14.
func TestInsertions(t *testing.T) {
	for _, c := range []struct{ name, base, ours, theirs, want string }{
		{"at the end", "p\n", "p\n\nY\n", "p\n\nX\n", "p\n\nX\n\nY\n"},
		{"equal ones once", "p\n", "p\n\nX\n", "p\n\nX\n", "p\n\nX\n"},
		{"one that the other holds whole", "p\n", "p\n\nX\n", "p\n\nX\n\nY\n", "p\n\nX\n\nY\n"},
		{"lines that both have stay in each", "p\n", "p\n\n## H\n- b\n", "p\n\n## H\n- a\n", "p\n\n## H\n- a\n\n## H\n- b\n"},
		{"without a final line end", "p", "p\n\nY", "p\n\nX", "p\n\nX\n\nY"},
		{"a final line end in some", "p", "p\n\nY\n", "p\n\nX", "p\n\nX\n\nY\n"},
		{"a final line end alone is no change", "p\n", "p", "p\n\nX\n", "p\n\nX\n"},
		{"into no text", "", "Y\n", "X\n", "X\n\nY\n"},
		{"in the middle", "p\n\nq\n", "p\n\nY\n\nq\n", "p\n\nX\n\nq\n", "p\n\nX\n\nY\n\nq\n"},
		{"paragraphs in the middle, each whole", "p\n\nq\n", "p\n\nY1\n\nY2\nY3\n\nY4\n\nq\n", "p\n\nX\n\nX2\n\nq\n", "p\n\nX\n\nX2\n\nY1\n\nY2\nY3\n\nY4\n\nq\n"},
		{"at the beginning", "p\n", "Y\n\np\n", "X\n\np\n", "X\n\nY\n\np\n"},
		{"beside a change elsewhere", "p\n\nq\n\nr\n", "P\n\nq\n\nr\n\nY\n", "p\n\nq\n\nr\n\nX\n", "P\n\nq\n\nr\n\nX\n\nY\n"},
		{"below a long text", long, long + "\nY\n", "0\n" + long + "\nX\n", "0\n" + long + "\nX\n\nY\n"},
		{"two places", "p\n\nq\n", "p\n- b\n\nq\n- d\n", "p\n- a\n\nq\n- c\n", "p\n- a\n- b\n\nq\n- c\n- d\n"},
		{"beside a change there", "p\n", "P\nY\n", "p\nX\n", ""},
		{"beside a deletion there", "p\nq\n", "p\nY\n", "p\nq\nX\n", ""},
	} {
		for _, form := range []struct{ name, above, below string }{{"prose", "", ""}, {"above a block", "", "\n" + block}, {"below a block", block, ""}} {
			if form.name != "prose" && strings.Contains(c.name, "final line end") {
				continue // it is the block's there
			}
			for _, eol := range []string{"\n", "\r\n"} {
				doc := func(prose string) []byte {
					return []byte(strings.ReplaceAll("---\n"+head+"---\n"+form.above+prose+form.below, "\n", eol))
				}
				for _, side := range [][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
					r := merge.Merge(doc(c.base), doc(side[0]), doc(side[1]), merge.Options{})
					if c.want == "" {
						if len(r.Conflicts) == 0 {
							t.Errorf("%s, %s: no conflict, but\n%s", c.name, form.name, r.Text)
						}
					} else if !r.Clean() || !bytes.Equal(r.Text, doc(c.want)) {
						t.Errorf("%s, %s, %q: got\n%q\nwant\n%q", c.name, form.name, eol, r.Text, doc(c.want))
					}
				}
			}
		}
	}
}

var long = func() string {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "line %d\n\n", i)
	}
	return b.String()
}()

const block = "<!-- sub-memories -->\n[\n  {\"id\": \"pf-m\", \"title\": \"M\", \"summary\": \"S\"}\n]\n<!-- /sub-memories -->\n"

// A file that is no memory conflicts as with git merge-file.
func TestInsertionsInAText(t *testing.T) {
	if r := merge.MergeText([]byte("p\n"), []byte("p\nX\n"), []byte("p\nY\n"), merge.Options{}); r.Clean() {
		t.Errorf("no conflict, but\n%s", r.Text)
	}
}

// Whatever two sides insert into one place of whatever text, both stand there whole
// and once, and it does not matter whose is whose. Lines that are put above their like
// are the same text as those lines put below it, so both readings count.
func TestInsertionsStayWhole(t *testing.T) {
	line := rapid.SampledFrom([]string{"\n", "\n", "a\n", "b\n", "- c\n", "## H\n"})
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SliceOfN(line, 0, 12).Draw(t, "base")
		x, y := rapid.SliceOfN(line, 1, 8).Draw(t, "x"), rapid.SliceOfN(line, 1, 8).Draw(t, "y")
		at := rapid.IntRange(0, len(base)).Draw(t, "at")
		doc := func(lines ...[]string) []byte {
			return []byte("---\n" + head + "---\n" + strings.Join(slices.Concat(lines...), ""))
		}
		o, a, b := doc(base), doc(base[:at], x, base[at:]), doc(base[:at], y, base[at:])
		r, mirrored := merge.Merge(o, a, b, merge.Options{}), merge.Merge(o, b, a, merge.Options{})
		if !r.Clean() || !bytes.Equal(r.Text, mirrored.Text) {
			t.Fatalf("got\n%q\nand, the sides changed over,\n%q", r.Text, mirrored.Text)
		}
		for _, part := range [][]string{x, y} {
			if !strings.Contains(string(r.Text), strings.Join(part, "")) && !strings.Contains(string(r.Text), strings.Join(below(part, base[at:]), "")) {
				t.Fatalf("%q does not stand whole in %q", part, r.Text)
			}
		}
		most := len(doc(base, x, y)) + 1
		if bytes.Equal(a, b) {
			most = len(a)
		}
		if len(r.Text) > most {
			t.Fatalf("%q is too long", r.Text)
		}
	})
}

// below returns the lines that a text has more where part was put above it, as far down
// as that can be read.
func below(part, text []string) []string {
	for len(text) > 0 && text[0] == part[0] {
		part, text = append(slices.Clone(part[1:]), part[0]), text[1:]
	}
	return part
}
