package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Who waits in vain for another process is told so, and does not take it for the end of its
// own time.
func TestAnotherProcessMakesTheFile(t *testing.T) {
	f := File{Path: filepath.Join(t.TempDir(), "index.db"), Wait: 20 * time.Millisecond}
	unlock, err := f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lock(); vault.CodeOf(err) != vault.CodeLocked {
		t.Errorf("got %v, want that it is locked", err)
	}
	unlock()
	unlock, err = f.Lock()
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}
