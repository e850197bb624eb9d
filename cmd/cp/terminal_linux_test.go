package main_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// terminal opens a pseudo-terminal: what a person has in hand, and what the program gets.
func terminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return person, program
}

// typed runs the program on a terminal, types keys once it has asked, and returns what the
// terminal showed.
func (s *scene) typed(t *testing.T, asked, keys string, args ...string) (screen string, err error) {
	t.Helper()
	person, program := terminal(t)
	cmd := exec.CommandContext(t.Context(), s.cp, args...)
	cmd.Dir, cmd.Env = s.dir, s.environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	program.Close()
	var seen strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		b := make([]byte, 4096)
		for {
			n, err := person.Read(b)
			seen.Write(b[:n])
			if asked != "" && strings.Contains(seen.String(), asked) {
				asked = ""
				_, _ = io.WriteString(person, keys)
			}
			if err != nil { // the program has gone
				return
			}
		}
	}()
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	err = cmd.Wait()
	<-read
	return seen.String(), err
}

// On a terminal init offers to take in what it found, and does so for a yes alone. The vault
// is made whatever the answer.
func TestInitOffersToSync(t *testing.T) {
	testlevel.Check(t)
	for name, c := range map[string]struct {
		keys  string
		taken bool
	}{
		"y": {"y\n", true}, "yes": {"YES\n", true}, "n": {"n\n", false}, "return": {"\n", false}, "another word": {"memory\n", false},
		"end of input": {"\x04", false}, "interrupt": {"\x03", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.must("rm", "-rf", ".git", ".cp", ".gitattributes")
			s.prepare("find . -name '*.md' -delete; printf '# Note\\n' >note.md")
			screen, err := s.typed(t, "Run it now? (y/n) ", c.keys, "init", "--prefix", "pf")
			if err != nil {
				t.Errorf("%v:\n%s", err, screen)
			}
			if !strings.Contains(screen, "Found 1 Markdown file") {
				t.Errorf("it does not tell what it found:\n%s", screen)
			}
			text, err := os.ReadFile(filepath.Join(s.dir, "note.md"))
			if err != nil || strings.Contains(string(text), "id: pf-") != c.taken {
				t.Errorf("%v, the note is %q:\n%s", err, text, screen)
			}
			s.must(s.cp, "memory", "sync")
			s.healthy()
		})
	}
}
