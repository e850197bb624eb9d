package files_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree"
	"github.com/google/go-cmp/cmp"
)

// plant makes files below dir; a name that ends in / is a folder.
func plant(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		full := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(full, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte("text of "+name+"\n"), 0o644))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plain opens a vault without git.
func plain(t testing.TB, dir string) *worktree.Store {
	t.Helper()
	s, err := worktree.Open(dir, nil, worktree.Options{})
	must(t, err)
	return s
}

// seen scans and returns each entry as its path, with the kind of its problem.
func seen(t testing.TB, s *worktree.Store, scope vault.Scope) (found []string, complete bool) {
	t.Helper()
	complete, err := s.Scan(context.Background(), scope, func(f vault.File) error {
		line := string(f.Path)
		if f.Problem != nil {
			line += " " + f.Problem.Kind
		}
		found = append(found, line)
		return nil
	})
	must(t, err)
	return found, complete
}

func TestScanListsMarkdownInOrderAndReportsTheRest(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "b.md", "a.md", "a/z.MD", "a/deep/er.md", "a.txt", ".hidden.md", ".obsidian/x.md", ".git/x.md",
		"b.md~", ".#b.md", "#b.md#", "4913", ".b.md.swp", ".cp-1-2.tmp", "folder.md/in.md",
		"nested/.git/HEAD", "nested/x.md", "bare/HEAD", "bare/objects/", "bare/refs/", "bare/x.md",
		"bad\xff.md", "line\nbreak.md", "bad\x01dir/x.md", "Deploy.md", "deploy.md", "Cafe\u0301.md", "Caf\u00e9.md")
	must(t, os.Symlink("a.md", filepath.Join(dir, "link.md")))
	must(t, os.Symlink("a", filepath.Join(dir, "linked")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "broken")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o644))
	found, complete := seen(t, plain(t, dir), vault.Scope{})
	want := []string{
		"Cafe\u0301.md", "Caf\u00e9.md", "Caf\u00e9.md twin_name", "Deploy.md",
		"a/deep/er.md", "a/z.MD", "a.md", "b.md",
		`bad\x01dir bad_name`, `bad\xff.md bad_name`, "bare nested_repo",
		"deploy.md", "deploy.md twin_name", "folder.md/in.md", `line\x0abreak.md bad_name`,
		"link.md symlink", "linked symlink", "nested nested_repo", "pipe.md not_regular",
	}
	if diff := cmp.Diff(want, found); diff != "" || !complete {
		t.Errorf("complete %v, -want +got\n%s", complete, diff)
	}
}

func TestScanScope(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "x.md", "x/c.md", "x/c/d.md", "x/plain/e.md", "x/plain/e/f.md", "x/plain/g/h.md", "y/k.md", "y.txt")
	for _, row := range []struct {
		name  string
		scope vault.Scope
		want  string
	}{
		{"the whole vault", vault.Scope{}, "x/c/d.md x/c.md x/plain/e/f.md x/plain/e.md x/plain/g/h.md x.md y/k.md"},
		{"a folder", vault.Scope{Dir: "x/plain"}, "x/plain/e/f.md x/plain/e.md x/plain/g/h.md"},
		{"children of a file, through transparent folders", vault.Scope{Dir: "x", Shallow: true}, "x/c.md x/plain/e.md x/plain/g/h.md"},
		{"the roots", vault.Scope{Shallow: true}, "x.md y/k.md"},
		{"a folder that is not there", vault.Scope{Dir: "z", Shallow: true}, ""},
		{"nothing", vault.Scope{None: true}, ""},
	} {
		found, complete := seen(t, plain(t, dir), row.scope)
		if got := strings.Join(found, " "); got != row.want || !complete {
			t.Errorf("%s: got %q, complete %v; want %q", row.name, got, complete, row.want)
		}
	}
}

func TestScanStopsAtTheDepthLimit(t *testing.T) {
	dir := t.TempDir()
	deep := strings.Repeat("d/", vault.MaxDepth)
	plant(t, dir, deep+"in.md", deep+"d/out.md")
	found, complete := seen(t, plain(t, dir), vault.Scope{})
	want := []string{strings.TrimSuffix(deep, "/") + "/d too_deep", deep + "in.md"}
	if !slices.Equal(found, want) || !complete {
		t.Errorf("got %q, complete %v", found, complete)
	}
}

func TestScanKeepsWhatItCannotRead(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	plant(t, dir, "a/x.md", "b.md")
	must(t, os.Chmod(filepath.Join(dir, "a"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "a"), 0o755) })
	found, complete := seen(t, plain(t, dir), vault.Scope{})
	if want := []string{"a unreadable", "b.md"}; !slices.Equal(found, want) || complete {
		t.Errorf("got %q, complete %v", found, complete)
	}
}

