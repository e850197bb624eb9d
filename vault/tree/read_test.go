package tree_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// question is one state of a vault, what somebody asks, and the answer, a line each.
type question struct {
	name  string
	start files        // what is committed; nil is the family
	given func(*world) // what has happened since
	ask   func(context.Context, *world) (string, error)
	want  string // tabs before a line are no part of it
	err   string // as vaultmap.Told has it
}

// answers asks each question in a vault of its own. No answer changes a file.
func answers(t *testing.T, rows []question) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Helper()
			start := row.start
			if start == nil {
				start = family()
			}
			w := vaultmap.New(start)
			if row.given != nil {
				row.given(w)
			}
			disk := files{}.With(w.Disk)
			got, err := row.ask(t.Context(), w)
			vaultmap.Equal(t, "the error", vaultmap.Told(err), row.err)
			if err == nil {
				vaultmap.Equal(t, "the answer", strings.TrimSpace(got), strings.TrimSpace(strings.ReplaceAll(row.want, "\t", "")))
			}
			vaultmap.Equal(t, "what the question did to the files", vaultmap.Diff(disk, w.Disk), "")
		})
	}
}

// when returns the text if it holds.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// stuck is a store in which a write is not finished.
type stuck struct {
	vault.Recovery
	paths []vault.Path
}

func (s stuck) ListUnfinished(context.Context) []vault.Unfinished {
	return []vault.Unfinished{{Op: "op-9", Paths: s.paths}}
}

// pending makes a write of files that is not finished.
func pending(paths ...vault.Path) func(*world) {
	return func(w *world) { w.Store.Recovery = stuck{w.Store.Recovery, paths} }
}

// both does one thing after the other.
func both(all ...func(*world)) func(*world) {
	return func(w *world) {
		for _, do := range all {
			do(w)
		}
	}
}

// drawn is an outline as text: a line for each memory and folder.
func drawn(o tree.Outlined) string {
	var out strings.Builder
	if o.LeftOut > 0 {
		fmt.Fprintf(&out, "%d left out\n", o.LeftOut)
	}
	var folder func(f *tree.Folder, indent string)
	folder = func(f *tree.Folder, indent string) {
		for _, n := range f.Nodes {
			fmt.Fprintf(&out, "%s%s %s%s%s%s%s%s%s%s\n", indent, n.ID, n.Title, when(n.Summary != nil && !n.Phraseless, ": "+*cmp.Or(n.Summary, new(string))), when(n.Status != "", " ["+n.Status+"]"),
				when(n.Superseded != "", " > "+string(n.Superseded)), when(n.Orphan, " orphan"), when(n.Provisional, " new"), when(n.Left, " left"), when(n.Pending, " pending"))
			folder(n.Loose.Group(n.Children), indent+"- ")
		}
		for _, sub := range f.Folders {
			fmt.Fprintf(&out, "%s%s %d%s\n", indent, sub.Name, sub.Count, when(sub.LeftOut > 0, fmt.Sprintf(", %d left out", sub.LeftOut)))
			folder(sub, indent+"- ")
		}
	}
	folder(o.Loose.Group(o.Roots), "")
	return out.String()
}

// strewn is a vault of transparent folders.
func strewn() files {
	f := family()
	for _, p := range []vault.Path{"notes/a.md", "notes/2026/01/b.md", "notes/2026/01/c.md", "Letters/d.md", "deploy/old/e.md"} {
		f[p] = file("pf-"+string(p.Stem().Base())+"00", string(p.Stem().Base()), "", "")
	}
	return f
}

