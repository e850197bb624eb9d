package past

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Restore brings back an earlier version of a memory, or one that was deleted.
type Restore struct {
	Ref       string
	Rev       string // a commit, or a time as ParseSince reads it; of a deleted memory empty is its last version
	Recursive bool   // of a deleted memory: what was deleted below it in the same commit, too
}

// Restored is the outcome of Restore.
type Restored struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Path      vault.Path `json:"path"`
	Commit    string     `json:"commit"` // the version that was brought back
	Parent    *vault.ID  `json:"parent_updated"`
	IDs       []vault.ID `json:"restored"`            // the memory, and with Recursive those below it
	Left      []vault.ID `json:"left,omitempty"`      // deleted together with it, and not restored
	Facts     bool       `json:"facts,omitempty"`     // its facts are back, too
	Unchanged bool       `json:"unchanged,omitempty"` // it says that already
	vault.Warned
}

// Restore brings back what a memory said, or a deleted memory with the pointer
// to it, in one commit. Where a memory stands and which children it has are not
// its text: they stay as they are. A file with uncommitted edits is refused.
func (h *History) Restore(ctx context.Context, o Restore) (Restored, error) {
	a, err := h.past()
	if err != nil {
		return Restored{}, err
	}
	plan, err := h.restoring(ctx, a, o)
	if err != nil {
		return Restored{}, err
	}
	return vault.Run(ctx, h.Vault, plan, vault.Options{AllowSecret: true})
}

// restoration holds the versions to bring back. They are read before the lock, since the
// past does not change.
type restoration struct {
	id     vault.ID
	commit string
	path   vault.Path // in that commit
	doc    []byte
	lost   string // the commit that took it away; empty while it lives
	below  []deleted
	left   []vault.ID          // deleted below it, and left alone
	facts  map[vault.ID][]byte // what was known of each, beside its text
}

// Name is the verb's.
func (r *restoration) Name() string { return "restore" }

// Plan brings back what was read.
func (r *restoration) Plan(ctx context.Context, tx *vault.Tx) (Restored, error) {
	if r.lost != "" {
		return r.restoreDeleted(ctx, tx)
	}
	return r.restoreLiving(ctx, tx)
}

// deleted is a deleted file.
type deleted struct {
	path vault.Path
	doc  []byte
}

func (h *History) restoring(ctx context.Context, a *Archive, o Restore) (*restoration, error) {
	n, gone, err := h.locateRef(ctx, a, o.Ref)
	switch {
	case err != nil:
		return nil, err
	case gone != "":
		return h.readDeleted(ctx, a, o, gone)
	}
	return h.readEarlier(ctx, a, o, &n)
}

// readEarlier reads an earlier version of a memory that lives.
func (h *History) readEarlier(ctx context.Context, a *Archive, o Restore, n *vault.Node) (*restoration, error) {
	if o.Rev == "" {
		return nil, vault.Errorf(vault.CodeInvalid, "`cp memory log "+string(n.ID)+"` lists its versions; then `cp memory restore "+string(n.ID)+" <commit>`",
			"%s is not deleted, so say which version of it", n.ID)
	}
	commit, err := h.versionAt(ctx, a, o.Rev, n.ID)
	if err != nil {
		return nil, err
	}
	r := &restoration{id: n.ID, commit: commit}
	if r.path, err = h.pathAt(ctx, a, commit, n); err != nil {
		return nil, err
	}
	if r.doc, err = h.Store.ReadAt(ctx, commit, r.path); err != nil {
		return nil, err
	}
	return r, h.factsOf(ctx, r, func(vault.ID) (string, error) { return commit, nil })
}

