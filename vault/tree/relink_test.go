package tree_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

func TestText(t *testing.T) {
	below := []tree.FileMove{{From: "x.md", To: "p/x.md"}, {From: "x", To: "p/x", Tree: true}}
	stands := []vault.Path{"a.md", "x.md", "x", "x/c.md", "x/pic.png", "p.md", "p/a.md", "docs", "docs/b.md"}
	for name, row := range map[string]struct {
		moves      []tree.FileMove
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
		"from the top":           {below, false, true, "docs/b.md", "[x](/x.md#h) [c](</x/c.md>) [[/x|X]] [[/x/c]] ![p](/x/pic.png) [s](//x.md)", "/x.md#h>/p/x.md#h </x/c.md>></p/x/c.md> [[/x>[[/p/x [[/x/c>[[/p/x/c /x/pic.png>/p/x/pic.png"},
		"from the top, made":     {[]tree.FileMove{{From: "docs/b.md", To: "p/b.md"}, {From: "docs/c.md", To: "p/c.md"}}, true, true, "a.md", "[b](/docs/b.md) [c](/docs/c.md)", "/docs/c.md>/p/c.md"},
		"a file alone":           {[]tree.FileMove{{From: "x.md", To: "p/x.md"}}, false, true, "x.md", "[c](x/c.md)", "x/c.md>../x/c.md"},
		"swapped":                {[]tree.FileMove{{From: "a.md", To: "p.md"}, {From: "p.md", To: "a.md"}}, false, true, "docs/b.md", "[a](../a.md) [p](../p.md)", "../a.md>../p.md ../p.md>../a.md"},
		"folder file":            {[]tree.FileMove{{From: "docs", To: "p/docs", Tree: true}}, false, true, "docs/b.md", "[a](../a.md) [i](index.md)", "../a.md>../../a.md"},
		"made, as in HEAD":       {[]tree.FileMove{{From: "old.md", To: "p/x.md"}}, true, true, "old.md", "[a](a.md)", "a.md>../a.md"},
		"made, and looked after": {[]tree.FileMove{{From: "old.md", To: "p/x.md"}}, true, false, "old.md", "[a](a.md) [b](docs/b.md)", "docs/b.md>../docs/b.md"},
		"made, to it":            {[]tree.FileMove{{From: "old.md", To: "p/x.md"}}, true, true, "a.md", "[o](old.md)", "old.md>p/x.md"},
		"made, and another came": {[]tree.FileMove{{From: "docs/b.md", To: "p/x.md"}}, true, true, "a.md", "[b](docs/b.md)", ""},
		"made, but the folder":   {below, true, true, "a.md", "[c](x/c.md) [x](x.md)", "x/c.md>p/x/c.md"},
		"references":             {below, false, true, "a.md", "---\nreferences: [x.md, x/c, ./x/c.md, x, a.md, \"docs/b\", X.md]\n---\n", "x.md>p/x.md x/c>p/x/c ./x/c.md>./p/x/c.md"},
		"a reference in it":      {below, false, true, "x/c.md", "---\nreferences: x/c.md, The x/c\n---\n", "x/c.md>p/x/c.md"},
		"references, made":       {[]tree.FileMove{{From: "docs/b.md", To: "p/b.md"}, {From: "docs/c.md", To: "p/c.md"}}, true, true, "a.md", "---\nreferences:\n  - docs/b.md\n  - 'docs/c' # why\n---\n", "docs/c>p/c"},
		"front matter":           {below, false, true, "x.md", "---\nurl: \"[a](a.md)\"\n---\n[a](a.md)", "a.md>../a.md"},
	} {
		t.Run(name, func(t *testing.T) {
			m := mender(row.moves, row.made, stands)
			links, stuck, err := m.RelinkText(t.Context(), vault.Path(row.from), []byte(row.text), row.fresh)
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

// A wikilink by a name means afterwards what it meant, by a name no weaker.
func TestNames(t *testing.T) {
	place := func(from, to vault.Path) []tree.FileMove { return []tree.FileMove{{From: from, To: to}} }
	below := []tree.FileMove{{From: "a.md", To: "p/a.md"}, {From: "a", To: "p/a", Tree: true}}
	stands := []vault.Path{"a.md", "a/plain.md", "a/note.md", "b/links.md", "b/note.md", "deep/er/note.md", "x/README.md", "x/y/one.md", "z.md"}
	for name, row := range map[string]struct {
		moves []tree.FileMove
		made  bool
		edits bool // the text's links are not those of HEAD
		come  []vault.Path
		text  string
		want  string
	}{
		"a path from the top":              {moves: place("a/plain.md", "c/plain.md"), text: "[[a/plain]] [[a/plain|x]] ![[a/plain]] [[a/plain#H]] [[a/plain#H|x]]", want: "[[a/plain>[[c/plain"},
		"with its ending":                  {moves: place("a/plain.md", "c/plain.md"), text: "[[a/plain.md]] [[A/Plain.MD]]", want: "[[a/plain.md>[[c/plain.md [[A/Plain.MD>[[c/plain.MD"},
		"in a table, with blanks":          {moves: place("a/plain.md", "c/plain.md"), text: "|a|\n|-|\n|[[ a/plain \\|x]]|\n", want: "[[ a/plain>[[ c/plain"},
		"to the root":                      {moves: place("a/plain.md", "plain.md"), text: "[[a/plain]] [[plain]]", want: "[[a/plain>[[plain"},
		"deeper":                           {moves: place("a/plain.md", "c/d/a/plain.md"), text: "[[a/plain]] [[plain]]", want: "[[a/plain>[[c/d/a/plain"},
		"a name that stays":                {moves: place("a/plain.md", "c/plain.md"), text: "[[plain]] [[Plain#H]]", want: ""},
		"another name":                     {moves: place("a/plain.md", "a/fancy.md"), text: "[[plain]] [[plain#H|x]] ![[Plain]] [[a/plain]]", want: "[[plain>[[fancy [[Plain>[[fancy [[a/plain>[[a/fancy"},
		"the end of a path":                {moves: place("x/y/one.md", "x/w/one.md"), text: "[[y/one]] [[one]]", want: "[[y/one>[[w/one"},
		"a name that another one has then": {moves: place("a/plain.md", "c/d/note.md"), text: "[[plain]]", want: "[[plain>[[d/note"},
		"a name that it takes away":        {moves: place("deep/er/note.md", "note.md"), text: "[[note]] [[er/note]]", want: "[[note>[[a/note [[er/note>[[note"},
		"a name that it leaves":            {moves: place("a/note.md", "a/n.md"), text: "[[note]]", want: "[[note>[[n"},
		"by title":                         {moves: place("a/plain.md", "c/fancy.md"), text: "[[Title of a/plain.md]] [[pf-a-plain]]", want: ""},
		"a title that a file takes away":   {moves: place("z.md", "title of a/plain.md.md"), text: "[[Title of a/plain.md]]", want: ""},
		"with its folder":                  {moves: below, text: "[[a/plain]] [[plain]] [[a]] [[a/note|n]] [[note]]", want: "[[a/plain>[[p/a/plain [[a/note>[[p/a/note [[note>[[a/note"},
		"a folder's file":                  {moves: []tree.FileMove{{From: "x", To: "v/w", Tree: true}}, text: "[[x]] [[x/README]] [[x/y/one]] [[one]]", want: "[[x>[[w [[x/README>[[v/w/README [[x/y/one>[[v/w/y/one"},
		"what an id takes away":            {moves: place("a/plain.md", "pf-z.md"), text: "[[a/plain]]", want: "[[a/plain>[[/pf-z"},
		"code and what is no link":         {moves: place("a/plain.md", "c/plain.md"), text: "`[[a/plain]]` <!-- [[a/plain]] --> [[nobody]] [[a/plain](x.md)", want: ""},

		"made":                        {moves: place("a/plain.md", "c/plain.md"), made: true, text: "[[a/plain]] [[plain]]", want: "[[a/plain>[[c/plain"},
		"made, another name":          {moves: place("a/plain.md", "a/fancy.md"), made: true, text: "[[plain]] [[a/plain#H]]", want: "[[plain>[[fancy [[a/plain>[[a/fancy"},
		"made, by who edits":          {moves: place("a/plain.md", "a/fancy.md"), made: true, edits: true, text: "[[plain]] [[fancy]]", want: "[[plain>[[fancy"},
		"made, a name taken away":     {moves: place("deep/er/note.md", "note.md"), made: true, text: "[[note]]", want: "[[note>[[a/note"},
		"made, and typed for the new": {moves: place("deep/er/note.md", "note.md"), made: true, edits: true, text: "[[note]]", want: ""},
		"made, and another came":      {moves: place("a/plain.md", "c/plain.md"), made: true, come: []vault.Path{"a/plain.md"}, text: "[[a/plain]] [[plain]]", want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := mender(row.moves, row.made, append(slices.Clone(stands), row.come...))
			m.Leads = leads(stands, row.come, row.moves, row.made)
			links, stuck, err := m.RelinkText(t.Context(), "b/links.md", []byte(row.text), !row.edits)
			var got []string
			for _, l := range links {
				if next := l.From + ">" + l.To; !slices.Contains(got, next) {
					got = append(got, next)
				}
			}
			if strings.Join(got, " ") != row.want || len(stuck) > 0 || err != nil {
				t.Errorf("got %q, %v, %v; want %q", strings.Join(got, " "), stuck, err, row.want)
			}
		})
	}
}

// mender is one whose index knows no names.
func mender(moves []tree.FileMove, made bool, stands []vault.Path) *tree.Mender {
	return &tree.Mender{Moves: moves, Made: made, Leads: leads(nil, nil, nil, false), Stands: func(_ context.Context, p vault.Path) (bool, error) { return slices.Contains(stands, p), nil }}
}

// leads tells what names mean, of files that stood before moves; some came meanwhile. The
// moves are those of files, or of folders with the files in them.
func leads(stood, come []vault.Path, moves []tree.FileMove, made bool) vault.Leads {
	m := &tree.Mender{Moves: moves}
	var shifts []vault.Shift
	rows := make(map[int64][]query.Offer)
	stands := func(s vault.Shift, row vault.Path) {
		s.Row, s.ID, s.Title = row, vault.ID("pf-"+strings.ReplaceAll(string(s.Was.Stem()), "/", "-")), "Title of "+string(s.Was)
		shifts = append(shifts, s)
		for _, n := range query.NamesOf(row, s.ID, s.Title) {
			rows[n.Key] = append(rows[n.Key], query.Offer{Path: row, Rank: n.Rank})
		}
	}
	for _, p := range stood {
		if made {
			stands(vault.Shift{Was: p, Is: m.PlaceOf(p)}, m.PlaceOf(p))
		} else {
			stands(vault.Shift{Was: p, Is: m.PlaceOf(p)}, p)
		}
	}
	for _, p := range come {
		stands(vault.Shift{Is: p}, p)
	}
	names := query.ShiftNames(shifts)
	return func(_ context.Context, asked []string) (all []vault.Lead, err error) {
		for _, name := range asked {
			key := query.HashName(query.LinkName("", vault.Reference{Kind: "wikilink", Target: name}))
			all = append(all, names.Lead(key, rows[key]))
		}
		return all, nil
	}
}

// What no wikilink can say is named.
func TestTextNamesWhatItCannotWrite(t *testing.T) {
	m := mender([]tree.FileMove{{From: "x.md", To: "p#1/x.md"}}, false, []vault.Path{"x.md"})
	links, stuck, err := m.RelinkText(t.Context(), "a.md", []byte("[[./x]] and [x](x.md)"), true)
	if got := fmt.Sprint(links, stuck, err); got != "[{x.md p%231/x.md }] [{[[./x p#1/x.md }] <nil>" {
		t.Error(got)
	}
	m.Leads = leads([]vault.Path{"x.md"}, nil, m.Moves, false)
	links, stuck, err = m.RelinkText(t.Context(), "a.md", []byte("[[x]] and [x](/x.md)"), true)
	if got := fmt.Sprint(links, stuck, err); got != "[{/x.md /p%231/x.md }] [] <nil>" {
		t.Error(got)
	}
	m.Moves = []tree.FileMove{{From: "x.md", To: "p#1.md"}}
	m = mender(m.Moves, false, []vault.Path{"x.md"})
	m.Leads = leads([]vault.Path{"x.md"}, nil, m.Moves, false)
	for text, want := range map[string]string{
		"[[x]]": "[] [{[[x p#1 }] <nil>",
		"[a](x.md) [[x]]\n<!-- sub-memories -->\n[": "[] [{x.md p#1.md } {[[x p#1 }] <nil>", // a damaged block
	} {
		links, stuck, err := m.RelinkText(t.Context(), "a.md", []byte(text), true)
		if got := fmt.Sprint(links, stuck, err); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}
