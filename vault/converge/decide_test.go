package converge_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
)

// files are what a commit has, by path.
type files map[vault.Path]string

// memory returns the text of a memory.
func memory(id, prose string, header ...string) string {
	return "---\nid: pf-" + id + "\ntitle: " + strings.ToUpper(id) + "\n" + strings.Join(header, "") + "---\n" + prose + "\n"
}

// pointing adds a pointer block to a memory's text.
func pointing(text, child string) string {
	return text + "\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-" + child + "\", \"title\": \"C\", \"summary\": \"when c\"}\n]\n<!-- /sub-memories -->\n"
}

// hunk is a conflict as git leaves it.
func hunk(ours, theirs string) string {
	return "<<<<<<< ours\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
}

// row is a merge and what is to be done about it.
type row struct {
	name                       string
	base, ours, theirs, merged files
	git                        files          // what git by itself makes of it; nil is merged
	now                        files          // HEAD, after the merge; nil is the merge
	typed                      vault.Path     // has a person's uncommitted work
	when                       map[string]int // the day on which a side moved all that it moved
	how                        converge.Input
	want                       string // the edits, a line each
	told                       string // the types of what is told
	uneven                     bool   // the sides' names stand in a text
	marked                     bool   // that it is put right only the trailer Cp-Settles tells
}

