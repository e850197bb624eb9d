package guard

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// ListenAt listens on a socket that its owner alone may open. A socket that a killed server
// left, at which nobody answers, is removed first; anything else of that name stays.
func ListenAt(ctx context.Context, file string) (net.Listener, error) {
	if err := removeDead(ctx, file); err != nil {
		return nil, err
	}
	var l net.Listener
	var err error
	sysfile.WithPrivateFiles(func() { l, err = new(net.ListenConfig).Listen(ctx, "unix", file) })
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "name a file in a folder that is there, with a short path", "cannot listen at %s: %w", file, err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	made, err := os.Lstat(file)
	return socket{l, file, made}, err
}

// removeDead removes a socket at which nobody answers, and fails if the name is taken otherwise.
func removeDead(ctx context.Context, file string) error {
	is, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return vault.Errorf(vault.CodeIO, "check the path", "cannot listen at %s: %w", file, disk.Cause(err))
	case is.Mode().Type() != fs.ModeSocket:
		return vault.Errorf(vault.CodeInvalid, "name a file that is not there yet: the server makes it", "%s is there already, and is no socket", file)
	}
	c, err := new(net.Dialer).DialContext(ctx, "unix", file)
	if err == nil {
		_ = c.Close()
	}
	if !sysfile.IsRefused(err) {
		return vault.Errorf(vault.CodeInvalid, "end the server that uses it, or name another file", "%s is in use by another server", file)
	}
	return removeSocket(file, is)
}

// removeSocket removes a socket if it is still the one that was seen.
func removeSocket(file string, seen os.FileInfo) error {
	if now, err := os.Lstat(file); err != nil || !os.SameFile(now, seen) {
		return nil
	}
	return disk.Remove(file)
}

// socket is a listener that takes its file away when it closes, and no other that has come to
// stand there.
type socket struct {
	net.Listener
	file string
	made os.FileInfo
}

// Close stops listening.
func (s socket) Close() error {
	return errors.Join(s.Listener.Close(), removeSocket(s.file, s.made))
}
