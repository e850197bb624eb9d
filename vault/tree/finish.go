package tree

import (
	"bytes"
	"context"

	"github.com/cp-memory/cp/vault/merge"

	"github.com/cp-memory/cp/vault"
)

// Finish commits a person's edit of one file that seems to be finished.
type Finish struct {
	Path vault.Path
	Hash string // the blob id of the text that was left alone; no other one is committed
}

// Finished is the outcome of Finish: a commit, or the reason why there is none.
type Finished struct {
	Committed
	Parent bool   // it has a pointer block or children, which sync compares
	Why    string // empty with a commit, and where the text is committed already
	Again  bool   // it was saved again meanwhile, or is not in the mirror yet: try later
	Moved  bool   // it has another id than HEAD's file of that name: sync has to settle it
	vault.Warned
}

// Do commits a file as it is on disk, as after an edit on purpose, and a new
// one with an id. It leaves alone what its person has staged or git ignores,
// and what does not look finished: a text that was emptied or cut to less than
// half, that holds conflict markers or a header that cannot be read. Whoever watches, the edit is
// a person's, who may change what is protected.
func (o Finish) Do(ctx context.Context, v *vault.Vault) (Finished, error) {
	free := *v
	free.Protect = nil
	out, r, err := vault.Do(ctx, &free, o, vault.Options{})
	out.Path, out.Commit = o.Path, r.Commit
	out.Warn(r.Notes...)
	if vault.CodeOf(err) == vault.CodeConflict {
		out.Again = true
		return out, nil
	}
	return out, err
}

// Name is the verb's: an edit like any other.
func (o Finish) Name() string { return "edit" }

// Plan commits the file, if it looks finished.
func (o Finish) Plan(ctx context.Context, tx *vault.Tx) (out Finished, err error) {
	text, err := tx.Read(o.Path)
	if out.Again = err != nil || tx.BlobID(text) != o.Hash; out.Again {
		return out, nil
	}
	committed, held, err := tx.ReadCommitted(ctx, o.Path)
	if err != nil {
		return out, err
	}
	if out.Why, err = theirs(ctx, tx, o.Path, !held); err != nil || out.Why != "" {
		return out, err
	}
	if out.Why = whyUnfinished(o.Path, text, committed); out.Why != "" {
		return out, nil
	}
	m, was := vault.Parse(o.Path, text), vault.Parse(o.Path, committed)
	if out.Moved = m.ID != "" && was.ID != "" && m.ID != was.ID; out.Moved {
		return out, nil
	}
	err = o.planCommit(ctx, tx, &out)
	return out, err
}

// planCommit plans the commit itself.
func (o Finish) planCommit(ctx context.Context, tx *vault.Tx, out *Finished) error {
	n, ok, err := tx.Tree().At(ctx, o.Path)
	if out.Again = !ok; err != nil || !ok {
		return err
	}
	out.Parent = n.HasBlock || n.Children > 0
	a, err := Edited{Path: o.Path, ID: n.ID}.Plan(ctx, tx)
	out.ID, out.Title, out.Warnings = a.ID, a.Title, a.Warnings
	if err == nil && !a.Unchanged {
		tx.Match(o.Path, o.Hash)
	}
	return err
}

// theirs tells why a file is its person's own affair; empty when it is not.
func theirs(ctx context.Context, tx *vault.Tx, p vault.Path, fresh bool) (string, error) {
	staged, err := tx.ListStaged(ctx, []vault.Path{p})
	if err != nil || len(staged) > 0 {
		return vault.WhyStaged, err
	}
	switch {
	case !fresh:
		return "", nil
	case tx.NoAdopt():
		return "it is in no commit, and not to be adopted", nil
	}
	ignored, err := tx.ListIgnored(ctx, []vault.Path{p})
	if err != nil || len(ignored) > 0 {
		return "git ignores it", err
	}
	return "", nil
}

// whyUnfinished tells why a text does not look like one that a person is done
// with; empty when it does. committed is the text in HEAD.
func whyUnfinished(p vault.Path, doc, committed []byte) string {
	switch {
	case len(bytes.TrimSpace(doc)) == 0:
		return "it is empty"
	case 2*len(doc) < len(committed):
		return "it lost more than half of its text"
	case merge.HasHunks(doc) && !merge.HasHunks(committed):
		return "it holds conflict markers"
	}
	for _, problem := range vault.Parse(p, doc).Problems {
		switch problem.Kind {
		case vault.ProblemMarkers, vault.ProblemFrontMatter, vault.ProblemNoKeys, vault.ProblemEncoding, vault.ProblemUnfetched, vault.ProblemTooBig:
			return problem.Msg
		}
	}
	return ""
}
