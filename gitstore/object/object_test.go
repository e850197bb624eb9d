package object

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scene is a repository of git's own making.
type scene struct {
	testing.TB
	dir string
}

func newScene(t testing.TB) scene {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	w := scene{t, t.TempDir()}
	w.sh("git init -q -b main . && git config user.name Pat && git config user.email pat@example.org")
	return w
}

func (w scene) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

// sh runs a line of shell in the work tree and returns what it printed.
func (w scene) sh(line string) string {
	w.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = w.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

func (w scene) write(name, text string) {
	w.Helper()
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

// A pack is read through an index that stays on the disk, deltas and all.
func TestPacksAgainstGit(t *testing.T) {
	w := newScene(t)
	random := rand.New(rand.NewPCG(1, 2))
	grow := ""
	for i := range 30 {
		grow += fmt.Sprintf("%d %d\n", i, random.Uint64())
		w.write("grow.md", grow)
		w.write(fmt.Sprintf("f%d.md", i), strings.Repeat("text ", i*100))
		w.sh("git add . && git commit -qm x")
	}
	for _, repack := range []string{"git repack -adfq", "git -c repack.useDeltaBaseOffset=false repack -adfq", "git -c pack.indexVersion=2 gc -q", "git commit -q --allow-empty -m y && git repack -dq"} {
		w.sh(repack)
		o, err := Open(w.path(".git/objects"), IDs{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(w.sh("git cat-file --batch-all-objects --batch-check")), "\n") {
			f := strings.Fields(line)
			kind, data, err := o.Read(context.Background(), f[0])
			if err != nil || kind != f[1] || fmt.Sprint(len(data)) != f[2] || o.ids.Of(kind, data) != f[0] {
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
	w := newScene(t)
	o, err := Open(w.path(".git/objects"), IDs{})
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
		kind, data, err := o.look(id)
		if err != nil || kind != KindBlob || o.ids.Of(kind, data) != id {
			t.Errorf("%s: got a %s of %d bytes, %v", id, kind, len(data), err)
		}
	}
	w.sh("for p in .git/objects/pack/*.pack; do git verify-pack $p || exit 1; done; git fsck --strict --no-progress")
	w.sh("rm -f .git/objects/pack/*.idx")
	if ok, err := o.Complete(t.Context()); ok || err != nil {
		t.Errorf("complete without the packs' indexes: got %v, %v", ok, err)
	}
}
