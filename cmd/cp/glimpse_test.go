package main_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// readStore notes which files are read.
type readStore struct {
	*worktree.Store
	mu   sync.Mutex
	read map[vault.Path]bool
}

func (s *readStore) source() vault.Source { return vault.Source{Files: s, Commits: s} }

func (s *readStore) note(p vault.Path) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read[p] = true
}

func (s *readStore) Read(p vault.Path) ([]byte, vault.Stat, error) {
	text, stat, err := s.Store.Read(p)
	if err == nil {
		s.note(p)
	}
	return text, stat, err
}

func (s *readStore) ReadSaved(ctx context.Context, p vault.Path, whole func([]byte) bool) ([]byte, vault.Stat, error) {
	s.note(p)
	return s.Store.ReadSaved(ctx, p, whole)
}

// Without an index, show reads what it shows and what is around it; an id costs
// all headers, since a copy may have it, too, and a prefix all files.
func TestShowWithoutIndexReadsFewFiles(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{".cp/vault.yaml", "a.md", "a/b.md", "a/b/c.md", "a/b/d.md", "a/b/d/e.md"} {
		writeFile(t, root, name, "---\nid: pf-"+fmt.Sprintf("%08d", len(name))+"\n---\n# "+name+"\n")
	}
	for i := range 100 {
		writeFile(t, root, fmt.Sprintf("n%03d.md", i), fmt.Sprintf("---\nid: pf-n%07d\n---\n# N\n", i))
	}
	disk, err := worktree.Open(root, nil, worktree.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		ref   string
		depth int
		want  int // files read
	}{
		{"n050.md", 0, 1},
		{"a/b.md", 0, 4}, // itself, its parent, its children
		{"a/b/c.md", 0, 3},
		{"a.md", 5, 5},
		{"pf-n0000000", 0, 105},
		{"pf-n0000050", 0, 105},
		{"PF-N0000050", 0, 105},
		{"pf-n000005", 0, 105},
	} {
		s := &readStore{Store: disk, read: map[vault.Path]bool{}}
		mirror, err := index.Open(filepath.Join(root, ".cp", "index.db"), index.Options{Source: s.source()})
		if err != nil {
			t.Fatal(err)
		}
		ports := disk.Ports()
		ports.Source, ports.FileStatus = s.source(), s
		v := &vault.Vault{Store: ports, Mirror: mirror.Ports(), Now: time.Now, Glimpse: mirror.OpenGlimpse}
		_, err = tree.Show{Ref: tt.ref, Depth: tt.depth}.Read(t.Context(), v)
		if vault.CodeOf(err) != "" && vault.CodeOf(err) != vault.CodeAmbiguous {
			t.Errorf("%s: %v", tt.ref, err)
		}
		if got := len(s.read); got != tt.want {
			var names []string
			for p := range s.read {
				names = append(names, string(p))
			}
			slices.Sort(names)
			t.Errorf("%s: read %d files, want %d: %v", tt.ref, got, tt.want, names[:min(len(names), 12)])
		}
		mirror.Close()
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(filepath.Join(root, ".cp", "index.db"+end))
		}
	}
}

func writeFile(t *testing.T, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
