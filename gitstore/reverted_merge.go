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

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// mergeTakes lies at most between a merge's writing of ORIG_HEAD and an operation that it
// takes back, either way.
const mergeTakes = 10 * time.Second

// byMerge finds the files that a merge has taken back: they are staged as the commit has
// them on which the merge began, and it wrote ORIG_HEAD at about the time of the operations
// that touched them. It says so twice for each writing of ORIG_HEAD.
func (r *Repo) byMerge(state string, steps []step, index map[string]object.Entry, kept func(op string) (begun, done time.Time)) vault.Reversal {
	orig, at, err := r.origHead()
	if err != nil || restages(state, at) >= mostRestages {
		return vault.Reversal{}
	}
	near := func(op string) bool {
		begun, done := kept(op)
		return !at.Before(begun.Add(-mergeTakes)) && !at.After(done.Add(mergeTakes))
	}
	all, again := r.begins(orig, steps)
	if again {
		index = r.onDisk(steps, index)
	}
	for _, first := range all {
		if out := takenSince(steps[first:], newTaken(steps, index), near); len(out.Ops) > 0 {
			return out
		}
	}
	return vault.Reversal{}
}

// begins returns the steps before which a merge may have begun, the oldest first. ORIG_HEAD
// names the commit before; but to apply the stash of a person's staged changes, a merge
// that fails runs git reset, which writes ORIG_HEAD anew. The reflog tells that: again.
func (r *Repo) begins(orig string, steps []step) (all []int, again bool) {
	last := slices.IndexFunc(steps, func(s step) bool { return s.parent == orig })
	lines, _, err := logTail(filepath.Join(r.GitDir(), "logs", "HEAD"), 0)
	again = err == nil && slices.ContainsFunc(lines, func(line string) bool {
		m, ok := plumb.ParseMove(line)
		return ok && m.Old == orig && m.New == orig && !strings.HasPrefix(m.Why, "reset") && strings.HasSuffix(m.Why, ": updating HEAD")
	})
	if again && last < 0 {
		last = len(steps) - 1
	}
	for i := range last + 1 {
		if again || i == last {
			all = append(all, i)
		}
	}
	return all, again
}

// onDisk returns the index with what lies on disk in place of the entries that are HEAD's.
// A git reset puts the index to HEAD, after the merge has put the files back.
func (r *Repo) onDisk(steps []step, index map[string]object.Entry) map[string]object.Entry {
	t, out := newTaken(steps, index), maps.Clone(index)
	for path := range t.head {
		if t.differs(path) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(r.Top(), filepath.FromSlash(path)))
		if errors.Is(err, fs.ErrNotExist) {
			delete(out, path)
		} else if err == nil {
			out[path] = entryOf(r.files().ModeOf(path, true), r.BlobID(b))
		}
	}
	return out
}

// takenSince finds the operations of which files are staged as the commit before the first
// step has them. Where one is staged as a commit in between has it, a person did it.
func takenSince(steps []step, t *taken, near func(op string) bool) vault.Reversal {
	was := make(map[string]object.Entry)
	for _, s := range steps {
		var back []vault.Difference
		for _, f := range s.files {
			if _, seen := was[f.Path]; !seen {
				was[f.Path] = entryOf(f.FromMode, f.From)
			}
			switch {
			case !t.differs(f.Path):
			case t.index[f.Path] == was[f.Path]:
				back = append(back, f)
			case t.index[f.Path] == entryOf(f.IntoMode, f.Into):
				return vault.Reversal{}
			}
		}
		if s.Op != "" && len(back) > 0 && near(s.Op) {
			t.add(s, back)
		}
	}
	t.out.ByMerge = true
	return t.out
}

// origHead returns what ORIG_HEAD names and when it was written.
func (r *Repo) origHead() (commit string, at time.Time, err error) {
	b, info, err := plumb.ReadWithStat(filepath.Join(r.GitDir(), "ORIG_HEAD"))
	if err != nil {
		return "", time.Time{}, err
	}
	return strings.TrimSpace(string(b)), info.ModTime(), nil
}
