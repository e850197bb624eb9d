package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
	"github.com/cp-memory/cp/vault/worktree"
	"github.com/google/go-cmp/cmp"
)

func write(t testing.TB, root, name, text string) {
	t.Helper()
	at := filepath.Join(root, name)
	must(t, os.MkdirAll(filepath.Dir(at), 0o777))
	must(t, os.WriteFile(at, []byte(text), 0o666))
}

// hostile is a folder of facts with everything that can lie there.
func hostile(t *testing.T, root string) {
	t.Helper()
	write(t, root, "a.md", "# A\n")
	write(t, root, ".cp/.gitignore", "*\n")
	write(t, root, ".cp/facts/3f/one.json", "{}\n")
	write(t, root, ".cp/facts/3f/two.json", "{}\n")
	write(t, root, ".cp/facts/3f/notes.md", "no memory\n")
	write(t, root, ".cp/facts/3f/.one.json.swp", "an editor's\n")
	write(t, root, ".cp/facts/3f/bad\nname.json", "{}\n")
	write(t, root, ".cp/facts/.hidden/x.json", "{}\n")
	write(t, root, ".cp/facts/nested/.git/HEAD", "ref: x\n")
	write(t, root, ".cp/facts/nested/x.json", "{}\n")
	write(t, root, ".cp/facts/untracked/old.jsonl", "{}\n")
	write(t, root, ".cp/facts/untracked/old.txt", "{}\n")
	must(t, os.Symlink("one.json", filepath.Join(root, ".cp/facts/3f/link.json")))
	must(t, os.Symlink("/etc", filepath.Join(root, ".cp/facts/etc")))
	must(t, os.MkdirAll(filepath.Join(root, ".cp/facts/3f/folder.json"), 0o777))
}

func openStore(t *testing.T, root string) *worktree.Store {
	t.Helper()
	s, err := worktree.Open(root, nil, worktree.Options{})
	must(t, err)
	return s
}

// lines scans a scope and returns a line for each entry.
func lines(t *testing.T, s *worktree.Store, scope vault.Scope) (all []string) {
	t.Helper()
	_, err := s.Scan(context.Background(), scope, func(f vault.File) error {
		line := string(f.Path)
		if f.Problem != nil {
			line += " " + f.Problem.Kind
		}
		all = append(all, line)
		return nil
	})
	must(t, err)
	return all
}

func TestFactsAreScannedWhereTheyAreNamed(t *testing.T) {
	root := t.TempDir()
	hostile(t, root)
	s := openStore(t, root)
	inFolder := []string{`.cp/facts/3f/bad\x0aname.json bad_name`, ".cp/facts/3f/link.json symlink", ".cp/facts/3f/one.json", ".cp/facts/3f/two.json"}
	for _, row := range []struct {
		name  string
		scope vault.Scope
		want  []string
	}{
		{"the whole vault holds memories alone", vault.Scope{}, []string{"a.md"}},
		{"all facts", vault.Scope{Dir: vault.FactsDir}, slices.Concat(inFolder, []string{".cp/facts/etc symlink", ".cp/facts/nested nested_repo", ".cp/facts/untracked/old.jsonl"})},
		{"a folder of them", vault.Scope{Dir: ".cp/facts/3f"}, inFolder},
		{"files, a folder, and what is gone", vault.Scope{Paths: []vault.Path{".cp/facts/3f/two.json", ".cp/facts/3f/none.json", ".cp/facts/untracked", "a.md", ".cp/facts/3f/notes.md", ".cp/facts/no/x.json"}},
			[]string{".cp/facts/3f/two.json", ".cp/facts/untracked/old.jsonl", "a.md"}},
		{"a folder that is not there", vault.Scope{Dir: ".cp/facts/00"}, nil},
	} {
		got := lines(t, s, row.scope)
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", row.name, diff)
		}
	}
}

