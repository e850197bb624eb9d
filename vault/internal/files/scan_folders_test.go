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

// keeper keeps what scans of a vault see, as a mirror does.
type keeper struct {
	s     *worktree.Store
	kept  map[vault.Path]listing.Listing
	young int // folders that changed too shortly before the last scan
}

// settle scans until no folder is young. It waits for a state, not for a time.
func (k *keeper) settle(t testing.TB) {
	t.Helper()
	for k.scan(t); k.young > 0; k.scan(t) {
	}
}

// scan returns a line for each folder: what was read for it and what was found.
func (k *keeper) scan(t testing.TB) (lines []string, complete bool) {
	t.Helper()
	k.young = 0
	began := time.Now()
	next := make(map[vault.Path]listing.Listing)
	complete, err := k.s.ScanFolders(context.Background(), func(p vault.Path) listing.Listing { return k.kept[p] }, func(f listing.Folder) error {
		if f.Same {
			next[f.Path] = k.kept[f.Path]
			lines = append(lines, fmt.Sprintf("%s: same %d", f.Path, f.Count))
			return nil
		}
		how := "asked"
		if f.Names > 0 || f.Subs == "" && len(f.Files) == 0 {
			how = "read"
		}
		line := fmt.Sprintf("%s: %s", f.Path, how)
		var marks []byte
		for _, file := range f.Files {
			line += " " + file.Path.Base()
			mark := string(file.Stat.AppendPacked([]byte("=")))
			if file.Problem != nil {
				mark = "!" + file.Problem.Kind
				line += " " + file.Problem.Kind
			}
			marks = listing.AppendMark(marks, file.Path.Base(), mark)
		}
		if f.Own.CTime > began.Add(-50*time.Millisecond).UnixNano() {
			f.Own = vault.Stat{}
			k.young++
		}
		next[f.Path] = listing.Listing{Own: f.Own, Subs: f.Subs, Files: listing.Marks(marks)}
		lines = append(lines, line)
		return nil
	})
	must(t, err)
	k.kept = next
	slices.Sort(lines)
	return lines, complete
}

// TestScanFoldersSeesWhatChanged changes a vault between scans. After each change
// the scan tells of it, and reads no folder that it need not.
func TestScanFoldersSeesWhatChanged(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.md", "x/b.md", "x/c.md", "x/deep/d.md", "empty/", "y/e.md")
	in := func(name string) string { return filepath.Join(dir, name) }
	k := &keeper{s: plain(t, dir)}
	k.settle(t)
	quiet := []string{": same 1", "empty: same 0", "x/deep: same 1", "x: same 2", "y: same 1"}
	with := func(lines ...string) []string {
		all := slices.Clone(quiet)
		for _, line := range lines {
			folder, _, _ := strings.Cut(line, ":")
			all = slices.DeleteFunc(all, func(l string) bool { return strings.HasPrefix(l, folder+":") })
			all = append(all, line)
		}
		slices.Sort(all)
		return all
	}
	for _, step := range []struct {
		name string
		do   func() error
		want []string
	}{
		{"nothing", func() error { return nil }, quiet},
		{"a file is written to", func() error { return os.WriteFile(in("x/b.md"), []byte("more\n"), 0o644) }, with("x: asked b.md c.md")},
		{"a file comes", func() error { return os.WriteFile(in("empty/new.md"), nil, 0o644) }, with("empty: read new.md")},
		{"it goes", func() error { return os.Remove(in("empty/new.md")) }, with("empty: read")},
		{"an attachment comes", func() error { return os.WriteFile(in("y/image.png"), nil, 0o644) }, with("y: read e.md")},
		{"a file is put in the place of another", func() error {
			must(t, os.WriteFile(in("y/.tmp"), []byte("other\n"), 0o644))
			return os.Rename(in("y/.tmp"), in("y/e.md"))
		}, with("y: read e.md")},
		{"a folder moves", func() error { return os.Rename(in("x/deep"), in("y/deep")) },
			[]string{": same 1", "empty: same 0", "x: read b.md c.md", "y/deep: read d.md", "y: read e.md"}},
		{"it moves back", func() error { return os.Rename(in("y/deep"), in("x/deep")) }, with("x/deep: read d.md", "x: read b.md c.md", "y: read e.md")},
		{"a repository appears", func() error { return os.MkdirAll(in("x/deep/.git"), 0o755) },
			[]string{": same 1", "empty: same 0", "x: asked b.md c.md deep nested_repo", "y: same 1"}},
		{"and goes", func() error { return os.Remove(in("x/deep/.git")) }, with("x/deep: read d.md", "x: read b.md c.md")},
		{"a folder becomes a link", func() error {
			must(t, os.Rename(in("y"), filepath.Join(t.TempDir(), "y")))
			return os.Symlink(in("x"), in("y"))
		}, []string{": read a.md y symlink", "empty: same 0", "x/deep: same 1", "x: same 2"}},
		{"and leads elsewhere", func() error { return nil }, []string{": read a.md y symlink", "empty: same 0", "x/deep: same 1", "x: same 2"}},
	} {
		must(t, step.do())
		got, complete := k.scan(t)
		if diff := cmp.Diff(step.want, got); diff != "" || !complete {
			t.Fatalf("%s (-want +got, complete %v):\n%s", step.name, complete, diff)
		}
		k.settle(t)
	}
}

