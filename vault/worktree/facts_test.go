package worktree_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
	"github.com/cp-memory/cp/vault/worktree"
)

const (
	one   = vault.Path(".cp/facts/aa/one.json")
	two   = vault.Path(".cp/facts/bb/two.json")
	three = vault.Path(".cp/facts/cc/three.json")
)

// facts is the text of a facts file, of an id.
func facts(id string) string { return "{\"id\": \"" + id + "\"}\n" }

// withFacts is a vault with a memory and the facts of one, two and three.
func withFacts(t *testing.T, sub string) *sandbox {
	return newSandbox(t, sub, "a.md", memory("pf-a", "a"), string(one), facts("pf-a"), string(two), facts("pf-b"), string(three), facts("pf-c"))
}

// factsChange makes, edits, removes and moves facts, beside a memory.
func factsChange() *vault.Change {
	c := addSub("pf-new")
	c.Edits = append(c.Edits,
		vault.Edit{Path: ".cp/facts/aa/new.json", Create: []byte(facts("pf-new"))},
		vault.Edit{Path: one, Steps: []vault.Step{{Op: vault.OpSetText, Text: facts("pf-a ")}}},
		vault.Edit{Path: two, Remove: true},
		vault.Edit{Path: three, To: ".cp/facts/dd/four.json"})
	return c
}

// All forms of edits, in the vault's three places: on disk, in the commit, in the receipt, and
// in what a look between the commits tells.
func TestFactsGoIntoTheCommitWithTheirMemory(t *testing.T) {
	ctx := context.Background()
	for _, sub := range []string{"", "memory", "docs/memory"} {
		w := withFacts(t, sub)
		was := w.git("rev-parse", "HEAD")
		r := w.done(factsChange())
		w.clean()
		for name, want := range map[string]string{".cp/facts/aa/new.json": facts("pf-new"), string(one): facts("pf-a "), string(two): "(none)", string(three): "(none)", ".cp/facts/dd/four.json": facts("pf-c"), ".cp/facts/bb": "(none)"} {
			w.want(name, w.text(name), want)
			if !strings.HasSuffix(name, "bb") {
				w.want("HEAD's "+name, w.committed(name), want)
			}
		}
		if diff := cmp.Diff([]vault.Path{".cp/facts/aa/new.json", one, two, three, ".cp/facts/dd/four.json", "a.md", "a/pf-new.md"}, r.Paths); diff != "" || len(r.Moved) > 0 {
			t.Errorf("%q: the receipt, moved %v (-want +got):\n%s", sub, r.Moved, diff)
		}
		if diff := cmp.Diff([]vault.Path{two, three}, r.Gone); diff != "" {
			t.Errorf("%q: gone (-want +got):\n%s", sub, diff)
		}
		var told []string
		must(t, w.store.Changes(ctx, was, r.Commit, func(p vault.Path, blob string) error {
			if blob == "" {
				p = "-" + p
			}
			told = append(told, string(p))
			return nil
		}))
		if diff := cmp.Diff([]string{".cp/facts/aa/new.json", string(one), "-" + string(two), "-" + string(three), ".cp/facts/dd/four.json", "a.md", "a/pf-new.md"}, told); diff != "" {
			t.Errorf("%q: between the commits (-want +got):\n%s", sub, diff)
		}
		touched, err := w.store.Archive().ListTouched(ctx, was, r.Commit)
		must(t, err)
		for _, touch := range touched {
			if touch.From != "" {
				t.Errorf("%q: %s is told to have moved from %s", sub, touch.Path, touch.From)
			}
		}
	}
}

