package gitstore

import (
	"context"
	"fmt"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// BenchmarkPublish adds a memory to a repository of that many files, in folders
// of a hundred.
func BenchmarkPublish(b *testing.B) {
	for _, files := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			r, state := crowded(b, files)
			n := 0
			for b.Loop() {
				n++
				name := fmt.Sprintf("d7/n%d.md", n)
				edits := []vault.Edit{create(name, name), {Path: "d7/0.md", Steps: appendStep(name)}}
				if _, err := r.Publish(context.Background(), newCommit("op-"+name, edits...), state); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHead asks where HEAD stands.
func BenchmarkHead(b *testing.B) {
	for _, files := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(files), func(b *testing.B) {
			r, _ := crowded(b, files)
			for b.Loop() {
				if _, err := r.Head(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// crowded makes a packed repository of many files.
func crowded(b *testing.B, files int) (*Repo, string) {
	w := newWorld(b).init("")
	w.sh(fmt.Sprintf(`for i in $(seq 0 %d); do mkdir d$i; for j in $(seq 0 99); do echo "file $i $j" > d$i/$j.md; done; done`, files/100-1))
	w.sh("git config gc.auto 0 && git add . && git commit -qm 1 && git gc -q")
	return w.open(false)
}
