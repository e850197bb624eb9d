package gitstore

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Git takes back what a write did in the index, which the next commit makes true (see
// [Repo.FindReversal]), or in HEAD (see [Repo.Missing]). Both are looked at alike: what stands
// there now is compared with what each step on the way had made of it.

// look is what stands in the index or in HEAD, beside the steps that led there.
type look struct {
	steps   []step                  // the oldest first
	touched map[string][]touch      // by path
	now     map[string]object.Entry // at the paths that are not as the steps left them; the empty entry is no file
	staged  bool                    // it is the index; in HEAD a file that is gone is taken back, also one of several
}

// touch is what a step made of a file.
type touch struct {
	step       int
	from, into object.Entry
}

func newLook(steps []step) look {
	l := look{steps: steps, touched: make(map[string][]touch), now: make(map[string]object.Entry)}
	for i, s := range steps {
		for _, f := range s.files {
			l.touched[f.Path] = append(l.touched[f.Path], touch{i, entryOf(f.FromMode, f.From), entryOf(f.IntoMode, f.Into)})
		}
	}
	return l
}

func entryOf(mode uint32, id string) object.Entry { return object.Entry{Mode: mode, ID: id} }

// see notes what stands at a path that a step touched.
func (l look) see(path string, now object.Entry) {
	if now != l.latest(path) {
		l.now[path] = now
	}
}

// latest returns what the steps made of a path.
func (l look) latest(path string) object.Entry {
	all := l.touched[path]
	return all[len(all)-1].into
}

// takenBack is a step with those of its files that are taken back.
type takenBack struct {
	step  int
	files []vault.Difference
}

// findUndone returns the operations of which all files are as they were before, or one that they
// made is gone.
func (l look) findUndone(ours func(op string) bool) (all []takenBack) {
	for i, s := range l.steps {
		back, made := takenBack{step: i}, false
		for _, f := range s.files {
			if l.isAsBefore(i, f.Path) {
				back.files = append(back.files, f)
				made = made || f.From == "" && !l.staged
			}
		}
		if ours(s.Op) && len(back.files) > 0 && (made || len(back.files) == len(s.files)) {
			all = append(all, back)
		}
	}
	return all
}

// isAsBefore reports whether a path is as it was before a step, or before an earlier one, and not
// as that or a later step made it.
func (l look) isAsBefore(step int, path string) bool {
	now, changed := l.now[path]
	back := !l.staged && now == object.Entry{}
	for _, t := range l.touched[path] {
		if t.step >= step && now == t.into {
			return false
		}
		back = back || t.step <= step && now == t.from
	}
	return changed && back
}

// findSince returns the operations near of which a file is as it was before the step first. Where
// one is as a step in between made it, a person did that, and there are none.
func (l look) findSince(first int, near func(op string) bool) (all []takenBack) {
	for i, s := range l.steps[first:] {
		back := takenBack{step: first + i}
		for _, f := range s.files {
			now, changed := l.now[f.Path]
			switch {
			case !changed:
			case now == l.stateBefore(first, f.Path):
				back.files = append(back.files, f)
			case now == entryOf(f.IntoMode, f.Into):
				return nil
			}
		}
		if s.Op != "" && len(back.files) > 0 && near(s.Op) {
			all = append(all, back)
		}
	}
	return all
}

// stateBefore returns what stood at a path before the step first.
func (l look) stateBefore(first int, path string) object.Entry {
	all := l.touched[path]
	return all[slices.IndexFunc(all, func(t touch) bool { return t.step >= first })].from
}

// reversal returns what is taken back, each file once.
func (l look) reversal(all []takenBack) (out vault.Reversal) {
	listed := make(map[string]bool)
	for _, back := range all {
		out.Ops = append(out.Ops, l.steps[back.step].Revision)
		for _, f := range back.files {
			if now, into := l.now[f.Path], l.latest(f.Path); !listed[f.Path] {
				listed[f.Path] = true
				out.Files = append(out.Files, vault.Difference{Path: f.Path,
					Taken: vault.Taken{From: now.ID, FromMode: now.Mode, Into: into.ID, IntoMode: into.Mode}})
			}
		}
	}
	return out
}

// isRenamed reports whether one of the files that are taken back is gone because it was moved,
// in what a git command compares.
func (r *Repo) isRenamed(ctx context.Context, l look, all []takenBack, args ...string) (found bool, err error) {
	gone := func(path string) bool { return l.now[path] == object.Entry{} }
	wanted := func(path string) bool {
		return slices.ContainsFunc(all, func(b takenBack) bool {
			return slices.ContainsFunc(b.files, func(f vault.Difference) bool { return gone(f.Path) && (path == "" || path == f.Path) })
		})
	}
	if !wanted("") {
		return false, nil
	}
	args = append([]string{args[0], "-z", "-M", "--diff-filter=R"}, args[1:]...)
	err = r.EachChange(ctx, args, nil, func(c plumb.Change) (bool, error) {
		found = wanted(c.Was)
		return !found, nil
	})
	return found, err
}
