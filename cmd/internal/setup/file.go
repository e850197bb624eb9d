package setup

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// maxFile bounds the settings that are read, in bytes. ~/.claude.json grows to some MB.
const maxFile = 64 << 20

// backup is what the name of a file gets behind it for its text before the first change.
const backup = ".cp-memory.bak"

// file is a file that is being changed.
type file struct {
	name  string // as the agent calls it
	real  string // links resolved
	there bool
	mode  fs.FileMode
	was   []byte
	text  []byte // what it becomes; nil for no file
	bak   []byte // the text before the first change; nil without one
	left  *left  // what a killed run left beside it; nil for nothing
	root  string // above which no folder is taken away
	spent bool   // the backup goes: the file is what it was
	first bool   // a backup is made
	secret,
	program bool // of a new file: only its owner may read it; it is run
}

// loadFile reads a file once for all edits of a plan.
func (w *planner) loadFile(name string) (*file, error) {
	real, err := filepath.EvalSymlinks(name)
	switch {
	case err == nil:
	case exists(name):
		return nil, vault.Errorf(vault.CodeIO, "ls -l "+QuotePath(name), "%s is a link that leads nowhere", name)
	default:
		real = name
	}
	if i := slices.IndexFunc(w.files, func(f *file) bool { return f.real == real }); i >= 0 {
		return w.files[i], nil
	}
	f := &file{name: name, real: real}
	if err := f.readFromDisk(); err != nil {
		return nil, err
	}
	f.bak, _ = os.ReadFile(real + backup)
	f.findLeft()
	w.files = append(w.files, f)
	return f, nil
}

// readFromDisk reads the file. A pipe or a folder is refused, not waited for.
func (f *file) readFromDisk() error {
	info, err := os.Stat(f.real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return unreadable(f.name, err)
	case !info.Mode().IsRegular():
		return vault.Errorf(vault.CodeIO, "put a plain file in its place", "%s is no regular file", f.name)
	case info.Size() > maxFile:
		return vault.Errorf(vault.CodeIO, "", "%s is larger than 64 MiB", f.name)
	}
	text, err := os.ReadFile(f.real)
	if err != nil {
		return unreadable(f.name, err)
	}
	f.there, f.mode, f.was, f.text = true, info.Mode().Perm(), text, text
	return nil
}

func unreadable(name string, err error) error {
	return vault.Errorf(vault.CodeIO, "ls -l "+QuotePath(name), "%s cannot be read: %w", name, disk.Cause(err))
}

// writable refuses a file that its owner has protected.
func (f *file) writable() error {
	if f.there && f.mode&0o200 == 0 {
		return vault.Errorf(vault.CodeIO, "chmod u+w "+QuotePath(f.name), "%s is read-only", f.name)
	}
	return nil
}

// initialText returns the text that an edit begins with. A new file of settings ends with a line
// end.
func (f *file) initialText(t target) []byte {
	if f.text != nil {
		return f.text
	}
	if blank := t.form().blank; blank != "" {
		return []byte(blank)
	}
	return nil
}

// setNext gives the file its next text.
func (f *file) setNext(text []byte, t target) {
	if t.form().settings {
		s, _ := t.state(f.was)
		f.first = f.first || f.there && f.bak == nil && s == Missing
		f.secret = f.secret || t.scope == User
	} else {
		f.program = f.program || t.part == Hook
	}
	f.text, f.root = text, t.root
}

// removeEdit takes an edit out of the file. Where the text is what the edits made of the backup,
// the backup comes back byte for byte, with the other edits of ours that stay. A file that was
// made by us goes when nothing else is in it.
func (f *file) removeEdit(t target, siblings []target) ([]byte, error) {
	if was, ok := f.textBefore(t, siblings); ok {
		f.spent = bytes.Equal(was, f.bak)
		return was, nil
	}
	next, err := t.remove(f.text)
	if err == nil && t.form().settings && f.bak == nil && nothing(next) {
		return nil, nil
	}
	return next, err
}

// textBefore returns the text as it was before an edit, if the backup tells.
func (f *file) textBefore(t target, siblings []target) ([]byte, bool) {
	if f.bak == nil {
		return nil, false
	}
	if s, _ := t.state(f.bak); s != Missing {
		return nil, false
	}
	with, without, err := f.bak, f.bak, error(nil)
	for _, s := range siblings {
		if with, err = s.apply(with); err != nil {
			return nil, false
		}
		if s.part == t.part {
			continue
		}
		if without, err = s.apply(without); err != nil {
			return nil, false
		}
	}
	return without, bytes.Equal(with, f.text)
}

// nothing reports whether a text says nothing.
func nothing(text []byte) bool {
	switch said := string(bytes.Join(bytes.Fields(bytes.TrimPrefix(text, []byte("\ufeff"))), nil)); said {
	case "", "{}", `{"version":1}`:
		return true
	}
	return false
}

func (f *file) hasChanged() bool {
	return f.there != (f.text != nil) || !bytes.Equal(f.was, f.text)
}

func asError(err error, e **vault.Error) bool { return errors.As(err, e) }

