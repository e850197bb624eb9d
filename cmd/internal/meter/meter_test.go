package meter

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

func TestSpend(t *testing.T) {
	now := time.Date(2026, 2, 7, 15, 0, 0, 0, time.UTC)
	m := &Meter{Dir: t.TempDir(), Daily: 100, Now: func() time.Time { return now }}
	for i, row := range []struct {
		tokens int
		want   vault.Code
	}{{60, ""}, {50, vault.CodeGeneration}, {40, ""}, {1, vault.CodeGeneration}} {
		if err := m.Spend(row.tokens); vault.CodeOf(err) != row.want {
			t.Errorf("%d: got %v", i, err)
		}
	}
	again := &Meter{Dir: m.Dir, Daily: 100, Now: m.Now}
	if err := again.Spend(1); vault.CodeOf(err) != vault.CodeGeneration {
		t.Errorf("another program: got %v", err)
	}
	if now = now.Add(24 * time.Hour); m.Spend(100) != nil {
		t.Error("another day has no tokens")
	}
	if err := os.WriteFile(filepath.Join(m.Dir, "extract.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := m.Spend(100); err != nil {
		t.Errorf("a file that nobody can read: %v", err)
	}
	if err := (&Meter{Dir: m.Dir, Now: m.Now}).Spend(1_000_000); err != nil {
		t.Errorf("without a limit: %v", err)
	}
}

func TestHold(t *testing.T) {
	m := &Meter{Dir: filepath.Join(t.TempDir(), "state"), Now: time.Now}
	release, err := m.Hold()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Meter{Dir: m.Dir}).Hold(); vault.CodeOf(err) != vault.CodeLocked {
		t.Errorf("two at once: got %v", err)
	}
	release()
	if release, err = m.Hold(); err != nil {
		t.Fatal(err)
	}
	release()
}
