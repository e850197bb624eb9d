package worktree

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
)

func TestIntentSurvivesTheDisk(t *testing.T) {
	in := &intent{
		Format: intentFormat, Op: "20261102T140247.120-abcdefgh", At: time.Date(2026, 11, 2, 14, 2, 47, 0, time.UTC),
		Message: "memory: move <pf-1> & \u2028\n", Edits: []*edit{
			{Edit: vault.Edit{Path: "a.md", Create: []byte("x\xff\x00")}, Kind: creates},
			{Edit: vault.Edit{Path: "d", To: "e", Tree: true}, Kind: moves, Files: []found{{Name: []byte("bad\xffname"), Inode: 1 << 63, MTime: 7}}, Folders: [][]byte{[]byte("x")}},
		},
	}
	b, err := in.encode()
	must(t, err)
	got, ok := decodeIntent(b)
	if !ok {
		t.Fatal("its own record is torn")
	}
	if diff := cmp.Diff(in, got, cmp.AllowUnexported(edit{}, found{})); diff != "" {
		t.Error(diff)
	}
	for i := range b {
		if _, ok := decodeIntent(b[:i]); ok {
			t.Fatalf("the first %d of %d bytes count as whole", i, len(b))
		}
	}
}

func FuzzDecodeIntent(f *testing.F) {
	b, _ := (&intent{Format: 1, Op: "x"}).encode()
	f.Add(b)
	f.Add([]byte(`{"sum":"","intent":null}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		in, ok := decodeIntent(b)
		if !ok {
			return
		}
		if _, err := in.encode(); err != nil {
			t.Error(err)
		}
	})
}

func TestSubject(t *testing.T) {
	for _, row := range []struct{ name, verb, id, title, want string }{
		{"all there", "add-sub", "pf-1", "Nomad Stuck", `memory: add-sub pf-1 "Nomad Stuck"`},
		{"no title", "sync", "", "", "memory: sync"},
		{"control characters", "add", "pf-1", "a\x1b[2J\tb\nCp-Op: forged", `memory: add pf-1 "a[2J b Cp-Op: forged"`},
		{"long", "add", "pf-1", strings.Repeat("é", 100), `memory: add pf-1 "` + strings.Repeat("é", 52) + `…"`},
	} {
		got := subject(&vault.Change{Verb: row.verb, ID: vault.ID(row.id), Title: row.title})
		if got != row.want || utf8.RuneCountInString(got) > subjectLen {
			t.Errorf("%s: got %q (%d characters), want %q", row.name, got, utf8.RuneCountInString(got), row.want)
		}
	}
}

func TestMessageKeepsTrailersApart(t *testing.T) {
	got := message(&vault.Change{Verb: "merge", ID: "pf-1", Agent: "a\nCp-Op: forged", Note: "why\n\nCp-Id: forged\x07"}, "op-1")
	want := "memory: merge pf-1\n\nwhy\n\nCp-Id: forged\n\nCp-Op: op-1\nCp-Verb: merge\nCp-Id: pf-1\nCp-Agent: a Cp-Op: forged\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStateNamesDiffer(t *testing.T) {
	seen := make(map[string]string)
	for _, prefix := range []string{"", "root", "a/b", "a-b", "a%2Fb", "memory", "docs/memory"} {
		name := stateName(prefix)
		if other, ok := seen[name]; ok || strings.Contains(name, "/") {
			t.Errorf("%q and %q both get %q", prefix, other, name)
		}
		seen[name] = prefix
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
