package index

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// What plans are tested on answers as the index does: the map's mirror and a
// real one say the same of the same files.
func TestTheMapAnswersAsTheIndex(t *testing.T) {
	type files = vaultmap.Files
	file, block, family, set := vaultmap.File, vaultmap.Block, vaultmap.Family, vaultmap.Set
	for _, row := range []struct {
		name  string
		start files
		given func(*vaultmap.World)
	}{
		{"a family", family(), nil},
		{"nothing", files{}, nil},
		{"order, by block, creation and path", family().With(files{"deploy.md": file("pf-aa1", "D", "", "") + block("pf-aa3|S|s"), "deploy/b.md": "---\nid: pf-bb1\ncreated: 2026-01-02\n---\n", "deploy/c.md": "---\nid: pf-cc1\ncreated: 2026-01-01\n---\n", "z.md": "# Z\n"}), nil},
		{"folders and those that stand for them", files{"x/README.md": file("pf-x1", "X", "", ""), "x/index.md": "# I\n", "x/a.md": "# A\n", "y/z/b.md": "# B\n", "x/README/c.md": "# C\n", "x/a/d/e.md": "# E\n", "readme.md": "# R\n"}, nil},
		{"closed ones", family().With(files{"deploy/secrets.md": "---\nid: pf-aa3\nstatus: closed\n---\n", "deploy/secrets/k.md": "# K\n", "old.md": "---\nid: pf-o1\nstatus: closed\n---\n", "old/er.md": "---\nid: pf-o2\nstatus: closed\n---\n"}), nil},
		{"other types", files{"x.md": file("pf-x1", "X", "", ""), "x/t.md": "---\nid: pf-t1\ntype: task\n---\n", "x/t/a.md": "# A\n"}, nil},
		{"successors", files{"a.md": "---\nid: pf-a1\nsuperseded_by: [pf-b1]\n---\n", "b.md": "---\nid: pf-b1\nsupersedes: [pf-c1]\n---\n", "c.md": "---\nid: pf-c1\n---\n"}, nil},
		{"one id twice", family().With(files{"z.md": family()["deploy/rollback.md"]}), nil},
		{"a person's ids, titles and aliases", files{"a.md": "---\nid: ADR-0007\ntitle: Buy wisely\naliases: [Shopping]\ntags: [x]\n---\n", "b/a.md": "---\nid: adr-0007\n---\n", "c.md": "---\nid: intro\ncp_id: pf-c1\ntitle: Same\n---\n", "d.md": "---\nid: intro\ntitle: same\n---\n", "e.md": "---\nid: [1]\naliases: [intro, ADR]\n---\n"}, nil},
		{"damage", files{"a.md": "---\nid: pf-a1\ntitle: [\n---\n", "b.md": "\xff", "c.md": "# C\n\n<!-- sub-memories -->\n[\n", "d.md": "<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> o\n", "e.md": "---\nid: 42\n---\n"}, nil},
		{"orphans", family().With(files{"deploy/rollback/x.md": file("pf-xx1", "X", "", "")}), set(files{"deploy.md": "", "deploy/rollback.md": ""})},
		{"what was typed, made and moved", family(), set(files{"deploy/secrets.md": "", "keys.md": family()["deploy/secrets.md"], "new.md": "# New\n", "deploy.md": family()["deploy.md"] + "typed\n"})},
		{"labels and days", files{"a.md": "---\nlabels: [x]\n---\n", "b.md": "---\nlabels: [z, y]\nstatus: closed\n---\n", "c.md": "---\nstatus: deferred\n---\n", "d.md": "---\nstatus: deferred\ndeferred_until: 2026-03-01\n---\n", "e.md": "---\ndeferred_until: 2026-01-01\ncreated: 2026-01-03\n---\n"}, nil},
		{"no commit yet", family(), (*vaultmap.World).Unborn},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := vaultmap.New(row.start)
			if row.given != nil {
				vaultmap.Seen(row.given)(w)
			}
			d, err := Open(filepath.Join(t.TempDir(), "index.db"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = d.Close() })
			if _, err := d.CatchUp(t.Context(), w.Store.Source, vault.Scope{}); err != nil {
				t.Fatal(err)
			}
			ours, theirs := asked(t.Context(), w, w.Mirror.Tree), asked(t.Context(), w, d.Ports().Tree)
			for question, want := range theirs {
				if d := cmp.Diff(want, ours[question], cmpopts.EquateEmpty()); d != "" {
					t.Errorf("%s: the index says - and the map +\n%s", question, d)
				}
			}
		})
	}
}

