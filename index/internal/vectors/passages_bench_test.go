package vectors

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// BenchmarkNearest looks among 79,000 passages of 14,000 texts, as many as recall asks for.
func BenchmarkNearest(b *testing.B) {
	for _, dimension := range []int{64, 256} {
		b.Run(fmt.Sprint(dimension), func(b *testing.B) {
			ctx := context.Background()
			v := New(filepath.Join(b.TempDir(), "vectors.db"))
			defer v.Close()
			space := embed.Space{Model: "m", Dimension: dimension, Scheme: "none"}
			rng := rand.New(rand.NewPCG(1, 1))
			one := func() []float32 { u, _ := embed.Unit(random(rng, dimension)); return u }
			for at := 0; at < 14156; at += 500 {
				var all []embed.Vector
				var texts []embed.Text
				for i := at; i < at+500; i++ {
					t := embed.Text{Content: vault.TextHash(fmt.Sprint("t", i))}
					for j := range 5 + i%2 {
						h := vault.TextHash(fmt.Sprint(i, " ", j))
						all = append(all, embed.Vector{Passage: h, Numbers: one()})
						t.Passages = append(t.Passages, h)
					}
					texts = append(texts, t)
				}
				if err := v.Put(ctx, space, all, texts); err != nil {
					b.Fatal(err)
				}
			}
			q := one()
			before := spent(b)
			for b.Loop() {
				if near, err := v.Nearest(ctx, space, q, 200, nil); err != nil || len(near) != 200 {
					b.Fatal(len(near), err)
				}
			}
			b.ReportMetric(float64((spent(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}
