package gitstore

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

// world is a real repository on the disk, and the person who works in it.
type world struct {
	testing.TB
	dir string // the work tree
}

// newWorld makes an empty folder with a home of its own, so that the config of
// whoever runs the tests has no say.
func newWorld(t testing.TB) world {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_AUTHOR_NAME", "")
	for _, v := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
		t.Setenv(v, "")
		os.Unsetenv(v)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return world{t, filepath.Join(dir, "repo")}
}

// in returns the same world seen from another folder.
func (w world) in(dir string) world { return world{w.TB, dir} }

// sh runs a line of shell in the work tree and returns what it printed.
func (w world) sh(line string) string {
	w.Helper()
	out, err := w.try(line)
	if err != nil {
		w.Fatalf("%s: %v\n%s", line, err, out)
	}
	return out
}

func (w world) try(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = w.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// init makes the repository, with a person in it.
func (w world) init(options string) world {
	w.Helper()
	if err := os.MkdirAll(w.dir, 0o755); err != nil {
		w.Fatal(err)
	}
	w.sh("git init -q -b main " + options + " . && git config user.name Pat && git config user.email pat@example.org")
	return w
}

func (w world) write(path, text string) {
	w.Helper()
	full := filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w world) append(path, text string) { w.write(path, w.read(path)+text) }

func (w world) read(path string) string {
	w.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, path))
	if err != nil {
		w.Fatal(err)
	}
	return string(b)
}

// open finds the repository and makes the folder for its state.
func (w world) open(plumbing bool) (*Repo, string) {
	w.Helper()
	r, err := FindRepo(w.dir)
	if err != nil {
		w.Fatal(err)
	}
	r.plumbingOnly = plumbing
	state := filepath.Join(r.GitDir(), "cp", "test")
	if err := os.MkdirAll(state, 0o755); err != nil {
		w.Fatal(err)
	}
	return r, state
}

// status returns what git status lists, sorted.
func (w world) status() []string {
	w.Helper()
	lines := strings.Split(strings.TrimSuffix(w.sh("git status --porcelain -uall"), "\n"), "\n")
	slices.Sort(lines)
	return lines
}

// stagedLines returns the lines that the person has staged, without their context
// and without whole files deleted, which git status lists.
func (w world) stagedLines() string {
	w.Helper()
	return w.sh(`git diff --cached -U0 --no-renames --no-ext-diff --diff-filter=d | grep -v '^index \|^@@' || true`)
}

// committed returns a file as HEAD's version of it would be checked out.
func (w world) committed(path string) string {
	w.Helper()
	return w.sh("git cat-file --filters HEAD:" + path)
}

// sound checks what has to hold after every publication.
func (w world) sound(r *Repo, state string) {
	w.Helper()
	if out, err := w.try("git fsck --strict --no-dangling 2>&1"); err != nil || strings.Contains(out, "error") || strings.Contains(out, "warning") {
		w.Errorf("git fsck: %v\n%s", err, out)
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "gc.pid"} {
		for _, dir := range []string{r.GitDir(), r.CommonDir()} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				w.Errorf("%s is left in %s", name, dir)
			}
		}
	}
	left, err := os.ReadDir(filepath.Join(state, "mark"))
	if err != nil {
		w.Fatal(err)
	}
	for _, f := range left {
		if f.Name() != casRecord {
			w.Errorf("%s is left in mark", f.Name())
		}
	}
}

// newCommit returns a commit of the edits.
func newCommit(op string, edits ...vault.Edit) vault.Commit {
	return vault.Commit{
		Op: op, Agent: "penfold", Edits: edits, Time: time.Unix(1_790_000_000, 0).UTC(),
		Message: "memory: test " + op + "\n\nCp-Op: " + op + "\nCp-Verb: test\n",
	}
}

func appendStep(text string) []vault.Step { return []vault.Step{{Op: vault.OpAppend, Text: text}} }

// publish publishes and fails the test on an error.
func (w world) publish(r *Repo, state string, c vault.Commit) vault.Published {
	w.Helper()
	done, err := r.Publish(context.Background(), c, state)
	if err != nil {
		w.Fatalf("publish %s: %v", c.Op, err)
	}
	return done
}
