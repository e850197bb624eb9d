package gitstore

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// mergeTakes lies at most between a merge's writing of ORIG_HEAD and an operation that it
// takes back, either way.
const mergeTakes = 10 * time.Second

// takenByMerge finds the operations of which a merge has taken files back: they are as the
// commit has them on which the merge began, and it wrote ORIG_HEAD at about the time of the
// operations. It says so twice for each writing of ORIG_HEAD.
func (r *Repo) takenByMerge(l look, state string, times Times) (look, []takenBack) {
	orig, at, err := r.origHead()
	if err != nil || restages(state, at) >= mostRestages {
		return l, nil
	}
	near := func(op string) bool {
		begun, done := times(op)
		return !begun.IsZero() && !at.Before(begun.Add(-mergeTakes)) && !at.After(done.Add(mergeTakes))
	}
	begins, reset := r.mergeBegins(orig, l.steps)
	if reset && l.staged {
		l = r.withDisk(l)
	}
	for _, first := range begins {
		if all := l.findSince(first, near); len(all) > 0 {
			return l, all
		}
	}
	return l, nil
}

// mergeBegins returns the steps before which a merge may have begun, the oldest first. ORIG_HEAD
// names the commit before; but to apply the stash of a person's staged changes, a merge
// that fails runs git reset, which writes ORIG_HEAD anew. The reflog tells that.
func (r *Repo) mergeBegins(orig string, steps []step) (all []int, reset bool) {
	last := slices.IndexFunc(steps, func(s step) bool { return s.parent == orig })
	lines, _, err := logTail(filepath.Join(r.GitDir(), "logs", "HEAD"), 0)
	reset = err == nil && slices.ContainsFunc(lines, func(line string) bool {
		m, ok := plumb.ParseMove(line)
		return ok && m.Old == orig && m.New == orig && !strings.HasPrefix(m.Why, "reset") && strings.HasSuffix(m.Why, ": updating HEAD")
	})
	if reset && last < 0 {
		last = len(steps) - 1
	}
	for i := range last + 1 {
		if reset || i == last {
			all = append(all, i)
		}
	}
	return all, reset
}

// withDisk returns the look with what lies on disk where the index is as HEAD has it. A git
// reset puts the index to HEAD, after the merge has put the files back.
func (r *Repo) withDisk(l look) look {
	l.now = maps.Clone(l.now)
	for path := range l.touched {
		if _, changed := l.now[path]; changed {
			continue
		}
		b, err := os.ReadFile(filepath.Join(r.Top(), filepath.FromSlash(path)))
		if errors.Is(err, fs.ErrNotExist) {
			l.see(path, object.Entry{})
		} else if err == nil {
			l.see(path, entryOf(r.files().ModeOf(path, true), r.BlobID(b)))
		}
	}
	return l
}

// origHead returns what ORIG_HEAD names and when it was written.
func (r *Repo) origHead() (commit string, at time.Time, err error) {
	b, info, err := plumb.ReadWithStat(filepath.Join(r.GitDir(), "ORIG_HEAD"))
	if err != nil {
		return "", time.Time{}, err
	}
	return strings.TrimSpace(string(b)), info.ModTime(), nil
}
