package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// Doctor looks no deeper than memories can lie: each folder below would cost more than the one
// above it.
func TestFilesEndWhereTheLevelsDo(t *testing.T) {
	root := t.TempDir()
	deepest := strings.Repeat("d/", vault.MaxDepth)
	for _, name := range []string{"a.md", ".hidden/b.md", deepest + "c.md", deepest + "d/e.md"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := ground{&Session{Settings: settings.Settings{Root: root}, Root: root}}.Files(func(name string) { got = append(got, filepath.ToSlash(name)) })
	if want := "a.md " + deepest + "c.md"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
