package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// WriteSync creates path, which must not exist, with the given bytes and mode
// and syncs it. On failure nothing is left behind.
func WriteSync(path string, b []byte, mode fs.FileMode) error { return createFile(path, mode, true, b) }

// WriteParts does what WriteSync does, for bytes that lie in several places.
func WriteParts(path string, parts [][]byte, mode fs.FileMode) error {
	return createFile(path, mode, true, parts...)
}

// Write is WriteSync without the sync, for callers that sync a batch by SyncFS.
func Write(path string, b []byte, mode fs.FileMode) error { return createFile(path, mode, false, b) }

func createFile(path string, mode fs.FileMode, sync bool, parts ...[]byte) error {
	if err := injectFault("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode.Perm())
	if err != nil {
		return err
	}
	logChange("create", path, "", nil)
	err = writeParts(f, sync, parts...)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

func writeParts(f *os.File, sync bool, parts ...[]byte) error {
	for _, b := range parts {
		if err := injectFault("write", f.Name()); err != nil {
			return err
		}
		if _, err := f.Write(b); err != nil {
			return err
		}
		logChange("write", f.Name(), "", b)
	}
	if !sync {
		return nil
	}
	if err := injectFault("fsync", f.Name()); err != nil {
		return err
	}
	return recordChange(f.Sync(), "fsync", f.Name(), "")
}

// recordChange notes a change that was made, for the test build.
func recordChange(err error, op, path, from string) error {
	if err == nil {
		logChange(op, path, from, nil)
	}
	return err
}

// Append appends b to path, creating it, in one write, without a sync: for logs
// that may lose their end.
func Append(path string, b []byte, mode fs.FileMode) error {
	if err := injectFault("append", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	err = writeParts(f, false, b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// Overwrite gives a file that exists another text, in place: for what another
// program made for us to fill and throws away when we fail.
func Overwrite(path string, b []byte) error {
	if err := injectFault("overwrite", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// Rename renames from over to.
func Rename(from, to string) error {
	if err := injectFault("rename", to); err != nil {
		return err
	}
	return recordChange(os.Rename(from, to), "rename", to, from)
}

// Replace gives a file another text, all of it or nothing. It writes the text beside the
// file, with .tmp behind its name, and renames that. It syncs nothing.
func Replace(path string, b []byte, mode fs.FileMode) error { return replace(Write, path, b, mode) }

// ReplaceSync is Replace with the text synced before it gets its name. The name is not.
func ReplaceSync(path string, b []byte, mode fs.FileMode) error {
	return replace(WriteSync, path, b, mode)
}

func replace(write func(string, []byte, fs.FileMode) error, path string, b []byte, mode fs.FileMode) error {
	temp := path + ".tmp"
	if err := Remove(temp); err != nil {
		return err
	}
	if err := write(temp, b, mode); err != nil {
		return err
	}
	return Rename(temp, path)
}

// Cause strips from err the operation and the path, for a sentence that names them already.
func Cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// RenameNew renames from to a name that must not exist; else the error is fs.ErrExist.
func RenameNew(from, to string) error {
	if err := injectFault("rename-new", to); err != nil {
		return err
	}
	return recordChange(sysfile.RenameNew(from, to), "rename", to, from)
}

// ErrNoExchange is returned by Exchange where the file system or the operating
// system cannot swap two names in one step.
var ErrNoExchange = sysfile.ErrNoExchange

// Exchange swaps the files behind two names in one step.
func Exchange(a, b string) error {
	if err := injectFault("exchange", b); err != nil {
		return err
	}
	return recordChange(sysfile.Exchange(a, b), "exchange", b, a)
}

// Link gives from's inode a second name, which must not exist; else the error is fs.ErrExist.
func Link(from, to string) error {
	if err := injectFault("link", to); err != nil {
		return err
	}
	return recordChange(os.Link(from, to), "link", to, from)
}

// ErrNoLinks is returned by TryLink where the file system gives no file a second name.
var ErrNoLinks = errors.New("the file system has no hard links")

// TryLink gives from the name to for a moment, to learn whether the file system has hard
// links: exFAT and FAT have none. Other errors are not told.
func TryLink(from, to string) error { return tryLink(os.Link, from, to) }

func tryLink(link func(from, to string) error, from, to string) error {
	err := link(from, to)
	if err == nil {
		_ = os.Remove(to)
	}
	if sysfile.IsForbiddenHere(err) || sysfile.IsUnsupported(err) {
		return errors.Join(ErrNoLinks, err)
	}
	return nil
}

// Remove removes a file or an empty folder. That it is gone already is no error.
func Remove(path string) error {
	if err := injectFault("remove", path); err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	logChange("remove", path, "", nil)
	return nil
}

// MkdirAll makes a folder and those above it, syncing the parent of each it made.
func MkdirAll(path string, mode fs.FileMode) error { return mkdirAll(path, mode, SyncDir) }

// MakeFolders is MkdirAll without the syncs, for callers that sync a batch by SyncFS.
func MakeFolders(path string, mode fs.FileMode) error {
	return mkdirAll(path, mode, func(string) error { return nil })
}

func mkdirAll(path string, mode fs.FileMode, sync func(string) error) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if parent := filepath.Dir(path); parent != path {
		if err := mkdirAll(parent, mode, sync); err != nil {
			return err
		}
	}
	if err := Mkdir(path, mode); err != nil {
		return err
	}
	return sync(filepath.Dir(path))
}

// SyncDir makes the names in a folder durable. File systems that cannot sync a
// folder are taken at their word.
func SyncDir(path string) error {
	if err := injectFault("sync-dir", path); err != nil {
		return err
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, os.ErrInvalid) && !sysfile.IsUnsupported(err) {
		return err
	}
	logChange("sync-dir", path, "", nil)
	return nil
}

// SyncFS flushes the whole file system that holds path: one call for a batch.
func SyncFS(path string) error {
	if err := injectFault("sync-fs", path); err != nil {
		return err
	}
	return recordChange(sysfile.SyncFS(path), "sync-fs", path, "")
}

// Touch sets a file's times to now, so that a git prune takes it for young.
func Touch(path string) error {
	if err := injectFault("touch", path); err != nil {
		return err
	}
	return sysfile.Touch(path)
}

// MakePipe makes a named pipe, which must not exist.
func MakePipe(path string, mode fs.FileMode) error {
	if err := injectFault("pipe", path); err != nil {
		return err
	}
	return sysfile.MakePipe(path, mode)
}

// WritePipe writes b to a named pipe that somebody reads, in one write, and never waits.
// It fails if nobody reads, or if path is no pipe.
func WritePipe(path string, b []byte) error {
	if err := injectFault("write-pipe", path); err != nil {
		return err
	}
	return sysfile.WritePipe(path, b)
}

// Mkdir makes one folder. It succeeds if the folder exists already. Nothing is synced.
func Mkdir(path string, mode fs.FileMode) error {
	if err := injectFault("mkdir", path); err != nil {
		return err
	}
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	logChange("mkdir", path, "", nil)
	return nil
}

// RemoveDir removes a folder if it is empty and reports whether it is gone. It
// never removes a file.
func RemoveDir(path string) (gone bool, err error) {
	if err := injectFault("rmdir", path); err != nil {
		return false, err
	}
	gone, err = sysfile.RemoveDir(path)
	if gone {
		logChange("rmdir", path, "", nil)
	}
	return gone, err
}

// Resemble gives a file the permissions of the one that info describes, regardless of the
// umask, and its owner as far as the process may.
func Resemble(path string, info fs.FileInfo) error {
	now, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if now.Mode().Perm() != info.Mode().Perm() {
		if err := injectFault("chmod", path); err != nil {
			return err
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return resembleOwner(path, now, info)
}

// resembleOwner sets the owner where that takes a privilege we have; where we
// lack it, the file is ours, as it would be after any editor's save.
func resembleOwner(path string, now, want fs.FileInfo) error {
	if sysfile.HaveSameOwner(now, want) {
		return nil
	}
	if err := injectFault("chown", path); err != nil {
		return err
	}
	if err := sysfile.GiveOwner(path, want); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// TempDir makes a folder of a new name in dir, the system's for such things where
// that is empty, for what is thrown away: nothing in it is synced.
func TempDir(dir, pattern string) (string, error) {
	if err := injectFault("mkdir", filepath.Join(dir, pattern)); err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, pattern)
}

// Discard removes a folder that TempDir made, with all that lies in it.
func Discard(path string) error {
	if err := injectFault("discard", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}
