package recall_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// many are memories that are all as near.
func many(n int, score float64) []recall.Scored {
	all := make([]recall.Scored, n)
	for i := range all {
		all[i] = recall.Scored{ID: vault.ID(fmt.Sprintf("m%d", i)), Score: score}
	}
	return all
}

func TestMix(t *testing.T) {
	for _, row := range []struct {
		name            string
		lexical, vector []recall.Scored
		weight, floor   float64
		want            []vault.ID
	}{
		{"words alone", []recall.Scored{{ID: "a", Score: 9}, {ID: "b", Score: 3}}, nil, 0.5, 0.3, []vault.ID{"a", "b"}},
		{"nothing found", nil, nil, 0.5, 0.3, []vault.ID{}},
		{"vectors alone", nil, []recall.Scored{{ID: "v", Score: 0.8}}, 0.5, 0.3, []vault.ID{"v"}},
		{"what both found gains", []recall.Scored{{ID: "a", Score: 10}, {ID: "b", Score: 9}},
			[]recall.Scored{{ID: "b", Score: 0.9}}, 0.5, 0.3, []vault.ID{"b", "a"}},
		{"a weak leg cannot turn a clear answer", []recall.Scored{{ID: "a", Score: 10}, {ID: "b", Score: 2}},
			[]recall.Scored{{ID: "b", Score: 1}}, 0.5, 0.3, []vault.ID{"a", "b"}},
		{"what is far and has no word in common stays out", []recall.Scored{{ID: "a", Score: 1}},
			[]recall.Scored{{ID: "v", Score: 0.29}}, 0.5, 0.3, []vault.ID{"a"}},
		{"what is far but has words in common stays", []recall.Scored{{ID: "a", Score: 1}},
			[]recall.Scored{{ID: "a", Score: -0.2}}, 0.5, 0.3, []vault.ID{"a"}},
		{"equals keep the order of the words", []recall.Scored{{ID: "b", Score: 1}, {ID: "a", Score: 1}}, nil, 0.5, 0.3, []vault.ID{"b", "a"}},
		{"near is what is nearer than the crowd", []recall.Scored{{ID: "a", Score: 10}, {ID: "b", Score: 9}},
			append([]recall.Scored{{ID: "a", Score: 0.82}, {ID: "b", Score: 0.82}}, many(98, 0.8)...), 0.5, 0.9, []vault.ID{"a", "b"}},
		{"a crowd of the same", nil, many(100, 1)[:100], 0.5, 1.1, []vault.ID{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := []vault.ID{}
			for _, m := range recall.Mix(row.lexical, row.vector, row.weight, row.floor) {
				got = append(got, m.ID)
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The weight that was given wins over that of the leg, which wins over the default.
func TestMixByWhichWeight(t *testing.T) {
	for _, row := range []struct {
		given, measured, want float64
		is                    bool
	}{{0, 0, recall.DefaultWeight, false}, {0, 0.3, 0.3, true}, {0.5, 0.3, 0.5, false}} {
		all := recall.Mix(nil, []recall.Scored{{ID: "v", Score: 0.8, Weight: row.measured}}, row.given, 0.3)
		if len(all) != 1 || all[0].Weight != row.want || all[0].Measured != row.is || all[0].Score != 0.8*row.want {
			t.Errorf("given %v, measured %v: %+v", row.given, row.measured, all)
		}
	}
}