// factsKeeper keeps what scans of facts see, as a mirror does.
type factsKeeper struct {
	s     *worktree.Store
	kept  map[vault.Path]listing.Listing
	young int
}

// scan returns a line for each folder: whether it was told as the same, and what differs.
func (k *factsKeeper) scan(t testing.TB, each bool) (lines []string, complete bool) {
	t.Helper()
	look := listing.Begin(time.Now())
	for p, l := range k.kept {
		look.Keep(string(p), l)
	}
	var told []listing.Folder
	complete, err := k.s.ScanFacts(context.Background(), each, look.FindKept, func(f listing.Folder) error {
		told = append(told, f)
		look.Meet(f)
		return nil
	})
	must(t, err)
	look.End(complete)
	k.young = 0
	next := make(map[vault.Path]listing.Listing)
	for _, f := range told {
		changes := make(map[string]listing.Change)
		line := string(f.Path) + ":"
		if f.Same {
			line += " same"
		}
		for _, d := range look.Differ {
			if d.Path.Dir() == f.Path {
				line += " " + d.Path.Base()
				changes[d.Path.Base()] = listing.Change{Mark: listing.Mark(d)}
				if d.Problem == nil {
					changes[d.Path.Base()] = listing.Change{Mark: listing.MarkOf(d.Stat, time.Now())}
				}
			}
		}
		for _, p := range look.ListGone() {
			if p.Dir() == f.Path {
				line += " -" + p.Base()
				changes[p.Base()] = listing.Change{Gone: true}
			}
		}
		next[f.Path] = look.Next(f.Path, k.kept[f.Path], changes)
		if next[f.Path].Own == (vault.Stat{}) && !slices.ContainsFunc(f.Files, func(f vault.File) bool { return f.Problem != nil }) {
			k.young++
		}
		for _, mark := range next[f.Path].Files.All() {
			if mark == "" {
				k.young++ // a file may be younger than its folder
			}
		}
		lines = append(lines, line)
	}
	k.kept = next
	slices.Sort(lines)
	return lines, complete
}

// settle scans until no folder is young. It waits for a state, not for a time.
func (k *factsKeeper) settle(t testing.TB) {
	t.Helper()
	for k.scan(t, true); k.young > 0; k.scan(t, true) {
	}
}

// TestScanFactsGoesByFolders changes facts between scans.
func TestScanFactsGoesByFolders(t *testing.T) {
	root := t.TempDir()
	k := &factsKeeper{s: openStore(t, root)}
	if got, complete := k.scan(t, false); len(got) > 0 || !complete {
		t.Fatalf("a vault without facts: %q, %v", got, complete)
	}
	for _, name := range []string{"3f/one.json", "3f/two.json", "a1/three.json"} {
		write(t, root, ".cp/facts/"+name, "{}\n")
	}
	inPlace := func(name, text string) {
		f, err := os.OpenFile(filepath.Join(root, name), os.O_WRONLY|os.O_TRUNC, 0)
		must(t, err)
		_, err = f.WriteString(text)
		must(t, err)
		must(t, f.Close())
	}
	same := []string{".cp/facts/3f: same", ".cp/facts/a1: same", ".cp/facts: same"}
	for _, row := range []struct {
		name   string
		change func()
		each   bool
		want   []string
	}{
		{"nothing has changed", func() {}, false, same},
		{"nothing has changed, and each file is asked", func() {}, true, same},
		{"a file is replaced", func() {
			write(t, root, ".cp/facts/3f/new", "{ }\n")
			must(t, os.Rename(filepath.Join(root, ".cp/facts/3f/new"), filepath.Join(root, ".cp/facts/3f/one.json")))
		}, false, []string{".cp/facts/3f: one.json", ".cp/facts/a1: same", ".cp/facts: same"}},
		{"a file is written in place", func() { inPlace(".cp/facts/a1/three.json", "[]\n\n") }, false, same},
		{"and each file is asked", func() { inPlace(".cp/facts/a1/three.json", "[]\n\n\n") }, true, []string{".cp/facts/3f: same", ".cp/facts/a1: three.json", ".cp/facts: same"}},
		{"a file comes in a new folder", func() { write(t, root, ".cp/facts/b2/four.json", "{}\n") }, false,
			[]string{".cp/facts/3f: same", ".cp/facts/a1: same", ".cp/facts/b2: four.json", ".cp/facts:"}},
		{"a file goes", func() { must(t, os.Remove(filepath.Join(root, ".cp/facts/3f/two.json"))) }, false,
			[]string{".cp/facts/3f: -two.json", ".cp/facts/a1: same", ".cp/facts/b2: same", ".cp/facts: same"}},
		{"a folder goes", func() { must(t, os.RemoveAll(filepath.Join(root, ".cp/facts/b2"))) }, false,
			[]string{".cp/facts/3f: same", ".cp/facts/a1: same", ".cp/facts:"}},
	} {
		k.settle(t)
		row.change()
		got, complete := k.scan(t, row.each)
		if diff := cmp.Diff(row.want, got); diff != "" || !complete {
			t.Errorf("%s: complete %v (-want +got):\n%s", row.name, complete, diff)
		}
	}
}