// asked returns what a tree answers to all that a plan may ask it.
func asked(ctx context.Context, w *vaultmap.World, t vault.Tree) map[string]any {
	out := make(map[string]any)
	say := func(question string, said any, err error) {
		out[question], out[question+", the error"] = said, vaultmap.Told(err)
	}
	all, err := t.Walk(ctx, vault.WalkOptions{MaxDepth: vault.MaxDepth, Closed: true})
	say("walk", all, err)
	open, err := t.Walk(ctx, vault.WalkOptions{})
	say("open ones", open, err)
	refs := []string{"adr-0007", "ADR-00", "buy WISELY", "shopping", "same", "intro", "adr", "Intro", "int", "", "pf-", "pf-a", "pf-aa", "none", "none.md"}
	for _, p := range slices.Sorted(maps.Keys(w.Disk)) {
		n, ok, err := t.At(ctx, p)
		say("at "+string(p), n, err)
		refs = append(refs, string(p), string(p.Stem()), string(vault.Parse(p, []byte(w.Disk[p])).ID))
		if n, found, err := t.Owner(ctx, p.Dir()); ok {
			say("owner of "+string(p.Dir()), []any{n, found}, err)
		}
		if n.Type != vault.TypeMemory {
			continue
		}
		children, err := t.Children(ctx, n.ID)
		say("children of "+string(p), children, err)
		way, err := t.Ancestry(ctx, n.ID)
		say("ancestry of "+string(p), way, err)
		below, err := t.Walk(ctx, vault.WalkOptions{Root: n.ID, MaxDepth: 1})
		say("below "+string(p), below, err)
	}
	for _, ref := range refs {
		if ref != "" {
			n, err := t.Find(ctx, ref)
			say("find "+ref, n, err)
		}
	}
	problems, err := t.Problems(ctx)
	say("problems", problems, err)
	drift, err := t.Drift(ctx)
	say("drift", drift, err)
	var families []vault.Family
	err = t.Parents(ctx, "", func(f vault.Family) error { families = append(families, f); return nil })
	say("parents", families, err)
	counts, err := t.Counts(ctx)
	say("counts", counts, err)
	for name, o := range map[string]vault.ListOptions{
		"records": {Types: []string{"task"}, Status: []string{"*"}, Limit: 1000}, "all": {Types: []string{"*"}, Status: []string{"*"}}, "open": {}, "second page": {Limit: 1, Offset: 1},
		"closed": {Status: []string{vault.StatusClosed}}, "labelled": {Labels: []string{"x", "y"}}, "roots": {Roots: true}, "under": {Under: "pf-aa1"}, "in a folder": {Dir: "x", Types: []string{"*"}},
		"of a part": {Types: []string{"*"}, Share: family.Share{Areas: []family.Area{{File: "x/y.md", Folder: "x/y"}, {File: "x.md", Folder: "x", In: true}}}}, "of the rest": {Share: family.Share{Rest: true, Areas: []family.Area{{File: "x.md", Folder: "x"}}}},
		"new": {Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}, "later": {Now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)},
	} {
		if o.Now.IsZero() {
			o.Now = vaultmap.Now
		}
		rows, n, err := t.List(ctx, o)
		say("list "+name, []any{rows, n}, err)
	}
	return out
}