var rows = []row{
	{
		name: "two files that each side changed alone",
		base: files{"a.md": memory("a", "old"), "b.md": memory("b", "old")}, ours: files{"a.md": memory("a", "new"), "b.md": memory("b", "old")},
		theirs: files{"a.md": memory("a", "old"), "b.md": memory("b", "new")}, merged: files{"a.md": memory("a", "new"), "b.md": memory("b", "new")},
	},
	{
		name: "two memories made at one path: the smaller id keeps it",
		ours: files{"x.md": memory("b", "mine")}, theirs: files{"x.md": memory("a", "yours")}, merged: files{"x.md": hunk(memory("b", "mine"), memory("a", "yours"))},
		want: "text x.md pf-a\ncreate x-2.md pf-b", told: "shared_path",
	},
	{
		name: "two memories at one path, and the next name is taken",
		base: files{"x-2.md": memory("c", "c")},
		ours: files{"x-2.md": memory("c", "c"), "x.md": memory("b", "mine")}, theirs: files{"x-2.md": memory("c", "c"), "x.md": memory("a", "yours")},
		merged: files{"x-2.md": memory("c", "c"), "x.md": hunk(memory("b", "mine"), memory("a", "yours"))},
		want:   "text x.md pf-a\ncreate x-3.md pf-b", told: "shared_path",
	},
	{
		name: "two memories at one path of which a person took one",
		ours: files{"x.md": memory("b", "mine")}, theirs: files{"x.md": memory("a", "yours")}, merged: files{"x.md": memory("b", "mine")},
		git:  files{"x.md": hunk(memory("b", "mine"), memory("a", "yours"))},
		told: "deleted_file",
	},
	{
		name: "two memories at one path, and the person has not committed what they type",
		ours: files{"x.md": memory("b", "mine")}, theirs: files{"x.md": memory("a", "yours")}, merged: files{"x.md": hunk(memory("b", "mine"), memory("a", "yours"))},
		typed: "x.md",
	},
	{
		name: "a child of a parent that the other side moved",
		base: files{"p.md": memory("p", "p"), "q.md": memory("q", "q")}, ours: files{"q/p.md": memory("p", "p"), "q.md": memory("q", "q")},
		theirs: files{"p.md": memory("p", "p"), "p/c.md": memory("c", "c"), "q.md": memory("q", "q")},
		merged: files{"q/p.md": memory("p", "p"), "p/c.md": memory("c", "c"), "q.md": memory("q", "q")},
		want:   "move p/c.md to q/p/c.md", told: "moved_file",
	},
	{
		name: "an image of a memory that the other side moved",
		base: files{"p.md": memory("p", "p"), "q.md": memory("q", "q")}, ours: files{"q/p.md": memory("p", "p"), "q.md": memory("q", "q")},
		theirs: files{"p.md": memory("p", "p"), "p/i.png": "i", "q.md": memory("q", "q")},
		merged: files{"q/p.md": memory("p", "p"), "p/i.png": "i", "q.md": memory("q", "q")},
		want:   "move p/i.png to q/p/i.png", told: "moved_file",
	},
	{
		name: "a memory that both moved is where the later move has it",
		base: files{"a.md": memory("a", "a"), "b.md": memory("b", "b"), "x.md": memory("x", "x")},
		ours: files{"a.md": memory("a", "a"), "b.md": memory("b", "b"), "a/x.md": memory("x", "x")}, theirs: files{"a.md": memory("a", "a"), "b.md": memory("b", "b"), "b/x.md": memory("x", "x")},
		merged: files{"a.md": memory("a", "a"), "b.md": memory("b", "b"), "a/x.md": memory("x", "x"), "b/x.md": memory("x", "x")},
		when:   map[string]int{"ours": 1, "theirs": 2},
		want:   "remove a/x.md", told: "moved_file",
	},
	{
		name: "an id of ours in two new files is one memory, which came to both sides and then moved",
		ours: files{"a/x.md": memory("7k2m9qx4", "x")}, theirs: files{"b/x.md": memory("7k2m9qx4", "x")}, merged: files{"a/x.md": memory("7k2m9qx4", "x"), "b/x.md": memory("7k2m9qx4", "x")},
		when: map[string]int{"ours": 1, "theirs": 2},
		want: "remove a/x.md", told: "moved_file",
	},
	{
		name: "a name that people gave to two new files is two memories",
		ours: files{"a/x.md": memory("intro", "x")}, theirs: files{"b/x.md": memory("intro", "x")}, merged: files{"a/x.md": memory("intro", "x"), "b/x.md": memory("intro", "x")},
	},
	{
		name: "two memories that were moved below each other: the later move is undone",
		base: files{"a.md": memory("a", "a"), "b.md": memory("b", "b")}, ours: files{"b/a.md": memory("a", "a"), "b.md": memory("b", "b")},
		theirs: files{"a.md": memory("a", "a"), "a/b.md": memory("b", "b")}, merged: files{"b/a.md": memory("a", "a"), "a/b.md": memory("b", "b")},
		when: map[string]int{"ours": 2, "theirs": 1},
		want: "move b/a.md to a.md", told: "cycle moved_file",
	},
	{
		name: "deleted here, edited there: it stays",
		base: files{"a.md": memory("a", "old")}, ours: files{}, theirs: files{"a.md": memory("a", "new")}, merged: files{"a.md": memory("a", "new")},
		told: "returned_file",
	},
	{
		name: "deleted here, edited there, and it is an old merge that this clone has not seen before",
		base: files{"a.md": memory("a", "old")}, ours: files{}, theirs: files{"a.md": memory("a", "new")}, merged: files{"a.md": memory("a", "new")},
		how: converge.Input{Quiet: true},
	},
	{
		name: "deleted here, there only its pointers changed: it goes",
		base: files{"a.md": memory("a", "old")}, ours: files{}, theirs: files{"a.md": pointing(memory("a", "old"), "c"), "a/c.md": memory("c", "c")},
		merged: files{"a.md": pointing(memory("a", "old"), "c"), "a/c.md": memory("c", "c")},
		want:   "remove a.md", told: "deleted_file orphaned_memory",
	},
	{
		name: "moved and edited here, another memory in its old place there: git took them for one (the first)",
		base: files{"x.md": memory("b", "old")}, ours: files{"y.md": memory("b", "old\n\nmine")}, theirs: files{"x.md": memory("a", "old")},
		merged: files{"y.md": memory("a", "old\n\nmine")},
		want:   "text y.md pf-b\ncreate x.md pf-a", told: "conflict_markers returned_file",
	},
	{
		name: "moved and edited here, another memory in its old place there: git took them for one (the last)",
		base: files{"x.md": memory("a", "old")}, ours: files{"y.md": memory("a", "old\n\nmine")}, theirs: files{"x.md": memory("b", "old")},
		merged: files{"y.md": memory("b", "old\n\nmine")},
		want:   "text y.md pf-a\ncreate x.md pf-b", told: "conflict_markers returned_file",
	},
	{
		name: "moved here, another memory in its old place there: git took them for one",
		base: files{"x.md": memory("b", "old")}, ours: files{"y.md": memory("b", "old")}, theirs: files{"x.md": memory("a", "old")},
		merged: files{"y.md": memory("a", "old")},
		want:   "text y.md pf-b\ncreate x.md pf-a", told: "conflict_markers returned_file",
	},
	{
		name: "edited here, another memory in its place there: it gets a place of its own",
		base: files{"a.md": memory("a", "old")}, ours: files{"a.md": memory("a", "new")}, theirs: files{"a.md": memory("z", "other")},
		merged: files{"a.md": memory("z", "other")},
		want:   "create a-2.md pf-a", told: "returned_file", marked: true,
	},
	{
		name: "an image that its memory's other side moved is in both places",
		base: files{"p.md": memory("p", "p"), "q.md": memory("q", "q"), "p/i.png": "i"}, ours: files{"q/p.md": memory("p", "p"), "q/p/i.png": "i", "q.md": memory("q", "q")},
		theirs: files{"p.md": memory("p", "p2"), "p/i.png": "i", "q.md": memory("q", "q")},
		merged: files{"q/p.md": memory("p", "p2"), "q/p/i.png": "i", "p/i.png": "i", "q.md": memory("q", "q")},
		want:   "remove p/i.png", told: "moved_file",
	},
	{
		name: "another image has the place of the one that follows its memory",
		base: files{"p.md": memory("p", "p"), "q.md": memory("q", "q")}, ours: files{"q/p.md": memory("p", "p"), "q/p/i.png": "other", "q.md": memory("q", "q")},
		theirs: files{"p.md": memory("p", "p"), "p/i.png": "i", "q.md": memory("q", "q")},
		merged: files{"q/p.md": memory("p", "p"), "q/p/i.png": "other", "p/i.png": "i", "q.md": memory("q", "q")},
		want:   "move p/i.png to q/p/i-2.png", told: "moved_file",
	},
	{
		name: "git left out a memory that both sides have, and its image",
		base: files{"p.md": memory("p", "p"), "p/i.png": "i"}, ours: files{"a.md": memory("a", "a"), "a/p.md": memory("p", "p"), "a/p/i.png": "i"},
		theirs: files{"b.md": memory("b", "b"), "b/p.md": memory("p", "p"), "b/p/i.png": "i"}, merged: files{"a.md": memory("a", "a"), "b.md": memory("b", "b")},
		when: map[string]int{"ours": 1, "theirs": 2}, want: "create a/p/i.png \ncreate a/p.md pf-p", told: "returned_file returned_file",
	},
	{
		name: "edited and copied here, deleted there, and git left the copy only",
		base: files{"a.md": memory("a", "old")}, ours: files{"a.md": memory("a", "new"), "copy.md": memory("a", "new")}, theirs: files{},
		merged: files{"copy.md": memory("a", "new")},
		want:   "create a.md pf-a", told: "returned_file",
	},
	{
		name: "git's markers in a front matter that can be merged by key",
		base: files{"a.md": memory("a", "p")}, ours: files{"a.md": memory("a", "p", "status: open\n")}, theirs: files{"a.md": memory("a", "p", "labels: [x]\n")},
		merged: files{"a.md": "---\nid: pf-a\ntitle: A\n" + hunk("status: open\n", "labels: [x]\n") + "---\np\n"},
		want:   "text a.md pf-a", told: "conflict_markers", uneven: true,
	},
	{
		name: "git's markers that a person has resolved since",
		base: files{"a.md": memory("a", "p")}, ours: files{"a.md": memory("a", "p", "status: open\n")}, theirs: files{"a.md": memory("a", "p", "labels: [x]\n")},
		merged: files{"a.md": "---\nid: pf-a\ntitle: A\n" + hunk("status: open\n", "labels: [x]\n") + "---\np\n"}, now: files{"a.md": memory("a", "p", "status: open\n")},
	},
}

