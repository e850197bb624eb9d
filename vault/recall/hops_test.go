package recall

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// web is a Web that says what it is told to.
type web struct {
	hops  []Hop
	err   error
	asked []vault.ID
}

func (w *web) Hops(_ context.Context, from []vault.ID, _ vault.ListOptions) ([]Hop, error) {
	w.asked = from
	return w.hops, w.err
}

func rankedIDs(ids ...vault.ID) (all []candidate) {
	for i, id := range ids {
		c := candidate{mixed: 1 - float64(i)*0.1}
		c.ID = id
		all = append(all, c)
	}
	return all
}

func order(all []candidate) (ids []vault.ID) {
	for _, c := range all {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestHop(t *testing.T) {
	for _, row := range []struct {
		name  string
		reach float64
		hops  []Hop
		want  []vault.ID
	}{
		{"no steps", 0.5, nil, []vault.ID{"a", "b", "c", "d"}},
		{"switched off", 0, []Hop{{"a", "d", "rare", 1}}, []vault.ID{"a", "b", "c", "d"}},
		{"a rare one lifts", 0.5, []Hop{{"a", "d", "rare", 1}}, []vault.ID{"a", "d", "b", "c"}},
		{"a common one lifts less", 0.5, []Hop{{"a", "d", "common", 0.1}}, []vault.ID{"a", "b", "c", "d"}},
		{"from a worse one it lifts less", 0.45, []Hop{{"d", "c", "x", 1}, {"a", "b", "x", 1}}, []vault.ID{"b", "a", "c", "d"}},
		{"many steps count together, and no more than the reach", 0.2, []Hop{{"a", "d", "x", 1}, {"b", "d", "y", 1}, {"c", "d", "z", 1}, {"c", "d", "z", 1}}, []vault.ID{"a", "b", "d", "c"}},
	} {
		w := &web{hops: row.hops}
		r := run{Finder: &Finder{Reach: row.reach}, members: []Member{{Web: w}}, all: rankedIDs("a", "b", "c", "d")}
		r.hop(t.Context())
		if got := order(r.all); !slices.Equal(got, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}

func TestHopTellsItsShare(t *testing.T) {
	w := &web{hops: []Hop{{"a", "c", "common", 0.2}, {"a", "c", "rare", 0.8}, {"b", "c", "rare", 0.5}, {"a", "c", "p", 0.01}, {"a", "c", "q", 0.02}}}
	r := run{Finder: &Finder{Reach: 0.3}, members: []Member{{Web: w}}, all: rankedIDs("a", "b", "c")}
	r.hop(t.Context())
	c := r.all[slices.IndexFunc(r.all, func(c candidate) bool { return c.ID == "c" })]
	sum := 0.2 + 0.8 + 0.5*0.9 + 0.01 + 0.02
	if want := 0.3 * sum / (1 + sum); math.Abs(c.reached.Share-want) > 1e-9 || math.Abs(c.mixed-0.8-want) > 1e-9 {
		t.Errorf("got %v and %v, want %v", c.reached.Share, c.mixed, want)
	}
	if !slices.Equal(c.reached.Through, []string{"rare", "common", "q"}) {
		t.Errorf("through %q", c.reached.Through)
	}
	if e := r.explain(&c); e.Graph == nil || e.Graph.Share != c.reached.Share {
		t.Errorf("the explanation says %+v", e.Graph)
	}
	if a := r.all[0]; a.reached != nil || r.explain(&a).Graph != nil {
		t.Error("nothing leads to the first")
	}
}

// A graph that cannot be asked costs a warning and never the answer.
func TestHopFails(t *testing.T) {
	r := run{Finder: &Finder{Reach: 0.3}, members: []Member{{Web: &web{err: errors.New("no such table")}}}, all: rankedIDs("a", "b")}
	r.hop(t.Context())
	if !slices.Equal(order(r.all), []vault.ID{"a", "b"}) || len(r.answer.Warnings) != 1 {
		t.Errorf("got %v, %q", order(r.all), r.answer.Warnings)
	}
}

// What only steps have found is held to the least similarity, as what only vectors have found
// is. What words or vectors found stays where it is.
func TestFloor(t *testing.T) {
	only := &Reached{Share: 0.05}
	all := []candidate{
		{parts: Parts{Title: 2}, similarity: 0.6},
		{vector: 0.4, similarity: 0.1, reached: only},
		{similarity: 0.3, reached: only},
		{similarity: 0.29994, reached: only},
		{parts: Parts{Title: 0.1}, similarity: 0.02, reached: only},
		{similarity: 0.02, reached: only},
	}
	for i := range all {
		all[i].ID = vault.ID(rune('a' + i))
	}
	for _, row := range []struct {
		least float64
		want  []vault.ID
	}{
		{0, []vault.ID{"a", "b", "c", "d", "e", "f"}},
		{0.02, []vault.ID{"a", "b", "c", "d", "e", "f"}},
		{0.29995, []vault.ID{"a", "b", "c", "e"}},
		{0.3, []vault.ID{"a", "b", "c", "e"}},
		{0.9, []vault.ID{"a", "b", "e"}},
	} {
		r := run{q: Query{MinSimilarity: row.least}, all: slices.Clone(all)}
		r.floor()
		if got := order(r.all); !slices.Equal(got, row.want) {
			t.Errorf("least similarity %v: got %v, want %v", row.least, got, row.want)
		}
	}
}

// names is a tree that finds every id.
type names struct{ vault.Places }

func (names) Find(_ context.Context, ref string) (vault.Node, error) {
	var n vault.Node
	n.ID = vault.ID(ref)
	return n, nil
}

// What is too little for the least similarity is not looked up.
func TestHopLooksUpWhatMayStay(t *testing.T) {
	for _, row := range []struct {
		least float64
		want  []vault.ID
	}{{0.3, []vault.ID{"a"}}, {0.06, []vault.ID{"a"}}, {0.05, []vault.ID{"a", "fresh"}}, {0, []vault.ID{"a", "fresh"}}} {
		w := &web{hops: []Hop{{"a", "fresh", "rare", 1}}}
		member := Member{Web: w}
		member.Vault = &vault.Vault{Mirror: vault.Mirror{Tree: vault.Tree{Places: names{}}}}
		r := run{Finder: &Finder{Reach: 0.1}, q: Query{MinSimilarity: row.least}, members: []Member{member}, all: rankedIDs("a")}
		r.hop(t.Context())
		if got := order(r.all); !slices.Equal(got, row.want) {
			t.Errorf("least similarity %v: got %v, want %v", row.least, got, row.want)
		}
	}
}
