package meter

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Meter counts what a clone spends on facts.
type Meter struct {
	Dir   string // the clone's state
	Daily int    // tokens a day; 0 is no limit
	Now   func() time.Time

	mu sync.Mutex
}

// spent is what stands in the file.
type spent struct {
	Day    string `json:"day"` // in the machine's time
	Tokens int    `json:"tokens"`
}

// Hold takes the clone's lock for drawing facts. The error is CodeLocked if another program
// has it.
func (m *Meter) Hold() (release func(), err error) {
	if err := disk.MkdirAll(m.Dir, 0o700); err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot make %s: %w", m.Dir, disk.Cause(err))
	}
	l := flock.New(filepath.Join(m.Dir, "extract.lock"), flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if got {
		return func() { _ = l.Close() }, nil
	}
	_ = l.Close()
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot lock %s: %w", l.Path(), disk.Cause(err))
	}
	return nil, vault.Errorf(vault.CodeLocked, "wait until it is done, then run the command again with --missing", "another program of this clone is drawing facts, so that nothing is paid for twice")
}

// Spend notes that so many tokens are about to be spent. It refuses where that would be more
// than the day's: nothing is then noted.
func (m *Meter) Spend(tokens int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	today, s := m.Now().Format(time.DateOnly), spent{}
	file := filepath.Join(m.Dir, "extract.json")
	b, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return vault.Errorf(vault.CodeIO, "", "cannot read what was spent today: %w", disk.Cause(err))
	}
	if json.Unmarshal(b, &s) != nil || s.Day != today { // another day's, or what nobody can read
		s = spent{Day: today}
	}
	if s.Tokens += tokens; m.Daily > 0 && s.Tokens > m.Daily {
		return vault.Errorf(vault.CodeGeneration, "go on tomorrow with --missing --stale, or raise facts.daily_tokens in ~/.cp/config.yaml", "the %d tokens a day that facts may cost are spent", m.Daily)
	}
	if b, err = json.Marshal(s); err == nil {
		err = disk.Replace(file, b, 0o600)
	}
	if err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot note what is spent: %w", disk.Cause(err))
	}
	return nil
}
