package remake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/internal/operation"
)

// Takebacks finds what git took back of published operations. state is a folder
// for the repository's own notes.
type Takebacks interface {
	// LastPublication returns the last publication, Missing those of the writes whose results
	// are there no more at the end of a span, though they were at its beginning.
	LastPublication(state string) (vault.Acknowledged, error)
	Missing(ctx context.Context, state string, ops []vault.Acknowledged, since vault.Span, kept func(op string) (begun, done time.Time)) ([]vault.Loss, error)

	// Differences returns the files that are others in the second commit.
	Differences(ctx context.Context, from, to string) ([]vault.Difference, error)

	// Rewound returns the operations that a late reset took and that can be made again.
	Rewound(ctx context.Context, state string, remakes func(op string) bool) ([]vault.Revision, error)

	// FindReversal puts back the operations that a failed merge has reverted, and returns
	// notes for the person, also about changes that only look so. HEAD has the write, so
	// nothing is committed: first the files become HEAD's, then the index. Until that is
	// done, the next look finds both as they were.
	FindReversal(ctx context.Context, state string, kept func(op string) (begun, done time.Time)) (vault.Reversal, error)
	Restage(ctx context.Context, state string, files []vault.Difference) error
}

// Refs tell where HEAD is; Tip costs less.
type Refs interface {
	Head(ctx context.Context) (vault.Head, error)
	Tip(ctx context.Context) (string, error)
}

// Hook is the writer whose intents the shelf keeps.
type Hook interface {
	// Restore puts the hand-made files back that the commit of an intent was the
	// first to have: to git they were its own, so the reset has removed them.
	Restore(ctx context.Context, rev vault.Revision, intent []byte) error

	// Anew writes an intent down again, to be made on top of the commit head; false where
	// that cannot be.
	Anew(intent []byte, head string) (bool, error)

	// Replace makes files and index what HEAD has, with what a person has typed since.
	Replace(ctx context.Context, back vault.Reversal) error
}

// Shelf keeps the intents of finished writes for a while.
type Shelf struct {
	Dir   string // the folder of the intents, <op>.json
	State string // see Takebacks
	Top   string // of the work tree
	Vault string // below it, empty or with a slash at the end
	Repo  Takebacks
	Hook  Hook
	Now   func() time.Time
	Refs  Refs
}

// How long and how many intents are kept. A reset takes milliseconds, on a
// machine that is suspended meanwhile as long as that lasts.
const (
	suffix  = ".done"
	keptFor = time.Hour
	most    = 256
)

func (s Shelf) intent(op string) string   { return filepath.Join(s.Dir, op+".json") }
func (s Shelf) keptPath(op string) string { return filepath.Join(s.Dir, op+suffix) }

// PutIntent puts the intent of a finished write on the shelf.
func (s Shelf) PutIntent(op string) error {
	_ = s.noteFinished(op) // what is not in the ledger is not told of, and loses nothing
	if err := disk.Rename(s.intent(op), s.keptPath(op)); files.IgnoreMissing(err) != nil {
		return err
	}
	return disk.SyncDir(s.Dir)
}

// IsOnShelf reports whether a file of the folder is an intent on the shelf.
func IsOnShelf(name string) bool { return strings.HasSuffix(name, suffix) }

// Trim removes an intent that was put on the shelf long ago, or that is one too many; left
// is the number of names that follow.
func (s Shelf) Trim(name string, left int) error {
	if !spent(name, left, s.Now()) {
		return nil
	}
	return disk.Remove(filepath.Join(s.Dir, name))
}

// spent reports whether an intent on the shelf is kept no longer.
func spent(name string, left int, now time.Time) bool {
	at, ok := operation.MomentOf(name)
	return !ok || now.Sub(at) >= keptFor || left > most
}

// Spent counts the intents on the shelf in the folder dir that are kept no longer: the next
// holder of the lock removes them.
func Spent(dir string, now time.Time) (n int) {
	names, _ := files.Names(dir) // none where there is no folder
	for i, name := range names {
		if IsOnShelf(name) && spent(name, len(names)-i, now) {
			n++
		}
	}
	return n
}

// Can reports whether an operation that is off the branch can be made again and
// does not wait for that already.
func (s Shelf) Can(op string) bool { return files.Present(s.keptPath(op)) }

