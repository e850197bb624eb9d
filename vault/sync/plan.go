package sync

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/tree"
)

// reconciler is one pass of sync: it collects discrepancies and the edits that settle
// them.
type reconciler struct {
	tx   *vault.Tx
	ctx  context.Context
	t    vault.Tree
	o    Options
	out  *Synced
	head string // HEAD's commit; empty on an unborn branch
	only *node  // the one parent to touch; nil for all

	prefix   string // of new ids
	unwanted func(vault.Path) bool
	kinds    []string // of notes of which memories are made
	refused  refusals

	files       map[vault.Path]*file
	memories    map[string]*memory // by the id, folded
	paths       []vault.Path       // of the memories on disk, in order
	last        vault.Path         // of the walk over the memories
	seats       tree.FolderNotes   // of the memories on disk
	leftOut     tree.FolderNotes   // files that a sparse checkout leaves out
	families    households
	drift       []vault.Drift
	edits       converge.Edits  // by the files' paths on disk
	deleted     []vault.ID      // memories that the commit takes away
	notes       []string        // what else the commit's message says: what was typed and has lost, how many links were mended
	moved       []tree.FileMove // by a person
	followed    []LeftFolder    // folders whose memories have their parent elsewhere by now
	historic    []vault.Edit    // put typed pointers that go into the history first, by a commit of their own
	successions []succession    // ids in the place of others
	admitted    []vault.Path    // read-only notes that become memories
	recorded    bool            // the files of other types than memory were asked for
}

// pass is the verb that compares files, blocks and HEAD.
type pass struct {
	*Syncer
	Options
	refused refusals
}

// Name is the verb's.
func (p pass) Name() string { return "sync" }

// Plan finds what does not agree, and what puts it right.
func (p pass) Plan(ctx context.Context, tx *vault.Tx) (Synced, error) {
	p.Options.NoAdopt = p.Options.NoAdopt || tx.NoAdopt()
	out := Synced{Discrepancies: []Discrepancy{}, Conflicts: []Conflict{}, Problems: []vault.Problem{}}
	r := &reconciler{
		tx: tx, ctx: ctx, t: tx.Tree(), o: p.Options, prefix: p.Prefix, unwanted: p.Unwanted, kinds: p.Extensions, refused: p.refused, out: &out, files: make(map[vault.Path]*file), memories: make(map[string]*memory),
		seats: make(tree.FolderNotes), leftOut: make(tree.FolderNotes), edits: make(converge.Edits),
	}
	if err := cmp.Or(r.catchUp(), r.admit()); err != nil {
		return out, err
	}
	if done, err := p.isAgreed(ctx, &out); done && len(out.Discrepancies) == 0 || err != nil {
		return out, err
	}
	if err := r.loadCompared(); err != nil {
		return out, err
	}
	if err := r.findLeft(); err != nil {
		return out, err
	}
	for _, step := range []func() error{r.problems, r.drifts, r.spareNew, r.spareLeftOut, r.markers, r.duplicates, r.structure, r.blocks, r.followFacts} {
		if err := step(); err != nil {
			return out, err
		}
	}
	if len(r.historic) > 0 && !r.o.DryRun {
		tx.Take(&vault.Change{Title: "pointers that go", Edits: r.historic, AllowSecret: p.AllowSecret})
		return Synced{again: true}, nil
	}
	if err := r.links(); err != nil {
		return out, err
	}
	out.concerns = r.concerns
	title, note := account(out.Discrepancies, r.notes...)
	change := &vault.Change{Title: title, Note: note, Edits: r.withFolders(r.edits.ListChanging()), Gone: r.deleted, AllowSecret: p.AllowSecret, Mirrors: true}
	out.quiet = len(out.Discrepancies)+len(out.Problems)+len(out.Warnings)+len(r.drift)+len(change.Edits) == 0
	tx.Take(change)
	return out, p.rehearseDryRun(ctx, change)
}

// maxNote bounds the lines that a commit message lists.
const maxNote = 50

