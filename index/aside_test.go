package index

import (
	"bytes"
	"os"
	"testing"
)

// TestAside: a mirror that goes on in memory answers as its file did, takes up what it is
// told, and leaves the file alone.
func TestAside(t *testing.T) {
	f, want := library(t)
	d := f.caughtUp()
	if err := d.CopyToMemory(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(f.file())
	if err != nil {
		t.Fatal(err)
	}
	if got := dump(t, d); got != want {
		t.Errorf("the copy differs:\n%s", got)
	}
	if private, why := d.Private(); private {
		t.Errorf("it is told to be of no use: %v", why)
	}
	f.write("later.md", "---\nid: pf-later\ntitle: Later\n---\n")
	f.catchUp(d)
	if err := d.CopyToMemory(t.Context()); err != nil { // again: what it was told stays
		t.Fatal(err)
	}
	if got := title(t, d, "later.md"); got != "Later" {
		t.Errorf("what came after is %q", got)
	}
	if after, err := os.ReadFile(f.file()); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed: %v", err)
	}
	_ = d.Close()
	f.remove("later.md")
	if got := dump(t, f.caughtUp()); got != want {
		t.Errorf("afterwards the file holds:\n%s", got)
	}
}
