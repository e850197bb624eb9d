package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// A plan is valid as long as its answers are. So a Tx remembers each answer that no commit
// fixes: the bytes of a file or its absence, the entry at a path, the files of a folder,
// the branch's commit, the modified, staged and ignored paths. [Change.Holds] asks all of
// it again just before the write becomes durable. If an answer differs, [Do] plans again.
//
// The tree's answers are taken as a whole, since the mirror's states can be compared. The
// mirror is usually behind the disk, so a folder that a plan has caught up with is scanned
// again. The whole vault is not: that costs as much as the rest of a small write, and a
// plan depends only on the files that it has read.

// errMoved says that a plan has read what says something else by now.
var errMoved = errors.New("the vault has changed since it was planned on")

// planTries bounds how often a verb plans, so that a program that saves all the time
// cannot keep it from writing. The last plan has no preconditions; each file is still
// edited in the version that it has by then.
const planTries = 8

// reads are the questions that one planning has asked.
type reads struct {
	all   []read
	asked map[string]any // their answers
	tree  Generation     // the mirror's state before its first answer

	binding bool  // they are preconditions, and so is the mirror's state
	stamped bool  // tree is known
	failed  error // why it is not
}

// read is one question with its answer.
type read struct {
	said  any
	again func(ctx context.Context) any
}

// answer is the answer to a question. Of an error only the code counts.
type answer[A any] struct {
	said A
	code Code
}

// reply is an answer as it was given.
type reply[A any] struct {
	said A
	err  error
}

// askVault puts a question to the vault as it is. One that was asked before has the same answer.
func askVault[A any](ctx context.Context, tx *Tx, question string, put func(context.Context) (A, error)) (A, error) {
	if r, ok := tx.reads.asked[question].(reply[A]); ok {
		return r.said, r.err
	}
	said, err := put(ctx)
	remember(tx, question, said, err, put)
	return said, err
}

// remember notes an answer, and how to ask again.
func remember[A any](tx *Tx, question string, said A, err error, put func(context.Context) (A, error)) {
	if tx.reads.asked[question] != nil {
		return
	}
	if tx.reads.asked == nil {
		tx.reads.asked = make(map[string]any)
	}
	tx.reads.asked[question] = reply[A]{said, err}
	tx.reads.all = append(tx.reads.all, read{answer[A]{said, CodeOf(err)}, func(ctx context.Context) any {
		again, err := put(ctx)
		return answer[A]{again, CodeOf(err)}
	}})
}

// Holds returns an error unless all that the change was planned on says the same
// still. Who makes it durable asks before anything is written.
func (c *Change) Holds(ctx context.Context) error {
	if c.holds == nil || c.holds(ctx) {
		return nil
	}
	return cmp.Or(ctx.Err(), errMoved)
}

// hasSameAnswers reports whether all answers are still the same.
func (tx *Tx) hasSameAnswers(ctx context.Context) bool {
	if tx.reads.stamped {
		if now, err := tx.v.Mirror.Generation(ctx); err != nil || now != tx.reads.tree {
			return false
		}
	}
	for _, r := range tx.reads.all {
		if !reflect.DeepEqual(r.said, r.again(ctx)) {
			return false
		}
	}
	return true
}

// textReader reads a file's bytes.
func (tx *Tx) textReader(p Path) func(context.Context) ([]byte, error) {
	return func(context.Context) ([]byte, error) {
		text, _, err := tx.v.Store.Read(p)
		return text, err
	}
}

// modified lists the files whose text is in no commit.
type modified struct{ disk, staged []Path }

// askModified asks what of the files is in no commit.
func (tx *Tx) askModified(ctx context.Context, paths []Path) (modified, error) {
	paths = slices.Clone(paths)
	for i, p := range paths {
		paths[i] = tx.was(p)
	}
	return askVault(ctx, tx, fmt.Sprint("modified ", paths), func(ctx context.Context) (m modified, err error) {
		m.disk, m.staged, err = tx.v.Store.ListModified(ctx, paths...)
		return m, err
	})
}

// listing tells of each file in a folder, by its path, its stat or its problem.
func (tx *Tx) listing(dir Path, fn func(File) error) func(context.Context) ([]string, error) {
	return func(ctx context.Context) (all []string, err error) {
		_, err = tx.v.Store.Scan(ctx, Scope{Dir: dir}, func(f File) error {
			line := f.Stat.AppendPacked(append([]byte(f.Path), 0))
			if f.Problem != nil {
				line = append(line, f.Problem.Kind...)
			}
			all = append(all, string(line))
			return fn(f)
		})
		return all, err
	}
}
