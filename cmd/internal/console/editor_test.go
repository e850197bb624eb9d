package console

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// The editor is the first that is set, run as git runs one.
func TestOpenEditor(t *testing.T) {
	rows := []struct {
		name     string
		env      map[string]string
		settings settings.Settings
		git      string // what git would use
		tty      bool
		want     string // the file then; "!" and an error's words when it fails
	}{
		{"the settings come first", map[string]string{"VISUAL": "echo visual >", "EDITOR": "echo editor >"}, settings.Settings{Editor: "echo settings >"}, "", false, "settings"},
		{"then VISUAL", map[string]string{"VISUAL": "echo visual >", "EDITOR": "echo editor >"}, settings.Settings{}, "", false, "visual"},
		{"then EDITOR, without a terminal", map[string]string{"EDITOR": "echo editor >"}, settings.Settings{}, "", false, "editor"},
		{"then git's, at a terminal", nil, settings.Settings{}, "echo git >", true, "git"},
		{"but not without one", nil, settings.Settings{}, "echo git >", false, "!no editor is set"},
		{"nothing set", nil, settings.Settings{}, "", true, "!no editor is set"},
		{"arguments", map[string]string{"EDITOR": `sh -c 'echo "$1" >"$2"' sh --wait`}, settings.Settings{}, "", false, "--wait"},
		{"failing", map[string]string{"EDITOR": "false"}, settings.Settings{}, "", false, "!the editor 'false' failed (exit status 1); nothing was committed"},
		{"not there", map[string]string{"EDITOR": "/no/such/editor"}, settings.Settings{}, "", false, "!failed (exit status 127)"},
		{"from stdin", map[string]string{"EDITOR": "cat >"}, settings.Settings{}, "", false, "typed"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a 'file' $HOME.md")
			if err := os.WriteFile(file, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			a := &app.App{
				Env: func(key string) string { return row.env[key] }, Dir: t.TempDir(),
				Git: func(context.Context, string, ...string) (string, error) {
					if row.git == "" {
						return "", errors.New("Terminal is dumb, but EDITOR unset")
					}
					return row.git, nil
				},
			}
			err := New(a, Streams{In: strings.NewReader("typed"), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, InTTY: row.tty}).EditFile(context.Background(), row.settings, file)
			if words, fails := strings.CutPrefix(row.want, "!"); fails {
				var e *vault.Error
				if !errors.As(err, &e) || !strings.Contains(e.Msg, words) || e.Hint == "" {
					t.Errorf("got %v, want %q with a hint", err, words)
				}
				return
			}
			got, rerr := os.ReadFile(file)
			if err != nil || rerr != nil || strings.TrimSpace(string(got)) != row.want {
				t.Errorf("got %q, %v, %v; want %q", got, err, rerr, row.want)
			}
		})
	}
}
