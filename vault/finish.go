package vault

import (
	"bytes"
	"context"
)

// Finish commits a person's edit of one file that seems to be finished.
type Finish struct {
	Path Path
	Hash string // the blob id of the text that was left alone; no other one is committed
}

// Finished is the outcome of Finish: a commit, or why there is none.
type Finished struct {
	Committed
	Parent   bool     // it has a pointer block or children, which sync compares
	Why      string   // empty with a commit, and where the text is committed already
	Again    bool     // it was saved again meanwhile, or is not in the mirror yet: try later
	Moved    bool     // it has another id than HEAD's file of that name: sync has to settle it
	Warnings []string `json:"-"`
}

// WhyStaged is why a staged file is left alone. That it no longer is does not
// show in the file.
const WhyStaged = "it is staged, and so yours to commit"

// Finish commits a file as it is on disk, as after an edit on purpose, and a new
// one with an id. It leaves alone what its person has staged or git ignores,
// and what does not look finished: a text that was emptied or cut to less than
// half, that holds conflict markers or a header that cannot be read.
func (v *Vault) Finish(ctx context.Context, o Finish) (Finished, error) {
	var out Finished
	r, err := v.Update(ctx, "edit", Scope{None: true}, func(ctx context.Context, t Tree) (*Change, error) {
		out = Finished{Committed: Committed{Path: o.Path}}
		return v.planFinish(ctx, t, o, &out)
	})
	out.Commit = r.Commit
	out.Warnings = append(out.Warnings, r.Notes...)
	if CodeOf(err) == CodeConflict {
		out.Again = true
		return out, nil
	}
	return out, err
}

func (v *Vault) planFinish(ctx context.Context, t Tree, o Finish, out *Finished) (*Change, error) {
	doc, _, err := v.Store.Read(o.Path)
	if out.Again = err != nil || v.Store.BlobID(doc) != o.Hash; out.Again {
		return nil, nil
	}
	committed, held, err := v.headText(ctx, o.Path)
	if err != nil {
		return nil, err
	}
	if out.Why, err = v.theirs(ctx, o.Path, !held); err != nil || out.Why != "" {
		return nil, err
	}
	if out.Why = unfinished(o.Path, doc, committed); out.Why != "" {
		return nil, nil
	}
	m, was := Parse(o.Path, doc), Parse(o.Path, committed)
	if out.Moved = m.ID != "" && was.ID != "" && m.ID != was.ID; out.Moved {
		return nil, nil
	}
	return v.planFinished(ctx, t, o, out)
}

// planFinished plans the commit itself.
func (v *Vault) planFinished(ctx context.Context, t Tree, o Finish, out *Finished) (*Change, error) {
	n, ok, err := t.At(ctx, o.Path)
	if out.Again = !ok; err != nil || !ok {
		return nil, err
	}
	out.Parent = n.HasBlock || n.Children > 0
	var a Amended
	change, err := v.planEdited(ctx, t, Edited{Path: o.Path, ID: n.ID}, &a)
	out.ID, out.Title, out.Warnings = a.ID, a.Title, a.Warnings
	if err == nil && change != nil {
		change.Edits[0].Match = o.Hash
	}
	return change, err
}

// theirs tells why a file is its person's own affair; empty when it is not.
func (v *Vault) theirs(ctx context.Context, p Path, fresh bool) (string, error) {
	staged, err := v.Store.Staged(ctx, []Path{p})
	if err != nil || len(staged) > 0 {
		return WhyStaged, err
	}
	if !fresh {
		return "", nil
	}
	ignored, err := v.Store.Ignored(ctx, []Path{p})
	if err != nil || len(ignored) > 0 {
		return "git ignores it", err
	}
	return "", nil
}

// unfinished tells why a text does not look like one that a person is done
// with; empty when it does. committed is the text in HEAD.
func unfinished(p Path, doc, committed []byte) string {
	switch {
	case len(bytes.TrimSpace(doc)) == 0:
		return "it is empty"
	case 2*len(doc) < len(committed):
		return "it lost more than half of its text"
	case hunks(doc) && !hunks(committed):
		return "it holds conflict markers"
	}
	for _, problem := range Parse(p, doc).Problems {
		switch problem.Kind {
		case ProblemMarkers, ProblemFrontMatter, ProblemEncoding, ProblemUnfetched, ProblemTooBig:
			return problem.Msg
		}
	}
	return ""
}

// hunks reports whether a text holds git's conflict markers, a whole set of them.
func hunks(doc []byte) bool {
	_, ok := conflicts(string(doc))
	return ok
}
