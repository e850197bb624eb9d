package gitstore

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// The splice and git update-index, given the same changes on the same index,
// make the same entries, and git takes the splice for a sound index.
func TestSpliceAgainstGit(t *testing.T) {
	w := newWorld(t).init("")
	blob := strings.TrimSpace(w.sh("echo one | git hash-object -w --stdin"))
	other := strings.TrimSpace(w.sh("echo two | git hash-object -w --stdin"))
	long := strings.Repeat("long/", 900)
	names := []string{"a", "a.md", "a/b", "a/c/d.md", "a-b", "a0", "ab", "b/c", "b/c.md", "é/ü.md", "z", long + "x", long + "y"}
	if err := flag.Set("rapid.checks", "40"); err != nil { // each is eight processes
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		start := rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID[string]).Draw(rt, "start")
		changed := rapid.MapOf(rapid.SampledFrom(names), rapid.Bool()).Draw(rt, "changes")
		var lines strings.Builder
		for _, name := range start {
			fmt.Fprintf(&lines, "100644 %s\t%s\n", blob, name)
		}
		w.write(".git/lines", lines.String())
		w.sh("rm -f .git/index && git update-index --replace --index-info < .git/lines && git write-tree && cp .git/index .git/theirs")

		x, err := (&Repo{Git: plumb.At(w.dir, filepath.Join(w.dir, ".git"), filepath.Join(w.dir, ".git"))}).readIndex()
		if err != nil {
			rt.Fatal(err)
		}
		s := newStage(x)
		lines.Reset()
		for _, drop := range []bool{true, false} {
			for name, gone := range changed {
				switch {
				case gone && drop:
					_ = s.Drop(context.Background(), name)
					fmt.Fprintf(&lines, "0 %s\t%s\n", strings.Repeat("0", 40), name)
				case !gone && !drop:
					_ = s.Put(context.Background(), name, object.Entry{Mode: object.ModeExecutable, ID: other})
					fmt.Fprintf(&lines, "100755 %s\t%s\n", other, name)
				}
			}
		}
		w.write(".git/mine", string(joined(x.splice(s.changes))))
		w.write(".git/lines", lines.String())
		w.sh("GIT_INDEX_FILE=.git/theirs git update-index --replace --index-info < .git/lines")
		const show = "git ls-files --stage && git write-tree"
		mine, theirs := w.sh("export GIT_INDEX_FILE=.git/mine; "+show), w.sh("export GIT_INDEX_FILE=.git/theirs; "+show)
		if diff := cmp.Diff(theirs, mine); diff != "" && !conflicting(changed) { // which of "a" and "a/b" wins hangs on the order
			rt.Fatalf("the index (-git +splice):\n%s", diff)
		}
	})
}

// conflicting reports whether a file and a folder of one name are both put.
func conflicting(changed map[string]bool) bool {
	for a, gone := range changed {
		for b, gone2 := range changed {
			if !gone && !gone2 && strings.HasPrefix(b, a+"/") {
				return true
			}
		}
	}
	return false
}

// What a person set on entries beside ours, and what git keeps at the end of
// the index, is there after a splice.
func TestSpliceKeeps(t *testing.T) {
	w := newWorld(t).init("")
	for i := range 24 {
		w.write(fmt.Sprintf("d%d/f.md", i%6)+fmt.Sprint(i), "x\n")
	}
	w.sh("git add . && git commit -qm 1 && git update-index --assume-unchanged d1/f.md1 d2/f.md2 && git update-index --skip-worktree d3/f.md3 && touch n && git add -N n")
	flags := "git ls-files -v -t --debug | grep -v '^  '; git ls-files -v"
	before := w.sh(flags)
	r, state := w.open(false)
	w.append("d1/f.md1", "\nmore\n")
	w.publish(r, state, newCommit("op-1", create("d0/new.md", "new\n"), vault.Edit{Path: "d1/f.md1", Steps: appendStep("more\n")}, vault.Edit{Path: "d4/f.md4", Steps: appendStep("more\n")}))
	after := strings.ReplaceAll(w.sh(flags), "H d0/new.md\n", "")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("flags (-before +after):\n%s", diff)
	}
	x, err := r.readIndex()
	if err != nil {
		t.Fatal(err)
	}
	tree, ok := x.extension("TREE")
	if !ok || !strings.Contains(string(tree), "d0\x00-1 0\n") || !strings.Contains(string(tree), "d5\x004 0\n") {
		t.Errorf("the cached trees: %q", tree)
	}
	w.sh("git fsck --strict")
}