// ApplyPlan does what a plan says, file by file, and clears away what killed runs left of ours. A
// file that changed since the plan was made stays as it is, and the error says so.
func (p Place) ApplyPlan(plan *Plan) error {
	for _, f := range plan.cleared {
		if err := f.clear(); err != nil {
			return err
		}
	}
	for _, e := range plan.Files {
		if err := e.write(); err != nil {
			return err
		}
	}
	plan.Done = len(plan.Files) > 0
	return nil
}

// write makes the file what it is to become.
func (f *file) write() error {
	err := f.clear()
	switch {
	case err != nil:
	case f.text == nil:
		err = f.delete()
	case !f.there:
		err = f.create()
	default:
		err = f.replace()
	}
	switch {
	case err == nil || vault.CodeOf(err) == vault.CodeConflict:
	case errors.Is(err, fs.ErrExist): // another set-up is writing it
		err = f.changedMeanwhile()
	default:
		err = vault.Errorf(vault.CodeIO, "ls -l "+QuotePath(f.name), "%s cannot be written: %w", f.name, disk.Cause(err))
	}
	if err == nil && f.spent {
		err = disk.Remove(f.real + backup)
	}
	return err
}

// temp is where the next text is written first.
func (f *file) temp() string {
	return filepath.Join(filepath.Dir(f.real), ".cp-memory-"+filepath.Base(f.real)+".tmp")
}

func (f *file) create() error {
	mode := fs.FileMode(0o666)
	switch {
	case f.secret:
		mode = 0o600
	case f.program:
		mode = 0o777
	}
	if err := disk.MkdirAll(filepath.Dir(f.real), 0o777); err != nil {
		return err
	}
	if err := disk.WriteSync(f.temp(), f.text, mode); err != nil {
		return err
	}
	if err := disk.RenameNew(f.temp(), f.real); err != nil {
		_ = disk.Remove(f.temp())
		if errors.Is(err, fs.ErrExist) {
			return f.changedMeanwhile()
		}
		return err
	}
	return disk.SyncDir(filepath.Dir(f.real))
}

// replace exchanges the file for its next text, and looks at what came out.
func (f *file) replace() error {
	info, err := os.Lstat(f.real)
	if err != nil {
		return err
	}
	if f.first {
		if err := disk.WriteSync(f.real+backup, f.was, 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := disk.Resemble(f.real+backup, info); err != nil {
			return err
		}
	}
	if err := disk.WriteSync(f.temp(), f.text, 0o600); err != nil {
		return err
	}
	if err := disk.Resemble(f.temp(), info); err != nil {
		return errors.Join(err, disk.Remove(f.temp()))
	}
	switch err := disk.Exchange(f.temp(), f.real); {
	case errors.Is(err, disk.ErrNoExchange):
		return f.rename()
	case err != nil:
		return errors.Join(err, disk.Remove(f.temp()))
	}
	if out, err := readLimited(f.temp()); err != nil || !bytes.Equal(out, f.was) {
		// Somebody saved in between: theirs goes back.
		if err := disk.Exchange(f.temp(), f.real); err != nil {
			return err
		}
		return errors.Join(f.changedMeanwhile(), disk.Remove(f.temp()))
	}
	return errors.Join(disk.Remove(f.temp()), disk.SyncDir(filepath.Dir(f.real)))
}

// rename is replace where two files cannot be exchanged in one step.
func (f *file) rename() error {
	if out, err := readLimited(f.real); err != nil || !bytes.Equal(out, f.was) {
		return errors.Join(f.changedMeanwhile(), disk.Remove(f.temp()))
	}
	if err := disk.Rename(f.temp(), f.real); err != nil {
		return errors.Join(err, disk.Remove(f.temp()))
	}
	return disk.SyncDir(filepath.Dir(f.real))
}

// delete takes away a file that was made by us, and the folders above it that are empty then.
func (f *file) delete() error {
	temp := f.temp()
	if err := disk.RenameNew(f.real, temp); err != nil {
		return err
	}
	if out, err := readLimited(temp); err != nil || !bytes.Equal(out, f.was) {
		return errors.Join(f.changedMeanwhile(), disk.RenameNew(temp, f.real))
	}
	if err := disk.Remove(temp); err != nil {
		return err
	}
	f.removeFolders()
	return nil
}

// removeFolders takes away the folders above a file of ours that are empty now.
func (f *file) removeFolders() {
	for dir := filepath.Dir(f.real); dir != f.root && len(dir) > len(f.root); dir = filepath.Dir(dir) {
		if gone, err := disk.RemoveDir(dir); err != nil || !gone {
			break
		}
	}
}

func (f *file) changedMeanwhile() error {
	return vault.Errorf(vault.CodeConflict, "run the command again", "%s was changed by another program in the meantime; it is as that program left it", f.name)
}

func readLimited(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}

// diff shows what changes in a file.
func (f *file) diff(name string) string {
	old, now := name, name
	if !f.there {
		old = "/dev/null"
	}
	if f.text == nil {
		now = "/dev/null"
	}
	return string(bytes.TrimRight(withoutFirst(diff.Diff(old, f.was, now, f.text)), "\n"))
}

// withoutFirst drops the line that only repeats both names.
func withoutFirst(text []byte) []byte {
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	return rest
}
