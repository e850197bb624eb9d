package registry

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cp-memory/cp/vault"
)

var plainly = cmpopts.IgnoreUnexported(Entry{})

func entry(path string) Entry {
	return Entry{Path: path, Name: filepath.Base(path), Vault: path + "/memory", Seen: "2026-11-24"}
}

func TestWhatPeopleWriteIsRead(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []Entry
		why        string
	}{
		{"nothing", "", nil, ""},
		{"our own form", head + `- {"path": "/a/b", "name": "b", "vault": "/a/b/memory", "seen": "2026-11-24"}` + "\n", []Entry{entry("/a/b")}, ""},
		{"CRLF, and no line feed at the end", "version: 1\r\nprojects:\r\n" + `- {"path":"/a"}`, []Entry{{Path: "/a", Name: "a", Vault: "/a"}}, ""},
		{"a block", "projects:\n  - path: /a/b/\n    name: x\n    seen: 2026-11-24\n", []Entry{{Path: "/a/b", Name: "x", Vault: "/a/b", Seen: "2026-11-24"}}, ""},
		{"paths alone", "projects: [/a, /b/../c]\n", []Entry{{Path: "/a", Name: "a", Vault: "/a"}, {Path: "/c", Name: "c", Vault: "/c"}}, ""},
		{"a relative path", "projects:\n- a/b\n- /a\n", []Entry{{Path: "/a", Name: "a", Vault: "/a"}}, "line 2 is no project"},
		{"no list", "- x: [\n", nil, "yaml"},
		{"a broken line among good ones", head + "- {\"path\": \"/a\"}\n- {\"path\": \n- {\"path\": \"/b\"}\n", []Entry{{Path: "/a", Name: "a", Vault: "/a"}, {Path: "/b", Name: "b", Vault: "/b"}}, "yaml"},
		{"a newer version", "version: 2\nprojects:\n- {\"path\": \"/a\", \"sort\": 7}\n", []Entry{{Path: "/a", Name: "a", Vault: "/a"}}, "a newer cp"},
		{"control characters in a name", "projects:\n- {path: /a, name: \"x\\e[31m\"}\n", []Entry{{Path: "/a", Name: "a", Vault: "/a"}}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			l := Parse([]byte(row.text))
			if diff := cmp.Diff(row.want, l.Entries, plainly); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if (l.Why != nil) != (row.why != "") || l.Why != nil && !strings.Contains(l.Why.Error(), row.why) {
				t.Errorf("why: got %v, want %q", l.Why, row.why)
			}
		})
	}
}

