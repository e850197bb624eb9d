package gitindex

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/testdata/gitscene"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// The splice and git update-index, given the same changes on the same index,
// make the same entries, and git takes the splice for a sound index.
func TestSpliceAgainstGit(t *testing.T) {
	w := gitscene.New(t)
	blob := strings.TrimSpace(w.Sh("echo one | git hash-object -w --stdin"))
	other := strings.TrimSpace(w.Sh("echo two | git hash-object -w --stdin"))
	long := strings.Repeat("long/", 900)
	names := []string{"a", "a.md", "a/b", "a/c/d.md", "a-b", "a0", "ab", "b/c", "b/c.md", "é/ü.md", "z", long + "x", long + "y"}
	if err := flag.Set("rapid.checks", strconv.Itoa(testlevel.Rounds(40))); err != nil { // each is eight processes
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		start := rapid.SliceOfDistinct(rapid.SampledFrom(names), rapid.ID[string]).Draw(rt, "start")
		changed := rapid.MapOf(rapid.SampledFrom(names), rapid.Bool()).Draw(rt, "changes")
		var lines strings.Builder
		for _, name := range start {
			fmt.Fprintf(&lines, "100644 %s\t%s\n", blob, name)
		}
		w.Write(".git/lines", lines.String())
		w.Sh("rm -f .git/index && git update-index --replace --index-info < .git/lines && git write-tree && cp .git/index .git/theirs")

		x, err := Read(filepath.Join(w.Dir, ".git", "index"))
		if err != nil {
			rt.Fatal(err)
		}
		s := NewStage(x)
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
		w.Write(".git/mine", string(joined(x.splice(s.changes))))
		w.Write(".git/lines", lines.String())
		w.Sh("GIT_INDEX_FILE=.git/theirs git update-index --replace --index-info < .git/lines")
		const show = "git ls-files --stage && git write-tree"
		mine, theirs := w.Sh("export GIT_INDEX_FILE=.git/mine; "+show), w.Sh("export GIT_INDEX_FILE=.git/theirs; "+show)
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

// No bytes make the index parser panic, and what it takes it splices into
// something that it takes again.
func FuzzParseIndex(f *testing.F) {
	f.Add(joined((&Index{}).splice(map[string]change{"a": {staged: staged{Entry: object.Entry{Mode: object.ModeFile, ID: strings.Repeat("1", 40)}}}})))
	f.Add(joined((&Index{}).splice(map[string]change{"a/b": {staged: staged{Entry: object.Entry{Mode: object.ModeFile, ID: strings.Repeat("1", 40)}, intent: true}}})))
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