// Every merge is put right as the table says, and alike whichever side is whose.
func TestDecide(t *testing.T) {
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			for _, sides := range [][2]string{{"ours", "theirs"}, {"theirs", "ours"}} {
				if r.uneven && sides[0] == "theirs" {
					continue
				}
				d, err := r.decide(sides)
				if err != nil {
					t.Fatal(err)
				}
				if got := done(d); got != r.want {
					t.Errorf("%v: edits\n%s\nwant\n%s", sides, got, r.want)
				}
				var told []string
				for _, x := range d.Discrepancies {
					told = append(told, x.Type)
				}
				slices.Sort(told)
				if got := strings.Join(told, " "); got != r.told {
					t.Errorf("%v: told %q, want %q", sides, got, r.told)
				}
				if d.Spared != (r.typed != "") {
					t.Errorf("%v: spared %v", sides, d.Spared)
				}
			}
		})
	}
}

// Of a merge that is in no commit yet it is told what gives way, once for a phrase that a
// pointer repeats.
func TestDropped(t *testing.T) {
	versions := func(title, phrase string) files {
		return files{"p.md": pointing(memory("p", "p"), "c"), "p/c.md": strings.Replace(memory("c", "c", "summary: "+phrase+"\n"), "title: C", "title: "+title, 1)}
	}
	for _, r := range []struct {
		name         string
		ours, theirs files
		want         string
	}{
		{"one side's changes", versions("Mine", "when c"), versions("C", "when c"), ""},
		{"a title on both sides", versions("Mine", "when c"), versions("Yours", "when c"), "p/c.md title: Yours, not Mine of ours"},
		{"a moved file", files{"p.md": pointing(memory("p", "p"), "c"), "c.md": versions("Mine", "x")["p/c.md"]}, versions("Yours", "y"), "c.md title: Yours, not Mine of ours\nc.md summary: y, not x of ours"},
	} {
		row := row{base: versions("C", "when c"), ours: r.ours, theirs: r.theirs}
		got, err := row.dropped()
		var lines []string
		for _, c := range got {
			lines = append(lines, fmt.Sprintf("%s %s: %s, not %s of %s", c.Path, c.Key, c.Kept, c.Dropped, c.Commit))
		}
		if all := strings.Join(lines, "\n"); err != nil || all != r.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", r.name, err, all, r.want)
		}
	}
}