// Only the vault's own facts are facts: those of another vault in the repository are none.
func TestFactsOfAnotherVault(t *testing.T) {
	w := newSandbox(t, "memory", "a.md", memory("pf-a", "a"))
	was := w.git("rev-parse", "HEAD")
	for _, name := range []string{"../.cp/facts/aa/x.json", "../other/.cp/facts/aa/x.json", "deep/.cp/facts/aa/x.json", ".cp/other.json", ".cp/facts/x.txt", string(one)} {
		w.save(name, facts("pf-x"))
	}
	w.git("add", "-Af")
	w.git("commit", "-qm", "many")
	var told []vault.Path
	must(t, w.store.Changes(context.Background(), was, w.git("rev-parse", "HEAD"), func(p vault.Path, _ string) error {
		told = append(told, p)
		return nil
	}))
	if diff := cmp.Diff([]vault.Path{one}, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// No write leads through the folder of facts to anything else.
func TestNothingButFactsIsWrittenInTheVaultsOwnFolder(t *testing.T) {
	w := withFacts(t, "")
	for _, p := range []vault.Path{".cp/facts/x.md", ".cp/facts/../vault.json", ".cp/x.json", ".cp/facts", ".cp/facts/aa", ".cp/facts/untracked/a/x.jsonl", ".cp/facts/.git/x.json", ".cp/index.db", "a/.cp/facts/x.json"} {
		if _, err := w.commit(&vault.Change{Verb: "test", Edits: []vault.Edit{{Path: p, Create: []byte("{}")}}}); vault.CodeOf(err) != vault.CodeInvalid {
			t.Errorf("%s: %v", p, err)
		}
	}
	w.clean()
}

// A person's uncommitted text of facts is as safe as that of a memory.
func TestFactsThatAPersonHasTyped(t *testing.T) {
	ctx := context.Background()
	w := withFacts(t, "")
	w.save(string(one), facts("typed"))
	_, err := w.commit(factsChange())
	if vault.CodeOf(err) != vault.CodeDirty {
		t.Errorf("got %v", err)
	}
	w.clean(" M " + string(one))
	disk, staged, err := w.store.ListModified(ctx, one, two)
	if err != nil || !slices.Equal(disk, []vault.Path{one}) || len(staged) > 0 {
		t.Errorf("modified %v, staged %v, %v", disk, staged, err)
	}
	w.git("add", string(one))
	if all, err := w.store.ListStaged(ctx, []vault.Path{one, two}); err != nil || !slices.Equal(all, []vault.Path{one}) {
		t.Errorf("staged %v, %v", all, err)
	}
	w.git("reset", "-q", "--hard")
	w.git("sparse-checkout", "set", "--no-cone", "/*", "!/.cp/facts/bb")
	if out, err := w.store.LeftOut(ctx, []vault.Path{one, two}); err != nil || !slices.Equal(out, []vault.Path{two}) {
		t.Errorf("left out %v, %v", out, err)
	}
}

// The name of facts that somebody takes while they are made stays theirs: no second name is
// tried, as no program would look there.
func TestFactsWhoseNameWasTakenAtTheLastMoment(t *testing.T) {
	w := newSandbox(t, "", "a.md", memory("pf-a", "a"), "old/x.md", "x\n")
	repo, err := gitstore.FindRepo(w.top)
	must(t, err)
	ports := vaulttest.Ports(repo)
	ports.Contents = planning{repo, func() { w.save(string(one), facts("theirs")) }}
	w.store, err = worktree.Open(w.root, ports, worktree.Options{})
	must(t, err)
	c := addSub("pf-b")
	c.Edits = append(c.Edits, vault.Edit{Path: one, Create: []byte(facts("ours"))}, vault.Edit{Path: "old", Remove: true, Tree: true})
	r := w.done(c)
	w.want("theirs", w.text(string(one)), facts("theirs"))
	w.want("ours", w.committed(string(one)), facts("ours"))
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "was made meanwhile") {
		t.Errorf("notes %q", r.Notes)
	}
	w.clean(" M " + string(one))
}

// What a live writer has done by half is hidden from those who scan facts, as it is with
// memories.
func TestFactsOfAWriteUnderWayAreHidden(t *testing.T) {
	w := withFacts(t, "")
	m := w.meddle()
	seen := func() (all []string) {
		reader := &sandbox{TB: t, top: w.top, root: w.root}
		reader.reopen()
		_, err := reader.store.ScanFacts(context.Background(), true, func(vault.Path) listing.Listing { return listing.Listing{} }, func(f listing.Folder) error {
			for _, file := range f.Files {
				all = append(all, file.Path.Base())
			}
			return nil
		})
		must(t, err)
		slices.Sort(all)
		return all
	}
	before := []string{"one.json", "three.json", "two.json"}
	var during []string
	m.before = func() { during = seen() }
	w.done(factsChange())
	if slices.Contains(during, "four.json") && slices.Contains(during, "three.json") {
		t.Errorf("a move is seen by half: %q", during)
	}
	if after := seen(); !slices.Equal(after, []string{"four.json", "new.json", "one.json"}) {
		t.Errorf("before %q, after %q", before, after)
	}
}
