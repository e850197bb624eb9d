package recall

import (
	"math"
	"testing"

	"github.com/cp-memory/cp/vault"
)

func TestNeighboursInASeriesLendEachOther(t *testing.T) {
	all := []candidate{
		{Node: vault.Node{ID: "one", Path: "talk/d1/001.md"}, parts: Parts{Document: 10}},
		{Node: vault.Node{ID: "two", Path: "talk/d1/002.md"}, parts: Parts{Document: 4}},
		{Node: vault.Node{ID: "three", Path: "talk/d1/3.md"}, parts: Parts{Document: 1}},
		{Node: vault.Node{ID: "another folder", Path: "talk/d2/002.md"}, parts: Parts{Document: 1}},
		{Node: vault.Node{ID: "another vault", Path: "talk/d1/002.md"}, member: 1, parts: Parts{Document: 1}},
		{Node: vault.Node{ID: "a code", Path: "talk/d1/c002.md"}, parts: Parts{Document: 1}},
		{Node: vault.Node{ID: "a day", Path: "talk/d1/20260102.md"}, parts: Parts{Document: 1}},
	}
	shareFamilyScores(all)
	for i, want := range []float64{fromBeside*4 + fromBeyond*1, fromBeside * 10, fromBeside*4 + fromBeyond*10, 0, 0, 0, 0} {
		if got := all[i].parts.Family; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s got %v of its neighbours, want %v", all[i].ID, got, want)
		}
	}
}