func TestScanOfALostVaultIsAnError(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "v")
	plant(t, dir, "a.md")
	s := plain(t, dir)
	must(t, os.RemoveAll(dir))
	if _, err := s.Scan(context.Background(), vault.Scope{}, func(vault.File) error { return nil }); err == nil {
		t.Error("a vault that is not mounted scanned as empty")
	}
}

func TestScanTellsTheStat(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.md")
	s := plain(t, dir)
	b, want, err := s.Read("a.md")
	must(t, err)
	_, err = s.Scan(context.Background(), vault.Scope{}, func(f vault.File) error {
		if f.Stat != want || f.Stat.Size != int64(len(b)) || f.Stat.Inode == 0 || f.Stat.MTime == 0 || f.Stat.CTime == 0 {
			t.Errorf("scan says %+v, read says %+v", f.Stat, want)
		}
		return nil
	})
	must(t, err)
}

func TestReadRefuses(t *testing.T) {
	outside := t.TempDir()
	plant(t, outside, "secret.md")
	dir := t.TempDir()
	plant(t, dir, "a.md", "d/", "file/x.md")
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(dir, "link.md")))
	must(t, os.Symlink(outside, filepath.Join(dir, "away")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o644))
	must(t, os.Truncate(filepath.Join(dir, "file/x.md"), vault.MaxFile+1))
	s := plain(t, dir)
	for _, row := range []struct {
		path vault.Path
		code vault.Code
	}{
		{"", vault.CodeDamaged}, {"d", vault.CodeDamaged}, {"pipe.md", vault.CodeDamaged},
		{"link.md", vault.CodeDamaged}, {"away/secret.md", vault.CodeDamaged}, {"file/x.md", vault.CodeDamaged},
		{"none.md", vault.CodeNotFound}, {"none/x.md", vault.CodeNotFound}, {"a.md/x.md", vault.CodeNotFound},
	} {
		if b, _, err := s.Read(row.path); vault.CodeOf(err) != row.code {
			t.Errorf("Read(%q) = %d bytes, %v; want code %s", row.path, len(b), err, row.code)
		}
	}
	must(t, os.Truncate(filepath.Join(dir, "file/x.md"), vault.MaxFile))
	if b, _, err := s.Read("file/x.md"); err != nil || len(b) != vault.MaxFile {
		t.Errorf("a file of the largest size: %d bytes, %v", len(b), err)
	}
}

func TestLookSeesEveryFormOfAName(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "Deploy.md", "DEPLOY/", "Cafe\u0301.md", "Stra\u00dfe.md")
	s := plain(t, dir)
	for _, row := range []struct {
		path vault.Path
		want vault.Entry
	}{
		{"deploy.md", vault.Entry{File: true, Folder: true}},
		{"caf\u00e9.md", vault.Entry{File: true}},
		{"STRASSE.md", vault.Entry{File: true}},
		{"free.md", vault.Entry{}},
		{"no/such/folder.md", vault.Entry{}},
	} {
		if got, err := s.Ports().Look(context.Background(), row.path); err != nil || got != row.want {
			t.Errorf("Look(%q) = %+v, %v; want %+v", row.path, got, err, row.want)
		}
	}
}

func BenchmarkScan100k(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		sub := filepath.Join(dir, fmt.Sprintf("f%03d", i))
		must(b, os.Mkdir(sub, 0o755))
		for j := range 100 {
			must(b, os.WriteFile(filepath.Join(sub, fmt.Sprintf("m%02d.md", j)), nil, 0o644))
		}
	}
	s := plain(b, dir)
	for b.Loop() {
		n := 0
		if _, err := s.Scan(context.Background(), vault.Scope{}, func(vault.File) error { n++; return nil }); err != nil || n != 100_000 {
			b.Fatal(n, err)
		}
	}
}

func TestScanTellsOfReadOnlyNotes(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, "a.md", "a.mdc", "b.MDX", "c.markdown", "c.mdown", ".cursor/rules/x.mdc", ".mdc", "Rules.mdc", "rules.mdc", "x.mdc~")
	must(t, os.Symlink("a.mdc", filepath.Join(dir, "link.mdc")))
	found, complete := seen(t, plain(t, dir), vault.Scope{})
	want := []string{"Rules.mdc", "a.md", "a.mdc", "b.MDX", "c.markdown", "link.mdc symlink", "rules.mdc", "rules.mdc twin_name"}
	if diff := cmp.Diff(want, found); diff != "" || !complete {
		t.Errorf("complete %v, %s", complete, diff)
	}
}