// IsNeeded reports whether something is to be made again or put back.
func (s Shelf) IsNeeded(ctx context.Context) bool {
	lost, err := s.Repo.Rewound(ctx, s.State, s.Can)
	if err != nil || len(lost) > 0 {
		return err == nil
	}
	back, err := s.FindStaged(ctx)
	return err == nil && back.ByMerge
}

// Rewound makes intents of what a late reset took, and returns what there is to tell.
func (s Shelf) Rewound(ctx context.Context) (notes []string, err error) {
	lost, err := s.Repo.Rewound(ctx, s.State, s.Can)
	if err != nil {
		return nil, err
	}
	return s.Take(ctx, lost)
}

// Take makes intents of operations on the shelf that a late reset took.
func (s Shelf) Take(ctx context.Context, lost []vault.Revision) (notes []string, err error) {
	for _, rev := range lost {
		intent, err := os.ReadFile(s.keptPath(rev.Op))
		if err == nil {
			err = s.Hook.Restore(ctx, rev, intent)
		}
		if err == nil {
			err = disk.Rename(s.keptPath(rev.Op), s.intent(rev.Op))
		}
		if err != nil {
			return notes, err
		}
		notes = append(notes, fmt.Sprintf("a git reset that came too late took %q from the branch; it is made again", rev.Subject))
	}
	if len(lost) == 0 {
		return nil, nil
	}
	return notes, disk.SyncDir(s.Dir)
}

// FindStaged returns the operations whose files are staged as they were before.
func (s Shelf) FindStaged(ctx context.Context) (vault.Reversal, error) {
	back, err := s.Repo.FindReversal(ctx, s.State, s.times)
	if len(back.Ops) > 0 {
		back.Fix = s.stash(back.Files)
	}
	return back, err
}

// stash returns the command that makes files what HEAD has, and keeps what stands there now
// and what is staged. Git finds no path that is out of the index, so where there is one, all
// that is uncommitted is put away.
func (s Shelf) stash(all []vault.Difference) string {
	words := []string{"git -C", files.Quote(s.Top), "stash"}
	if slices.ContainsFunc(all, func(d vault.Difference) bool { return d.From == "" }) {
		return strings.Join(words, " ")
	}
	words = append(words, "push --")
	for _, f := range all {
		words = append(words, files.Quote(f.Path))
	}
	return strings.Join(words, " ")
}

// times returns when an operation whose intent is on the shelf was begun and done.
func (s Shelf) times(op string) (begun, done time.Time) {
	at, ok := operation.MomentOf(op)
	st, err := sysfile.Lstat(s.keptPath(op))
	if !ok || err != nil {
		return begun, done
	}
	return at, time.Unix(0, st.CTime)
}

// PutBackReverted puts back what a failed merge has reverted, and returns what there is
// to tell, also of what only looks so. HEAD has the write, so nothing is committed:
// the files become what HEAD makes of them, and then the index. Both is found as it
// was by the next look until it is done.
func (s Shelf) PutBackReverted(ctx context.Context) (notes []string, err error) {
	back, err := s.FindStaged(ctx)
	if err != nil || len(back.Ops) == 0 {
		return nil, err
	}
	why := ""
	if back.ByMerge {
		if err := s.Hook.Replace(ctx, back); err == nil {
			return []string{fmt.Sprintf("a git merge that failed had taken back %q in files and index; it is there again", back.Ops[len(back.Ops)-1].Subject)}, nil
		} else {
			why = " (" + err.Error() + ")"
		}
	}
	return s.tellReversal(back, fmt.Sprintf("%v%s; unless you mean that: %s (git stash pop shows what stood there)", back, why, back.Fix))
}

// tellReversal tells of a reversal that stays, unless the ledger has forgotten its operations: the
// commit of one is a person's, who has been told.
func (s Shelf) tellReversal(back vault.Reversal, note string) ([]string, error) {
	all, _ := s.readLedger()
	left := slices.DeleteFunc(slices.Clone(all), func(e vault.Acknowledged) bool {
		return slices.ContainsFunc(back.Ops, func(rev vault.Revision) bool { return rev.Op == e.Op })
	})
	if len(left) == len(all) {
		return nil, nil
	}
	return []string{note}, s.rewrite(left)
}
