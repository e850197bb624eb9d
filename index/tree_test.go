package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/naming"
	"github.com/cp-memory/cp/vault/tree"
)

// parents tells the tree as "child<parent"; a root has no parent, an orphan a "!".
func parents(t *testing.T, d *DB) string {
	t.Helper()
	nodes, _, err := d.List(context.Background(), vault.ListOptions{Limit: 1000, Status: []string{"open", "closed"}})
	if err != nil {
		t.Fatal(err)
	}
	at := make(map[vault.ID]vault.Path)
	for _, n := range nodes {
		at[n.ID] = n.Path
	}
	var all []string
	for _, n := range nodes {
		told := string(n.Path)
		if n.Parent != "" {
			told += "<" + string(at[n.Parent])
		}
		if n.Orphan {
			told += "!"
		}
		all = append(all, told)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestPositionIsParenthood(t *testing.T) {
	for _, row := range []struct {
		name  string
		files []string // a name; "~" before it: committed, then deleted by hand
		want  string
	}{
		{"children of x.md are the memories in x", []string{"x.md", "x/a.md", "x/a/b.md"}, "x.md x/a.md<x.md x/a/b.md<x/a.md"},
		{"a folder without a file is transparent", []string{"x.md", "x/2026/05/a.md", "y/b.md"}, "x.md x/2026/05/a.md<x.md y/b.md"},
		{"README.md stands for its folder", []string{"x/README.md", "x/a.md"}, "x/README.md x/a.md<x/README.md"},
		{"x.md stands before x/README.md", []string{"x.md", "x/README.md", "x/a.md"}, "x.md x/README.md<x.md x/a.md<x.md"},
		{"index.md before _index.md before README.md", []string{"x/README.md", "x/_index.md", "x/index.md", "y/README.md", "y/_index.md"},
			"x/README.md<x/index.md x/_index.md<x/index.md x/index.md y/README.md<y/_index.md y/_index.md"},
		{"a README.md in the root is an ordinary root", []string{"README.md", "a.md"}, "README.md a.md"},
		{"a README.md has a folder of its own too", []string{"x/README.md", "x/README/a.md"}, "x/README.md x/README/a.md<x/README.md"},
		{"folder files nest", []string{"x/README.md", "x/y/README.md", "x/y/a.md"}, "x/README.md x/y/README.md<x/README.md x/y/a.md<x/y/README.md"},
		{"another type is transparent", []string{"x.md", "x/t.md task", "x/t/a.md"}, "x.md x/t/a.md<x.md"},
		{"another type does not stand before a README.md", []string{"x.md task", "x/README.md", "x/a.md"}, "x/README.md x/a.md<x/README.md"},
		{"any case of .md", []string{"x.MD", "x/a.md"}, "x.MD x/a.md<x.MD"},
		{"a closed parent is a parent", []string{"x.md closed", "x/a.md"}, "x.md x/a.md<x.md"},
		{"names that begin alike are not folders", []string{"x.md", "x-y/a.md", "x0/a.md", "xa.md"}, "x-y/a.md x.md x0/a.md xa.md"},
		{"an uncommitted deletion makes orphans", []string{"r.md", "~r/x.md", "r/x/a.md", "r/x/a/b.md"}, "r.md r/x/a.md! r/x/a/b.md<r/x/a.md"},
		{"a deleted README.md too", []string{"~x/README.md", "x/a.md"}, "x/a.md!"},
		{"unless another file stands there", []string{"~x.md", "x/README.md", "x/a.md"}, "x/README.md x/a.md<x/README.md"},
		{"an orphan of a deeper folder keeps its own parent", []string{"~x.md", "x/y.md", "x/y/a.md"}, "x/y.md! x/y/a.md<x/y.md"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := newFolder(t, true)
			for _, file := range row.files {
				words := strings.Fields(strings.TrimPrefix(file, "~"))
				text := "Text of " + words[0] + "\n"
				for _, word := range words[1:] {
					key := map[string]string{"task": "type", "closed": "status"}[word]
					text = fmt.Sprintf("---\n%s: %s\n---\n%s", key, word, text)
				}
				f.write(words[0], text)
			}
			f.commit()
			for _, file := range row.files {
				if gone, ok := strings.CutPrefix(file, "~"); ok {
					f.remove(gone)
				}
			}
			if got := parents(t, f.caughtUp()); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func TestOwner(t *testing.T) {
	f := newFolder(t, true)
	for _, p := range []string{"x.md", "x/y/README.md", "gone.md", "gone/a.md"} {
		f.write(p, "Text.\n")
	}
	f.commit()
	f.remove("gone.md")
	d := f.caughtUp()
	for dir, want := range map[vault.Path]vault.Path{
		"": "", "x": "x.md", "x/empty/deep": "x.md", "x/y": "x/y/README.md", "x/y/README": "x/y/README.md", "nowhere": "", "gone": "", "gone/a": "gone/a.md",
	} {
		got, ok, err := d.Owner(context.Background(), dir)
		if err != nil || got.Path != want || ok != (want != "") {
			t.Errorf("Owner(%q) = %q, %v, %v; want %q", dir, got.Path, ok, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	f := newFolder(t, false)
	f.write("a.md", "---\nid: pf-abc1\n---\n")
	f.write("notes/b c.md", "---\nid: pf-abc2\ntype: task\n---\n")
	f.write("pf-abc.md", "---\nid: zz-9\n---\n")
	f.write("nothing.md", "# No id\n")
	d := f.caughtUp()
	provisional := vault.ProvisionalID("nothing.md", func(vault.ID) bool { return false })
	for _, row := range []struct {
		ref  string
		want vault.Path
		code vault.Code
	}{
		{"pf-abc1", "a.md", ""},
		{" PF-ABC1 ", "a.md", ""},
		{"pf-abc2", "notes/b c.md", ""},
		{"notes/b c.md", "notes/b c.md", ""},
		{"./notes/b c", "notes/b c.md", ""},
		{"pf-abc", "pf-abc.md", ""}, // a file of that name comes before a prefix
		{"pf-ab", "", vault.CodeAmbiguous},
		{"zz-", "pf-abc.md", ""},
		{"zz", "", vault.CodeNotFound}, // too short
		{string(provisional), "nothing.md", ""},
		{"pf-abc3", "", vault.CodeNotFound},
		{"", "", vault.CodeNotFound},
		{"pf-abc1' OR 1=1 --", "", vault.CodeNotFound},
		{"\x00%_*", "", vault.CodeNotFound},
		{strings.Repeat("é", 100000), "", vault.CodeNotFound},
	} {
		n, err := d.Find(context.Background(), row.ref)
		if n.Path != row.want || vault.CodeOf(err) != row.code {
			t.Errorf("Find(%.40q) = %q, %v; want %q, %s", row.ref, n.Path, err, row.want, row.code)
		}
	}
	_, err := d.Find(context.Background(), "pf-ab")
	if err == nil || !strings.Contains(err.Error(), "pf-abc1, pf-abc2") {
		t.Errorf("the candidates are not named: %v", err)
	}
}

func TestDisplayOrder(t *testing.T) {
	f := newFolder(t, false)
	at := func(day int) string { return fmt.Sprintf("---\nid: pf-%d\ncreated: 2026-01-%02d\n---\n", day, day) }
	f.write("p.md", "---\nid: pf-p\n---\nText.\n\n<!-- sub-memories -->\n[\n"+
		`  {"id": "pf-3", "title": "Three", "summary": "when three"},`+"\n"+`  {"id": "pf-1", "title": "One", "summary": "when one"},`+"\n"+
		`  {"id": "pf-3", "title": "Three again", "summary": "a second time"}`+"\n]\n<!-- /sub-memories -->\n")
	for day := 1; day <= 5; day++ {
		f.write(fmt.Sprintf("p/z%d.md", 9-day), at(day))
	}
	f.write("p/undated.md", "---\nid: pf-u\nsummary: its own words\n---\n")
	d := f.caughtUp()
	children, err := d.Children(context.Background(), "pf-p")
	if got := ids(children, err); got != "3:1 1:1 2:1 4:1 5:1 u:1" {
		t.Errorf("children in order %s", got)
	}
	if children[0].Summary != "when three" || children[5].Summary != "its own words" || children[2].Summary != "" {
		t.Errorf("summaries %q, %q, %q", children[0].Summary, children[5].Summary, children[2].Summary)
	}
	if got := ids(d.Walk(context.Background(), vault.WalkOptions{})); got != "p:0 3:1 1:1 2:1 4:1 5:1 u:1" {
		t.Errorf("walk in order %s", got)
	}
}

func TestWalk(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, "a.md", "a/b.md closed", "a/b/c.md", "a/b/d.md closed", "a/e.md closed", "a/e/f.md closed", "g.md closed", "a/b/c/h.md")
	for _, row := range []struct {
		name string
		o    vault.WalkOptions
		want string
	}{
		{"closed ones go, but for the stubs of open descendants", vault.WalkOptions{}, "a:0 b:1 c:2 h:3"},
		{"a depth", vault.WalkOptions{MaxDepth: 2}, "a:0 b:1 c:2"},
		{"no stub for what is not shown", vault.WalkOptions{MaxDepth: 1}, "a:0"},
		{"all", vault.WalkOptions{Closed: true}, "a:0 b:1 c:2 h:3 d:2 e:1 f:2 g:0"},
		{"a subtree", vault.WalkOptions{Root: "pf-b"}, "b:1 c:2 h:3"},
		{"a depth below the root of a subtree", vault.WalkOptions{Root: "pf-b", MaxDepth: 1}, "b:1 c:2"},
		{"a closed root was asked for by name", vault.WalkOptions{Root: "pf-g"}, "g:0"},
		{"an unknown root", vault.WalkOptions{Root: "pf-zz"}, "error: Shard pf-zz not found"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := ids(w.d.Walk(ctx, row.o)); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
	if got := ids(w.d.Ancestry(ctx, "pf-h")); got != "a:0 b:1 c:2 h:3" {
		t.Errorf("ancestry %s", got)
	}
	if got := ids(w.d.Ancestry(ctx, "pf-zz")); got != "error: Shard pf-zz not found" {
		t.Errorf("ancestry of nobody: %s", got)
	}
	if got := ids(w.d.Children(ctx, "pf-zz")); got != "" {
		t.Errorf("children of nobody: %s", got)
	}
}

// TestOutlineIsAWalk compares the nodes of outlines with those of walks: order,
// counts and phrases are the same, and what is left out is left out.
func TestOutlineIsAWalk(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, false)
	block := func(lines ...string) string {
		return "\n<!-- sub-memories -->\n[\n" + strings.Join(lines, ",\n") + "\n]\n<!-- /sub-memories -->\n"
	}
	f.write("a.md", "---\nid: pf-a\nlabels: [x]\n---\n"+block(`{"id": "pf-c", "title": "C", "summary": "if c"}`, `{"id": "pf-b", "title": "B", "summary": "if b"}`, `{"id": "pf-c", "title": "C", "summary": "twice"}`))
	f.write("a/b.md", "---\nid: pf-b\nsummary: its own\ncreator: ada\n---\n")
	f.write("a/c.md", "---\nid: pf-c\nstatus: closed\nsuperseded_by: [pf-b]\n---\n")
	f.write("a/c/d.md", "---\nid: pf-d\ncreated: 2026-01-02\n---\n")
	f.write("a/c/e.md", "---\nid: pf-e\ncreated: 2026-01-01\ntype: task\n---\n")
	f.write("a/c/f/g.md", "No header.\n")
	f.write("a/c/z.md", "---\nid: pf-z\ncreated: 2026-01-01\n---\n")
	f.write("a/c/h.md", "---\nid: pf-h\ncreated: 2026-01-01\napproved_at: 2026-01-02T00:00:00Z\ndenied_at: 2026-01-03T00:00:00Z\n---\n")
	f.write("a/c/loose/i.md", "In a folder of its own.\n")
	f.write("a/c/f/README.md", "---\nid: pf-f\ncreated: 2026-01-01\n---\nSome words.\n")
	d := f.caughtUp()
	for _, o := range []vault.WalkOptions{{}, {MaxDepth: 1}, {MaxDepth: 2}, {Closed: true}, {Root: "pf-c", Closed: true}, {Root: "pf-c", MaxDepth: 1}, {Root: "pf-a"}, {Root: "pf-e"}} {
		want, wantErr := d.Walk(ctx, o)
		for i, n := range want {
			want[i] = vault.Node{ID: n.ID, Header: vault.Header{Title: n.Title, Type: n.Type, Status: n.Status, Summary: n.Summary, Created: n.Created}, Tokens: n.Tokens, Path: n.Path, In: n.In, Seat: n.Seat,
				Parent: n.Parent, Depth: n.Depth, Children: n.Children, Orphan: n.Orphan, Superseded: n.Superseded, Reads: n.Reads, ParentReads: n.ParentReads}
			want[i].Approved, want[i].Denied = n.Approved, n.Denied
		}
		o.Outline = true
		got, err := d.Walk(ctx, o)
		if diff := cmp.Diff(want, got); diff != "" || vault.CodeOf(err) != vault.CodeOf(wantErr) {
			t.Errorf("%+v: %v and %v, -walk +outline:\n%s", o, wantErr, err, diff)
		}
		checkUnplaced(t, d, o, got)
	}
	for _, id := range []vault.ID{"pf-a", "pf-c", "pf-f", "pf-z"} {
		all, err := d.Walk(ctx, vault.WalkOptions{Root: id, MaxDepth: 1, Outline: true, Uncounted: true})
		if err != nil {
			t.Fatal(err)
		}
		checkBranch(t, d, id, all[1:])
	}
	all, err := d.Walk(ctx, vault.WalkOptions{Outline: true, Uncounted: true})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := d.Walk(ctx, vault.WalkOptions{Closed: true, Uncounted: true})
	slices.SortFunc(whole, func(a, b vault.Node) int { return strings.Compare(string(a.Path), string(b.Path)) })
	var each []vault.Node
	if none, eachErr := d.Walk(ctx, vault.WalkOptions{Closed: true, Each: func(n vault.Node) { each = append(each, n) }}); none != nil || eachErr != nil || err != nil {
		t.Errorf("one by one: %v, %v, %v", none, eachErr, err)
	}
	if diff := cmp.Diff(whole, each); diff != "" {
		t.Errorf("-walk +one by one:\n%s", diff)
	}
	titles := map[vault.ID]tree.Titled{}
	if err := d.Titles(ctx, tree.TitleScope{}, func(n tree.Titled) { titles[n.ID] = n }); err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		if want := (tree.Titled{ID: n.ID, Title: n.Title, Phrase: n.Summary, Path: n.Path}); n.Status != vault.StatusClosed && titles[n.ID] != want {
			t.Errorf("got the title %+v, want %+v", titles[n.ID], want)
		}
	}
	checkBranch(t, d, "", slices.DeleteFunc(all, func(n vault.Node) bool { return n.Parent != "" }))
	if _, err := d.Branch(ctx, tree.PageOptions{Of: "pf-nobody", Most: 2}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("a branch of nobody: %v", err)
	}
}

// checkBranch checks that the pages of a branch are the children in their order, and that a
// child is on the page that is found by it.
func checkBranch(t *testing.T, d *DB, id vault.ID, want []vault.Node) {
	t.Helper()
	var got []vault.Node
	for from := 0; ; from += 2 {
		b, err := d.Branch(context.Background(), tree.PageOptions{Of: id, From: from, Most: 2})
		if err != nil || b.Total != len(want) || b.All < b.Total || b.From != min(from, len(want)) {
			t.Fatalf("%s from %d: %+v, %v; want %d in all", id, from, b, err, len(want))
		}
		if len(b.Nodes) == 0 {
			break
		}
		for _, n := range b.Nodes {
			with, err := d.Branch(context.Background(), tree.PageOptions{Of: id, Most: 2, With: n.ID})
			if err != nil || with.From != from {
				t.Errorf("the page of %s with %s begins at %d, not at %d: %v", id, n.ID, with.From, from, err)
			}
		}
		got = append(got, b.Nodes...)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("children of %s, -walk +pages:\n%s", id, diff)
	}
}

// checkUnplaced checks that an outline without needless paths says the same as one with all,
// and that what needs a path has it: who lies in a folder without a memory or stands for
// one, whose child does, and who has no id of its own.
func checkUnplaced(t *testing.T, d *DB, o vault.WalkOptions, want []vault.Node) {
	t.Helper()
	o.Unplaced = true
	got, err := d.Walk(context.Background(), o)
	if err != nil && len(want) > 0 || len(got) != len(want) {
		t.Fatalf("%+v: %d nodes of %d, %v", o, len(got), len(want), err)
	}
	needed := make(map[vault.ID]bool)
	for _, n := range want {
		if n.In != "" || n.Seat {
			needed[n.ID], needed[n.Parent] = true, true
		}
	}
	for i, n := range got {
		if n.Path == "" && (needed[n.ID] || n.ID.Provisional()) {
			t.Errorf("%+v: %s has no path", o, want[i].Path)
		}
		if n.Path == "" {
			n.Path = want[i].Path
		}
		if diff := cmp.Diff(want[i], n); diff != "" {
			t.Errorf("%+v: -with paths +without:\n%s", o, diff)
		}
	}
}

// TestTransparentFolders names the folder without a memory in which each memory lies.
func TestTransparentFolders(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, "top.md", "n/2026/a.md", "n/b.md", "n/b/c.md", "n/b/x/y/d.md", "n/b/x/index.md", "s/README.md", "s/e.md", "s/t/_index.md", "s/t/u/f.md", "k.md task", "k/g.md")
	all, err := w.d.Walk(ctx, vault.WalkOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[vault.Path]vault.Path{}
	for _, n := range all {
		got[n.Path] = n.In
	}
	if diff := cmp.Diff(map[vault.Path]vault.Path{"top.md": "", "n/2026/a.md": "n/2026", "n/b.md": "n", "n/b/c.md": "", "n/b/x/index.md": "", "n/b/x/y/d.md": "n/b/x/y",
		"s/README.md": "", "s/e.md": "", "s/t/_index.md": "", "s/t/u/f.md": "s/t/u", "k/g.md": "k"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	outline, err := w.d.Walk(ctx, vault.WalkOptions{Outline: true})
	if err != nil {
		t.Fatal(err)
	}
	checkUnplaced(t, w.d, vault.WalkOptions{Outline: true}, outline)
	for _, row := range []struct {
		dir   vault.Path
		depth int
		want  string
	}{
		{"n", 0, "a:0 b:0 c:1 index:1 d:2"},
		{"n", 1, "a:0 b:0 c:1 index:1"},
		{"n/2026", 0, "a:0"},
		{"n/b/x", 0, "index:1 d:2"},
		{"s/t/u", 0, "f:2"},
		{"n/20", 0, ""},
	} {
		if got := ids(w.d.Walk(ctx, vault.WalkOptions{Dir: row.dir, MaxDepth: row.depth, Outline: true})); got != row.want {
			t.Errorf("%s, %d levels: got %s, want %s", row.dir, row.depth, got, row.want)
		}
		if row.depth > 0 {
			continue
		}
		list, total, err := w.d.List(ctx, vault.ListOptions{Dir: row.dir})
		if len(list) != total || total != len(strings.Fields(row.want)) || err != nil {
			t.Errorf("list of %s: %d of %d, %v", row.dir, len(list), total, err)
		}
		if dir := string(row.dir); dir != "n/b/x" { // beside it, the whole is a part with a memory of its own
			rest := family.Share{Areas: []family.Area{{File: dir + ".md", Folder: dir}}, Rest: true}
			part := family.Share{Areas: []family.Area{{File: dir + ".md", Folder: dir, In: true}}}
			_, in, err1 := w.d.List(ctx, vault.ListOptions{Share: part})
			_, out, err2 := w.d.List(ctx, vault.ListOptions{Share: rest})
			_, all, err3 := w.d.List(ctx, vault.ListOptions{})
			if in != total || in+out != all || errors.Join(err1, err2, err3) != nil {
				t.Errorf("shares of %s: %d and %d of %d, %d in the folder, %v", dir, in, out, all, total, errors.Join(err1, err2, err3))
			}
		}
	}
}

func TestWalkEndsAtTheCap(t *testing.T) {
	f := newFolder(t, false)
	path := "m"
	for range 30 {
		f.write(path+".md", "Text.\n")
		path += "/m"
	}
	d := f.caughtUp()
	nodes, err := d.Walk(context.Background(), vault.WalkOptions{})
	if err != nil || len(nodes) != vault.TreeCap+1 {
		t.Errorf("%d nodes, %v; want %d", len(nodes), err, vault.TreeCap+1)
	}
	var bottom vault.Node
	if bottom, _, err = d.At(context.Background(), vault.Path(strings.TrimSuffix(path, "/m")+".md")); err != nil || bottom.Depth != 29 {
		t.Errorf("the deepest is at depth %d, %v", bottom.Depth, err)
	}
	if way, err := d.Ancestry(context.Background(), bottom.ID); err != nil || len(way) != 30 {
		t.Errorf("%d ancestors, %v; want 30", len(way), err)
	}
}

func TestList(t *testing.T) {
	f := newFolder(t, false)
	write := func(path, id, keys string) { f.write(path, "---\nid: pf-"+id+"\n"+keys+"---\n") }
	write("a.md", "a", "created: 2026-01-01\nlabels: [x, y]\n")
	write("a/b.md", "b", "created: 2026-01-03\nlabels: [y]\n")
	write("a/c.md", "c", "created: 2026-01-02\nstatus: closed\n")
	write("d.md", "d", "created: 2026-01-04\nstatus: deferred\ndeferred_until: 2026-06-01\n")
	write("e.md", "e", "type: task\ncreated: 2026-01-05\nlabels: [x]\n")
	write("f.md", "f", "labels: [\"it's\", 日本]\nstatus: in_progress\n")
	old := time.Date(2025, 12, 31, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(f.root, "f.md"), old, old); err != nil {
		t.Fatal(err)
	}
	d := f.caughtUp()
	day := func(m time.Month, d int) time.Time { return time.Date(2026, m, d, 0, 0, 0, 0, time.UTC) }
	may := day(5, 1)
	for _, row := range []struct {
		name  string
		o     vault.ListOptions
		want  string
		total int
	}{
		{"open memories, the newest first, undated ones by their files", vault.ListOptions{Now: may}, "b:1 a:0 f:0", 3},
		{"a deferred one comes back on its day", vault.ListOptions{Now: day(6, 1)}, "d:0 b:1 a:0 f:0", 4},
		{"a page", vault.ListOptions{Now: may, Limit: 1, Offset: 1}, "a:0", 3},
		{"past the end", vault.ListOptions{Now: may, Offset: 10}, "", 3},
		{"any of the labels", vault.ListOptions{Now: may, Labels: []string{"x", "日本"}}, "a:0 f:0", 2},
		{"a label with a quote", vault.ListOptions{Now: may, Labels: []string{"it's"}}, "f:0", 1},
		{"a status", vault.ListOptions{Now: may, Status: []string{"closed", "deferred"}}, "d:0 c:1", 2},
		{"what is hidden", vault.ListOptions{Now: may, Hidden: true}, "d:0 c:1", 2},
		{"what is hidden and closed", vault.ListOptions{Now: may, Hidden: true, Status: []string{"closed"}}, "c:1", 1},
		{"what is hidden once the day has come", vault.ListOptions{Now: day(6, 1), Hidden: true}, "c:1", 1},
		{"of kinds nothing is hidden", vault.ListOptions{Now: may, Hidden: true, Types: []string{"blocker"}}, "", 0},
		{"another type", vault.ListOptions{Now: may, Types: []string{"task"}}, "e:0", 1},
		{"any type", vault.ListOptions{Now: may, Types: []string{"*"}}, "e:0 b:1 a:0 f:0", 4},
		{"roots", vault.ListOptions{Now: may, Roots: true}, "a:0 f:0", 2},
		{"below", vault.ListOptions{Now: may, Under: "pf-a", Status: []string{"open", "closed"}}, "b:1 c:1", 2},
		{"below nobody", vault.ListOptions{Now: may, Under: "pf-zz"}, "", 0},
		{"since", vault.ListOptions{Now: may, Since: day(1, 2)}, "b:1", 1},
		{"since before an undated one", vault.ListOptions{Now: may, Since: old}, "b:1 a:0 f:0", 3},
	} {
		t.Run(row.name, func(t *testing.T) {
			nodes, total, err := d.List(context.Background(), row.o)
			if got := ids(nodes, err); got != row.want || total != row.total {
				t.Errorf("got %s of %d, want %s of %d", got, total, row.want, row.total)
			}
		})
	}
}

func TestEdges(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, false)
	f.write("a.md", "---\nid: pf-a\nreferences: [pf-late, pf-never]\n---\nSee [[Late Title]], [[late]], [one](x/late.md), [[nowhere]] and [[a]].\n")
	f.write("a/kid.md", "---\nid: pf-kid\nsummary: when small\n---\n[up](../a.md) and [[x/late|again]] and [out](../../a.md)\n")
	d := f.caughtUp()
	told := func(id vault.ID) string {
		edges, err := d.Edges(ctx, id, true)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, e := range edges {
			all = append(all, fmt.Sprintf("%s %s>%s %s%s", e.Kind, strings.TrimPrefix(string(e.From), "pf-"), strings.TrimPrefix(string(e.To), "pf-"), e.Target, e.Summary))
		}
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	t.Log("What is linked to does not exist yet.")
	if got, want := told("pf-a"), lines("child-of kid>a when small", "link a> Late Title", "link a> late", "link a> nowhere", "link a> x/late.md", "link kid>a ", "references a> pf-late", "references a> pf-never"); got != want {
		t.Errorf("edges of a:\n%s\nwant\n%s", got, want)
	}
	t.Log("It appears; four ways to write a link are one edge.")
	f.write("x/late.md", "---\nid: pf-late\ntitle: Late Title\n---\n")
	f.catchUp(d)
	if got, want := told("pf-a"), lines("child-of kid>a when small", "link a> nowhere", "link a>late Late Title", "link kid>a ", "references a> pf-never", "references a>late pf-late"); got != want {
		t.Errorf("edges of a:\n%s\nwant\n%s", got, want)
	}
	if got, want := told("pf-late"), lines("link a>late ", "link kid>late ", "references a>late "); got != want {
		t.Errorf("edges of late:\n%s\nwant\n%s", got, want)
	}
	t.Log("A shallower file of that name is meant before it by the bare name, but not by the path.")
	f.write("late.md", "---\nid: pf-nearer\n---\n")
	f.catchUp(d)
	if got, want := told("pf-nearer"), "link a>nearer "; got != want {
		t.Errorf("edges of nearer:\n%s\nwant\n%s", got, want)
	}
	if got, want := told("pf-kid"), lines("child-of kid>a when small", "link kid> ../../a.md", "link kid>a ../a.md", "link kid>late x/late"); got != want {
		t.Errorf("edges of kid:\n%s\nwant\n%s", got, want)
	}
	if edges, err := d.Edges(ctx, "pf-a", false); err != nil || slices.ContainsFunc(edges, func(e vault.Edge) bool { return e.Kind == "child-of" }) {
		t.Errorf("edges of a without its children: %v, %v", edges, err)
	}
	if edges, err := d.Edges(ctx, "pf-zz", true); len(edges) != 0 || err != nil {
		t.Error(edges, err)
	}
}

func TestDuplicateIDs(t *testing.T) {
	ctx := context.Background()
	const text = "---\nid: pf-x\n---\n"
	f := newFolder(t, true)
	f.write("b.md", text)
	f.commit()
	f.write("a.md", text)
	d := f.caughtUp()
	owner := func() vault.Path {
		n, err := d.Find(ctx, "pf-x")
		if err != nil {
			t.Fatal(err)
		}
		return n.Path
	}
	if got := owner(); got != "b.md" {
		t.Errorf("an uncommitted copy has the id: %s", got)
	}
	copied, _, err := d.At(ctx, "a.md")
	if err != nil || !copied.ID.Provisional() {
		t.Errorf("the copy goes by %s, %v", copied.ID, err)
	}
	problems, err := d.Problems(ctx)
	if err != nil || len(problems) != 1 || problems[0].Path != "a.md" || problems[0].Kind != vault.ProblemDuplicateID {
		t.Errorf("problems %v, %v", problems, err)
	}
	t.Log("Both committed, the one that was committed first has it.")
	f.commit()
	f.catchUp(d)
	if got := owner(); got != "b.md" {
		t.Errorf("got %s, want b.md", got)
	}
	t.Log("It keeps it where it moves, and beside one that comes later.")
	f.remove("b.md")
	f.write("z.md", text)
	f.commit()
	f.catchUp(d)
	f.write("0.md", text)
	f.commit()
	f.catchUp(d)
	if got := owner(); got != "z.md" {
		t.Errorf("got %s, want z.md", got)
	} else if dump(t, d) != dump(t, f.fresh()) {
		t.Error("the mirror differs from a rebuild")
	}
	t.Log("It goes, and the next one has it.")
	f.remove("z.md")
	f.catchUp(d)
	if got := owner(); got != "a.md" {
		t.Errorf("got %s, want a.md", got)
	}
	t.Log("A provisional id in a file is nobody's.")
	f.write("c.md", "---\nid: "+string(copied.ID)+"\n---\n")
	f.catchUp(d)
	if n, _, err := d.At(ctx, "c.md"); err != nil || n.ID == copied.ID || !n.ID.Provisional() {
		t.Errorf("goes by %s, %v", n.ID, err)
	}
}

func TestFamiliesCountsAndDrift(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, true)
	f.write("a.md", "---\nid: pf-a\n---\nText.\n\n<!-- sub-memories -->\n[\n  {\"id\": \"pf-gone\", \"title\": \"G\", \"summary\": \"s\"}\n]\n<!-- /sub-memories -->\n")
	f.write("a/b.md", "---\nid: pf-b\nstatus: closed\n---\n")
	f.write("a/t.md", "---\nid: pf-t\ntype: task\nstatus: in_progress\n---\n")
	f.write("bad.md", "Text.\n\n<!-- sub-memories -->\nno JSON\n<!-- /sub-memories -->\n")
	f.write("Twin.md", "1\n")
	f.write("twin.md", "2\n")
	f.write("gone.md", "x\n")
	head := f.commit()
	f.remove("gone.md")
	f.write("twin.md", "3\n")
	f.write("new.md", "new\n")
	d := f.caughtUp()

	var got []string
	err := d.Parents(ctx, "", func(x vault.Family) error {
		got = append(got, fmt.Sprintf("%s entries %d children %s problems %d", x.Parent.Path, len(x.Entries), ids(x.Children, nil), len(x.Problems)))
		return nil
	})
	if want := []string{"a.md entries 1 children b:1 problems 0", "bad.md entries 0 children  problems 1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("families %q, %v; want %q", got, err, want)
	}
	got = nil
	err = d.Parents(ctx, "pf-b", func(x vault.Family) error { got = append(got, string(x.Parent.ID)); return nil })
	if err != nil || len(got) != 0 {
		t.Errorf("a memory without children and block is a parent: %q, %v", got, err)
	}

	c, err := d.Counts(ctx)
	c.Tokens = 0
	if want := (vault.Counts{Total: 7, Open: 5, Closed: 1, Other: 1, Memories: 6, Roots: 5, MaxDepth: 1, Problems: 3, Uncommitted: 3}); err != nil || c != want {
		t.Errorf("counts %+v, %v; want %+v", c, err, want)
	}
	drift, err := d.Drift(ctx)
	var told []string
	for _, x := range drift {
		told = append(told, fmt.Sprintf("%s %t %t", x.Path, x.Hash != "", x.Head != ""))
	}
	if want := []string{"gone.md false true", "new.md true false", "twin.md true true"}; err != nil || !slices.Equal(told, want) {
		t.Errorf("drift %q, %v; want %q", told, err, want)
	}
	if n, _, err := d.At(ctx, "twin.md"); err != nil || n.Head != f.run("rev-parse", head+":twin.md") || n.Hash != f.BlobID([]byte("3\n")) || !n.Dirty() {
		t.Errorf("twin.md is %+v, %v", n, err)
	}
}

func TestLinking(t *testing.T) {
	f := newFolder(t, false)
	for p, text := range map[string]string{
		"x.md": "See [a](a.md).\n", "x/c.md": "# C\n", "x/d.md": "[up](../x.md) and ![out](../../out.png)\n", "a.md": "[c](x/c.md#top)\n",
		"b.md": "[[./x]] and [a](a.md)\n", "sub/e.md": "[x](../X.md)\n", "sub/f.md": "[x](x.md) and [[x]]\n", "r.md": "---\nreferences: [./x/c, X]\n---\n", "xm/g.md": "[up](../h.md)\n",
		"n.md": "[[x/c]]\n", "t.md": "[[C]]\n", "old/deep/c.md": "# Old\n", "top.md": "[x](/x.md)\n",
	} {
		f.write(p, text)
	}
	d := f.caughtUp()
	move := func(from, to vault.Path) vault.Shift { return vault.Shift{Row: from, Was: from, Is: to} }
	tree := vault.Shift{Row: "x", Was: "x", Is: "p/x", Tree: true}
	for _, row := range []struct {
		what   string
		shifts []vault.Shift
		want   string
	}{
		{"a file and its folder", []vault.Shift{move("x.md", "p/x.md"), tree}, "[a.md b.md n.md r.md sub/e.md t.md top.md x/d.md]"}, // C is old/deep/c.md then
		{"a file", []vault.Shift{move("x.md", "p/x.md")}, "[b.md r.md sub/e.md top.md x/d.md]"},
		{"a new name", []vault.Shift{move("x.md", "y.md")}, "[b.md r.md sub/e.md sub/f.md top.md x/d.md]"},
		{"a path", []vault.Shift{move("x/c.md", "y/c.md")}, "[a.md n.md r.md]"},
		{"a name that another file takes", []vault.Shift{move("x/c.md", "z/deep/er/c.md")}, "[a.md n.md r.md t.md]"},
		{"a name that it takes", []vault.Shift{move("old/deep/c.md", "c.md")}, "[t.md]"},
		{"a move that was made", []vault.Shift{{Row: "old/deep/c.md", Was: "x/new.md", Is: "old/deep/c.md"}}, "[]"},
		{"what is not there", []vault.Shift{move("none.md", "some.md")}, "[]"},
	} {
		got, err := d.Linking(t.Context(), row.shifts)
		if fmt.Sprint(got.Files) != row.want || err != nil {
			t.Errorf("%s: got %v, %v, want %s", row.what, got.Files, err, row.want)
		}
	}
	got, err := d.Linking(t.Context(), []vault.Shift{move("x.md", "p/x.md"), tree})
	if err != nil {
		t.Fatal(err)
	}
	leads, err := got.Leads(t.Context(), []string{"x/c", "x", "p/x/c", "nobody", "/p/x/c", "a"})
	want := "[{x/c.md 2 p/x/c.md p/x/c.md 1} {x.md 1 p/x.md p/x.md 1} { 0  p/x/c.md 2} { 0   0} { 0  p/x/c.md 2} {a.md 1 a.md a.md 1}]"
	if fmt.Sprint(leads) != want || err != nil {
		t.Errorf("got %v, %v, want %s", leads, err, want)
	}
}

// One rule, of which what is typed takes more, resolves what stands under references:, whichever
// file appears first, from both ends and in the view.
func TestReferencesMeanWhatCommandsMean(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, false)
	refs := []string{"pf-7k2m9qx4", "PF-7K2M9QX4", "pf-7k", "pf-7", "pf", "docs/guide", "docs/guide.md", "./docs/guide", "guide", "Docs/Guide", "the guide",
		"handbook", "same", "other", "Pf-8", "notes", "notes.md", "ADR-0007", "adr", "Überblick", "überblick", "nothing", "new-nothing", "50%", "docs", "50_"}
	for i, ref := range refs {
		f.write(fmt.Sprintf("r/%02d.md", i), fmt.Sprintf("---\nid: ref-%02d\nreferences: [%q]\n---\n", i, ref))
	}
	d := f.caughtUp()
	for _, file := range [][2]string{
		{"docs/guide.md", "id: pf-7k2m9qx4\ntitle: The Guide\naliases: [handbook, other]\n"},
		{"docs/second.md", "id: pf-7zzzzzzz\ntitle: Same\n"},
		{"notes.md", "id: pf-80000000\ntitle: same\naliases: [the 50%]\n"},
		{"x/adr.md", "id: ADR-0007\ntitle: Überblick\naliases: [handbook]\n"},
		{"x/pf.md", "id: adr-0008\ntitle: pf\naliases: [50%]\n"},
		{"x/none.md", "title: Docs\n"},
	} {
		f.write(file[0], "---\n"+file[1]+"---\n")
		f.catchUp(d)
		for i, ref := range refs {
			want, err := naming.Resolve(ctx, d, ref, "")
			if code := vault.CodeOf(err); err != nil && code != vault.CodeNotFound && code != vault.CodeAmbiguous {
				t.Fatal(err)
			}
			from := vault.ID(fmt.Sprintf("ref-%02d", i))
			out, err := d.Edges(ctx, from, true)
			if err != nil || len(out) != 1 || out[0].To != want.ID {
				t.Errorf("after %s, %q: got %+v, %v, want %s", file[0], ref, out, err, want.ID)
			}
			var view string
			err = d.view(ctx, func(x *tx) error {
				return x.One(`SELECT coalesce(to_id, '') FROM edges WHERE from_id = ? AND kind = 'references'`, []any{from}, &view)
			})
			if err != nil || view != string(want.ID) {
				t.Errorf("after %s, %q: the view says %q, %v, want %s", file[0], ref, view, err, want.ID)
			}
			if want.ID == "" {
				continue
			}
			in, err := d.Edges(ctx, want.ID, true)
			if !slices.ContainsFunc(in, func(e vault.Edge) bool { return e.From == from && e.Kind == "references" }) {
				t.Errorf("after %s, %q: not among those to %s: %+v, %v", file[0], ref, want.ID, in, err)
			}
		}
	}
}
