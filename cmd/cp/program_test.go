package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	// The tests run the built program; these make go test see when it has changed.
	_ "github.com/cp-memory/cp/cmd/internal/cli"
	_ "github.com/cp-memory/cp/gitstore"
	_ "github.com/cp-memory/cp/index"
	_ "github.com/cp-memory/cp/vault/watch"
	_ "github.com/cp-memory/cp/vault/worktree"
)

const top = "../.." // of the module

// program is the built binary in a world of its own: a home folder, a working
// directory, a PATH on which it comes before the system's cp, and no settings
// of git's but ours.
type program struct {
	t        *testing.T
	bin, dir string
	env      []string
}

// built is the folder that binary has made.
var built string

// binary builds the program once, for all tests that run it. CP_BIN names one that is built
// already.
var binary = sync.OnceValues(func() (path string, err error) {
	if built, err = os.MkdirTemp("", "cp-test-"); err != nil {
		return "", err
	}
	dir := built
	path = filepath.Join(dir, "cp")
	if from := os.Getenv("CP_BIN"); from != "" {
		b, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(path, b, 0o755)
		}
		if err == nil {
			err = os.Link(path, filepath.Join(dir, "cp-memory"))
		}
		return path, err
	}
	out, err := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", path, ".").CombinedOutput()
	if err != nil {
		return path, fmt.Errorf("go build: %v\n%s", err, out)
	}
	return path, os.Link(path, filepath.Join(dir, "cp-memory"))
})

func TestMain(m *testing.M) {
	exit := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(exit)
}

// build returns the program under the given name, in a folder of its own.
func build(t *testing.T, name string) *program {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, name), b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &program{t: t, bin: bin}
}

// in returns the program in a fresh world; each file is written there.
func (p *program) in(t *testing.T, files map[string]string) *program {
	t.Helper()
	world, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	q := &program{t: t, bin: p.bin, dir: filepath.Join(world, "dir"), env: []string{
		"HOME=" + filepath.Join(world, "home"), "PATH=" + p.bin + ":" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + world, "TMPDIR=" + t.TempDir(),
	}}
	for _, dir := range []string{q.dir, filepath.Join(world, "home")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		q.write(name, text)
	}
	return q
}

func (p *program) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *program) read(name string) string {
	p.t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func (p *program) has(name string) bool {
	_, err := os.Lstat(filepath.Join(p.dir, name))
	return err == nil
}

// result is what a program did.
type result struct {
	out, err string
	exit     int
}

// sh runs a line of shell in the working directory.
func (p *program) sh(line string, env ...string) result {
	p.t.Helper()
	run := exec.Command("bash", "-c", line)
	run.Dir = p.dir
	run.Env = append(p.env[:len(p.env):len(p.env)], env...)
	var out, stderr bytes.Buffer
	run.Stdout, run.Stderr = &out, &stderr
	err := run.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return result{strings.TrimRight(out.String(), "\n"), strings.TrimRight(stderr.String(), "\n"), run.ProcessState.ExitCode()}
}

// must is sh for a line that has to work; it returns what it printed.
func (p *program) must(line string, env ...string) string {
	p.t.Helper()
	r := p.sh(line, env...)
	if r.exit != 0 {
		p.t.Fatalf("%s: exit %d\n%s\n%s", line, r.exit, r.out, r.err)
	}
	return r.out
}

// keepFailed leaves a folder among the artifacts of a test that fails.
func keepFailed(t *testing.T, dir string) {
	t.Cleanup(func() {
		if !t.Failed() {
			return
		}
		if err := os.CopyFS(filepath.Join(t.ArtifactDir(), filepath.Base(dir)), os.DirFS(dir)); err != nil {
			t.Log(err)
		}
	})
}
