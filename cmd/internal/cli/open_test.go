package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/settings"
)

// Opening tells of settings that are not honoured, once and safe for a
// terminal, and hands on what cannot be opened.
func TestOpenTellsOfSettings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a\x1b[2Jb")
	if err := os.MkdirAll(filepath.Join(dir, ".cp"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".cp", "vault.yaml"), []byte("project: p\neditor: x\nodd: 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	for _, debug := range []bool{false, true} {
		var stderr bytes.Buffer
		a := &app.App{
			Env: func(string) string { return "" }, Dir: dir, Now: time.Now,
			Wire: func(context.Context, settings.Settings) (app.Opened, error) { return app.Opened{}, refused },
		}
		console.New(a, console.Streams{Err: &stderr}).Form.Debug = debug
		if _, err := a.OpenBy(context.Background(), settings.Flags{}); !errors.Is(err, refused) {
			t.Fatalf("got %v", err)
		}
		said := stderr.String()
		if bytes.ContainsRune(stderr.Bytes(), '\x1b') || !bytes.Contains(stderr.Bytes(), []byte(`a\x1b[2Jb/.cp/vault.yaml:2: editor is not taken`)) {
			t.Errorf("got %q", said)
		}
		if got := bytes.Contains(stderr.Bytes(), []byte("unknown key")); got != debug {
			t.Errorf("with debug %v: %q", debug, said)
		}
	}
}
