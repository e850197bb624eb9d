package disk

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// linkThenRemove is rename-if-new for systems without the call: link fails where to exists.
func linkThenRemove(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	return os.Remove(from)
}

func linkError(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}

func notSupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP)
}

func touch(path string) error {
	return os.NewSyscallError("utimes", unix.Utimes(path, nil))
}

func removeDir(path string) (bool, error) {
	err := unix.Rmdir(path)
	switch {
	case err == nil, errors.Is(err, unix.ENOENT):
		return true, nil
	case errors.Is(err, unix.ENOTEMPTY), errors.Is(err, unix.EEXIST), errors.Is(err, unix.ENOTDIR):
		return false, nil
	}
	return false, &os.PathError{Op: "rmdir", Path: path, Err: err}
}

// resembleOwner sets the owner where that takes a privilege we have; where we
// lack it, the file is ours, as it would be after any editor's save.
func resembleOwner(path string, now, want os.FileInfo) error {
	have, ok1 := now.Sys().(*syscall.Stat_t)
	like, ok2 := want.Sys().(*syscall.Stat_t)
	if !ok1 || !ok2 || have.Uid == like.Uid && have.Gid == like.Gid {
		return nil
	}
	if err := injectFault("chown", path); err != nil {
		return err
	}
	if err := os.Lchown(path, int(like.Uid), int(like.Gid)); err != nil && !errors.Is(err, os.ErrPermission) {
		return err
	}
	return nil
}

func makePipe(path string, mode os.FileMode) error {
	if err := unix.Mkfifo(path, uint32(mode.Perm())); err != nil {
		return &os.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	return nil
}

func writePipe(path string, b []byte) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || uint32(st.Mode)&unix.S_IFMT != unix.S_IFIFO {
		return &os.PathError{Op: "write", Path: path, Err: unix.EINVAL}
	}
	if _, err := unix.Write(fd, b); err != nil {
		return &os.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// IsLocked reports whether a process holds the flock of a file.
func IsLocked(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // lets go of the lock too
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}
