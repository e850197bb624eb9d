package worktree

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// Commit makes the change durable. After any error before its intent is written down,
// nothing has changed. From then on the operation finishes, now or with the next command,
// and does not stop for a cancelled context.
//
// CodeBusy says that the repository could not take the commit and that nothing has
// changed. CodeQueued says that it became busy after the intent was written: the next
// command that finds it free finishes the write.
func (s *Store) Commit(ctx context.Context, c *vault.Change) (vault.Receipt, error) {
	in, head, err := s.makeIntent(ctx, c)
	if moved := c.Holds(ctx); moved != nil || err != nil { // a refusal, too, may come of what has changed since the plan
		return vault.Receipt{}, cmp.Or(moved, err)
	}
	if err := s.journal(in); err != nil {
		return vault.Receipt{}, s.writeError(err)
	}
	return s.carryOut(context.WithoutCancel(ctx), in, head.Branch)
}

// Rehearse returns the error with which Commit would refuse the change, and changes nothing.
func (s *Store) Rehearse(ctx context.Context, c *vault.Change) error {
	_, _, err := s.makeIntent(ctx, c)
	return err
}

// makeIntent makes an intent of a change, where the repository can take a commit.
func (s *Store) makeIntent(ctx context.Context, c *vault.Change) (*intent, vault.Head, error) {
	if s.repo == nil {
		return nil, vault.Head{}, s.noGit()
	}
	head, err := s.settledHead(ctx)
	if err == nil && head.Busy != "" {
		err = vault.Standstill(head.Busy)
	}
	if err != nil {
		return nil, head, err
	}
	in, err := s.plan(ctx, c, head)
	return in, head, err
}

// commitWait is how long a person's git commit is waited for. One without an editor or slow
// hooks takes a few milliseconds.
const commitWait = 500 * time.Millisecond

// settledHead returns HEAD once no git commit is under way. It says that the repository is busy
// if one has been for long.
func (s *Store) settledHead(ctx context.Context) (vault.Head, error) {
	for until := time.Now().Add(min(s.wait, commitWait)); s.repo.Committing(); {
		if time.Now().After(until) {
			return vault.Head{Busy: "commit"}, nil
		}
		if err := pause(ctx, 4); err != nil {
			return vault.Head{}, err
		}
	}
	return s.repo.Head(ctx)
}

// carryOut applies a fresh intent on a branch.
func (s *Store) carryOut(ctx context.Context, in *intent, branch string) (vault.Receipt, error) {
	r := s.newRun(ctx, in)
	defer r.closeBlobs()
	if err := r.writeBeforeCommit(); err != nil {
		return vault.Receipt{}, r.fails(err)
	}
	if err := r.publish(); err != nil {
		return vault.Receipt{}, r.fails(err)
	}
	// The write is in a commit: a failure from here on is left to the next command.
	err := r.clear()
	if err == nil {
		err = r.ensureCommitted(branch)
	}
	if err != nil {
		r.note("not everything could be tidied up (%v); the next cp command tries again", s.describeError(err))
	} else if err := s.shelve(in); err != nil {
		r.note("the intent could not be put away (%v); the next cp command tries again", s.describeError(err))
	}
	receipt := r.receipt()
	receipt.Notes = append(s.notes, receipt.Notes...)
	s.notes = nil
	return receipt, nil
}

// receipt says what the run did.
func (r *run) receipt() vault.Receipt {
	out := vault.Receipt{Op: r.in.Op, Before: r.result.Before, Commit: r.result.Commit, Notes: r.notes}
	for _, e := range r.in.Edits {
		if e.Kind == takes {
			out.Paths = append(out.Paths, r.s.takenPath(e)...)
		} else if !e.Outside {
			out.Paths, out.Moved = append(out.Paths, r.s.paths(e)...), append(out.Moved, r.s.renames(e)...)
		}
	}
	for _, name := range r.result.Adopted {
		if p, ok := r.s.inVault(string(name)); ok {
			out.Adopted = append(out.Adopted, p)
		}
	}
	slices.Sort(out.Paths)
	out.Paths = slices.Compact(out.Paths)
	out.Gone = r.findGone(out.Paths)
	return out
}

// findGone returns the paths at which nothing lies. Many of them lie in few folders, and
// listing a folder costs less than a look at each file.
func (r *run) findGone(paths []vault.Path) []vault.Path {
	if len(paths) <= bulk {
		return slices.DeleteFunc(slices.Clone(paths), func(p vault.Path) bool { return files.Present(r.s.abs(p, false)) })
	}
	var gone []vault.Path
	folders := make(map[vault.Path]map[string]bool)
	for _, p := range paths {
		names, ok := folders[p.Dir()]
		if !ok {
			names = r.s.Names(p.Dir())
			folders[p.Dir()] = names
		}
		if !names[p.Base()] && !files.Present(r.s.abs(p, false)) {
			gone = append(gone, p)
		}
	}
	return gone
}

// renames returns the memories' files that nothing but their place changed of.
func (s *Store) renames(e *edit) []vault.Rename {
	var all []vault.Rename
	for _, f := range e.Files {
		if from, to := f.path(e.Path), f.path(e.To); s.isRename(e, f) && s.leaves.Candidate(from) {
			all = append(all, vault.Rename{From: from, To: to})
		}
	}
	return all
}

// isRename reports whether a file has moved with the text it had. One that is a
// memory at one of the two places alone is as good as new, and so is a facts file, whose
// name says of what it is.
func (s *Store) isRename(e *edit, f found) bool {
	return !f.path(e.Path).IsFacts() && f.moved && len(e.Steps) == 0 && !e.Adopt && !e.Whole && s.leaves.Candidate(f.path(e.Path)) == s.leaves.Candidate(f.path(e.To))
}

// paths returns the memories' files that an edit touches, old and new places,
// but for those that were only renamed.
func (s *Store) paths(e *edit) []vault.Path {
	var all []vault.Path
	if !e.Tree && !(len(e.Files) == 1 && s.isRename(e, e.Files[0])) {
		all = append(all, e.Path)
		if e.To != "" {
			all = append(all, e.To)
		}
	}
	for _, f := range e.Files {
		if s.isRename(e, f) {
			continue
		}
		all = append(all, f.path(e.Path))
		if e.To != "" {
			all = append(all, f.path(e.To))
		}
	}
	return slices.DeleteFunc(all, func(p vault.Path) bool { return !s.leaves.Candidate(p) })
}