// TestScanFoldersTrustsNoYoungFolder makes files in a folder as fast as it can:
// each scan finds the one that was made before it.
func TestScanFoldersTrustsNoYoungFolder(t *testing.T) {
	dir := t.TempDir()
	k := &keeper{s: plain(t, dir)}
	for n := range 300 {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.md", n)), nil, 0o644))
		got, _ := k.scan(t)
		if len(got) != 1 || strings.Count(got[0], ".md") != n+1 {
			t.Fatalf("after %d files: %q", n+1, got)
		}
	}
}

// TestScanFoldersFindsWhatScanFinds compares the two on a vault with everything
// that cannot be a memory, when nothing is kept and when all is.
func TestScanFoldersFindsWhatScanFinds(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.md", "B.md", "b.md", "sub/x.md", "sub/.x.md.icloud", "sub/note (conflicted copy 2026-01-01).md", "repo/.git/", "repo/in.md", "bare/HEAD", "bare/objects/", "bare/refs/",
		"bad\x01name.md", "node/p.png", "UP/u.md", "up/v.md")
	must(t, os.Symlink("a.md", filepath.Join(dir, "link.md")))
	must(t, os.Symlink("sub", filepath.Join(dir, "linked")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	s := plain(t, dir)
	want, whole := seen(t, s, vault.Scope{})
	slices.Sort(want)
	k := &keeper{s: s}
	for range 2 {
		var got []string
		complete, err := s.ScanFolders(context.Background(), func(p vault.Path) listing.Listing { return k.kept[p] }, func(f listing.Folder) error {
			for _, file := range f.Files {
				line := string(file.Path)
				if file.Problem != nil {
					line += " " + file.Problem.Kind
				}
				got = append(got, line)
			}
			for name := range k.kept[f.Path].Files.All() {
				if f.Same {
					got = append(got, string(f.Path.Join(name)))
				}
			}
			return nil
		})
		must(t, err)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || complete != whole {
			t.Fatalf("-scan +folders, complete %v and %v:\n%s", whole, complete, diff)
		}
		k.settle(t)
	}
}

// TestScanFoldersKeepsWhatItCannotRead takes the rights on a folder away from a
// vault that was read before.
func TestScanFoldersKeepsWhatItCannotRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	plant(t, dir, "a.md", "x/b.md")
	k := &keeper{s: plain(t, dir)}
	k.settle(t)
	must(t, os.Chmod(filepath.Join(dir, "x"), 0))
	defer os.Chmod(filepath.Join(dir, "x"), 0o755)
	got, complete := k.scan(t)
	if diff := cmp.Diff([]string{": asked a.md x unreadable"}, got); diff != "" || complete {
		t.Errorf("complete %v, -want +got:\n%s", complete, diff)
	}
}
