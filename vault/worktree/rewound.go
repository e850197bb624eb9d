package worktree

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/worktree/files"
	"github.com/cp-memory/cp/vault/worktree/operation"
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

// retire puts the intent of a finished write aside, and forgets that it waited.
func (s *Store) retire(in *intent) error {
	if err := s.unqueue(in.Queued); err != nil {
		return err
	}
	if err := disk.Rename(s.intentFile(in.Op), s.doneFile(in.Op)); files.IgnoreMissing(err) != nil {
		return err
	}
	return disk.SyncDir(s.tx())
}

// outgrown removes an intent that was put aside long ago, or when there are
// more; left is how many names follow.
func (s *Store) outgrown(name string, left int) error {
	at, ok := operation.Moment(filepath.Base(name))
	if ok && s.now().Sub(at) < doneFor && left <= doneMost {
		return nil
	}
	return disk.Remove(name)
}

// remakes reports whether an operation that is off the branch can be made again
// and does not wait for that already.
func (s *Store) remakes(op string) bool { return files.Present(s.doneFile(op)) }

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
	return s.unretire(ctx, lost)
}

// rewound returns what a late reset took: the operations that can be made
// again, and the commits of those whose intents are not kept any more.
func (s *Store) rewound(ctx context.Context) (lost, gone []vault.Revision, err error) {
	lost, gone, err = s.repo.Rewound(ctx, s.state, s.remakes)
	gone = slices.DeleteFunc(gone, func(rev vault.Revision) bool { return files.Present(s.intentFile(rev.Op)) })
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
func (s *Store) unretire(ctx context.Context, lost []vault.Revision) error {
	for _, rev := range lost {
		if err := s.bringBack(ctx, rev); err != nil {
			return s.writeError(err)
		}
		if err := disk.Rename(s.doneFile(rev.Op), s.intentFile(rev.Op)); err != nil {
			return s.writeError(err)
		}
		s.notes = append(s.notes, fmt.Sprintf("a git reset that came too late took %q from the branch; it is made again", rev.Subject))
	}
	if len(lost) == 0 {
		return nil
	}
	if err := disk.SyncDir(s.tx()); err != nil {
		return s.writeError(err)
	}
	return nil
}

// bringBack puts the hand-made files back that the operation's commit was the
// first to have: to git they were its own, so the reset has removed them.
func (s *Store) bringBack(ctx context.Context, rev vault.Revision) error {
	b, err := os.ReadFile(s.doneFile(rev.Op))
	if err != nil {
		return err
	}
	in, ok := decodeIntent(b)
	if !ok {
		return nil // the next look drops it
	}
	r := s.newRun(ctx, in)
	defer r.close()
	for i := range in.Edits {
		e := &in.Edits[i]
		at := s.abs(e.Path, e.Outside)
		if !e.Adopt || e.Before == "" || files.Present(at) || e.To != "" && files.Present(s.abs(e.To, e.Outside)) {
			continue
		}
		text, err := s.repo.ReadAt(ctx, rev.Commit, string(s.inRepo(cmp.Or(e.To, e.Path), e.Outside)))
		if vault.CodeOf(err) == vault.CodeNotFound {
			continue
		}
		if err == nil {
			err = r.put(at, text)
		}
		if err != nil {
			return err
		}
	}
	return r.sync()
}

// remake makes operations again while another one is on its way.
func (s *Store) remake(ctx context.Context, lost []vault.Revision, but string) error {
	if err := s.unretire(ctx, lost); err != nil {
		return err
	}
	return s.finishAll(ctx, but)
}

// Mend is for those who only read. Who holds the lock does the same.
func (s *Store) Mend(ctx context.Context) bool {
	if s.repo == nil {
		return false
	}
	lost, _, err := s.rewound(ctx)
	if err == nil && len(lost) == 0 {
		var back vault.Reversal
		if back, err = s.Reverted(ctx); !back.ByMerge {
			return false
		}
	}
	if err != nil {
		return false
	}
	unlock, err := s.Hasty().Lock(ctx, "mend") // whoever commits with s has its notes
	if err != nil {
		return false
	}
	unlock()
	return true
}
