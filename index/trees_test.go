package index

import (
	"context"
	"os/exec"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// TestTreesOfOthers indexes whole trees as people keep them, and files made to
// break importers. Nothing is an error, a second look finds nothing to do, and
// taking half of it away ends where a mirror of the rest begins.
func TestTreesOfOthers(t *testing.T) {
	ctx := context.Background()
	for archive, least := range map[string]int{"torture.tar.gz": 60, "markdown-trees.tar.gz": 3500} {
		t.Run(archive, func(t *testing.T) {
			if least > 1000 {
				testlevel.Check(t)
			}
			f := newFolder(t, false)
			if out, err := exec.Command("tar", "xzf", shared(t, archive), "-C", f.root).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			d := f.index()
			if r := f.catchUp(d); r.Files < least || !r.Complete {
				t.Errorf("report %+v", r)
			}
			f.settle(d)
			before := generation(t, d)
			if r := f.catchUp(d); r.Changed+r.Removed != 0 || generation(t, d) != before {
				t.Errorf("a second look reports %+v", r)
			}
			c, err := d.Counts(ctx)
			if err != nil || c.Total < least {
				t.Errorf("counts %+v, %v", c, err)
			}
			t.Logf("%+v", c)
			nodes, err := d.Walk(ctx, vault.WalkOptions{Closed: true})
			if err != nil || len(nodes) == 0 {
				t.Errorf("%d nodes, %v", len(nodes), err)
			}
			for i, n := range nodes {
				if _, err := d.Find(ctx, string(n.ID)); err != nil {
					t.Errorf("%s: %v", n.Path, err)
				}
				if i%2 == 0 {
					f.remove(string(n.Path))
				}
			}
			f.catchUp(d)
			fresh := f.fresh()
			if dump(t, d) != dump(t, fresh) {
				t.Error("the mirror differs from a rebuild")
			}
		})
	}
}
