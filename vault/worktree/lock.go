package worktree

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/internal/files"
)

// holder is the content of the lock's side file. It names the holder in the error of those
// who wait.
type holder struct {
	PID   int       `json:"pid"`
	Verb  string    `json:"verb"`
	Since time.Time `json:"since"`
}

// Lock takes the vault's lock, waiting a bounded time, and finishes what a
// crashed writer left. The error is CodeLocked and names the holder,
// or says why an unfinished write cannot be finished now.
func (s *Store) Lock(ctx context.Context, verb string) (unlock func(), err error) {
	if s.repo == nil {
		return nil, s.noGit()
	}
	if err := s.makeState(); err != nil {
		return nil, s.writeError(err)
	}
	fl := flock.New(filepath.Join(s.state, "lock"), flock.SetPermissions(0o600))
	if err := s.await(ctx, fl); err != nil {
		_ = fl.Close()
		return nil, err
	}
	unlock = func() {
		_ = disk.Remove(s.holderFile())
		_ = fl.Close()
	}
	s.sign(verb)
	if err := s.recover(ctx); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// Hasty returns a store for commands that only read. Its Lock is tried once, and refuses
// if another program's lock would stop a commit.
func (s *Store) Hasty() vault.Store { return s.quickly().Ports() }

func (s *Store) quickly() *Store {
	h := *s
	h.hasty, h.wait, h.notes, h.repo = true, time.Millisecond, nil, s.quick
	return &h
}

// Recover finishes what killed writers left, if that can be done at once, and
// returns what there is to tell of it, and of what git took of acknowledged writes. Where
// nothing is left and the branch is where it was it takes no lock.
func (s *Store) Recover(ctx context.Context) (notes []string, err error) {
	if s.repo == nil {
		return nil, nil
	}
	left := s.hasLeftovers()
	if !left && !s.shelf().HasBranchMoved(ctx) {
		return nil, nil
	}
	h := s.quickly()
	unlock, err := h.Lock(ctx, "recover")
	if err != nil && !left {
		return nil, nil // it is looked for by the next one
	}
	if err != nil {
		return nil, err
	}
	defer unlock()
	err = h.lookForMissing(context.WithoutCancel(ctx))
	return h.notes, err
}

// lookForMissing brings back and tells what git took of acknowledged writes; the lock is
// held. Only commands that hand its notes on call it, since it tells of each but once.
func (s *Store) lookForMissing(ctx context.Context) error {
	if err := s.keepNotes(s.shelf().Missing(ctx)); err != nil {
		return err
	}
	return s.finishAll(ctx, "")
}

// hasLeftovers reports whether a killed writer may have left something: an intent, or a lock of git's.
func (s *Store) hasLeftovers() bool {
	names, _ := files.Names(s.tx())
	return slices.ContainsFunc(names, isIntent) || files.Present(filepath.Join(s.state, "mark", "index.lock"))
}

func isIntent(name string) bool { return strings.HasSuffix(name, ".json") }

// isLocked reports whether a process holds the vault's lock.
func (s *Store) isLocked() bool { return sysfile.IsLocked(filepath.Join(s.state, "lock")) }

func (s *Store) makeState() error {
	for _, name := range []string{"tx", "mark", "displaced", "outbox"} {
		if err := disk.MkdirAll(filepath.Join(s.state, name), 0o700); err != nil {
			return err
		}
	}
	return nil
}

// await tries the lock every 20 ms, and ever more often the longer it has
// waited, with jitter so that many who wait do not meet. Those who wait longest
// so come first: with an even pace, one of 16 writers in a row starved for 10 s.
func (s *Store) await(ctx context.Context, fl *flock.Flock) error {
	deadline := time.NewTimer(s.wait)
	defer deadline.Stop()
	for begun := time.Now(); ; {
		got, err := fl.TryLock()
		if err != nil {
			return s.writeError(err)
		}
		if got {
			return nil
		}
		pause := 20 * time.Millisecond / (1 + time.Since(begun)/(250*time.Millisecond))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return s.errLocked()
		case <-time.After(pause/2 + rand.N(pause)):
		}
	}
}

func (s *Store) errLocked() error {
	who, hint := "another cp command", "try again when it is done"
	if h, ok := s.readHolder(); ok {
		who = fmt.Sprintf("cp %s (process %d, for %s)", h.Verb, h.PID, s.now().Sub(h.Since).Round(time.Second))
		hint = fmt.Sprintf("`ps -p %d` tells whether it is stuck", h.PID)
	}
	return vault.Errorf(vault.CodeLocked, hint, "Another operation is in progress. Wait and retry, or check for stuck processes. %s holds the vault", who)
}

func (s *Store) holderFile() string { return filepath.Join(s.state, "holder") }

func (s *Store) readHolder() (h holder, ok bool) {
	b, err := os.ReadFile(s.holderFile())
	return h, err == nil && json.Unmarshal(b, &h) == nil
}

// sign writes down who holds the lock. Only messages use it, so a failure does not fail
// the write.
func (s *Store) sign(verb string) {
	b, err := json.Marshal(holder{PID: os.Getpid(), Verb: verb, Since: s.now()})
	if err == nil && disk.Remove(s.holderFile()) == nil {
		_ = disk.Write(s.holderFile(), b, 0o600)
	}
}
