package guard

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// What is at the place of a socket stays, unless it is a socket at which nobody answers.
func TestListeningRemovesOnlyDeadSockets(t *testing.T) {
	for _, row := range []struct {
		name  string
		make  func(at string) error
		taken bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"a dead socket", func(at string) error { return leaveSocket(t, at, true) }, true},
		{"a live socket", func(at string) error { return leaveSocket(t, at, false) }, false},
		{"a file", func(at string) error { return os.WriteFile(at, []byte("mine"), 0o600) }, false},
		{"an empty file", func(at string) error { return os.WriteFile(at, nil, 0o600) }, false},
		{"an empty folder", func(at string) error { return os.Mkdir(at, 0o700) }, false},
		{"a pipe", func(at string) error { return syscall.Mkfifo(at, 0o600) }, false},
		{"a link that leads nowhere", func(at string) error { return os.Symlink("none", at) }, false},
		{"a link to a file", func(at string) error {
			return errors.Join(os.WriteFile(at+".to", []byte("mine"), 0o600), os.Symlink(at+".to", at))
		}, false},
		{"a link to a dead socket", func(at string) error { return errors.Join(leaveSocket(t, at+".to", true), os.Symlink(at+".to", at)) }, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "s")
			if err := row.make(at); err != nil {
				t.Fatal(err)
			}
			was, _ := os.Lstat(at)
			l, err := ListenAt(t.Context(), at)
			if now, _ := os.Lstat(at); row.taken != (err == nil) || err != nil && (vault.CodeOf(err) != vault.CodeInvalid || !os.SameFile(was, now)) {
				t.Fatalf("got %v, with %v at its place", err, now)
			}
			if err != nil {
				return
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Lstat(at); err == nil {
				t.Error("the socket is left behind")
			}
		})
	}
}

// A server that ends takes its socket away, and nothing that somebody has put there since.
func TestClosingRemovesOnlyItsSocket(t *testing.T) {
	at := filepath.Join(t.TempDir(), "s")
	l, err := ListenAt(t.Context(), at)
	if err == nil {
		err = errors.Join(os.Remove(at), os.WriteFile(at, []byte("mine"), 0o600))
	}
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(at); string(text) != "mine" {
		t.Errorf("got %q", text)
	}
}

// leaveSocket makes a socket, at which nobody answers if it is dead.
func leaveSocket(t *testing.T, at string, dead bool) error {
	l, err := net.Listen("unix", at)
	if err == nil && !dead {
		t.Cleanup(func() { _ = l.Close() })
	} else if err == nil {
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		err = l.Close()
	}
	return err
}
