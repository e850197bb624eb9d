package worktree

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/tier"
)

// maxTries bounds the writes against a program that saves all the time.
const maxTries = 50

// SectionWriter writes the sections of one operation.
type SectionWriter struct {
	Op   string                             // names the temporary files
	Keep func(name, path, sum string) error // takes the earlier file, now called name, away

	SectionLedger // of what was written

	exchange func(a, b string) error // nil is disk.Exchange
}

// Write puts a section into its file, or takes it out where it has no text. The error is
// CodeConflict for a section that somebody edited and that is to be taken out.
func (w SectionWriter) Write(s vault.Section) error {
	at, err := filepath.EvalSymlinks(s.File)
	if err != nil {
		at = s.File
	}
	if err := w.keepLeftover(at); err != nil {
		return w.errInFile(s, err)
	}
	for range maxTries {
		done, err := w.try(at, s)
		if done && err == nil {
			err = w.note(at, s)
		}
		if done || err != nil {
			return w.errInFile(s, err)
		}
	}
	return vault.Errorf(vault.CodeIO, "try again when it is quiet", "%s is being saved by another program all the time", s.File)
}

// Rewrite exchanges a file's text for what next makes of it.
func (w SectionWriter) Rewrite(file string, next func([]byte) []byte) error {
	for range maxTries {
		text, err := ReadAgentsFile(file)
		if err != nil {
			return w.errInFile(vault.Section{File: file}, err)
		}
		to := next(bytes.Clone(text))
		if bytes.Equal(to, text) {
			return nil
		}
		if done, err := w.replace(file, text, to); done || err != nil {
			return w.errInFile(vault.Section{File: file}, err)
		}
	}
	return vault.Errorf(vault.CodeIO, "try again when it is quiet", "%s is being saved by another program all the time", file)
}

// errInFile names the file in an error that is not ours yet.
func (w SectionWriter) errInFile(s vault.Section, err error) error {
	if err == nil || vault.CodeOf(err) == vault.CodeConflict {
		return err
	}
	return vault.Errorf(vault.CodeIO, "look at it: ls -l "+files.Quote(s.File), "%s cannot be written: %w", s.File, disk.Cause(err))
}

func (w SectionWriter) temp(at string) string {
	return filepath.Join(filepath.Dir(at), ".cp-"+w.Op+"-core-"+filepath.Base(at)+".tmp")
}

// keepLeftover keeps what a killed run left beside the file: it may be the earlier file.
func (w SectionWriter) keepLeftover(at string) error {
	text, _, err := files.Read(w.temp(at))
	if err != nil {
		return files.IgnoreMissing(err)
	}
	return w.Keep(w.temp(at), at, files.Digest(text))
}

// try writes the file once; done is false where it changed meanwhile.
func (w SectionWriter) try(at string, s vault.Section) (done bool, err error) {
	text, err := ReadAgentsFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return w.create(at, s)
	}
	if err != nil {
		return false, err
	}
	next, err := editSection(text, s)
	switch {
	case err != nil || next != nil && bytes.Equal(text, next):
		return true, err
	case next == nil:
		return w.removeMade(at, text, s)
	}
	return w.replace(at, text, next)
}

// editSection returns what becomes of the file; nil for one that goes.
func editSection(text []byte, s vault.Section) ([]byte, error) {
	if s.Text != "" {
		return tier.InsertSection(text, tier.Section{Key: s.Key, Text: s.Text}, tier.FileOrigin{})
	}
	found, err := tier.FindSection(text, s.Key)
	if err == nil && found.Edited {
		err = vault.Errorf(vault.CodeConflict, "take the section out in an editor, with its markers", "the section %s of %s was edited", s.Key, s.File)
	}
	if err != nil {
		return nil, err
	}
	return tier.RemoveSection(text, s.Key)
}

// ReadAgentsFile reads a file that a section may be written to. It waits for nothing: a pipe is refused.
func ReadAgentsFile(at string) ([]byte, error) {
	info, err := os.Stat(at)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Mode().Perm()&0o200 == 0:
		return nil, errors.New("it is read-only")
	}
	real, err := filepath.EvalSymlinks(at)
	if err != nil {
		return nil, err
	}
	text, _, err := files.Read(real)
	return text, err
}

// create makes the file.
func (w SectionWriter) create(at string, s vault.Section) (bool, error) {
	if s.Text == "" {
		return true, nil
	}
	text, err := tier.InsertSection([]byte(s.Head), tier.Section{Key: s.Key, Text: s.Text}, tier.FileOrigin{Made: true, Folders: s.Folders})
	if err != nil {
		return false, err
	}
	if err := disk.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return false, err
	}
	if err := disk.WriteSync(w.temp(at), text, 0o666); err != nil {
		return false, err
	}
	if err := disk.RenameNew(w.temp(at), at); err != nil {
		_ = disk.Remove(w.temp(at))
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return false, err
	}
	return true, disk.SyncDir(filepath.Dir(at))
}

// removeMade takes a file away that the program made, and the folders that it made for it.
func (w SectionWriter) removeMade(at string, text []byte, s vault.Section) (bool, error) {
	_, from, err := tier.ReadSections(text)
	if err != nil {
		return false, err
	}
	temp := w.temp(at)
	if err := disk.RenameNew(at, temp); err != nil {
		return false, err
	}
	if out, _, err := files.Read(temp); err != nil || !bytes.Equal(out, text) {
		return false, disk.RenameNew(temp, at)
	}
	if err := w.Keep(temp, at, files.Digest(text)); err != nil {
		return false, err
	}
	dir := filepath.Dir(at)
	for range from.Folders {
		if gone, err := disk.RemoveDir(dir); err != nil || !gone {
			return true, nil
		}
		dir = filepath.Dir(dir)
	}
	return true, disk.SyncDir(dir)
}

// replace exchanges the file for one with the new text.
func (w SectionWriter) replace(at string, text, next []byte) (bool, error) {
	info, err := os.Lstat(at)
	if err != nil {
		return false, err
	}
	temp := w.temp(at)
	if err := disk.WriteSync(temp, next, 0o600); err != nil {
		return false, err
	}
	if err := disk.Resemble(temp, info); err != nil {
		return false, errors.Join(err, disk.Remove(temp))
	}
	exchange := w.exchange
	if exchange == nil {
		exchange = disk.Exchange
	}
	switch err := exchange(temp, at); {
	case errors.Is(err, disk.ErrNoExchange):
		return w.replaceByLink(temp, at, text, next)
	case err != nil:
		return false, errors.Join(err, disk.Remove(temp))
	}
	out, _, err := files.Read(temp)
	if err == nil && bytes.Equal(out, text) {
		if err := w.Keep(temp, at, files.Digest(text)); err != nil {
			return false, err
		}
		return true, disk.SyncDir(filepath.Dir(at))
	}
	if err := exchange(temp, at); err != nil { // somebody saved in between: theirs goes back
		return false, err
	}
	if out, _, err := files.Read(temp); err == nil && bytes.Equal(out, next) {
		return false, disk.Remove(temp)
	}
	return false, w.Keep(temp, at, files.Digest(next)) // and once more, into ours
}