func TestReadOutline(t *testing.T) {
	outline := func(q tree.Outline) func(context.Context, *world) (string, error) {
		return func(ctx context.Context, w *world) (string, error) {
			o, err := q.Read(ctx, w.Vault)
			return drawn(o), err
		}
	}
	strangers := files{"new.md": "# New\n", "empty.md": "\n", "kept.md": "# Kept\n"}
	answers(t, []question{
		{name: "nothing", start: files{}, ask: outline(tree.Outline{})},
		{name: "a family, roots without a phrase", ask: outline(tree.Outline{}), want: `
			pf-aa1 Deployment
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks`},
		{name: "a subtree, from its own depth", start: deep(), ask: outline(tree.Outline{Root: "pf-aa2"}), want: `
			pf-aa2 Rollback: when to go back
			- pf-aa4 Database: when data is lost`},
		{name: "so many levels", start: deep(), ask: outline(tree.Outline{MaxDepth: 1}), want: `
			pf-aa1 Deployment
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks`},
		{name: "folders are rows, by name, and one in another alone is one with it", start: strewn(), ask: outline(tree.Outline{}), want: `
			pf-aa1 Deployment
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks
			- old/ 1
			- - pf-e00 e
			Letters/ 1
			- pf-d00 d
			notes/ 3
			- pf-a00 a
			- 2026/01/ 2
			- - pf-b00 b
			- - pf-c00 c`},
		{name: "a folder by itself", start: strewn(), ask: outline(tree.Outline{Dir: "notes"}), want: `
			pf-a00 a
			2026/01/ 2
			- pf-b00 b
			- pf-c00 c`},
		{name: "so many rows: the topmost", start: deep(), ask: outline(tree.Outline{Rows: 2}), want: `
			2 left out
			pf-aa1 Deployment
			- pf-aa2 Rollback: when to go back`},
		{name: "so many tokens", start: deep(), ask: outline(tree.Outline{Budget: 40}), want: `
			2 left out
			pf-aa1 Deployment
			- pf-aa2 Rollback: when to go back`},
		{name: "so many rows of folders, which count what is left out", start: strewn(), ask: outline(tree.Outline{Rows: 4}), want: `
			7 left out
			pf-aa1 Deployment
			Letters/ 1, 1 left out
			notes/ 3, 1 left out
			- 2026/01/ 2, 2 left out`},
		{name: "no row for all folders", start: strewn(), ask: outline(tree.Outline{Rows: 2}), want: `
			8 left out
			Letters/ 1, 1 left out
			notes/ 3, 3 left out`},
		{name: "states", start: files{"a.md": "---\nid: pf-a1\nstatus: in_progress\nsuperseded_by: [pf-b1]\n---\n", "a/c.md": file("pf-c1", "C", "", ""), "b.md": file("pf-b1", "B", "", "")}, given: pending("b.md", "gone.md"), ask: outline(tree.Outline{}), want: `
			pf-a1 a [in_progress] > pf-b1
			- pf-c1 C
			pf-b1 B pending`},
		{name: "a child whose parent was deleted by hand", given: seen(set(files{"deploy.md": ""})), ask: outline(tree.Outline{}), want: `
			pf-aa2 Rollback: when to go back orphan
			pf-aa3 Secrets: when a key leaks orphan`},
		{name: "files without an id, some of which sync leaves alone", given: both(set(strangers), func(w *world) { w.Ignored = []vault.Path{"kept.md"} }), ask: func(ctx context.Context, w *world) (string, error) {
			o, err := tree.Outline{}.Read(ctx, w.Vault)
			var out strings.Builder
			for _, n := range o.Roots {
				fmt.Fprintf(&out, "%s%s%s\n", n.Title, when(n.Provisional, " new"), when(n.Left, " left"))
			}
			return out.String(), err
		}, want: `
			Deployment
			empty new left
			New new`},
		{name: "nobody", ask: outline(tree.Outline{Root: "pf-none"}),
			err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{name: "a task", start: files{"t.md": task}, ask: outline(tree.Outline{Root: "pf-tt1"}),
			err: "Shard pf-tt1 is type 'task', expected 'memory' | `cp shard show pf-tt1` shows files of any type"},
	})
}

func TestReadFolders(t *testing.T) {
	all := func(ctx context.Context, w *world) (string, error) {
		var out strings.Builder
		found, err := tree.Folders(ctx, w.Mirror.Tree)
		for _, f := range found {
			fmt.Fprintf(&out, "%s %s %d\n", f.Path, f.Name, f.Count)
		}
		return out.String(), err
	}
	at := func(dir vault.Path) func(context.Context, *world) (string, error) {
		return func(ctx context.Context, w *world) (string, error) {
			there, owner, err := tree.FolderAt(ctx, w.Vault, dir)
			return fmt.Sprintf("%v %s", there, owner.ID), err
		}
	}
	answers(t, []question{
		{name: "none", ask: all},
		{name: "at any depth, by path; what holds only another one is none", start: strewn(), ask: all, want: `
			Letters Letters/ 1
			deploy/old old/ 1
			notes notes/ 3
			notes/2026/01 2026/01/ 2`},
		{name: "a folder without a memory", start: strewn(), ask: at("notes"), want: "true"},
		{name: "a memory's own", start: strewn(), ask: at("deploy"), want: "true pf-aa1"},
		{name: "one below it is nobody's", start: strewn(), ask: at("deploy/old"), want: "true"},
		{name: "one that was made since", given: set(files{"fresh/x.md": "# X\n"}), ask: at("fresh"), want: "true"},
		{name: "one in which all is closed", start: files{"x/a.md": "---\nid: pf-a1\nstatus: closed\n---\n"}, ask: at("x"), want: "true"},
		{name: "no such folder", ask: at("none"), want: "false"},
	})
}

// readings are usage counts as a test sets them.
type readings struct {
	reads   map[vault.ID]vault.Reads
	touched *[]vault.Access
	err     error
}

func (r readings) Touch(_ context.Context, all []vault.Access) error {
	*r.touched = append(*r.touched, all...)
	return r.err
}
func (r readings) Reads(context.Context, []vault.ID) (map[vault.ID]vault.Reads, error) {
	return r.reads, r.err
}
func (readings) Log(context.Context, vault.ID) ([]vault.Access, error) { return nil, nil }
func (readings) Forget(context.Context, []vault.ID) error              { return nil }

// shown is a memory as text.
func shown(s tree.Shown, touched []vault.Access) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s%s%s%s%s\n", s.ID, s.Title, when(!s.Phraseless && s.Summary != "", ": "+s.Summary), when(s.New, " new"), when(s.Pending, " pending"), when(s.Superseded != "", " > "+string(s.Superseded)))
	var text func(t *tree.ShownText, indent string)
	text = func(t *tree.ShownText, indent string) {
		fmt.Fprintf(&out, "%s%q%s\n", indent, strings.TrimSpace(t.Content), when(t.AccessCount > 0, fmt.Sprintf(" read %d times", t.AccessCount)))
		for _, c := range t.Children {
			fmt.Fprintf(&out, "%s- %s %s%s%s%s%s\n", indent, c.ID, c.Title, when(!c.Phraseless, ": "+c.Summary), when(c.Folder != "", " in "+string(c.Folder)), when(c.Unknown, " unknown"), when(c.Pending, " pending"))
			if c.ShownText != nil {
				text(c.ShownText, indent+"| ")
			}
		}
	}
	text(&s.ShownText, "")
	for _, id := range s.LeftOut {
		fmt.Fprintf(&out, "left out: %s\n", id)
	}
	for _, a := range touched {
		fmt.Fprintf(&out, "read: %s at depth %d by %s\n", a.ID, a.Depth, a.By)
	}
	fmt.Fprint(&out, when(s.Truncated, "truncated\n"), when(s.Uncounted != nil, "uncounted\n"))
	for _, line := range s.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", line)
	}
	return out.String()
}

