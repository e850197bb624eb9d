package sync_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/sync"
)

// merged is a world in which a merge was made, or is under way.
type merged struct {
	w        *world
	git      files // what git by itself makes of the merge
	put      bool  // the merge is marked
	unmerged []sync.Conflicted
	sides    [2]string
	saved    vault.Path // somebody saves this file at the moment in which it is rewritten
}

// rev is the nth commit.
func rev(n int) string { return fmt.Sprintf("%040x", n) }

// ListMerges returns the merge of the second and the third commit, which the fourth is.
func (m *merged) ListMerges(context.Context) ([]sync.Merge, bool, error) {
	if m.put || m.git == nil {
		return nil, false, nil
	}
	return []sync.Merge{{Commit: rev(4), Base: rev(1), Sides: [2]string{rev(2), rev(3)}}}, false, nil
}

func (m *merged) Mark(context.Context, string) error { m.put = true; return nil }

func (m *merged) Texts(ctx context.Context, commit string, paths []vault.Path) (map[vault.Path][]byte, error) {
	texts := make(map[vault.Path][]byte)
	for _, p := range paths {
		if text, err := m.w.Store.ReadAt(ctx, commit, p); err == nil {
			texts[p] = text
		}
	}
	return texts, nil
}

func (m *merged) Others(context.Context, string, []vault.Path) (map[vault.Path]string, error) {
	return nil, nil
}

func (m *merged) Replay(_ context.Context, _, _ string, how sync.Replay) (func(vault.Path) ([]byte, error), error) {
	return func(p vault.Path) ([]byte, error) {
		if text, ok := m.git[p]; ok && how == converge.ReplayMerge {
			return []byte(text), nil
		}
		return nil, nil
	}, nil
}

func (m *merged) FindArrival(_ context.Context, _, tip string, _ vault.Path) (vault.Revision, error) {
	return vault.Revision{Commit: tip, Time: vaultmap.Now}, nil
}

func (m *merged) ListUnmerged(context.Context) ([]sync.Conflicted, error) { return m.unmerged, nil }
func (m *merged) FindSides(context.Context) ([2]string, error)            { return m.sides, nil }

func (m *merged) Rewrite(_ context.Context, p vault.Path, was, text []byte) (bool, error) {
	if p == m.saved || m.w.Disk[p] != string(was) {
		return false, nil
	}
	m.w.Disk[p] = string(text)
	return true, nil
}

// history commits one version of all files after the other.
func history(versions ...files) func(*world) {
	return func(w *world) {
		for _, files := range versions {
			w.Disk = maps.Clone(files)
			w.Commit("version")
		}
	}
}

// between is a conflict as git leaves it.
func between(ours, theirs string) string {
	return "<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
}

// A merge that git made by itself is put right, once.
func TestPlanMerge(t *testing.T) {
	child := func(path vault.Path) files { return family().With(files{path: file("pf-aa9", "New", "", "New.\n")}) }
	away := files{"infra.md": file("pf-bb1", "Infra", "", "Infra.\n") + block("pf-aa1|Deployment|when to ship"),
		"infra/deploy.md": family()["deploy.md"], "infra/deploy/rollback.md": family()["deploy/rollback.md"], "infra/deploy/secrets.md": family()["deploy/secrets.md"]}
	key := func(lines string) files {
		return family().With(files{"deploy/rollback.md": strings.Replace(family()["deploy/rollback.md"], "title: Rollback\n", lines, 1)})
	}
	does := func(git files, then ...func(*world)) func(context.Context, *world) ([]string, error) {
		return syncs(t, sync.Options{}, func(s *sync.Syncer, w *world) {
			m := &merged{w: w, git: git}
			s.Merges, s.Conflicts = m, m
			for _, then := range then {
				then(w)
			}
		})
	}
	split := key(between("title: Going back\n", "title: Back\n"))
	twice := away.With(child("deploy/new.md"))
	for p := range family() {
		delete(twice, p)
	}
	twice["deploy/new.md"] = child("deploy/new.md")["deploy/new.md"]
	const settled = `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Going back", "summary": "when to go back"},
				deploy/rollback.md
				-<<<<<<< HEAD
				-=======
				-title: Back
				->>>>>>> theirs`
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "git made it well", Given: history(child("deploy/new.md"), family(), child("deploy/new.md")), Do: does(child("deploy/new.md")), Says: `["missing_pointer : added pointer for pf-aa9 (placeholder summary)"]`, Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa9", "title": "New", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}`},
		{Name: "a child of a parent that moved", Given: history(away, child("deploy/new.md"), twice), Do: does(twice), Says: `["moved_file infra/deploy/new.md: moved it here from deploy/new.md, where its parent is now (was deploy/new.md)","missing_pointer : added pointer for pf-aa9 (placeholder summary)"]`, Want: `
				infra/deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-aa9", "title": "New", "summary": "No summary — update this memory's pointer block manually or re-add with add-sub"}
				deploy/new.md > infra/deploy/new.md`},
		{Name: "markers in a header", Given: history(key("title: Going back\n"), key("title: Back\n"), split), Do: does(split), Says: `["conflict_markers deploy/rollback.md: merged it again by front matter, pointers and prose (git merged it as a text)","title_mismatch : set the title of pf-aa2 to \"Going back\" (was Rollback)"]`, Want: settled},
		{Name: "markers that somebody types at", Given: history(key("title: Going back\n"), key("title: Back\n"), split), Do: does(split, typed("deploy/rollback.md", "Roll back.", "Typed.")), Says: `["conflict_markers deploy/rollback.md: settled the conflict markers in its front matter","title_mismatch : set the title of pf-aa2 to \"Going back\" (was Rollback)","edge_mismatch : committed the summary of pf-aa2 in both places: when to go back"]`, Want: settled, Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`},
		{Name: "and others went on", Given: history(key("title: Going back\n"), key("title: Back\n"), split, split.With(files{"x.md": file("pf-xx1", "X", "", "X.\n")})), Do: does(split), Says: `["conflict_markers deploy/rollback.md: merged it again by front matter, pointers and prose (git merged it as a text)","title_mismatch : set the title of pf-aa2 to \"Going back\" (was Rollback)"]`, Want: settled},
		{Name: "old ones are left alone", Given: history(key("title: Going back\n"), key("title: Back\n"), split, key("title: Mine\n")), Do: does(split), Says: `["title_mismatch : set the title of pf-aa2 to \"Mine\" (was Rollback)"]`, Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Mine", "summary": "when to go back"},`},
	})
}

