package index

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// crowd writes n files of about 2 KB of words into a tree, 20 to a folder.
func crowd(f *folder, n int) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(strings.Repeat("gateway deploy rollback nomad allocation service version restart config secret token index query parent child summary the of and to in is when after before ", 3))
	for i := range 4000 {
		words = append(words, fmt.Sprintf("word%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676))
	}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "---\nid: pf-%07d\ntitle: Memory %d about %s\nlabels: [ops, l%d]\nsummary: if %s fails\ncreated: 2026-02-07T15:30:00Z\n---\n", i, i, words[i%len(words)], i%7, words[i*7%len(words)])
		for b.Len() < 2000 {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "\nSee [[m%d]].\n", (i*31)%n)
		path := fmt.Sprintf("m%d.md", i)
		for j := i / 20; j > 0; j /= 20 {
			path = fmt.Sprintf("m%d/%s", j, path)
		}
		f.write(path, b.String())
	}
}

func BenchmarkRebuild10000(b *testing.B) {
	f := newFolder(b, false)
	crowd(f, 10000)
	for b.Loop() {
		d, err := Open(filepath.Join(b.TempDir(), "index.db"), Options{})
		if err != nil {
			b.Fatal(err)
		}
		f.catchUp(d)
		_ = d.Close()
	}
}

func BenchmarkAnswers10000(b *testing.B) {
	f := newFolder(b, false)
	crowd(f, 10000)
	d := f.caughtUp()
	f.catchUp(d)
	ctx := context.Background()
	b.Run("catch up with nothing", func(b *testing.B) {
		for b.Loop() {
			f.catchUp(d)
		}
	})
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Find(ctx, "pf-0004711"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("walk all", func(b *testing.B) {
		for b.Loop() {
			if nodes, err := d.Walk(ctx, vault.WalkOptions{}); err != nil || len(nodes) != 10000 {
				b.Fatal(len(nodes), err)
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := d.List(ctx, vault.ListOptions{Labels: []string{"l3"}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := d.Search(ctx, "why does the gateway deploy restart", vault.ListOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("families", func(b *testing.B) {
		for b.Loop() {
			if err := d.Parents(ctx, "", func(vault.Family) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("one file changed", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i++
			f.write("m1.md", fmt.Sprintf("# One %d\n", i))
			f.catchUp(d)
		}
	})
}

// BenchmarkLinks indexes notes each of which links all others: the time for
// each link stays the same as their number grows.
func BenchmarkLinks(b *testing.B) {
	for _, n := range []int{250, 500, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := newFolder(b, false)
			var links strings.Builder
			for i := range n {
				fmt.Fprintf(&links, "[[note %d]]\n", i)
			}
			for i := range n {
				f.write(fmt.Sprintf("note %d.md", i), links.String())
			}
			for b.Loop() {
				d, err := Open(filepath.Join(b.TempDir(), "index.db"), Options{})
				if err != nil {
					b.Fatal(err)
				}
				f.catchUp(d)
				_ = d.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*n), "ns/link")
		})
	}
}
