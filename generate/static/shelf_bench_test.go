package static

import (
	"context"
	"os"
	"testing"

	"github.com/cp-memory/cp/vault/embed"
)

// BenchmarkFirstQuestion asks one question of a model that nobody asked before, in the folder STATIC.
func BenchmarkFirstQuestion(b *testing.B) {
	folder := os.Getenv("STATIC")
	if folder == "" {
		b.Skip("STATIC names no folder of a static model")
	}
	for name, dir := range map[string]string{"shelf": b.TempDir(), "whole": ""} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m := New(folder)
				m.Shelves = dir
				if _, err := m.Embed(context.Background(), embed.Query, []string{"how do I roll back a release of the gateway"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
