package object

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/gitscene"
)

// A pack is read through an index that stays on the disk, deltas and all.
func TestPacksAgainstGit(t *testing.T) {
	w := gitscene.New(t)
	random := rand.New(rand.NewPCG(1, 2))
	grow := ""
	for i := range 30 {
		grow += fmt.Sprintf("%d %d\n", i, random.Uint64())
		w.Write("grow.md", grow)
		w.Write(fmt.Sprintf("f%d.md", i), strings.Repeat("text ", i*100))
		w.Sh("git add . && git commit -qm x")
	}
	for _, repack := range []string{"git repack -adfq", "git -c repack.useDeltaBaseOffset=false repack -adfq", "git -c pack.indexVersion=2 gc -q", "git commit -q --allow-empty -m y && git repack -dq"} {
		w.Sh(repack)
		o, err := Open(w.Path(".git/objects"), IDs{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(w.Sh("git cat-file --batch-all-objects --batch-check")), "\n") {
			f := strings.Fields(line)
			kind, data, err := o.Read(context.Background(), f[0])
			if err != nil || kind != f[1] || fmt.Sprint(len(data)) != f[2] || o.ids.HashObject(kind, data) != f[0] {
				t.Fatalf("%s: %s: got %s of %d bytes, %v", repack, line, kind, len(data), err)
			}
		}
		if _, _, err := o.Read(context.Background(), strings.Repeat("a", 40)); err != ErrMissing {
			t.Errorf("an object that is not there: %v", err)
		}
		o.Close()
	}
}

// Tree objects survive being parsed and written.
func FuzzTree(f *testing.F) {
	f.Add([]byte("100644 a\x0012345678901234567890" + "40000 b\x0012345678901234567890"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		names := map[string]*item{}
		row, sorted, last := 0, true, ""
		entries, err := ParseTree(raw, IDSize)
		for _, e := range entries {
			sorted, last, row = sorted && e.Key() > last, e.Key(), row+1
			names[e.Name] = &item{Entry: e.Entry}
		}
		if err != nil || !sorted || len(names) != row {
			return
		}
		again := 0
		entries, err = ParseTree(encodeTree(names), IDSize)
		for _, e := range entries {
			again++
			if names[e.Name].Entry != e.Entry {
				t.Fatalf("%q: got %v, want %v", e.Name, e.Entry, names[e.Name].Entry)
			}
		}
		if err != nil || again != row {
			t.Fatalf("%d entries of %d came back: %v", again, row, err)
		}
	})
}

// What is more than fits into memory goes into several packs.
func TestPacksAreBounded(t *testing.T) {
	w := gitscene.New(t)
	o, err := Open(w.Path(".git/objects"), IDs{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for i := range 10 {
		if _, err := o.Write(t.Context(), KindBlob, bytes.Repeat([]byte{byte(i)}, i<<12)); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.writePacks(100); err != nil {
		t.Fatal(err)
	}
	if len(o.packed) < 2 {
		t.Errorf("packs: got %d, want several", len(o.packed))
	}
	if ok, err := o.Complete(t.Context()); !ok || err != nil {
		t.Errorf("complete: got %v, %v", ok, err)
	}
	for _, id := range o.order {
		kind, data, err := o.readFromDisk(id)
		if err != nil || kind != KindBlob || o.ids.HashObject(kind, data) != id {
			t.Errorf("%s: got a %s of %d bytes, %v", id, kind, len(data), err)
		}
	}
	w.Sh("for p in .git/objects/pack/*.pack; do git verify-pack $p || exit 1; done; git fsck --strict --no-progress")
	w.Sh("rm -f .git/objects/pack/*.idx")
	if ok, err := o.Complete(t.Context()); ok || err != nil {
		t.Errorf("complete without the packs' indexes: got %v, %v", ok, err)
	}
}