// readDeleted reads a deleted memory, and finds what was deleted with it.
func (h *History) readDeleted(ctx context.Context, a *Archive, o Restore, id vault.ID) (*restoration, error) {
	if err := h.stillCommitted(ctx, a, id); err != nil {
		return nil, err
	}
	lost, p, err := a.FindDeletion(ctx, "HEAD", id)
	if vault.CodeOf(err) == vault.CodeNotFound && o.Rev != "" {
		return h.offBranch(ctx, a, o.Rev, id)
	}
	if err != nil {
		return nil, err
	}
	r := &restoration{id: id, lost: lost, path: p}
	if r.commit, err = a.Parent(ctx, lost); err != nil {
		return nil, err
	}
	if err := h.collectBelow(ctx, a, o, r); err != nil {
		return nil, err
	}
	if o.Rev != "" {
		if r.commit, err = h.versionAt(ctx, a, o.Rev, id); err != nil {
			return nil, err
		}
		if r.path, err = h.pathAt(ctx, a, r.commit, &vault.Node{ID: id, Path: p}); err != nil {
			return nil, err
		}
	}
	if r.doc, err = h.Store.ReadAt(ctx, r.commit, r.path); err == nil {
		err = h.factsOf(ctx, r, func(id vault.ID) (string, error) {
			if o.Rev != "" {
				return r.commit, nil
			}
			return h.lastFacts(ctx, a, id)
		})
	}
	return r, err
}

// offBranch reads a memory that the branch has never had, from a commit that has it: a
// branch that was moved has lost it.
func (h *History) offBranch(ctx context.Context, a *Archive, rev string, id vault.ID) (*restoration, error) {
	commit, err := h.versionAt(ctx, a, rev, id)
	if err != nil {
		return nil, err
	}
	r := &restoration{id: id, commit: commit, lost: commit}
	if r.path, err = a.Seek(ctx, commit, id); err == nil && r.path == "" {
		err = vault.NotFound(string(id))
	}
	if err != nil {
		return nil, err
	}
	if r.doc, err = h.Store.ReadAt(ctx, commit, r.path); err == nil {
		err = h.factsOf(ctx, r, func(vault.ID) (string, error) { return commit, nil })
	}
	return r, err
}

// allDeleted returns the files to bring back, the memory's own first.
func (r *restoration) allDeleted() []deleted { return append([]deleted{{r.path, r.doc}}, r.below...) }

// stillCommitted refuses a memory that HEAD has and the disk has not: git brings
// that back as it was.
func (h *History) stillCommitted(ctx context.Context, a *Archive, id vault.ID) error {
	head, err := h.Store.Head(ctx)
	if err != nil || head.Commit == "" {
		return err
	}
	p, err := a.Seek(ctx, head.Commit, id)
	if err != nil || p == "" {
		return err
	}
	return &vault.Error{Code: vault.CodeDirty, Path: string(p), Msg: "the file was removed by hand and is still committed",
		Hint: "bring it back with `git restore -- " + p.QuoteForShell() + "`, or let `cp memory sync` commit the removal first"}
}

// collectBelow collects what the commit that took the memory away took from below it.
func (h *History) collectBelow(ctx context.Context, a *Archive, o Restore, r *restoration) error {
	touched, err := a.ListTouched(ctx, r.commit, r.lost)
	if err != nil {
		return err
	}
	for _, t := range touched {
		if !t.Gone || !t.Path.Within(r.path.Stem()) {
			continue
		}
		doc, err := h.Store.ReadAt(ctx, r.commit, t.Path)
		if err != nil {
			return err
		}
		if !o.Recursive {
			r.left = append(r.left, vault.Parse(t.Path, doc).ID)
			continue
		}
		r.below = append(r.below, deleted{t.Path, doc})
	}
	return nil
}

// restoreLiving gives a memory that lives an earlier text.
func (r *restoration) restoreLiving(ctx context.Context, tx *vault.Tx) (Restored, error) {
	p, err := tx.OpenMemory(ctx, string(r.id))
	if err != nil {
		return Restored{}, err
	}
	if err := tx.Clean(ctx, p.Path); err != nil {
		return Restored{}, err
	}
	steps := []vault.Step{{Op: vault.OpSetText, Text: string(r.doc)}}
	if p.Mem.HasBlock || vault.Parse(p.Path, r.doc).HasBlock {
		steps = append(steps, vault.Step{Op: vault.OpSetBlock, Entries: p.Mem.Pointers})
	}
	changed, err := tx.Amend(ctx, p, steps...)
	tx.Note("The text of " + vault.Short(r.commit) + ".")
	if err != nil {
		return Restored{}, err
	}
	back, err := r.returnFacts(ctx, tx, p.ID)
	out := Restored{Commit: r.commit, ID: p.ID, Title: p.Mem.Title, Path: p.Path, Facts: back, Unchanged: !changed && !back, IDs: []vault.ID{p.ID}}
	return out, err
}
