//go:build !linux

package disk

import "golang.org/x/sys/unix"

func renameNew(from, to string) error { return linkThenRemove(from, to) }

func exchange(_, _ string) error { return ErrNoExchange }

func syncFS(string) error {
	unix.Sync()
	return nil
}
