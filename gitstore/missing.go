package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// A write is missing if a file that it made or changed is, in HEAD, as it was before the
// write, and no commit of ours took it there. Two git processes tell that for any number of
// writes; they run only if somebody else has moved the branch, and compare only what that
// has changed.

// Published returns the last publication.
func (r *Repo) Published(state string) (vault.Acknowledged, error) {
	c, err := readCAS(state)
	return vault.Acknowledged{Op: c.Op, Ref: c.Ref, Before: c.Old, Commit: c.New}, plumb.IOError(err)
}

// Missing returns those of the writes whose results are not in HEAD any more, though they
// were at the commit whole. kept returns when a write began and ended, as for Reverted.
func (r *Repo) Missing(ctx context.Context, state string, ops []vault.Acknowledged, whole string, kept func(op string) (begun, done time.Time)) ([]vault.Loss, error) {
	head, err := r.Tip(ctx)
	if err != nil || head == "" {
		return nil, err
	}
	changed, err := r.Differences(ctx, whole, head)
	if err != nil || len(changed) == 0 {
		return nil, nil // the commit is gone: nothing can be said
	}
	m := &missing{Repo: r, ctx: ctx, head: head, whole: whole, now: make(map[string]object.Entry)}
	for _, d := range changed {
		m.now[d.Path] = entryOf(d.IntoMode, d.Into)
	}
	if m.steps, err = r.writes(ctx, ops, whole); err != nil {
		return nil, nil // likewise
	}
	for i := range m.steps {
		if back := m.undone(i); len(back) > 0 {
			l, ok, err := m.loss(i, back, state, kept)
			if err != nil {
				return nil, err
			}
			if ok { // of one that was made twice the later commit is told
				m.lost = append(slices.DeleteFunc(m.lost, func(o vault.Loss) bool { return o.Op == l.Op }), l)
			}
		}
	}
	return m.lost, nil
}

// writes returns the commits of the writes with the files that they changed, the oldest
// first. A rebase keeps the operation's name.
func (r *Repo) writes(ctx context.Context, ops []vault.Acknowledged, tip string) (all []step, err error) {
	known := make(map[string]bool)
	for _, op := range ops {
		known[op.Op] = true
	}
	args := []string{"log", "--no-show-signature", "--topo-order", "--reverse", "-m", "--root", "-z", "--raw", "--no-abbrev", "--no-renames",
		"--ignore-submodules=none", "--format=%H|%P|%s|%(trailers:key=Cp-Verb,valueonly,separator=%x20)|%(trailers:key=Cp-Id,valueonly,separator=%x20)|" + plumb.Trailer("Cp-Op"), tip}
	if ops[0].Before != "" {
		args = append(args, "^"+ops[0].Before)
	}
	ours := false
	header := func(text string) {
		s, ok := readStep(text)
		if ours = ok && known[s.Op]; ours && (len(all) == 0 || all[len(all)-1].Commit != s.Commit) {
			all = append(all, s)
		} else if ours {
			ours = false // a merge is compared with its first parent
		}
	}
	err = r.EachChange(ctx, append(args, "--"), header, func(c plumb.Change) (bool, error) {
		if ours {
			s := &all[len(all)-1]
			s.files = append(s.files, c.Difference)
		}
		return true, nil
	})
	return all, err
}

func readStep(text string) (s step, ok bool) {
	hash, rest, _ := strings.Cut(text, "|")
	parents, rest, _ := strings.Cut(rest, "|")
	parent, _, _ := strings.Cut(parents, " ")
	fields := strings.Split(rest, "|") // the subject may hold the sign itself
	if len(fields) < 4 {
		return s, false
	}
	n := len(fields) - 3
	s.Revision = vault.Revision{Commit: hash, Subject: strings.Join(fields[:n], "|"), Verb: fields[n], ID: vault.ID(fields[n+1]), Op: fields[n+2]}
	s.parent = parent
	return s, s.Op != ""
}

// missing is one look.
type missing struct {
	*Repo
	ctx         context.Context
	head, whole string
	now         map[string]object.Entry // what HEAD has at the paths that are not as they were at whole
	steps       []step
	lost        []vault.Loss
}

// undone returns the files of a step that HEAD has as they were before it, if they are all of
// its files or one that it made.
func (m *missing) undone(i int) (back []vault.Difference) {
	made := false
	for _, f := range m.steps[i].files {
		if m.before(i, f) {
			back = append(back, f)
			made = made || f.From == ""
		}
	}
	if made || len(back) == len(m.steps[i].files) {
		return back
	}
	return nil
}

