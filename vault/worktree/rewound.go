package worktree

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// git reset --hard, which every git stash runs, may put the branch back over a
// commit that came in between, and the files with it (see [Repo.Rewound]). What
// was acknowledged must come back by itself. So an intent whose commit is made is
// not thrown away at once: it is put aside, as <op>.done, and one that a reset
// took becomes an intent again, <op>.json. The rest is recovery: every step of
// it looks whether it is done, and what a person has typed or committed since
// stays. When that is written down, a crash on the way loses nothing either.
//
// Whoever takes the lock looks, and so does every commit: none is built on a
// branch from which something is missing.

// How long and how many intents are put aside. A reset takes milliseconds, on a
// machine that is suspended meanwhile as long as that lasts.
const (
	doneSuffix = ".done"
	doneFor    = time.Hour
	doneMost   = 256
)

func (s *Store) doneFile(op string) string { return filepath.Join(s.tx(), op+doneSuffix) }

// retire puts the intent of a finished write aside.
func (s *Store) retire(op string) error {
	if err := disk.Rename(s.intentFile(op), s.doneFile(op)); ignoreMissing(err) != nil {
		return err
	}
	return disk.SyncDir(s.tx())
}

// outgrown removes an intent that was put aside long ago, or when there are
// more; left is how many names follow.
func (s *Store) outgrown(name string, left int) error {
	at, ok := opMoment(filepath.Base(name))
	if ok && s.now().Sub(at) < doneFor && left <= doneMost {
		return nil
	}
	return disk.Remove(name)
}

// remakes reports whether an operation that is off the branch can be made again
// and does not wait for that already.
func (s *Store) remakes(op string) bool { return present(s.doneFile(op)) }

// recall lets what a late reset took wait to be made again, and tells of the rest.
func (s *Store) recall(ctx context.Context) error {
	lost, gone, err := s.rewound(ctx)
	if err != nil {
		return err
	}
	for _, rev := range gone {
		s.notes = append(s.notes, fmt.Sprintf("a git reset that came too late took %.10s (%s) from the branch; bring it back: git cherry-pick %.10s",
			rev.Commit, rev.Subject, rev.Commit))
	}
	return s.unretire(lost)
}

// rewound returns what a late reset took: the operations that can be made
// again, and the commits of those whose intents are not kept any more.
func (s *Store) rewound(ctx context.Context) (lost []string, gone []vault.Revision, err error) {
	all, err := s.repo.Rewound(ctx, s.state)
	for _, rev := range all {
		switch {
		case s.remakes(rev.Op):
			lost = append(lost, rev.Op)
		case !present(s.intentFile(rev.Op)):
			gone = append(gone, rev)
		}
	}
	return lost, gone, err
}

// Lost returns the commits that a late git reset took from the branch and that do
// not come back by themselves.
func (s *Store) Lost(ctx context.Context) ([]vault.Revision, error) {
	if s.repo == nil {
		return nil, nil
	}
	_, gone, err := s.rewound(ctx)
	return gone, err
}

// unretire makes intents of what was put aside.
func (s *Store) unretire(ops []string) error {
	for _, op := range ops {
		if err := disk.Rename(s.doneFile(op), s.intentFile(op)); err != nil {
			return s.writeError(err)
		}
		s.notes = append(s.notes, fmt.Sprintf("a git reset that came too late took %s from the branch; it is made again", op))
	}
	if len(ops) == 0 {
		return nil
	}
	if err := disk.SyncDir(s.tx()); err != nil {
		return s.writeError(err)
	}
	return nil
}

// remake makes operations again while another one is on its way.
func (s *Store) remake(ctx context.Context, ops []string, but string) error {
	if err := s.unretire(ops); err != nil {
		return err
	}
	return s.finishAll(ctx, but)
}

// Mend is for those who only read. Who holds the lock does the same.
func (s *Store) Mend(ctx context.Context) bool {
	if s.repo == nil {
		return false
	}
	if lost, _, err := s.rewound(ctx); err != nil || len(lost) == 0 {
		return false
	}
	hasty := *s
	hasty.wait = time.Millisecond
	unlock, err := hasty.Lock(ctx, "mend")
	if err != nil {
		return false
	}
	unlock()
	return true
}
