package index

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// What is asked for in a folder, or below a memory, is ranked as in a vault of that alone: its
// words weigh what they weigh there.
func TestAPlaceIsRankedByItself(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 3))
	whole, alone := newFolder(t, false), newFolder(t, false)
	english := strings.Fields("deploy worker restart gateway release note token cache budget vault")
	german := strings.Fields("Häuser Straße Bäume wartet Zeitungen Übersicht Verträge der die das und nicht")
	text := func(from []string) string {
		var b strings.Builder
		for range 5 + r.IntN(20) {
			b.WriteString(from[min(r.IntN(len(from)), r.IntN(len(from)))] + " ")
		}
		return b.String()
	}
	for i := range 60 {
		from := english
		if i%3 == 0 {
			from = german
		}
		file := fmt.Sprintf("---\nid: pf-in%d\n---\n# In %d\n\n%s\n", i, i, text(from))
		whole.write(fmt.Sprintf("in/n%d.md", i), file)
		alone.write(fmt.Sprintf("in/n%d.md", i), file)
		whole.write(fmt.Sprintf("out/n%d.md", i), fmt.Sprintf("---\nid: pf-out%d\n---\n# Out %d\n\n%s elsewhere\n", i, i, text(english[:2])))
	}
	whole.write("in.md", "---\nid: pf-in\n---\n# In\n\nnowhere else\n")
	a, b := whole.caughtUp(), alone.caughtUp()
	for range 30 {
		question := text(english)
		if r.IntN(2) == 0 {
			question = text(german)
		}
		question += " elsewhere"
		want, err := b.Candidates(t.Context(), question, vault.ListOptions{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		wanted, err := b.Sums(t.Context(), question, vault.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []vault.ListOptions{{Dir: "in", Limit: 100}, {Under: "pf-in", Limit: 100}} {
			got, err := a.Candidates(t.Context(), question, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Terms, want.Terms) || len(got.Hits) != len(want.Hits) {
				t.Fatalf("seed %d, %q: %v and %d hits, alone %v and %d", seed, question, got.Terms, len(got.Hits), want.Terms, len(want.Hits))
			}
			sums, err := a.Sums(t.Context(), question, o)
			if err != nil {
				t.Fatal(err)
			}
			if sums.Rows != wanted.Rows || !maps.Equal(sums.With, wanted.With) {
				t.Fatalf("seed %d, %q: %+v, alone %+v", seed, question, sums, wanted)
			}
		}
	}
}

// What lies elsewhere is not counted.
func TestAFolderIsCountedByItself(t *testing.T) {
	f := newFolder(t, false)
	f.write("in/a.md", "---\nid: pf-a\n---\n# A\n\nheron\n")
	f.write("out/b.md", "---\nid: pf-b\n---\n# B\n\nheron and zebra\n")
	d := f.caughtUp()
	for word, want := range map[string]int{"heron": 1, "zebra": 0} {
		hits, total, err := d.Search(t.Context(), word, vault.ListOptions{Dir: "in"})
		if err != nil || len(hits) != want || total != want {
			t.Errorf("%s: %d of %d, %v; want %d", word, len(hits), total, err, want)
		}
	}
}

// A place may be empty, while words of the question stand elsewhere.
func TestAnEmptyPlace(t *testing.T) {
	f := newFolder(t, false)
	f.write("leaf.md", "---\nid: pf-leaf\n---\n# Leaf\n\nheron\n")
	f.write("other.md", "---\nid: pf-other\n---\n# Other\n\nheron and zebra\n")
	d := f.caughtUp()
	for _, o := range []vault.ListOptions{{Under: "pf-leaf"}, {Under: "pf-nobody"}, {Dir: "nowhere"}} {
		for _, question := range []string{"heron", "heron zebra", "nothing"} {
			sums, err := d.Sums(t.Context(), question, o)
			if err != nil {
				t.Fatal(err)
			}
			of := o
			of.Sums = sums
			for _, o := range []vault.ListOptions{o, of} {
				if got, err := d.Candidates(t.Context(), question, o); err != nil || len(got.Hits) > 0 {
					t.Errorf("%q below %q: %d hits, %v", question, o.Under+vault.ID(o.Dir), len(got.Hits), err)
				}
				if hits, total, err := d.Search(t.Context(), question, o); err != nil || len(hits)+total > 0 {
					t.Errorf("search %q below %q: %d of %d hits, %v", question, o.Under+vault.ID(o.Dir), len(hits), total, err)
				}
			}
		}
	}
}