// account tells the commit's reader what was done, and what else there is to say.
func account(found []Discrepancy, more ...string) (title, note string) {
	var lines []string
	for _, d := range found {
		if d.Fixed != "" {
			lines = append(lines, cmp.Or(string(d.Path), string(d.Parent))+": "+d.Fixed)
		}
	}
	title = vault.Plural(len(lines), "discrepancy", "discrepancies")
	if n := len(lines) - maxNote; n > 0 {
		lines = append(lines[:maxNote], vault.Plural(n, "more", "more"))
	}
	return title, strings.Join(append(lines, more...), "\n")
}

// newID gives the file at p an id in place of was. A dry run shows the provisional one
// that everybody sees, since the real run would draw another. For a committed file the id
// follows from the commits, so that two clones which settle the same file give it the same
// one.
func (r *reconciler) newID(p vault.Path, was vault.ID) (id vault.ID, err error) {
	n := r.fileAt(p)
	if n.isInMirror() && r.o.DryRun {
		return n.ID, nil
	}
	if n.Head == "" {
		id, err = r.unseenID()
	} else {
		var first vault.Revision
		if first, err = r.firstCommit(p); err == nil {
			id, err = r.derivedID(first.Commit, string(p), n.Head, string(was))
		}
	}
	r.knownMemory(id).seen = true
	return id, err
}

// derivedID is the id that follows from what is said of a file.
func (r *reconciler) derivedID(said ...string) (vault.ID, error) {
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(strings.Join(append(said, fmt.Sprint(n)), "\x00")))
		if id, err := vault.NewID(r.prefix, bytes.NewReader(sum[:])); err != nil || !r.knownMemory(id).seen {
			return id, err
		}
	}
}

// catchUp finds out where everything stands.
func (r *reconciler) catchUp() (err error) {
	if r.out.Report, err = r.tx.CatchUp(r.ctx, vault.Scope{Each: true}); err != nil {
		return err
	}
	if !r.out.Report.Complete {
		r.warn("some files or folders could not be read; nothing is taken for deleted")
	}
	if r.head, err = r.tx.Tip(r.ctx); err != nil {
		return err
	}
	return r.resolveParent()
}

// problems adds what is wrong with single files; an empty list, never none.
func (r *reconciler) problems() error {
	problems, err := r.t.Problems(r.ctx)
	r.out.Problems = append(r.out.Problems, problems...)
	return err
}

// resolveParent resolves the one parent.
func (r *reconciler) resolveParent() error {
	if r.o.Parent == "" {
		return nil
	}
	n, err := r.t.Find(r.ctx, r.o.Parent)
	if err != nil {
		return err
	}
	if !n.IsMemory() {
		return vault.Errorf(vault.CodeType, "", "Shard %s is type '%s', expected 'memory'", n.ID, n.Type)
	}
	only := keepNode(&n)
	r.only = &only
	return nil
}

// loadCompared reads what the pass compares.
func (r *reconciler) loadCompared() error {
	_, err := r.t.Walk(r.ctx, vault.WalkOptions{MaxDepth: vault.MaxDepth + 1, Closed: true, Each: r.keepMemory})
	if err != nil {
		return err
	}
	slices.Sort(r.paths)
	return r.t.Parents(r.ctx, "", func(whole vault.Family) error {
		f := r.families.addFamily(&whole)
		for i := range f.Children {
			c := &f.Children[i]
			if r.admits(c); r.fileAt(c.Path).isInMirror() {
				*c = r.fileAt(c.Path).node // the same, and one text for both
			}
		}
		f.Children = slices.DeleteFunc(f.Children, func(c node) bool { return c.ReadOnly() })
		f.share()
		for _, e := range f.Entries {
			r.remember(vault.ID(e.ID), e.Summary)
		}
		return nil
	})
}

