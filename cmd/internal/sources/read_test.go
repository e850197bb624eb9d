package sources

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
)

// What is imported from a folder in which everything goes wrong.
func TestReadSources(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("d/", 60)
	write := func(name, text string) {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"src/a.md", "src/B.MD", "src/x/_index.md", "src/c.markdown", "src/p.png", "src/.hidden/h.md", "src/.h.md",
		"src/.cursor/rules/r.mdc", "src/" + deep + "e.md", "src/bad\xffname.md", "src/deep/" + deep + "1/2/3/4/5/6.md", "src/folder.md/in.md", "src/vault/.cp/vault.yaml", "src/vault/own.md"} {
		write(name, "text of "+filepath.Base(name))
	}
	write("src/big.md", strings.Repeat("x", vault.MaxFile+1))
	for link, to := range map[string]string{"src/l.md": "a.md", "src/away": "/etc", "src/loop": ".", "src/l.png": "p.png", "named": "src"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(top, "src/pipe.md"), 0o666); err != nil {
		t.Fatal(err)
	}
	all := []string{"B.MD", "a.md", "bad\xffname.md", "c.markdown", deep + "e.md", "folder.md/in.md", "x/_index.md"}
	skipped := []string{"away: a symbolic link, not followed", "big.md: larger than 4 MiB",
		"deep/" + deep + "1/2/3/4: deeper than 64 folders", "l.md: a symbolic link, not followed", "loop: a symbolic link, not followed", "pipe.md: not a regular file"}
	rows := []struct {
		name, path     string
		files, skipped []string
	}{
		{"a folder", "src", all, skipped},
		{"a folder by a link", "named", all, skipped},
		{"a hidden folder, when named", "src/.cursor/rules", []string{"r.mdc"}, nil},
		{"a file", "src/x/_index.md", []string{"_index.md"}, nil},
		{"a file by a link", "src/l.md", []string{"l.md"}, nil},
		{"a pipe", "src/pipe.md", nil, []string{"pipe.md: not a regular file"}},
		{"a folder without Markdown", "src/.hidden/..", all, skipped},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			got, err := Read(context.Background(), filepath.Join(top, "src/vault"), filepath.Join(top, row.path))
			if err != nil {
				t.Fatal(err)
			}
			var files, left []string
			for _, f := range got.Files {
				if f.Err != nil {
					left = append(left, f.Rel+": "+f.Err.Error())
					continue
				}
				files = append(files, f.Rel)
				if !strings.HasPrefix(string(f.Text), "text of ") {
					t.Errorf("%s: %.20q", f.Rel, f.Text)
				}
			}
			if diff := cmp.Diff(row.files, files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(row.skipped, left); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadSourcesRefuses(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		path string
		code vault.Code
	}{
		"the vault itself":  {root, vault.CodeInvalid},
		"what is not there": {filepath.Join(root, "..", "nothing"), vault.CodeNotFound},
	} {
		if _, err := Read(context.Background(), root, row.path); vault.CodeOf(err) != row.code {
			t.Errorf("%s: got %v, want %s", name, err, row.code)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, root, t.TempDir()); err == nil {
		t.Error("it goes on after an interrupt")
	}
}

func TestReadSourcesTellsWhatItMayNotRead(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	src := t.TempDir()
	if err := os.WriteFile(filepath.Join(src, "a.md"), nil, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(src, "d"), 0); err != nil {
		t.Fatal(err)
	}
	got, err := Read(context.Background(), t.TempDir(), src)
	if err != nil || len(got.Files) != 2 || got.Files[0].Err.Error() != "permission denied" {
		t.Errorf("got %+v, %v", got, err)
	}
}