// A file that changed in the second in which the index was written, to a text of
// the same length, is not taken for unchanged after we wrote a newer index.
func TestRacyEntriesStayVisible(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		w.write("a.md", "one\n")
		w.write("b.md", "one\n")
		w.sh("git add . && git commit -qm 1")
		w.write("a.md", "two\n")
		w.sh("touch -d '2026-01-01 00:00:00' a.md b.md && git update-index -q --refresh; git add b.md; touch -d '2026-01-01 00:00:00.5' a.md")
		// The entry's stat is that of the new text, as after a race; only its time tells.
		w.sh("git checkout -q -- a.md; touch -d '2026-01-01 00:00:00' a.md; git update-index -q --refresh; printf 'two\\n' > a.md; touch -d '2026-01-01 00:00:00' a.md .git/index")
		r, state := w.open(plumbing)
		w.publish(r, state, newCommit("op-1", create("c.md", "c\n")))
		if got := strings.Join(w.status(), "|"); !strings.Contains(got, " M a.md") {
			t.Errorf("status %q: the change of a.md is hidden", got)
		}
	})
}

// No bytes make the index parser panic, and what it takes it splices into
// something that it takes again.
func FuzzParseIndex(f *testing.F) {
	f.Add(joined((&index{}).splice(map[string]change{"a": {staged: staged{Entry: object.Entry{Mode: object.ModeFile, ID: strings.Repeat("1", 40)}}}})))
	f.Add(joined((&index{}).splice(map[string]change{"a/b": {staged: staged{Entry: object.Entry{Mode: object.ModeFile, ID: strings.Repeat("1", 40)}, intent: true}}})))
	f.Fuzz(func(t *testing.T, raw []byte) {
		surveyOf(bytes.NewReader(raw), int64(len(raw)), object.IDSize)
		invalidateTrees(raw, map[string]change{"a/b": {gone: true}})
		x, err := parseIndex(raw)
		if err != nil {
			return
		}
		x.Find("a")
		out := joined(x.splice(map[string]change{"m": {staged: staged{Entry: object.Entry{Mode: object.ModeFile, ID: strings.Repeat("1", 40)}}}}))
		if _, err := parseIndex(out); err != nil {
			t.Fatalf("our own splice: %v", err)
		}
	})
}

func joined(parts [][]byte) []byte { return bytes.Join(parts, nil) }

// TestParts: what is added comes out in its order, however it is parted.
func TestParts(t *testing.T) {
	long := func(c string) []byte { return []byte(strings.Repeat(c, longPart)) }
	for _, row := range []struct {
		name string
		all  [][]byte
		want int // parts
	}{
		{"small ones", [][]byte{[]byte("a"), nil, []byte("b")}, 1},
		{"a long one between", [][]byte{[]byte("a"), long("x"), []byte("b"), []byte("c")}, 3},
		{"long ones alone", [][]byte{long("x"), long("y")}, 5},
	} {
		var p parts
		for _, b := range row.all {
			p.add(b)
		}
		got := append(p.done, p.last)
		if len(got) != row.want || !bytes.Equal(joined(got), joined(row.all)) {
			t.Errorf("%s: %d parts, %d bytes; want %d, %d", row.name, len(got), len(joined(got)), row.want, len(joined(row.all)))
		}
	}
}