func TestReadShow(t *testing.T) {
	show := func(o tree.Show) func(context.Context, *world) (string, error) {
		return func(ctx context.Context, w *world) (string, error) {
			touched := []vault.Access{}
			w.Usage = readings{reads: map[vault.ID]vault.Reads{"pf-aa1": {Count: 3, Last: vaultmap.Now}}, touched: &touched}
			s, err := o.Read(ctx, w.Vault)
			return shown(s, touched), err
		}
	}
	const whole = `
			pf-aa1 Deployment
			"How we deploy." read 3 times
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks
			`
	answers(t, []question{
		{name: "its text and its pointers", ask: show(tree.Show{Ref: "pf-aa1"}), want: whole + `read: pf-aa1 at depth 0 by tester`},
		{name: "by its path, and nobody counts", ask: show(tree.Show{Ref: "deploy", Quiet: true}), want: whole},
		{name: "a child", ask: show(tree.Show{Ref: "pf-aa2"}), want: `
			pf-aa2 Rollback: when to go back
			"Roll back."
			read: pf-aa2 at depth 1 by tester`},
		{name: "two levels in full", start: deep(), ask: show(tree.Show{Ref: "pf-aa1", Depth: 2}), want: `
			pf-aa1 Deployment
			"How we deploy." read 3 times
			- pf-aa2 Rollback: when to go back
			| "Roll back."
			| - pf-aa4 Database: when data is lost
			| | "Restore it."
			- pf-aa3 Secrets: when a key leaks
			| "Rotate."
			read: pf-aa1 at depth 0 by tester
			read: pf-aa2 at depth 1 by tester
			read: pf-aa4 at depth 2 by tester
			read: pf-aa3 at depth 1 by tester`},
		{name: "the budget leaves a child as a pointer", start: family().With(files{"deploy/rollback.md": file("pf-aa2", "Rollback", "when to go back", strings.Repeat("Long. ", 100))}), ask: show(tree.Show{Ref: "pf-aa1", Depth: 1, Budget: 50}), want: `
			pf-aa1 Deployment
			"How we deploy." read 3 times
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks
			| "Rotate."
			left out: pf-aa2
			read: pf-aa1 at depth 0 by tester
			read: pf-aa3 at depth 1 by tester`},
		{name: "the budget cuts the text itself", start: files{"x.md": file("pf-x1", "X", "", "One two three four five six.\n\nSeven eight nine ten eleven.\n")}, ask: show(tree.Show{Ref: "pf-x1", Budget: 8, Quiet: true}), want: `
			pf-x1 X
			"One two three four five six."
			truncated`},
		{name: "what was typed, and made, since", given: both(typed("deploy.md", "How we deploy.", "Typed."), set(files{"deploy/old/fresh.md": file("pf-ff1", "Fresh", "", "")})), ask: show(tree.Show{Ref: "pf-aa1", Quiet: true}), want: `
			pf-aa1 Deployment
			"Typed." read 3 times
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks
			- pf-ff1 Fresh in deploy/old
			warning: the pointer block of pf-aa1 does not match its sub-memories; run ` + "`cp memory sync`"},
		{name: "a pointer to nobody", start: family().With(files{"deploy/secrets.md": ""}), ask: show(tree.Show{Ref: "pf-aa1", Depth: 1, Quiet: true}), want: `
			pf-aa1 Deployment
			"How we deploy." read 3 times
			- pf-aa2 Rollback: when to go back
			| "Roll back."
			- pf-aa3 Secrets: when a key leaks unknown
			warning: the pointer block of pf-aa1 does not match its sub-memories; run ` + "`cp memory sync`"},
		{name: "a closed child is none", start: family().With(files{"deploy/secrets.md": "---\nid: pf-aa3\nstatus: closed\n---\n"}), ask: show(tree.Show{Ref: "pf-aa1", Quiet: true}), want: `
			pf-aa1 Deployment
			"How we deploy." read 3 times
			- pf-aa2 Rollback: when to go back`},
		{name: "a child that cannot be read", given: broken("deploy/rollback.md"), ask: show(tree.Show{Ref: "pf-aa1", Depth: 1, Quiet: true}), want: `
			pf-aa1 Deployment
			"How we deploy." read 3 times
			- pf-aa2 Rollback: when to go back
			- pf-aa3 Secrets: when a key leaks
			| "Rotate."
			warning: deploy/rollback.md: cannot be read`},
		{name: "a damaged block: the text as it stands", start: files{"x.md": file("pf-x1", "X", "", "A.\n\n<!-- sub-memories -->\n[{]\n<!-- /sub-memories -->\n")}, ask: show(tree.Show{Ref: "pf-x1", Quiet: true}), want: `
			pf-x1 X
			"---\nid: pf-x1\ntitle: X\n---\nA.\n\n<!-- sub-memories -->\n[{]\n<!-- /sub-memories -->"
			warning: the pointer block of pf-x1 is damaged; the text is shown as it stands. Run ` + "`cp memory sync` to repair it"},
		{name: "a header that cannot be read", start: files{"x.md": "---\nid: pf-x1\ntitle: [\n---\nA.\n"}, ask: func(ctx context.Context, w *world) (string, error) {
			w.Usage = nil
			s, err := tree.Show{Ref: "x.md"}.Read(ctx, w.Vault)
			return fmt.Sprintf("%s %d %v", strings.TrimSpace(s.Content), len(s.Warnings), strings.HasPrefix(strings.Join(s.Warnings, ""), "x.md:")), err
		}, want: `A. 1 true`},
		{name: "states", start: files{"a.md": "---\nid: pf-a1\nsummary: why\nsuperseded_by: [pf-b1]\n---\n"}, given: pending("a.md"), ask: show(tree.Show{Ref: "pf-a1", Quiet: true}), want: `
			pf-a1 a: why pending > pf-b1
			""`},
		{name: "a file without an id is not counted", given: set(files{"new.md": "# New\nText.\n"}), ask: func(ctx context.Context, w *world) (string, error) {
			touched := []vault.Access{}
			w.Usage = readings{touched: &touched}
			s, err := tree.Show{Ref: "new.md"}.Read(ctx, w.Vault)
			return fmt.Sprintf("%s new:%v counted:%d", s.Title, s.New, len(touched)), err
		}, want: "New new:true counted:0"},
		{name: "a count that cannot be kept stops no reader", ask: func(ctx context.Context, w *world) (string, error) {
			w.Usage = readings{touched: new([]vault.Access), err: errors.New("full")}
			s, err := tree.Show{Ref: "pf-aa2"}.Read(ctx, w.Vault)
			return shown(s, nil), err
		}, want: `
			pf-aa2 Rollback: when to go back
			"Roll back."
			uncounted`},
		{name: "a task, for who asks for any type", start: files{"t.md": task}, ask: show(tree.Show{Ref: "pf-tt1", Any: true, Quiet: true}), want: `
			pf-tt1 Task
			"Do it."`},
		{name: "a task", start: files{"t.md": task}, ask: show(tree.Show{Ref: "pf-tt1"}),
			err: "Shard pf-tt1 is type 'task', expected 'memory' | `cp shard show pf-tt1` shows it"},
		{name: "nobody", ask: show(tree.Show{Ref: "pf-none"}),
			err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{name: "too deep", ask: show(tree.Show{Ref: "pf-aa1", Depth: 6}), err: "Maximum depth is 5"},
		{name: "above itself", ask: show(tree.Show{Ref: "pf-aa1", Depth: -1}), err: "the depth cannot be negative | use --depth 0 to 5"},
		{name: "for less than nothing", ask: show(tree.Show{Ref: "pf-aa1", Budget: -1}), err: "the budget cannot be negative | use --budget 1000, say"},
	})
}

// listed is a page as text.
func listed(p tree.Page, err error) (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%d\n", p.Total)
	for _, r := range p.Rows {
		fmt.Fprintf(&out, "%s %s%s%s%s%s%s%s\n", r.ID, r.Title, when(r.ParentID != nil, " below "+string(*cmp.Or(r.ParentID, new(vault.ID)))), when(r.Folder != "", " in "+string(r.Folder)),
			when(r.Status != vault.StatusOpen, " ["+r.Status+"]"), when(r.Phraseless, " phraseless"), when(r.Pending, " pending"), when(r.Snippet != "", fmt.Sprintf(" %.1f %q", r.Score, r.Snippet)))
	}
	return out.String(), err
}

// canned are answers that a map has not: of readings, words and links.
type canned struct {
	vault.Lists
	vault.Ranking
	hits     []vault.Hit
	hot      []vault.Node
	edges    []vault.Edge
	overview vault.Overview
	err      error
}

func (c *canned) Search(context.Context, string, vault.ListOptions) ([]vault.Hit, int, error) {
	return c.hits, len(c.hits), c.err
}
func (c *canned) Hot(context.Context, int, int) ([]vault.Node, error) { return c.hot, c.err }
func (c *canned) Edges(context.Context, vault.ID, bool) ([]vault.Edge, error) {
	return c.edges, c.err
}
func (c *canned) Overview(context.Context, int, int) (vault.Overview, error) {
	return c.overview, c.err
}

// node returns a memory's row as the mirror has it.
func node(w *world, ref string) vault.Node {
	n, err := w.Mirror.Find(context.Background(), ref)
	if err != nil {
		panic(err)
	}
	return n
}

// says makes the mirror give canned answers.
func says(fill func(*world, *canned)) func(*world) {
	return func(w *world) {
		c := &canned{Lists: w.Mirror.Lists}
		fill(w, c)
		w.Mirror.Lists, w.Mirror.Ranking = c, c
	}
}

func TestReadLists(t *testing.T) {
	list := func(o vault.ListOptions) func(context.Context, *world) (string, error) {
		return func(ctx context.Context, w *world) (string, error) { return listed(tree.List(ctx, w.Vault, o)) }
	}
	search := func(ctx context.Context, w *world) (string, error) {
		return listed(tree.SearchMemories(ctx, w.Vault, "roll", vault.ListOptions{}))
	}
	hits := says(func(w *world, c *canned) {
		c.hits = []vault.Hit{{Node: node(w, "pf-aa2"), Score: 2.5, Terms: []string{"roll"}}, {Node: node(w, "pf-aa3"), Score: 1, Terms: []string{"roll"}}}
	})
	hot := func(ctx context.Context, w *world) (string, error) {
		rows, err := tree.Hot(ctx, w.Vault, 1, 10)
		var out strings.Builder
		for _, r := range rows {
			fmt.Fprintf(&out, "%s %d, %s %d%s\n", r.ID, r.AccessCount, r.ParentTitle, r.ParentAccessCount, when(r.Pending, " pending"))
		}
		return out.String(), err
	}
	edges := func(ref string) func(context.Context, *world) (string, error) {
		return func(ctx context.Context, w *world) (string, error) {
			n, all, err := tree.Edges(ctx, w.Vault, ref)
			return fmt.Sprintf("%s %d", n.ID, len(all)), err
		}
	}
	broke := errors.New("the mirror broke")
	answers(t, []question{
		{name: "all open ones", start: family().With(files{"old/x.md": "---\nid: pf-x1\nstatus: closed\n---\n"}), ask: list(vault.ListOptions{}), want: `
			3
			pf-aa1 Deployment
			pf-aa2 Rollback below pf-aa1
			pf-aa3 Secrets below pf-aa1`},
		{name: "closed ones, in a folder", start: family().With(files{"old/x.md": "---\nid: pf-x1\nstatus: closed\n---\n"}), ask: list(vault.ListOptions{Status: []string{"closed"}}), want: `
			1
			pf-x1 x in old [closed]`},
		{name: "one that was put off until a day that has come, by the vault's clock", start: files{"x.md": "---\nid: pf-x1\ndeferred_until: 2026-02-01\n---\n", "y.md": "---\nid: pf-y1\ndeferred_until: 2026-03-01\n---\n"}, ask: list(vault.ListOptions{Now: time.Unix(0, 0)}), want: `
			1
			pf-x1 x`},
		{name: "a phrase is missing, and a write is not finished", start: family().With(files{"deploy/new.md": file("pf-nn1", "New", "", "")}), given: pending("deploy/new.md"), ask: list(vault.ListOptions{Limit: 1}), want: `
			4
			pf-aa1 Deployment`},
		{name: "on the second page", start: family().With(files{"deploy/new.md": file("pf-nn1", "New", "", "")}), given: pending("deploy/new.md"), ask: list(vault.ListOptions{Limit: 1, Offset: 1}), want: `
			4
			pf-nn1 New below pf-aa1 phraseless pending`},
		{name: "a search has its passages from the files", given: hits, ask: search, want: `
			2
			pf-aa2 Rollback below pf-aa1 2.5 "Roll back."
			pf-aa3 Secrets below pf-aa1 1.0 "Rotate."`},
		{name: "of a file that is gone by now there is none", given: both(hits, set(files{"deploy/secrets.md": ""})), ask: search, want: `
			2
			pf-aa2 Rollback below pf-aa1 2.5 "Roll back."
			pf-aa3 Secrets below pf-aa1`},
		{name: "a search that fails", given: says(func(_ *world, c *canned) { c.err = broke }), ask: search, err: "the mirror broke"},
		{name: "what is read more than its parent", given: both(pending("deploy/rollback.md"), says(func(w *world, c *canned) {
			n := node(w, "pf-aa2")
			n.Reads.Count, n.ParentReads = 7, 2
			c.hot = []vault.Node{n}
		})), ask: hot, want: `pf-aa2 7, Deployment 2 pending`},
		{name: "nothing is", given: says(func(*world, *canned) {}), ask: hot},
		{name: "readings that cannot be read", given: says(func(_ *world, c *canned) { c.err = broke }), ask: hot, err: "the mirror broke"},
		{name: "links", given: says(func(w *world, c *canned) { c.edges = make([]vault.Edge, 2) }), ask: edges("pf-aa2"), want: "pf-aa2 2"},
		{name: "links of nobody", given: says(func(*world, *canned) {}), ask: edges("pf-none"),
			err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
	})
}

func TestReadPrime(t *testing.T) {
	prime := func(o tree.Prime) func(context.Context, *world) (string, error) {
		return func(ctx context.Context, w *world) (string, error) {
			p, err := o.Read(ctx, w.Vault)
			var out strings.Builder
			fmt.Fprintf(&out, "%d memories%s%s\n", p.Memories, when(p.LeftOut > 0, fmt.Sprintf(", %d roots left out", p.LeftOut)), when(p.Brief, ", brief"))
			for _, f := range p.Folders {
				fmt.Fprintf(&out, "%s/ %d\n", f.Folder, f.Count)
			}
			for _, r := range p.Roots {
				head, ok := p.Head(r)
				fmt.Fprintf(&out, "%s%s%s\n", r.ID, when(ok, " under "+string(head)), when(r.Pending, " pending"))
			}
			for _, r := range p.Hottest {
				fmt.Fprintf(&out, "hot %s\n", r.ID)
			}
			if limit := cmp.Or(o.Budget, tree.PrimeBudget); p.Tokens > limit {
				fmt.Fprintf(&out, "%d tokens for a budget of %d\n", p.Tokens, limit)
			}
			return out.String(), err
		}
	}
	root := func(id vault.ID, in vault.Path) vault.Node {
		return vault.Node{ID: id, In: in, Path: in.Join(string(id) + ".md"), Header: vault.Header{Title: "A title of some words", Summary: "when it is needed"}}
	}
	roots := func(n int, in vault.Path) (all []vault.Node) {
		for i := range n {
			all = append(all, root(vault.ID(fmt.Sprintf("pf-r%d", i+1)), in))
		}
		return all
	}
	over := func(o vault.Overview) func(*world) {
		return says(func(_ *world, c *canned) { c.overview = o })
	}
	wide := map[vault.Path]int{}
	for i := range 60 {
		wide[vault.Path(fmt.Sprintf("a-folder-with-a-long-name-%02d", i))] = i
	}
	answers(t, []question{
		{name: "nothing", given: over(vault.Overview{}), ask: prime(tree.Prime{}), want: "0 memories"},
		{name: "roots, and what is read most but is no root", given: both(pending("deploy.md"), over(vault.Overview{Memories: 3, RootCount: 2, Roots: append(roots(1, ""), root("pf-aa1", "")), Hottest: []vault.Node{root("pf-aa1", ""), root("pf-h1", "")}})), ask: prime(tree.Prime{}), want: `
			3 memories
			pf-r1
			pf-aa1 pending
			hot pf-h1`},
		{name: "as many roots as fit, and room for what is read most", given: over(vault.Overview{Memories: 99, RootCount: 50, Roots: roots(50, ""), Hottest: []vault.Node{root("pf-h1", "")}}), ask: prime(tree.Prime{Budget: 320}), want: `
			99 memories, 46 roots left out
			pf-r1
			pf-r2
			pf-r3
			pf-r4
			hot pf-h1`},
		{name: "five of what is read most", given: over(vault.Overview{Memories: 9, Hottest: roots(8, "")}), ask: prime(tree.Prime{}), want: `
			9 memories
			hot pf-r1
			hot pf-r2
			hot pf-r3
			hot pf-r4
			hot pf-r5`},
		{name: "no room for more than pointers", given: over(vault.Overview{Memories: 9, RootCount: 9, RootsIn: map[vault.Path]int{"x": 9}, Roots: roots(9, "x")}), ask: prime(tree.Prime{Budget: 50}), want: `
			9 memories, 7 roots left out, brief
			pf-r1
			pf-r2`},
		{name: "folders, as deep as there is room", given: over(vault.Overview{Memories: 9, RootCount: 5, RootsIn: map[vault.Path]int{"notes": 1, "notes/2026": 3, "letters": 1}, Roots: roots(2, "notes/2026")}), ask: prime(tree.Prime{}), want: `
			9 memories, 3 roots left out
			letters/ 1
			notes/ 1
			notes/2026/ 3
			pf-r1 under notes/2026
			pf-r2 under notes/2026`},
		{name: "less deep where there is less", given: over(vault.Overview{Memories: 9, RootCount: 5, RootsIn: map[vault.Path]int{"notes": 1, "notes/the-second-half-of-2026-and-after": 2, "notes/the-first-half-of-2026-and-before": 1, "letters/from-everybody-who-ever-wrote": 1}, Roots: roots(1, "notes/the-second-half-of-2026-and-after")}), ask: prime(tree.Prime{Budget: 300}), want: `
			9 memories, 4 roots left out
			letters/ 1
			notes/ 4
			pf-r1 under notes`},
		{name: "the fullest of too many", given: over(vault.Overview{Memories: 99, RootCount: 60, RootsIn: wide}), ask: prime(tree.Prime{Budget: 320}), want: `
			99 memories, 60 roots left out
			a-folder-with-a-long-name-57/ 57
			a-folder-with-a-long-name-58/ 58
			a-folder-with-a-long-name-59/ 59`},
		{name: "less than nothing", ask: prime(tree.Prime{Budget: -1}), err: "the budget cannot be negative | use --budget 1000, say"},
		{name: "a mirror that fails", given: says(func(_ *world, c *canned) { c.err = errors.New("the mirror broke") }), ask: prime(tree.Prime{}), err: "the mirror broke"},
	})
}

func TestReadStatus(t *testing.T) {
	status := func(ctx context.Context, w *world) (string, error) {
		s, err := tree.ReadStatus(ctx, w.Vault)
		return fmt.Sprintf("%d memories, %d uncommitted, %d waiting, %d left, %s", s.Counts.Memories, s.Counts.Uncommitted, s.Waiting, len(s.Left), s.Head.Busy), err
	}
	queued := func(w *world) {
		w.Busy = "rebase"
		if _, err := (tree.Add{Title: "T"}).Do(context.Background(), w.Vault); err != nil {
			panic(err)
		}
	}
	answers(t, []question{
		{name: "at rest", ask: status, want: "3 memories, 0 uncommitted, 0 waiting, 0 left,"},
		{name: "typed since", given: typed("deploy.md", "How", "Why"), ask: status, want: "3 memories, 1 uncommitted, 0 waiting, 0 left,"},
		{name: "a write waits for a rebase", given: queued, ask: status, want: "3 memories, 0 uncommitted, 1 waiting, 0 left, rebase"},
		{name: "and one is not finished", given: both(queued, pending("deploy.md")), ask: status, want: "3 memories, 0 uncommitted, 2 waiting, 1 left, rebase"},
	})
}