// What is decided is put right: on the files as they are then, nothing is left to do.
func TestDecideOnce(t *testing.T) {
	for _, r := range rows {
		d, err := r.decide([2]string{"ours", "theirs"})
		if err != nil {
			t.Fatal(err)
		}
		if r.marked {
			continue
		}
		now := maps.Clone(r.now)
		if now == nil {
			now = maps.Clone(r.merged)
		}
		for _, e := range d.Edits {
			text := now[e.Path]
			if len(e.Steps) > 0 {
				text = e.Steps[0].Text
			}
			if e.Remove || e.To != "" {
				delete(now, e.Path)
			}
			if !e.Remove {
				now[cmp.Or(e.To, e.Path)] = cmp.Or(string(e.Create), text)
			}
		}
		r.now = now
		if d, err = r.decide([2]string{"ours", "theirs"}); err != nil || len(d.Edits) > 0 {
			t.Errorf("%s: a second decision says %q, %v", r.name, done(d), err)
		}
	}
}

// decide has the merge decided on.
func (r row) decide(sides [2]string) (converge.Decision, error) {
	in, answer := r.input(sides)
	return converge.Decide(in, answer)
}

// dropped tells what gives way in the merge.
func (r row) dropped() ([]converge.Conflict, error) {
	in, answer := r.input([2]string{"ours", "theirs"})
	return converge.FindDropped(in, answer)
}