// keepMemory keeps a memory. They come by path: one that does not come behind the last one begins anew,
// and nothing is known yet but them.
func (r *reconciler) keepMemory(whole vault.Node) {
	if whole.Path <= r.last {
		clear(r.files)
		clear(r.memories)
		clear(r.seats)
		r.paths, r.admitted = nil, nil
	}
	r.last = whole.Path
	n := keepNode(&whole)
	if n.ReadOnly() && !r.admits(&n) {
		return
	}
	m := r.knownMemory(n.ID)
	m.seen, m.stands = true, n.Path
	r.fileAt(n.Path).node = n
	r.paths = append(r.paths, n.Path)
	r.seats.Add(n.Path)
}

// remember keeps a phrase for a child that is to get a new pointer.
func (r *reconciler) remember(id vault.ID, phrase string) {
	if m := r.knownMemory(id); phrase != vault.Placeholder && m.phrase == "" {
		m.phrase = phrase
	}
}

// concerns reports whether the pass touches the file at p: it touches every file, or only
// the one parent and its children.
func (r *reconciler) concerns(p vault.Path) bool {
	on := r.fileAt(p)
	return !on.left && (r.only == nil || p == r.only.Path || on.isInMirror() && on.Parent == r.only.ID)
}

// nameless reports whether a memory has no id, and gets none in this pass: its
// file is empty or damaged.
func (r *reconciler) nameless(n node) bool {
	return r.idAfterPass(n).Provisional() && !r.fileAt(n.Path).named
}

// drifts loads what differs between the disk and HEAD.
func (r *reconciler) drifts() (err error) {
	if r.drift, err = r.t.Drift(r.ctx); err != nil {
		return err
	}
	for _, p := range r.admitted {
		_, held, err := r.tx.ReadCommitted(r.ctx, p)
		if err != nil {
			return err
		}
		if !held {
			r.drift = append(r.drift, vault.Drift{Path: p, ID: r.fileAt(p).ID, Hash: r.fileAt(p).Hash})
		}
	}
	slices.SortFunc(r.drift, func(a, b vault.Drift) int { return cmp.Compare(a.Path, b.Path) })
	r.spareRefused()
	return nil
}

// spareLeftOut leaves out of the pass what a sparse checkout does not have on
// disk: its pointers stay, and what lies below it is no orphan.
func (r *reconciler) spareLeftOut() error {
	var gone []vault.Path
	for _, d := range r.drift {
		if d.Hash == "" {
			gone = append(gone, d.Path)
		}
	}
	out, err := r.tx.LeftOut(r.ctx, gone)
	if err != nil || len(out) == 0 {
		return err
	}
	r.warn("a sparse checkout leaves out %s, which sync leaves alone (%s)", vault.Plural(len(out), "file", "files"), out[0])
	hidden := make(map[vault.Path]bool, len(out))
	for _, p := range out {
		m, err := r.atHead(p)
		if err != nil {
			return err
		}
		if m != nil {
			r.knownMemory(m.ID).spared = true
		}
		r.leftOut.Add(p)
		hidden[p] = true
	}
	r.drift = slices.DeleteFunc(r.drift, func(d vault.Drift) bool { return hidden[d.Path] })
	return nil
}

// idAfterPass returns the id that a memory has after this pass.
func (r *reconciler) idAfterPass(n node) vault.ID {
	return cmp.Or(r.fileAt(n.Path).id, n.ID)
}

// atHead returns HEAD's version of a file; nil where it has none that can be read.
func (r *reconciler) atHead(p vault.Path) (*vault.Memory, error) {
	on := r.fileAt(p)
	if on.asked || on.refused {
		return on.head, nil
	}
	doc, held, err := r.tx.ReadCommitted(r.ctx, p)
	if held {
		on.head = vault.Parse(p, doc)
	}
	on.asked = err == nil
	return on.head, err
}

// addDiscrepancy records a discrepancy; fixed says in words what is done about it,
// nothing when it is only reported.
func (r *reconciler) addDiscrepancy(d Discrepancy, fixed string, args ...any) {
	if fixed != "" {
		d.Fixed = fmt.Sprintf(fixed, args...)
	}
	r.out.Discrepancies = append(r.out.Discrepancies, d)
}

func (r *reconciler) warn(format string, args ...any) {
	r.out.Warnings = append(r.out.Warnings, fmt.Sprintf(format, args...))
}