// TestScanFactsFindsWhatScanFinds compares the two where everything lies about, and where
// a folder or all of them cannot be read.
func TestScanFactsFindsWhatScanFinds(t *testing.T) {
	for _, closed := range []string{"", ".cp/facts/3f", ".cp/facts"} {
		root := t.TempDir()
		hostile(t, root)
		if closed != "" {
			if os.Geteuid() == 0 {
				must(t, os.RemoveAll(filepath.Join(root, closed)))
				must(t, os.Symlink("/etc", filepath.Join(root, closed)))
			} else {
				must(t, os.Chmod(filepath.Join(root, closed), 0))
				t.Cleanup(func() { _ = os.Chmod(filepath.Join(root, closed), 0o777) })
			}
		}
		s := openStore(t, root)
		want := lines(t, s, vault.Scope{Dir: vault.FactsDir})
		var got []string
		_, err := s.ScanFacts(context.Background(), true, func(vault.Path) listing.Listing { return listing.Listing{} }, func(f listing.Folder) error {
			for _, file := range f.Files {
				line := string(file.Path)
				if file.Problem != nil {
					line += " " + file.Problem.Kind
				}
				got = append(got, line)
			}
			return nil
		})
		must(t, err)
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%q is closed (-Scan +ScanFacts):\n%s", closed, diff)
		}
	}
}

// BenchmarkScanFacts tells what a look at facts costs beside one at as many memories.
func BenchmarkScanFacts(b *testing.B) {
	const many = 100_000
	root := b.TempDir()
	for i := range many {
		write(b, root, fmt.Sprintf("%02x/%05d.md", i%256, i), "# A\n")
		write(b, root, fmt.Sprintf(".cp/facts/%02x/%s%05d.json", i%256, strings.Repeat("0", 27), i), "{}\n")
	}
	s, err := worktree.Open(root, nil, worktree.Options{})
	must(b, err)
	k := &factsKeeper{s: s}
	k.settle(b)
	m := &keeper{s: s}
	m.settle(b)
	b.Run("memories", func(b *testing.B) {
		for b.Loop() {
			_, err := s.ScanFolders(context.Background(), func(p vault.Path) listing.Listing { return m.kept[p] }, func(listing.Folder) error { return nil })
			must(b, err)
		}
	})
	for _, each := range []bool{false, true} {
		b.Run(fmt.Sprintf("facts/each=%v", each), func(b *testing.B) {
			for b.Loop() {
				_, err := s.ScanFacts(context.Background(), each, func(p vault.Path) listing.Listing { return k.kept[p] }, func(listing.Folder) error { return nil })
				must(b, err)
			}
		})
	}
}
