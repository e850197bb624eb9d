package worktree_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cp-memory/cp/vault/worktree"
)

// exclude is what info/exclude says.
type exclude string

func (e exclude) Excludes(context.Context) (bool, [][]byte, error) {
	return false, [][]byte{nil, []byte(e)}, nil
}

// The outermost folder that is ignored is that which git names, rules of folders on the way and
// outside of the work tree included.
func TestIgnoredFolders(t *testing.T) {
	top := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", top).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	write(".git/info/exclude", "private/\n")
	write(".gitignore", "vendor/\n/build\n*.d\n!keep.d\n")
	write("src/.gitignore", "gen\n")
	write("build/.gitignore", "!out\n")
	folders, err := worktree.FoldersOf(t.Context(), exclude("private/\n"), top)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"src", "src/gen/x", "src/build", "build/out", "vendor", "src/vendor/a/b", "x.d/y", "keep.d/y", "a/private/b", "a/b/c"} {
		write(dir+"/x", "")
		want := ""
		for at := filepath.Join(top, dir); at != top; at = filepath.Dir(at) {
			if exec.Command("git", "-C", top, "check-ignore", "-q", at).Run() == nil {
				want = at
			}
		}
		if got := folders.Outermost(filepath.Join(top, dir)); got != want {
			t.Errorf("%s: got %q, git says %q", dir, got, want)
		}
	}
	if got := folders.Outermost(top); got != "" {
		t.Errorf("the top: got %q", got)
	}
}
