package pool_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// throughTheGraph are the ways to ask where what hangs together counts. They are compared where
// nothing in one vault hangs together with anything in another: a step leads nowhere else.
// reached counts the results to which a step leads.
func throughTheGraph(reached *int) []asked {
	by := func(legs bool) func(*testing.T, []recall.Member, string, vault.ListOptions) ([]found, int) {
		return func(t *testing.T, members []recall.Member, query string, o vault.ListOptions) ([]found, int) {
			return recalled(t, members, query, o, legs, recall.DefaultReach, reached), 0
		}
	}
	return []asked{{"recall through the graph", 1e-9, by(false)}, {"recall with vectors through the graph", 2e-3, by(true)}}
}

// What hangs together adds to a score in a family as in one vault.
func TestAFamilyRanksAsOneVaultThroughTheGraph(t *testing.T) {
	testlevel.Check(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	t.Logf("seed %d", seed)
	files, hung := made(r, 60), 0
	for p, text := range files {
		root, _, below := strings.Cut(strings.TrimSuffix(p, ".md"), "/")
		text = strings.Replace(text, "labels: [red]\n", "", 1)
		if r.IntN(3) > 0 { // what it has in common, it has with those below its root
			text = strings.Replace(text, "---\nid:", "---\nlabels: ["+root+"]\nid:", 1)
		}
		if below {
			text += "\nSee [[" + root + "]].\n"
			hung++
		}
		files[p] = text
	}
	if hung < 20 {
		t.Fatalf("only %d memories hang together with others", hung)
	}
	var queries []string
	for range 20 {
		queries = append(queries, say(r, 1+r.IntN(5)))
	}
	reached := 0
	compareBy(t, throughTheGraph(&reached), files, queries, vault.ListOptions{Limit: 10}, vault.ListOptions{Limit: 7, Offset: 5})
	if reached == 0 {
		t.Error("the graph led nowhere")
	}
}
