package static

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/embed"
)

// quickly embeds the texts by the tokens on the shelf. served is false where there is none that
// can be used, and where all tokens were read already.
func (m *Model) quickly(ctx context.Context, f io.ReaderAt, texts []string) (all [][]float32, served bool, err error) {
	tokens, err := m.loadShelf()
	if tokens == nil || err != nil {
		return nil, false, err
	}
	shelf, err := os.Open(m.shelfPath())
	if err != nil {
		return nil, false, nil
	}
	defer shelf.Close()
	t, w := tokens.openTokenizer(shelf)
	all, err = m.means(ctx, f, t, texts)
	if w.err != nil {
		return nil, false, nil
	}
	return all, err == nil, err
}

// loadShelf returns the head of the shelf, nil where there is none to use. An error is about
// the model's files.
func (m *Model) loadShelf() (*shelf, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tokens != nil || m.Shelves == "" {
		return nil, nil
	}
	if m.shelf != nil {
		return m.shelf, nil
	}
	s := m.findShelf()
	if s == nil {
		return nil, nil
	}
	if err := m.checkTokenizer(s.tokenizer); err != nil {
		return nil, err
	}
	m.shelf = s
	return s, nil
}

// findShelf reads the head of the shelf; nil if it is missing, damaged or of another tokenizer.
func (m *Model) findShelf() *shelf {
	key, err := m.shelfKey()
	if err != nil {
		return nil
	}
	f, size, err := openRegular(m.shelfPath())
	if err != nil {
		return nil
	}
	defer f.Close()
	s, err := readShelf(f, size, key)
	if err != nil {
		return nil
	}
	return s
}

// shelfPath is the place of the model's shelf: one for a folder.
func (m *Model) shelfPath() string {
	folder, err := filepath.Abs(m.folder)
	if err != nil {
		folder = m.folder
	}
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(m.Shelves, "tokens-"+hex.EncodeToString(sum[:8]))
}

// shelfKey tells one tokenizer.json from another.
func (m *Model) shelfKey() (string, error) {
	info, err := os.Stat(m.siblingPath("tokenizer.json"))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %d %d", m.space.Model, info.Size(), info.ModTime().UnixNano()), nil
}

// writeShelf writes the shelf of a tokenizer. A question that comes here has found none that is
// whole; with documents it is looked whether there is one. That it cannot be written costs time alone.
func (m *Model) writeShelf(t *tokenizer, key string, p embed.Purpose) {
	if m.shelf = nil; m.Shelves == "" || p == embed.Document && m.findShelf() != nil {
		return
	}
	if now, err := m.shelfKey(); err != nil || now != key {
		return // it was replaced while it was read
	}
	if b := makeShelf(t, key); b != nil {
		_ = writeWhole(m.shelfPath(), b)
	}
}

// writeWhole gives the file its bytes, all of them or none, whoever else does so at once.
func writeWhole(path string, b []byte) error {
	if err := disk.MakeFolders(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	sweep(path)
	temp := path + "." + strconv.Itoa(os.Getpid())
	err := disk.Write(temp, b, 0o600)
	if err == nil {
		err = disk.Rename(temp, path)
	}
	if err != nil {
		_ = disk.Remove(temp)
	}
	return err
}

// sweep removes what was left of a write that ended in the middle.
func sweep(path string) {
	all, _ := filepath.Glob(path + ".*")
	for _, one := range all {
		if info, err := os.Lstat(one); err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = disk.Remove(one)
		}
	}
}
