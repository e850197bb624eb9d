package worktree_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/worktree"
)

func TestWrite(t *testing.T) {
	t.Run("the file system exchanges names", func(t *testing.T) { writeAndTakeBack(t, func(*worktree.SectionWriter) {}) })
	t.Run("it does not", func(t *testing.T) {
		writeAndTakeBack(t, func(w *worktree.SectionWriter) { w.WithoutExchange(disk.ErrNoExchange) })
	})
}

func writeAndTakeBack(t *testing.T, lack func(*worktree.SectionWriter)) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	saved := "# Rules\r\nnew"
	first := true
	w := worktree.SectionWriter{Op: "op", Keep: func(name, path, sum string) error { return os.Rename(name, kept) }}
	lack(&w)
	file := filepath.Join(dir, "CLAUDE.md")
	s := vault.Section{File: file, Key: "pf/pf-a", Text: "## VPN\n"}
	for range 2 { // a second run changes nothing
		if first {
			if err := os.WriteFile(file, []byte(saved), 0o640); err != nil {
				t.Fatal(err)
			}
			first = false
		}
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(kept); string(b) != saved {
		t.Errorf("kept %q, want %q", b, saved)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want 0640", info.Mode())
	}
	s.Text = ""
	if err := w.Write(s); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(file); string(b) != saved {
		t.Errorf("got %q back, want %q", b, saved)
	}
	made := vault.Section{File: filepath.Join(dir, "a", "b", "C.md"), Key: "pf/pf-a", Text: "## VPN\n", Folders: 2}
	if err := w.Write(made); err != nil {
		t.Fatal(err)
	}
	made.Text = ""
	if err := w.Write(made); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); !os.IsNotExist(err) {
		t.Errorf("the folders that were made are there: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".cp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe, folder, locked := filepath.Join(dir, "p.md"), filepath.Join(dir, "f.md"), filepath.Join(dir, "r.md")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(locked, nil, 0o400); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{pipe, folder, locked} {
		err := worktree.SectionWriter{Op: "op"}.Write(vault.Section{File: file, Key: "pf/pf-a", Text: "## VPN\n"})
		if vault.CodeOf(err) != vault.CodeIO {
			t.Errorf("%s: got %v, want an error of the class io", filepath.Base(file), err)
		}
	}
}
