package branch

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/disk"
)

// register has git in all worktrees pass over the vault's folder, and notes its place.
func (m *maker) register() error {
	l := m.made.Link
	if rel, ok := l.vaultFolder(m.main); ok {
		if err := exclude(l.common, pattern(rel)); err != nil {
			return err
		}
	}
	if err := disk.MkdirAll(l.State(), 0o700); err != nil {
		return err
	}
	return replaceFile(l.placeFile(), l.formatPlace(m.main))
}

// moveFolder takes the folder from the place that it had. Killed before, the folder is made anew
// at the new place, and the old one stays for a person to look at.
func (m *maker) moveFolder(ctx context.Context) error {
	to := m.made.Root
	if m.old == nil || m.old.Root == to || gitDirIn(m.old.Root) != m.made.admin() {
		return nil
	}
	unlock, err := m.made.lock(ctx, m.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	if err := disk.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return plumb.IOError(err)
	}
	if _, err := disk.RemoveDir(to); err != nil {
		return plumb.IOError(err)
	}
	return plumb.IOError(disk.RenameNew(m.old.Root, to))
}

// exclude adds a line to the ignore file that all worktrees share.
func exclude(common, line string) error {
	name := filepath.Join(common, "info", "exclude")
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) || excludes(b, line) {
		return err
	}
	if err := disk.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	text := string(b)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return replaceFile(name, text+line+"\n")
}

func excludes(text []byte, line string) bool {
	for l := range strings.Lines(string(text)) {
		if strings.TrimRight(l, "\r\n") == line {
			return true
		}
	}
	return false
}
