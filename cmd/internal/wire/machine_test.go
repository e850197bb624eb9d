package wire

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/cli"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/settings"
)

// machine is a home with vaults in which tests call the rooms and the faces: real git
// repositories, real indexes, the program put together as it is, in the process of the test.
//
//	m := newMachine(t)
//	m.vault("top")
//	m.cp("top", "memory", "add", "--title", "Deployment", "How Nomad does it.")
//	s := m.session("top")
//
// Nothing outside its folder is read or written: HOME, git's settings and the working directory
// are its own. So tests with a machine do not run in parallel.
type machine struct {
	*testing.T
	dir string // absolute, links resolved; the home itself is in home
}

// settingsOfGit give commits an author.
const settingsOfGit = "[user]\n\tname = Penny Fold\n\temail = penny@example.org\n[init]\n\tdefaultBranch = main\n"

// newMachine makes a home without a vault. The environment and the working directory are set until the
// test ends.
func newMachine(t *testing.T) *machine {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{T: t, dir: dir}
	for _, name := range []string{"CP_VAULT", "CP_AGENT", "CP_PROJECT", "CP_CONFIG", "XDG_CONFIG_HOME", "EDITOR", "VISUAL"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(dir, "gitconfig"))
	m.write("gitconfig", settingsOfGit)
	m.write("home/.keep", "")
	return m
}

// at returns the absolute path of a file or folder of the machine.
func (m *machine) at(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

// write writes a file, with the folders above it.
func (m *machine) write(name, text string) {
	m.Helper()
	if err := os.MkdirAll(filepath.Dir(m.at(name)), 0o777); err != nil {
		m.Fatal(err)
	}
	if err := os.WriteFile(m.at(name), []byte(text), 0o666); err != nil {
		m.Fatal(err)
	}
}

// read returns a file's text.
func (m *machine) read(name string) string {
	m.Helper()
	text, err := os.ReadFile(m.at(name))
	if err != nil {
		m.Fatal(err)
	}
	return string(text)
}

// vault makes a vault in the folder, with the prefix pf, and returns its root.
func (m *machine) vault(name string) string {
	m.Helper()
	if err := os.MkdirAll(m.at(name), 0o777); err != nil {
		m.Fatal(err)
	}
	m.cp(name, "init", ".", "--prefix", "pf")
	return m.at(name)
}

// program returns the program as it is in the folder, which becomes the working directory. What it
// warns of is lost, until the test sets Warn.
func (m *machine) program(name string) *app.App {
	m.Helper()
	m.Chdir(m.at(name))
	a, err := wire("v0")
	if err != nil {
		m.Fatal(err)
	}
	a.Name = "" // cp, as hints call it
	return a
}

// session opens the vault of the folder, until the test ends.
func (m *machine) session(name string) *app.Session {
	m.Helper()
	a := m.program(name)
	s, err := a.OpenBy(m.Context(), settings.Flags{})
	if err != nil {
		m.Fatal(err)
	}
	m.Cleanup(func() {
		if err := s.Close(); err != nil {
			m.Error(err)
		}
	})
	return s
}

// cp runs a command line in the folder, which has to succeed, and returns what it prints.
func (m *machine) cp(name string, args ...string) string {
	m.Helper()
	out, stderr, exit := m.try(name, "", args...)
	if exit != 0 {
		m.Fatalf("cp %s: exit %d\n%s%s", strings.Join(args, " "), exit, out, stderr)
	}
	return out
}

// try runs a command line in the folder, with a text on its standard input.
func (m *machine) try(name, in string, args ...string) (out, stderr string, exit int) {
	m.Helper()
	var o, e bytes.Buffer
	exit = cli.Run(context.WithoutCancel(m.Context()), m.program(name), console.Streams{In: strings.NewReader(in), Out: &o, Err: &e}, args)
	return o.String(), e.String(), exit
}

// checkInOrder holds that doctor finds nothing in the vault of the folder, and sync nothing to do.
func (m *machine) checkInOrder(name string) {
	m.Helper()
	m.cp(name, "doctor")
	if got := m.cp(name, "memory", "sync", "--dry-run"); !strings.Contains(got, "No changes needed") {
		m.Errorf("sync has something to do: %s", got)
	}
}

// add adds a memory by the command line, and returns its id.
func (m *machine) add(name, title, phrase, body string, more ...string) string {
	m.Helper()
	return anID.FindString(m.cp(name, append([]string{"memory", "add", "--title", title, "--summary", phrase, "--body", body}, more...)...))
}

// git runs git in the folder, which has to succeed.
func (m *machine) git(name string, args ...string) string {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), "git", args...)
	cmd.Dir = m.at(name)
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
