package remake

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/worktree/files"
	"github.com/cp-memory/cp/vault/worktree/operation"
)

// Takebacks finds what git took back of published operations. state is a folder
// for the repository's own notes.
type Takebacks interface {
	// Rewound makes intents of the operations that a late reset took, and returns notes
	// for the person.
	Rewound(ctx context.Context, state string, remakes func(op string) bool) (lost, gone []vault.Revision, err error)

	// Reverted puts back the operations that a failed merge has reverted, and returns
	// notes for the person, also about changes that only look so. HEAD has the write, so
	// nothing is committed: first the files become HEAD's, then the index. Until that is
	// done, the next look finds both as they were.
	Reverted(ctx context.Context, state string, kept func(op string) (begun, done time.Time)) (vault.Reversal, error)
	Restage(ctx context.Context, state string, files []vault.Difference) error
}

// Hook is the writer whose intents the shelf keeps.
type Hook interface {
	// Restore puts the hand-made files back that the commit of an intent was the
	// first to have: to git they were its own, so the reset has removed them.
	Restore(ctx context.Context, rev vault.Revision, intent []byte) error

	// Replace makes files and index what HEAD has, with what a person has typed since.
	Replace(ctx context.Context, back vault.Reversal) error
}

// Shelf keeps the intents of finished writes for a while.
type Shelf struct {
	Dir   string // the folder of the intents, <op>.json
	State string // see Takebacks
	Top   string // of the work tree
	Repo  Takebacks
	Hook  Hook
	Now   func() time.Time
}

// How long and how many intents are kept. A reset takes milliseconds, on a
// machine that is suspended meanwhile as long as that lasts.
const (
	suffix  = ".done"
	keptFor = time.Hour
	most    = 256
)

func (s Shelf) intent(op string) string { return filepath.Join(s.Dir, op+".json") }
func (s Shelf) kept(op string) string   { return filepath.Join(s.Dir, op+suffix) }

// Put puts the intent of a finished write on the shelf.
func (s Shelf) Put(op string) error {
	if err := disk.Rename(s.intent(op), s.kept(op)); files.IgnoreMissing(err) != nil {
		return err
	}
	return disk.SyncDir(s.Dir)
}

// Holds reports whether a file of the folder is an intent on the shelf.
func Holds(name string) bool { return strings.HasSuffix(name, suffix) }

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
	at, ok := operation.Moment(name)
	return !ok || now.Sub(at) >= keptFor || left > most
}

// Spent counts the intents on the shelf in the folder dir that are kept no longer: the next
// holder of the lock removes them.
func Spent(dir string, now time.Time) (n int) {
	names, _ := files.Names(dir) // none where there is no folder
	for i, name := range names {
		if Holds(name) && spent(name, len(names)-i, now) {
			n++
		}
	}
	return n
}

// Can reports whether an operation that is off the branch can be made again and
// does not wait for that already.
func (s Shelf) Can(op string) bool { return files.Present(s.kept(op)) }

// Needed reports whether something is to be made again or put back.
func (s Shelf) Needed(ctx context.Context) bool {
	lost, _, err := s.lost(ctx)
	if err != nil || len(lost) > 0 {
		return err == nil
	}
	back, err := s.Found(ctx)
	return err == nil && back.ByMerge
}

// lost returns the operations that a late reset took and that can be made again, and the
// commits whose intents are not kept any more.
func (s Shelf) lost(ctx context.Context) (lost, gone []vault.Revision, err error) {
	lost, gone, err = s.Repo.Rewound(ctx, s.State, s.Can)
	gone = slices.DeleteFunc(gone, func(rev vault.Revision) bool { return files.Present(s.intent(rev.Op)) })
	return lost, gone, err
}

// Gone returns the commits that a late git reset took from the branch and that do
// not come back by themselves.
func (s Shelf) Gone(ctx context.Context) ([]vault.Revision, error) {
	_, gone, err := s.lost(ctx)
	return gone, err
}

// Rewound makes intents of what a late reset took, and returns what there is to tell.
func (s Shelf) Rewound(ctx context.Context) (notes []string, err error) {
	lost, gone, err := s.lost(ctx)
	if err != nil {
		return nil, err
	}
	for _, rev := range gone {
		notes = append(notes, fmt.Sprintf("a git reset that came too late took %.10s (%s) from the branch; bring it back: git cherry-pick %.10s",
			rev.Commit, rev.Subject, rev.Commit))
	}
	more, err := s.Take(ctx, lost)
	return append(notes, more...), err
}

// Take makes intents of operations on the shelf that a late reset took.
func (s Shelf) Take(ctx context.Context, lost []vault.Revision) (notes []string, err error) {
	for _, rev := range lost {
		intent, err := os.ReadFile(s.kept(rev.Op))
		if err == nil {
			err = s.Hook.Restore(ctx, rev, intent)
		}
		if err == nil {
			err = disk.Rename(s.kept(rev.Op), s.intent(rev.Op))
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

// Found returns the operations whose files are staged as they were before.
func (s Shelf) Found(ctx context.Context) (vault.Reversal, error) {
	back, err := s.Repo.Reverted(ctx, s.State, s.times)
	if len(back.Ops) > 0 {
		words := []string{"git -C", files.Quote(s.Top), "restore --source=HEAD --staged --worktree --"}
		for _, f := range back.Files {
			words = append(words, files.Quote(f.Path))
		}
		back.Fix = strings.Join(words, " ")
	}
	return back, err
}

// times returns when an operation whose intent is on the shelf was begun and done.
func (s Shelf) times(op string) (begun, done time.Time) {
	var st unix.Stat_t
	at, ok := operation.Moment(op)
	if !ok || unix.Lstat(s.kept(op), &st) != nil {
		return begun, done
	}
	return at, time.Unix(0, st.Ctim.Nano())
}

// Reverted puts back what a failed merge has reverted, and returns what there is
// to tell, also of what only looks so. HEAD has the write, so nothing is committed:
// the files become what HEAD makes of them, and then the index. Both is found as it
// was by the next look until it is done.
func (s Shelf) Reverted(ctx context.Context) (notes []string, err error) {
	back, err := s.Found(ctx)
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
	return []string{fmt.Sprintf("%v%s; unless you mean that: %s (which drops what was typed into them since)", back, why, back.Fix)}, nil
}