// In the middle of a merge only files of the work tree change.
func TestPlanUnmerged(t *testing.T) {
	p := vault.Path("deploy/rollback.md")
	base := family()[p]
	with := func(lines, prose string) string {
		return strings.NewReplacer("title: Rollback\n", lines, "Roll back.", prose).Replace(base)
	}
	ours, theirs := with("title: Mine\n", "Roll back."), with("title: Yours\n", "Roll back.")
	prose := [2]string{with("title: Rollback\n", "Mine."), with("title: Rollback\n", "Yours.")}
	versions := func(ours, theirs string) sync.Conflicted {
		return sync.Conflicted{Path: p, Base: []byte(base), Ours: []byte(ours), Theirs: []byte(theirs)}
	}
	given := func(disk string) func(*world) {
		return after(history(family().With(files{p: ours}), family().With(files{p: theirs})), set(files{p: disk}), func(w *world) { w.Busy = "merge" })
	}
	does := func(o sync.Options, change func(*merged), all ...sync.Conflicted) func(context.Context, *world) ([]string, error) {
		return func(ctx context.Context, w *world) ([]string, error) {
			m := &merged{w: w, unmerged: all, sides: [2]string{rev(2), rev(3)}}
			if change != nil {
				change(m)
			}
			s := &sync.Syncer{Vault: w.Vault, Merges: m, Conflicts: m}
			out, err := s.Sync(ctx, o)
			said := told(out)
			for _, c := range out.Conflicts {
				said = append(said, fmt.Sprintf("%s %s: %s, not %s of %.7s", c.Path, c.Key, c.Kept, c.Dropped, strings.TrimLeft(c.Commit, "0")))
			}
			return said, err
		}
	}
	split := with(between("title: Mine\n", "title: Yours\n"), "Roll back.")
	parted := with("title: Rollback\n", between("Mine.\n", "Yours.\n"))
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "two titles", Given: given(split), Do: does(sync.Options{}, nil, versions(ours, theirs)), Says: "[\"conflict_markers deploy/rollback.md: settled the conflict in its front matter and pointer block\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\",\"deploy/rollback.md title: Yours, not Mine of 2\"]"},
		{Name: "a dry run", Given: given(split), Do: does(sync.Options{DryRun: true}, nil, versions(ours, theirs)), Says: "[\"conflict_markers deploy/rollback.md: settled the conflict in its front matter and pointer block\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\",\"deploy/rollback.md title: Yours, not Mine of 2\"]", Left: `
				deploy/rollback.md
				+<<<<<<< HEAD
				+title: Mine
				+=======
				+>>>>>>> theirs`},
		{Name: "a file that is saved at this moment", Given: given(split), Do: does(sync.Options{}, func(m *merged) { m.saved = p }, versions(ours, theirs)), Says: "[\"deploy/rollback.md:3 conflict_markers\",\"deploy/rollback.md: it was saved at this moment; run the command again\",\"edit the text at these lines; then `git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				+<<<<<<< HEAD
				+title: Mine
				+=======
				+>>>>>>> theirs`},
		{Name: "a value that is in no commit", Given: given(split), Do: does(sync.Options{}, func(m *merged) { m.sides = [2]string{} }, versions(ours, theirs)), Says: "[\"deploy/rollback.md:3 conflict_markers\",\"deploy/rollback.md: its front matter or block holds two values of title, of which one is in no commit; choose one by hand\",\"edit the text at these lines; then `git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				+<<<<<<< HEAD
				+title: Mine
				+=======
				+>>>>>>> theirs`},
		{Name: "two texts", Given: given(parted), Do: does(sync.Options{}, nil, versions(prose[0], prose[1])), Says: "[\"deploy/rollback.md:6 conflict_markers\",\"edit the text at these lines; then `git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				-title: Yours
				+title: Rollback
				-Roll back.
				+<<<<<<< HEAD
				+Mine.
				+=======
				+Yours.
				+>>>>>>> theirs
				+`},
		{Name: "a text that a person has begun to settle", Given: given(strings.Replace(split, "Roll back.", "Settled.", 1)), Do: does(sync.Options{}, nil, versions(ours, theirs)), Says: "[\"conflict_markers deploy/rollback.md: settled the conflict in its front matter and pointer block\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\",\"deploy/rollback.md title: Mine, not Yours of 3\"]", Left: `
				deploy/rollback.md
				-title: Yours
				+title: Mine
				-Roll back.
				+Settled.`},
		{Name: "a file that is not there", Given: after(given(split), set(files{p: ""})), Do: does(sync.Options{}, nil, versions(ours, theirs)), Says: "[\"deploy/rollback.md: it is in conflict and not on disk\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				gone deploy/rollback.md`},
		{Name: "two memories", Given: given(split), Do: does(sync.Options{}, nil, sync.Conflicted{Path: p, Ours: []byte(ours), Theirs: []byte(strings.Replace(theirs, "pf-aa2", "pf-zz9", 1))}), Says: "[\"deploy/rollback.md:3 conflict_markers\",\"deploy/rollback.md: two memories were made at this path; add it as it is, and `cp memory sync` after the commit makes two files of it\",\"edit the text at these lines; then `git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				+<<<<<<< HEAD
				+title: Mine
				+=======
				+>>>>>>> theirs`},
		{Name: "moved here and there", Given: given(base), Do: does(sync.Options{}, nil, sync.Conflicted{Path: p, Ours: []byte(ours)}), Says: "[\"deploy/rollback.md: one side has moved it here and the other elsewhere; add both, and `cp memory sync` after the commit leaves one\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				-title: Yours
				+title: Rollback`},
		{Name: "deleted and edited", Given: given(ours), Do: does(sync.Options{}, nil, sync.Conflicted{Path: p, Base: []byte(base), Ours: []byte(ours)}), Says: "[\"deploy/rollback.md: one side deleted it and the other edited it: the edit wins, and `git add` keeps it\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				-title: Yours
				+title: Mine`},
		{Name: "deleted, and its pointers changed", Given: given(base), Do: does(sync.Options{}, nil, sync.Conflicted{Path: p, Base: []byte(base), Theirs: []byte(base + block("pf-aa9|New|when new"))}), Says: "[\"deploy/rollback.md: one side deleted it and the other only changed its pointers: add it, and `cp memory sync` after the commit deletes it\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				-title: Yours
				+title: Rollback`},
		{Name: "two blocks", Given: given(strings.Replace(base, "Roll back.\n", "Typed.\n"+strings.Replace(block("pf-c1|A|when a", "pf-c2|B|when b"), "  {\"id\": \"pf-c1\"", "<<<<<<< HEAD\n  {\"id\": \"pf-c1\"", 1), 1)),
			Do: does(sync.Options{}, nil, versions(base+block("pf-c1|A|when a"), base+block("pf-c2|B|when b"))), Says: "[\"conflict_markers deploy/rollback.md: settled the conflict in its front matter and pointer block\",\"`git add -- deploy/rollback.md` and `git commit` finish the merge; then run `cp memory sync` once more\"]", Left: `
				deploy/rollback.md
				-title: Yours
				+title: Rollback
				-Roll back.
				+Typed.
				+
				+<!-- sub-memories -->
				+[
				+  {"id": "pf-c1", "title": "A", "summary": "when a"},
				+  {"id": "pf-c2", "title": "B", "summary": "when b"}
				+]
				+<!-- /sub-memories -->`},
	})
}
