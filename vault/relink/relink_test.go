package relink

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestText(t *testing.T) {
	below := []Move{{From: "x.md", To: "p/x.md"}, {From: "x", To: "p/x", Tree: true}}
	stands := []vault.Path{"a.md", "x.md", "x", "x/c.md", "x/pic.png", "p.md", "p/a.md", "docs", "docs/b.md"}
	for name, row := range map[string]struct {
		moves      []Move
		made       bool
		fresh      bool
		from, text string
		want       string
	}{
		"elsewhere":              {below, false, true, "x.md", "[a](a.md) [d](docs/) [b](docs/b.md#x)", "a.md>../a.md docs/>../docs/ docs/b.md#x>../docs/b.md#x"},
		"what moves along":       {below, false, true, "x.md", "[c](x/c.md) [x](x.md) ![p](x/pic.png)", ""},
		"from below":             {below, false, true, "x/c.md", "[a](../a.md) [x](../x.md) ![p](pic.png)", "../a.md>../../a.md"},
		"to what moves":          {below, false, true, "docs/b.md", "[x](../x.md) [c](../x/c.md) [d](../x/)", "../x.md>../p/x.md ../x/c.md>../p/x/c.md ../x/>../p/x/"},
		"nearer":                 {below, false, true, "p.md", "[x](x.md)", "x.md>p/x.md"},
		"broken before":          {below, false, true, "x.md", "[n](never.md) [[./never]]", ""},
		"a like name":            {below, false, true, "a.md", "[xm](xm.md) [xc](xm/c.md) [dot](x.md.md)", ""},
		"out of the vault":       {below, false, true, "x.md", "[r](../README.md) [s](../../src/x.go)", "../README.md>../../README.md ../../src/x.go>../../../src/x.go"},
		"another case":           {below, false, true, "a.md", "[X](X.md) [C](X/C.md)", "X.md>p/x.md X/C.md>p/x/C.md"},
		"wikilinks":              {below, false, true, "x.md", "[[./a]] [[./a.md]] [[a]] [[./docs/b#h|B]]", "[[./a>[[../a [[./a.md>[[../a.md [[./docs/b>[[../docs/b"},
		"a wikilink to it":       {below, false, true, "a.md", "[[./x]] [[./x/c|C]]", "[[./x>[[./p/x [[./x/c>[[./p/x/c"},
		"not relative":           {below, false, true, "x.md", "[r](/a.md) [u](https://x.org/a.md) [f](#top)", ""},
		"a file alone":           {[]Move{{From: "x.md", To: "p/x.md"}}, false, true, "x.md", "[c](x/c.md)", "x/c.md>../x/c.md"},
		"swapped":                {[]Move{{From: "a.md", To: "p.md"}, {From: "p.md", To: "a.md"}}, false, true, "docs/b.md", "[a](../a.md) [p](../p.md)", "../a.md>../p.md ../p.md>../a.md"},
		"folder file":            {[]Move{{From: "docs", To: "p/docs", Tree: true}}, false, true, "docs/b.md", "[a](../a.md) [i](index.md)", "../a.md>../../a.md"},
		"made, as in HEAD":       {[]Move{{From: "old.md", To: "p/x.md"}}, true, true, "old.md", "[a](a.md)", "a.md>../a.md"},
		"made, and looked after": {[]Move{{From: "old.md", To: "p/x.md"}}, true, false, "old.md", "[a](a.md) [b](docs/b.md)", "docs/b.md>../docs/b.md"},
		"made, to it":            {[]Move{{From: "old.md", To: "p/x.md"}}, true, true, "a.md", "[o](old.md)", "old.md>p/x.md"},
		"made, and another came": {[]Move{{From: "docs/b.md", To: "p/x.md"}}, true, true, "a.md", "[b](docs/b.md)", ""},
		"made, but the folder":   {below, true, true, "a.md", "[c](x/c.md) [x](x.md)", "x/c.md>p/x/c.md"},
		"damaged block":          {below, false, true, "x.md", "[a](a.md)\n<!-- sub-memories -->\n[", ""},
		"references":             {below, false, true, "a.md", "---\nreferences: [x.md, x/c, ./x/c.md, x, a.md, \"docs/b\", X.md]\n---\n", "x.md>p/x.md x/c>p/x/c ./x/c.md>./p/x/c.md"},
		"a reference in it":      {below, false, true, "x/c.md", "---\nreferences: x/c.md, The x/c\n---\n", "x/c.md>p/x/c.md"},
		"references, made":       {[]Move{{From: "docs/b.md", To: "p/b.md"}, {From: "docs/c.md", To: "p/c.md"}}, true, true, "a.md", "---\nreferences:\n  - docs/b.md\n  - 'docs/c' # why\n---\n", "docs/c>p/c"},
		"front matter":           {below, false, true, "x.md", "---\nurl: \"[a](a.md)\"\n---\n[a](a.md)", "a.md>../a.md"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &Mender{Moves: row.moves, Made: row.made, Stands: func(_ context.Context, p vault.Path) (bool, error) { return slices.Contains(stands, p), nil }}
			links, stuck, err := m.Text(t.Context(), vault.Path(row.from), []byte(row.text), row.fresh)
			if err != nil || len(stuck) > 0 {
				t.Fatal(stuck, err)
			}
			var got []string
			for _, l := range links {
				got = append(got, l.From+">"+l.To)
			}
			if strings.Join(got, " ") != row.want {
				t.Errorf("got %q, want %q", strings.Join(got, " "), row.want)
			}
			step := vault.Step{Op: vault.OpRelink, Links: links}
			after, err := step.Apply([]byte(row.text))
			if err != nil {
				t.Fatal(err)
			}
			if again, err := step.Apply(after); err != nil || string(again) != string(after) {
				t.Errorf("made twice: %q, then %q, %v", after, again, err)
			}
		})
	}
}

// What no wikilink can say is named.
func TestTextNamesWhatItCannotWrite(t *testing.T) {
	m := &Mender{Moves: []Move{{From: "x.md", To: "p#1/x.md"}}, Stands: func(context.Context, vault.Path) (bool, error) { return true, nil }}
	links, stuck, err := m.Text(t.Context(), "a.md", []byte("[[./x]] and [x](x.md)"), true)
	if got := fmt.Sprint(links, stuck, err); got != "[{x.md p%231/x.md }] [{[[./x p#1/x.md }] <nil>" {
		t.Error(got)
	}
}
