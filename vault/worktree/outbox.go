package worktree

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/operation"
)

func (s *Store) outbox() string { return filepath.Join(s.state, "outbox") }

// Queue keeps a write that has to wait, durably. A write without a name or a time gets
// one. A write whose name waits already is kept once. It needs no lock.
func (s *Store) Queue(_ context.Context, q vault.Queued) error {
	if s.repo == nil {
		return s.noGit()
	}
	if q.Op == "" {
		op, err := s.operations().New()
		if err != nil {
			return err
		}
		q.Op = op
	}
	if q.At.IsZero() {
		q.At = s.now()
	}
	b, err := json.Marshal(q)
	if err != nil {
		return vault.Errorf(vault.CodeInternal, "", "cannot write down what is to wait: %w", err)
	}
	if err := s.makeState(); err != nil {
		return s.writeError(err)
	}
	if err := writeNew(s.slot(q), b); err != nil && !errors.Is(err, fs.ErrExist) {
		return s.writeError(err)
	}
	return nil
}

// slot is the file of a waiting write.
func (s *Store) slot(q vault.Queued) string {
	return filepath.Join(s.outbox(), stateName(q.Op)+".json")
}

// Waiting lists what waits, the oldest first. The error is that of a file that cannot be
// read; the others are listed beside it.
func (s *Store) Waiting(context.Context) ([]vault.Queued, error) {
	if s.repo == nil {
		return nil, nil
	}
	entries, err := os.ReadDir(s.outbox())
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, files.ReadError(s.outbox(), "", err)
	}
	var waiting []vault.Queued
	var damaged error
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		q, err := s.readQueued(filepath.Join(s.outbox(), e.Name()))
		if os.IsNotExist(err) {
			continue // delivered meanwhile
		}
		if err != nil {
			damaged = cmp.Or(damaged, err)
			continue
		}
		waiting = append(waiting, q)
	}
	slices.SortStableFunc(waiting, func(a, b vault.Queued) int { return a.At.Compare(b.At) })
	return waiting, damaged
}

func (s *Store) readQueued(name string) (q vault.Queued, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return q, err
	}
	if json.Unmarshal(b, &q) != nil {
		return q, &vault.Error{Code: vault.CodeDamaged, Msg: "a write that waits in the outbox cannot be read: " + name,
			Hint: "look into the file, then move it to another folder"}
	}
	return q, nil
}

// Next returns the oldest write that waits and is not made yet, nil without one;
// the lock is held. Whether it is made history tells: a write that is taken back
// later has been made, and another file with its id says nothing.
func (s *Store) Next(ctx context.Context) (*vault.Queued, error) {
	waiting, damaged := s.Waiting(ctx)
	for i := range waiting {
		q := &waiting[i]
		made, err := s.repo.Holds(ctx, opOf(*q), s.state)
		if err != nil || !made {
			return q, err
		}
		if err := s.unqueue(filepath.Base(s.slot(*q))); err != nil {
			return nil, s.writeError(err)
		}
	}
	return nil, damaged
}

// Unqueue forgets a write that waits.
func (s *Store) Unqueue(_ context.Context, q vault.Queued) error {
	if err := s.unqueue(filepath.Base(s.slot(q))); err != nil {
		return s.writeError(err)
	}
	return nil
}

// unqueue forgets the write in a file of the outbox. An empty name does nothing.
func (s *Store) unqueue(slot string) error {
	if slot == "" {
		return nil
	}
	if err := disk.Remove(filepath.Join(s.outbox(), filepath.Base(slot))); err != nil {
		return err
	}
	return disk.SyncDir(s.outbox())
}

// nameOf names the operation of a change, and the file in the outbox that it
// empties. A waiting write has its name from the beginning, so that whoever makes
// it, and however often, makes one operation.
func (s *Store) nameOf(c *vault.Change) (op, slot string, err error) {
	if c.Queued != nil {
		return opOf(*c.Queued), filepath.Base(s.slot(*c.Queued)), nil
	}
	op, err = s.operations().New()
	return op, "", err
}

// opOf returns the operation's name of a waiting write. Earlier versions gave it
// the memory's id for a name: then the same is made of it every time.
func opOf(q vault.Queued) string {
	if _, ok := operation.MomentOf(q.Op); ok && stateName(q.Op) == q.Op {
		return q.Op
	}
	return operation.NameAt(q.At, files.Digest([]byte(q.Op))[:8])
}
