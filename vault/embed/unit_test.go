package embed_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/embed"
)

func TestUnit(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, row := range []struct {
		name string
		v    []float32
		want []float32
	}{
		{"made shorter", []float32{3, 4}, []float32{0.6, 0.8}},
		{"zeros have no direction", []float32{0, 0}, nil},
		{"none", nil, nil},
		{"not a number", []float32{1, nan}, nil},
		{"infinite", []float32{1, inf}, nil},
		{"large, but finite", []float32{math.MaxFloat32, 0}, []float32{1, 0}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, ok := embed.Unit(row.v)
			if diff := cmp.Diff(row.want, got); diff != "" || ok != (row.want != nil) {
				t.Errorf("%v %s", ok, diff)
			}
		})
	}
}
