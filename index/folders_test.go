package index

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// own returns the stat that is kept of a folder itself.
func own(t *testing.T, d *DB, dir string) (stat vault.Stat) {
	t.Helper()
	err := d.view(context.Background(), func(x *tx) error {
		return eachListing(x, func(at string, l listing.Listing) {
			if at == dir {
				stat = l.Own
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return stat
}

// TestAListedFolderIsKept lets something that is no memory come into folders: the
// next catch-up lists them. What it has listed of a large one is kept for the one
// after it, though no row has changed; of a small one it is not; and a writer is
// not waited for.
func TestAListedFolderIsKept(t *testing.T) {
	ctx := context.Background()
	f := newFolder(t, true)
	for n := range enough {
		f.write(fmt.Sprintf("large/%d.md", n), "# A\n")
	}
	f.write("small/a.md", "# B\n")
	d := f.caughtUp(Options{Wait: time.Hour})
	f.settle(d)
	kept := func(dir string) bool { return own(t, d, dir) == f.own(dir) }
	until := func(dir string) {
		for !kept(dir) {
			f.catchUp(d)
		}
	}
	until("large")
	before := generation(t, d)

	f.write("small/image.png", "")
	f.catchUp(d)
	if kept("small") {
		t.Error("a folder of two names was written down for its own sake")
	}
	f.write("large/image.png", "")
	p, err := f.index().use(ctx) // another process
	if err != nil {
		t.Fatal(err)
	}
	err = p.update(ctx, func(*tx) error {
		f.catchUp(d)
		if kept("large") {
			t.Error("written while another process writes")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	until("large")
	if !kept("small") {
		t.Error("what was listed beside it is not kept")
	}
	if after := generation(t, d); after != before {
		t.Errorf("generation %d became %d, and no row has changed", before, after)
	}
	checkListings(t, d)
}

// own returns a folder's own stat as it is.
func (f *folder) own(dir string) vault.Stat {
	own, _ := owns(f.root)
	return own[vault.Path(dir)]
}
