package vectors

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/cp-memory/cp/vault/embed"
)

// A weight is kept for its space alone, a later one in its place, also in a file that has none yet.
func TestWeights(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "vectors.db")
	v := New(path)
	defer v.Close()
	space := embed.Space{Model: "m", Dimension: 64, Scheme: "none"}
	if _, found, err := v.Weight(ctx, space); found || err != nil {
		t.Fatalf("of no file: %v, %v", found, err)
	}
	for _, w := range []embed.Weight{{Weight: 0.2, Questions: 60}, {Weight: 0.3, Questions: 70}} {
		if err := v.SetWeight(ctx, space, w); err != nil {
			t.Fatal(err)
		}
		again := New(path)
		got, found, err := again.Weight(ctx, space)
		if !found || err != nil || got != w {
			t.Errorf("got %+v, %v, %v; want %+v", got, found, err, w)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	space.Dimension = 128
	if _, found, err := v.Weight(ctx, space); found || err != nil {
		t.Errorf("of another dimension: %v, %v", found, err)
	}
	if all, err := v.Spaces(ctx); len(all) != 0 || err != nil {
		t.Errorf("a weight is no vector: %+v, %v", all, err)
	}
}
