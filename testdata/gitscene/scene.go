// Package gitscene gives the tests of the git adapter a repository of git's own making.
package gitscene

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Scene is a repository, and a shell in its work tree.
type Scene struct {
	testing.TB
	Dir string
}

// New makes an empty repository with a home of its own, so that the settings of
// whoever runs the tests have no say.
func New(t testing.TB) Scene {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := Scene{t, dir}
	w.Sh("git init -q -b main . && git config user.name Pat && git config user.email pat@example.org")
	return w
}

// Placed skips a test of settings that are read in this process where git is not in its
// usual place: dir, that of its system settings, is empty then.
func Placed(t testing.TB, dir string) {
	t.Helper()
	if dir == "" {
		t.Skip("git is not in its usual place")
	}
}

// Path returns where a file of the work tree lies.
func (w Scene) Path(name string) string { return filepath.Join(w.Dir, filepath.FromSlash(name)) }

// Sh runs lines of shell in the work tree and returns what they printed.
func (w Scene) Sh(lines string) string {
	w.Helper()
	cmd := exec.Command("sh", "-c", lines)
	cmd.Dir = w.Dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("%s: %v\n%s", lines, err, out)
	}
	return string(out)
}

// Write writes a file of the work tree.
func (w Scene) Write(name, text string) {
	w.Helper()
	if err := os.WriteFile(w.Path(name), []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}