// input returns the merge, with answers from the maps.
func (r row) input(sides [2]string) (converge.Input, func(*converge.Facts) error) {
	trees := map[string]files{"base": r.base, "ours": r.ours, "theirs": r.theirs, "merged": r.merged, "now": r.now}
	in := r.how
	in.Merge, in.Head = converge.Merge{Commit: "merged", Base: "base", Sides: sides}, "merged"
	if r.now != nil {
		in.Head = "now"
	}
	changed := make(map[vault.Path]bool)
	for _, tree := range trees {
		for p := range tree {
			changed[p] = changed[p] || p.IsMarkdown() && (r.ours[p] != r.base[p] || r.theirs[p] != r.base[p] || r.merged[p] != r.base[p])
		}
	}
	maps.DeleteFunc(changed, func(_ vault.Path, is bool) bool { return !is })
	in.Changed = slices.Sorted(maps.Keys(changed))
	return in, func(f *converge.Facts) error {
		for _, commit := range f.Commits() {
			f.Tell(commit, trees[commit].at(f.Paths), trees[commit].below(f.Folders))
		}
		git, here := r.git, trees[in.Head]
		if git == nil {
			git = r.merged
		}
		return cmp.Or(
			f.Clean.Each(func(p vault.Path) (bool, error) { return p != r.typed, nil }),
			f.File.Each(func(p vault.Path) (bool, error) { return here[p] != "", nil }),
			f.Place.Each(func(id vault.ID) (vault.Path, error) { return here.place(id), nil }),
			f.Below.Each(func(vault.ID) ([]vault.Node, error) { return nil, nil }),
			f.Arrived.Each(func(at converge.At) (vault.Revision, error) {
				return vault.Revision{Commit: at.Commit, Time: time.Date(2026, 1, r.when[at.Commit], 0, 0, 0, 0, time.UTC)}, nil
			}),
			f.Blob.Each(func(at converge.At) ([]byte, error) { return []byte(trees[at.Commit][at.Path]), nil }),
			f.Made.Each(func(m converge.Made) (made converge.Replayed, err error) {
				if text, there := git[m.Path]; there && m.How == converge.ReplayMerge {
					made.Text = []byte(text)
				}
				return made, nil
			}),
		)
	}
}

// at returns the texts of the paths.
func (f files) at(paths []vault.Path) map[vault.Path][]byte {
	texts := make(map[vault.Path][]byte)
	for _, p := range paths {
		if text, there := f[p]; there {
			texts[p] = []byte(text)
		}
	}
	return texts
}

// below returns what is no memory below the folders; its text stands for the blob's id.
func (f files) below(folders []vault.Path) map[vault.Path]string {
	others := make(map[vault.Path]string)
	for p, text := range f {
		if !p.IsMarkdown() && slices.ContainsFunc(folders, p.Within) {
			others[p] = text
		}
	}
	return others
}

// place returns where a memory is.
func (f files) place(id vault.ID) vault.Path {
	for p, text := range f {
		if vault.Parse(p, []byte(text)).ID == id {
			return p
		}
	}
	return ""
}

// done tells the edits, a line each.
func done(d converge.Decision) string {
	var lines []string
	for _, e := range d.Edits {
		id := func(text string) vault.ID { return vault.Parse(e.Path, []byte(text)).ID }
		for _, s := range e.Steps {
			lines = append(lines, fmt.Sprint("text ", e.Path, " ", id(s.Text)))
		}
		switch {
		case e.Create != nil:
			lines = append(lines, fmt.Sprint("create ", e.Path, " ", id(string(e.Create))))
		case e.Remove:
			lines = append(lines, fmt.Sprint("remove ", e.Path))
		case e.To != "":
			lines = append(lines, fmt.Sprint("move ", e.Path, " to ", e.To))
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return -cmp.Compare(a, b) }) // texts first
	return strings.Join(lines, "\n")
}
