package query_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
)

// ways are the ways to name a memory by its number.
var ways = []string{"[[n%d]]", "[x](n%d.md)", "[[Title %d]]", "[[pf-id%d]]", "[y](/deep/n%d.md)", "[[deep/n%d]]", "[[nobody%d]]"}

// crowd writes memories that name each other in every way, in two folders.
func crowd(w *vaulttest.World, n int) {
	r := rand.New(rand.NewPCG(7, 7))
	for i := range n {
		var refs, text []string
		for range r.IntN(4) {
			text = append(text, fmt.Sprintf(ways[r.IntN(len(ways))], r.IntN(n)))
		}
		for range r.IntN(2) {
			refs = append(refs, fmt.Sprintf([]string{"pf-id%d", "n%d.md", "Title %d", "Also %d"}[r.IntN(4)], r.IntN(n)))
		}
		dir := []string{"", "deep/", "n0/"}[r.IntN(3)]
		w.Write(fmt.Sprintf("%sn%d.md", dir, i), fmt.Sprintf("---\nid: pf-id%d\ntitle: Title %d\naliases: [Also %d]\nreferences: [%s]\n---\n%s\n\n## Relations\n- needs [[n%d]]\n", i, i, i, strings.Join(refs, ", "), strings.Join(text, " "), r.IntN(n)))
	}
}

// Many memories' relations are those of each of them by itself.
func TestAroundIsWhatOfTells(t *testing.T) {
	w := vaulttest.New(t)
	crowd(w, 60)
	d, err := index.Open(filepath.Join(w.Root, ".cp", "other.db"), index.Options{Source: w.Vault.Store.Source})
	w.Check(err)
	t.Cleanup(func() { _ = d.Close() })
	_, err = d.CatchUp(w.Ctx, w.Vault.Store.Source, vault.Scope{})
	w.Check(err)
	w.Check(d.Graph().View(w.Ctx, func(tx *sqlite.Tx) error {
		ns, err := sqlite.All(tx, `SELECT n FROM memories ORDER BY n`, nil, (*sqlite.Row).Int64)
		w.Check(err)
		var want []query.LinkBetween
		var lost []string
		for _, n := range ns {
			one, err := query.LinksOf(tx, n, true)
			w.Check(err)
			lost = append(lost, targets(one)...)
			for _, e := range one {
				b := query.LinkBetween{Of: n, From: n, To: e.N, Relation: e.Kind}
				if e.Verb != "" {
					b.Relation = e.Verb
				}
				if !e.Outgoing {
					b.From, b.To = e.N, n
				}
				if e.N != 0 {
					want = append(want, b)
				}
			}
		}
		got, err := query.LinksAround(tx, ns, 1000)
		w.Check(err)
		if !slices.Equal(got, want) {
			t.Errorf("%d relations, want %d\n%v\n%v", len(got), len(want), got, want)
		}
		if len(want) < 200 {
			t.Errorf("only %d relations", len(want))
		}
		few, err := query.LinksAround(tx, ns, 2)
		w.Check(err)
		of := map[int64]int{}
		for _, b := range few {
			of[b.Of]++
		}
		for n, k := range of {
			if k > 2 {
				t.Errorf("%d relations of %d, at most 2 were asked for", k, n)
			}
		}
		nowhere, err := query.LinksNowhere(tx)
		w.Check(err)
		slices.Sort(lost)
		if found := slices.Sorted(slices.Values(targets(asEdges(nowhere)))); len(lost) < 5 || !slices.Equal(found, lost) {
			t.Errorf("these lead nowhere: %v, want %v", found, lost)
		}
		return nearest(t, tx, ns, got)
	}))
}

// targets are the targets of the relations that lead nowhere, with their kinds.
func targets(all []query.LinkEdge) (out []string) {
	for _, e := range all {
		if e.N == 0 {
			out = append(out, e.Kind+" "+e.Target)
		}
	}
	return out
}

func asEdges(all []vault.Edge) (out []query.LinkEdge) {
	for _, e := range all {
		out = append(out, query.LinkEdge{Edge: e})
	}
	return out
}

// nearest checks that the links alone lead to the same memories.
func nearest(t *testing.T, tx *sqlite.Tx, ns []int64, all []query.LinkBetween) error {
	near, err := query.NearestNodes(tx, ns, 1000)
	pairs := map[[2]int64]bool{}
	for _, b := range all {
		if b.Relation != "child-of" {
			pairs[[2]int64{b.Of, b.From + b.To - b.Of}] = true
		}
	}
	got := map[[2]int64]bool{}
	for _, n := range near {
		got[[2]int64{n.Of, n.N}] = true
		if n.Common < 1 || !pairs[[2]int64{n.Of, n.N}] {
			t.Errorf("%+v is no link", n)
		}
	}
	if len(got) != len(pairs) {
		t.Errorf("%d pairs, want %d", len(got), len(pairs))
	}
	return err
}
