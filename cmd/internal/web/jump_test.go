package web

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

func node(id, title, phrase, path string) tree.Titled {
	return tree.Titled{ID: vault.ID(id), Title: title, Phrase: phrase, Path: vault.Path(path)}
}

func fill(t testing.TB, x *TitleIndex, g vault.Generation, all []tree.Titled) {
	t.Helper()
	err := x.Fill(g, func(fn func(tree.Titled)) error {
		for _, one := range all {
			fn(one)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFind(t *testing.T) {
	var x TitleIndex
	if len(x.FindTitles("anything", 5)) > 0 {
		t.Error("an empty index found something")
	}
	fill(t, &x, vault.Generation{Number: 7}, []tree.Titled{
		node("a", "Rollback", "When a deploy went wrong", "deployment/rollback.md"),
		node("b", "Deployment", "When you release", "deployment.md"),
		node("c", "Die Größe", "Wenn es ÄNDERUNGEN gibt", "grosse.md"),
		node("d", "Redeploying", "", "x/y.md"),
		node("e", "字節 pairs", "", "cjk.md"),
		node("f", "Deploy", "", "z.md"),
	})
	for _, test := range []struct {
		question string
		want     string
	}{
		{"deploy", "f b d a"}, {"DEPLOY", "f b d a"}, {"roll dep", "a"}, {"wrong roll", "a"}, {"größe", "c"}, {"änder", "c"},
		{"字節", "e"}, {"字", ""}, {"d", ""}, {"", ""}, {"deploy nowhere", ""}, {"y.md", "d"}, {"\x00", ""}, {"rollback\x00", "a"}, {"md", "f b d a e c"},
	} {
		var got []string
		for _, hit := range x.FindTitles(test.question, 10) {
			got = append(got, string(hit.ID))
		}
		if test.question == "md" {
			slices.Sort(got)
			test.want = "a b c d e f"
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q found %q, want %q", test.question, got, test.want)
		}
	}
	if got := x.FindTitles("deploy", 2); len(got) != 2 || got[0].ID != "f" {
		t.Errorf("the best two: %v", got)
	}
	if g, ok := x.Generation(); !ok || g.Number != 7 {
		t.Errorf("of %v, %t", g, ok)
	}
}

// Whatever is asked, the memories found are those that hold each word.
func TestFindFindsWhatHolds(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	letters := []rune("abcé ")
	word := func(n int) string {
		b := make([]rune, r.IntN(n)+1)
		for i := range b {
			b[i] = letters[r.IntN(len(letters))]
		}
		return string(b)
	}
	var nodes []tree.Titled
	for i := range 300 {
		nodes = append(nodes, node(fmt.Sprint(i), word(12), word(20), word(8)))
	}
	var x TitleIndex
	fill(t, &x, vault.Generation{}, nodes)
	for range 300 {
		q := word(5)
		found := x.FindTitles(q, len(nodes))
		for i := range nodes {
			n := &nodes[i]
			holds := len([]rune(strings.Join(strings.Fields(q), ""))) >= ShortestQuery
			for _, w := range strings.Fields(q) {
				holds = holds && (strings.Contains(n.Title, w) || strings.Contains(n.Phrase, w) || strings.Contains(string(n.Path), w))
			}
			if slices.ContainsFunc(found, func(h TitleHit) bool { return h.ID == n.ID }) != holds {
				t.Fatalf("seed %d: %q in %q, %q, %q: found %t, want %t", seed, q, n.Title, n.Phrase, n.Path, !holds, holds)
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	words := strings.Fields("deployment rollback nomad gateway worker restart allocation service region cluster memory index release token secret rotate backup journal")
	line := func(n int) string {
		var all []string
		for range n {
			all = append(all, words[r.IntN(len(words))])
		}
		return strings.Join(all, " ")
	}
	nodes := make([]tree.Titled, 100_000)
	for i := range nodes {
		nodes[i] = node(fmt.Sprint(i), line(4), line(14), line(3))
	}
	var x TitleIndex
	fill(b, &x, vault.Generation{}, nodes)
	for _, q := range []string{"te", "depl", "zzqq", "rollb nom"} {
		b.Run(q, func(b *testing.B) {
			for b.Loop() {
				x.FindTitles(q, 20)
			}
		})
	}
}