// Comments and keys that are not ours stay when the file is changed.
func TestWhatIsNotOursStays(t *testing.T) {
	l := Parse([]byte("# mine\nprojects:\n- {path: /a, colour: blue, \"tags\": [x, y]}\n"))
	e := *l.Of("/a")
	e.Seen = "2026-11-25"
	if !l.PutEntry(e) || l.PutEntry(e) {
		t.Error("a new day is a change, once")
	}
	want := head + "# mine\n" + `- {"path":"/a","name":"a","vault":"/a","seen":"2026-11-25", "colour": "blue", "tags": ["x","y"]}` + "\n"
	if got := string(l.Format()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if diff := cmp.Diff(string(Parse([]byte(want)).Format()), want); diff != "" {
		t.Errorf("read again:\n%s", diff)
	}
}

// A comment stays where it stands: above its entry, and beside a value it moves above it.
func TestCommentsStayInTheirPlaces(t *testing.T) {
	text := "# mine\nversion: 1\nprojects:\n# the first\n- path: /a # work\n  name: a # short\n# the second\n- /b\n# the end\n"
	l := Parse([]byte(text))
	l.PutEntry(entry("/c"))
	want := head + "# mine\n# the first\n# work\n# short\n" + `- {"path":"/a","name":"a","vault":"/a"}` + "\n# the second\n" + `- {"path":"/b","name":"b","vault":"/b"}` + "\n" + string(entry("/c").formatLine()) + "# the end\n"
	if diff := cmp.Diff(want, string(l.Format())); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	l = Parse([]byte(want))
	if !l.Drop(func(e Entry) bool { return e.Path == "/a" || e.Path == "/c" }) || l.Drop(func(Entry) bool { return false }) {
		t.Error("two entries are dropped, once")
	}
	want = head + "# mine\n# the first\n# work\n# short\n# the second\n" + `- {"path":"/b","name":"b","vault":"/b"}` + "\n# the end\n"
	if diff := cmp.Diff(want, string(l.Format())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(head + `- {"path": "/a/b", "name": "b", "vault": "/a/b/memory", "x": {"y": 1}}` + "\n"))
	f.Add([]byte("projects:\n- path: /a\n  seen: 2026-11-24\n  gone: [1]\n# c\n"))
	f.Add([]byte("version: 9\nprojects: {}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := Parse(b)
		again := Parse(l.Format())
		if again.Why != nil || !cmp.Equal(l.Entries, again.Entries, cmp.AllowUnexported(Entry{}), cmpopts.EquateEmpty()) {
			t.Fatalf("%q\nis written as\n%s\nand read as %v, %v", b, l.Format(), again.Entries, again.Why)
		}
		if !bytes.Equal(l.Format(), again.Format()) {
			t.Fatalf("%q changes twice:\n%s\n%s", b, l.Format(), again.Format())
		}
	})
}

// Sixteen programs that register at once: nobody's entry is lost.
func TestManyAtOnce(t *testing.T) {
	r := Registry{filepath.Join(t.TempDir(), ".cp", "projects.yaml")}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			for j := range 4 {
				if err := r.Update(time.Minute, func(l *List) bool { return l.PutEntry(entry(fmt.Sprintf("/p/%d/%d", i, j))) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if l := r.Read(); len(l.Entries) != 64 || l.Why != nil {
		t.Errorf("%d entries, %v", len(l.Entries), l.Why)
	}
}

// What cannot be read as ours is not changed by a byte, and neither is what nobody changes.
func TestWhatIsNotChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "projects.yaml")
	r := Registry{file}
	add := func(l *List) bool { return l.PutEntry(entry("/new")) }
	for name, row := range map[string]struct {
		text string
		fn   func(*List) bool
		code vault.Code
	}{
		"broken":          {"projects:\n- {\"path\": \n", add, vault.CodeConfig},
		"newer":           {"version: 2\nprojects:\n- {\"path\": \"/a\"}\n", add, vault.CodeConfig},
		"nothing to say":  {"projects: [/a]\n", func(*List) bool { return false }, ""},
		"the same is put": {"projects: [/a]\n", func(l *List) bool { return l.PutEntry(Entry{Path: "/a", Name: "a", Vault: "/a"}) }, ""},
	} {
		if err := os.WriteFile(file, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Update(0, row.fn); vault.CodeOf(err) != row.code && (err != nil || row.code != "") {
			t.Errorf("%s: %v", name, err)
		}
		if b, err := os.ReadFile(file); string(b) != row.text || err != nil {
			t.Errorf("%s: the file is now %q, %v", name, b, err)
		}
	}
}

// A file kept elsewhere through a link stays a link.
func TestALinkStays(t *testing.T) {
	dir := t.TempDir()
	file, real := filepath.Join(dir, "projects.yaml"), filepath.Join(dir, "dotfiles.yaml")
	if err := errors.Join(os.WriteFile(real, nil, 0o600), os.Symlink(real, file)); err != nil {
		t.Fatal(err)
	}
	if err := (Registry{file}).Update(0, func(l *List) bool { return l.PutEntry(entry("/a")) }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(file); err != nil || info.Mode().IsRegular() || len((Registry{real}).Read().Entries) != 1 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func BenchmarkParse(b *testing.B) {
	var l List
	for i := range 1000 {
		l.PutEntry(entry(fmt.Sprintf("/home/p/some/where/project-%d", i)))
	}
	text := l.Format()
	for b.Loop() {
		if l := Parse(text); len(l.Entries) != 1000 {
			b.Fatal(len(l.Entries))
		}
	}
}