// before reports whether HEAD has a file as it was before a step, or as it was before an
// earlier one of the writes, or not at all, and not as that or a later step made it.
func (m *missing) before(i int, f vault.Difference) bool {
	now, changed := m.now[f.Path]
	if !changed {
		return false
	}
	earlier := now == entryOf(f.FromMode, f.From) || now == object.Entry{}
	for k, s := range m.steps {
		for _, g := range s.files {
			switch {
			case g.Path != f.Path:
			case k >= i && now == entryOf(g.IntoMode, g.Into):
				return false
			case k < i && now == entryOf(g.FromMode, g.From):
				earlier = true
			}
		}
	}
	return earlier
}

// loss says of a step that is undone who did it; false if it was one of our commits, or
// if its files have only moved.
func (m *missing) loss(i int, back []vault.Difference, state string, kept func(op string) (begun, done time.Time)) (l vault.Loss, ok bool, err error) {
	paths := make([]string, len(back))
	l = vault.Loss{Revision: m.steps[i].Revision, OnDisk: true}
	for n, f := range back {
		paths[n] = f.Path
		l.OnDisk = l.OnDisk && m.onDisk(f)
	}
	ours := false
	args := append([]string{"--full-history", m.head, "^" + m.whole, "--"}, paths...)
	err = m.Revisions(m.ctx, args, func(rev vault.Revision) bool {
		if ours = rev.Op != "" && rev.Op != l.Op; l.By.Commit == "" {
			l.By = rev
		}
		return !ours
	})
	if err != nil || ours {
		return l, false, err
	}
	if moved, err := m.moved(back); err != nil || moved {
		return l, false, err
	}
	l.ByMerge, err = m.afterMerge(i, back, l.By, state, kept)
	return l, true, err
}

// onDisk reports whether a file that HEAD has as it was before a write has on disk what the
// write or somebody after it made.
func (m *missing) onDisk(f vault.Difference) bool {
	b, err := os.ReadFile(filepath.Join(m.Top(), filepath.FromSlash(f.Path)))
	if errors.Is(err, fs.ErrNotExist) {
		return f.Into == "" && m.now[f.Path] != object.Entry{}
	}
	return err == nil && m.BlobID(b) != m.now[f.Path].ID
}

// moved reports whether one of the files that HEAD has no more was moved.
func (m *missing) moved(back []vault.Difference) (bool, error) {
	if !slices.ContainsFunc(back, func(f vault.Difference) bool { return m.now[f.Path] == object.Entry{} && f.Into != "" }) {
		return false, nil
	}
	found := false
	err := m.EachChange(m.ctx, []string{"diff-tree", "-r", "-z", "-M", "--diff-filter=R", m.whole, m.head}, nil, func(c plumb.Change) (bool, error) {
		found = slices.ContainsFunc(back, func(f vault.Difference) bool { return f.Path == c.Was })
		return !found, nil
	})
	return found, err
}

// afterMerge reports whether a commit took a step because a merge that failed had taken its
// files back: see reverted_merge.go. The merge began on the commit before the step or one of
// the writes before it, and the files are now as that commit has them. A commit that says
// what it reverts is a person's wish.
func (m *missing) afterMerge(i int, back []vault.Difference, by vault.Revision, state string, kept func(op string) (begun, done time.Time)) (bool, error) {
	if by.Commit == "" {
		return false, nil
	}
	orig, at, err := m.origHead()
	if err != nil || restages(state, at) >= mostRestages {
		return false, nil
	}
	begun, done := kept(m.steps[i].Op)
	first := slices.IndexFunc(m.steps, func(s step) bool { return s.parent == orig })
	if begun.IsZero() || first < 0 || first > i || at.Before(begun.Add(-mergeTakes)) || at.After(done.Add(mergeTakes)) {
		return false, nil
	}
	for _, f := range back {
		if m.asBefore(first, f.Path) != m.now[f.Path] {
			return false, nil
		}
	}
	said, err := m.Run(m.ctx, nil, "log", "-1", "--format=%B", by.Commit)
	return err == nil && !strings.Contains(string(said), "This reverts commit"), err
}

// asBefore returns what was at a path before a step.
func (m *missing) asBefore(first int, path string) object.Entry {
	for _, s := range m.steps[first:] {
		for _, f := range s.files {
			if f.Path == path {
				return entryOf(f.FromMode, f.From)
			}
		}
	}
	return object.Entry{}
}
