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
	"github.com/cp-memory/cp/vault/sync/converge"
)

// reconciler is one pass of sync: it collects discrepancies and the edits that settle
// them.
type reconciler struct {
	tx   *vault.Tx
	ctx  context.Context
	t    vault.Tree
	o    Options
	out  *Synced
	head string      // HEAD's commit; empty on an unborn branch
	only *vault.Node // the one parent to touch; nil for all

	prefix string // of new ids

	nodes    map[vault.Path]vault.Node // all memories on disk
	families []vault.Family
	drift    []vault.Drift
	edits    converge.Edits
	ids      map[vault.Path]vault.ID      // ids that differ from the mirror's after this pass
	phrases  map[vault.ID]string          // trigger phrases by child, from whatever block has one
	touched  map[vault.ID]bool            // memories whose place or id the commit changes
	leftOut  vault.Seats                  // files that a sparse checkout leaves out
	spared   map[vault.ID]bool            // ids without a readable file whose pointers stay
	heads    map[vault.Path]*vault.Memory // HEAD's versions, as far as they were read
	deleted  []vault.ID                   // memories that the commit takes away
	dropped  []string                     // what was typed and has lost, for the commit's message

	seen       map[vault.ID]bool           // every id there is
	records    map[vault.ID]vault.Path     // the files of other types than memory; nil before they are asked for
	seats      vault.Seats                 // of the memories on disk
	arrived    map[vault.Path][]vault.Node // orphans, by the file of the parent they come under
	departed   map[vault.Path][]vault.ID   // ids that left, by the file of the parent whose block in HEAD has them
	renumbered map[vault.Path]vault.ID     // the id a file had that it loses to another one
	named      map[vault.Path]bool         // files that get an id
	ignored    map[vault.Path]bool         // files that the pass leaves alone: git ignores them and HEAD has not, they hold a secret, or are not to be adopted
	resolved   map[vault.Path][]byte       // texts without the conflict markers of their front matter
	damaged    map[vault.Path]bool         // files whose front matter cannot be read
}

// pass is the verb that compares files, blocks and HEAD.
type pass struct {
	*Syncer
	Options
}

// Name is the verb's.
func (p pass) Name() string { return "sync" }

// Plan finds what does not agree, and what puts it right.
func (p pass) Plan(ctx context.Context, tx *vault.Tx) (Synced, error) {
	p.Options.NoAdopt = p.Options.NoAdopt || tx.NoAdopt()
	out := Synced{Discrepancies: []Discrepancy{}, Conflicts: []Conflict{}, Problems: []vault.Problem{}}
	r := &reconciler{
		tx: tx, ctx: ctx, t: tx.Tree(), o: p.Options, prefix: p.Prefix, out: &out, nodes: make(map[vault.Path]vault.Node), ids: make(map[vault.Path]vault.ID), phrases: make(map[vault.ID]string),
		edits: make(converge.Edits), touched: make(map[vault.ID]bool), spared: make(map[vault.ID]bool), leftOut: make(vault.Seats), heads: make(map[vault.Path]*vault.Memory),
		seats: make(vault.Seats), arrived: make(map[vault.Path][]vault.Node), departed: make(map[vault.Path][]vault.ID), renumbered: make(map[vault.Path]vault.ID), named: make(map[vault.Path]bool),
		ignored: make(map[vault.Path]bool), resolved: make(map[vault.Path][]byte), damaged: make(map[vault.Path]bool),
	}
	if err := r.catchUp(); err != nil {
		return out, err
	}
	if done, err := p.agreed(ctx, &out); done || err != nil {
		return out, err
	}
	for _, step := range []func() error{r.problems, r.load, r.spareIgnored, r.spareSecrets, r.spareUnadopted, r.spareLeftOut, r.markers, r.duplicates, r.structure, r.blocks} {
		if err := step(); err != nil {
			return out, err
		}
	}
	title, note := account(out.Discrepancies, r.dropped...)
	change := &vault.Change{Title: title, Note: note, Edits: r.edits.All(), Gone: r.deleted, AllowSecret: p.AllowSecret, Mirrors: true}
	out.quiet = len(out.Discrepancies)+len(out.Problems)+len(out.Warnings)+len(r.drift)+len(change.Edits) == 0
	tx.Take(change)
	return out, nil
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
	n, ok := r.nodes[p]
	if ok && r.o.DryRun {
		return n.ID, nil
	}
	if n.Head == "" {
		id, err = r.unseenID()
	} else {
		var first vault.Revision
		if first, err = r.first(p); err == nil {
			id, err = r.derivedID(first.Commit, string(p), n.Head, string(was))
		}
	}
	r.seen[id] = true
	return id, err
}

// derivedID is the id that follows from what is said of a file.
func (r *reconciler) derivedID(said ...string) (vault.ID, error) {
	for n := 0; ; n++ {
		sum := sha256.Sum256([]byte(strings.Join(append(said, fmt.Sprint(n)), "\x00")))
		if id, err := vault.NewID(r.prefix, bytes.NewReader(sum[:])); err != nil || !r.seen[id] {
			return id, err
		}
	}
}

// catchUp finds out where everything stands.
func (r *reconciler) catchUp() (err error) {
	if r.out.Report, err = r.tx.CatchUp(r.ctx, vault.Scope{}); err != nil {
		return err
	}
	if !r.out.Report.Complete {
		r.warn("some files or folders could not be read; nothing is taken for deleted")
	}
	if r.head, err = r.tx.Tip(r.ctx); err != nil {
		return err
	}
	return r.find()
}

// problems adds what is wrong with single files; an empty list, never none.
func (r *reconciler) problems() error {
	problems, err := r.t.Problems(r.ctx)
	r.out.Problems = append(r.out.Problems, problems...)
	return err
}

// find resolves the one parent.
func (r *reconciler) find() error {
	if r.o.Parent == "" {
		return nil
	}
	n, err := r.t.Find(r.ctx, r.o.Parent)
	if err != nil {
		return err
	}
	if n.Type != vault.TypeMemory {
		return vault.Errorf(vault.CodeType, "", "Shard %s is type '%s', expected 'memory'", n.ID, n.Type)
	}
	r.only = &n
	return nil
}

// load reads what the pass compares.
func (r *reconciler) load() error {
	all, err := r.t.Walk(r.ctx, vault.WalkOptions{MaxDepth: vault.MaxDepth + 1, Closed: true})
	if err != nil {
		return err
	}
	r.seen = make(map[vault.ID]bool, len(all))
	for _, n := range all {
		r.seen[n.ID] = true
		r.nodes[n.Path] = n
		r.seats.Add(n.Path)
	}
	return r.t.Parents(r.ctx, "", func(f vault.Family) error {
		r.families = append(r.families, f)
		for _, e := range f.Entries {
			r.remember(vault.ID(e.ID), e.Summary)
		}
		return nil
	})
}

// remember keeps a phrase for a child that is to get a new pointer.
func (r *reconciler) remember(id vault.ID, phrase string) {
	if phrase != "" && phrase != vault.Placeholder && r.phrases[id] == "" {
		r.phrases[id] = phrase
	}
}

// concerns reports whether the pass touches the file at p: it touches every file, or only
// the one parent and its children.
func (r *reconciler) concerns(p vault.Path) bool {
	if r.ignored[p] {
		return false
	}
	if r.only == nil || p == r.only.Path {
		return true
	}
	n, ok := r.nodes[p]
	return ok && n.Parent == r.only.ID
}

// nameless reports whether a memory has no id, and gets none in this pass: its
// file is empty or damaged.
func (r *reconciler) nameless(n vault.Node) bool { return r.id(n).Provisional() && !r.named[n.Path] }

// spareIgnored leaves the files that git ignores out of the pass: a person who keeps
// private notes in the vault does not want them, or their titles, in a commit.
func (r *reconciler) spareIgnored() (err error) {
	if r.drift, err = r.t.Drift(r.ctx); err != nil {
		return err
	}
	var fresh []vault.Path
	for _, d := range r.drift {
		if d.Head == "" {
			fresh = append(fresh, d.Path)
		}
	}
	ignored, err := r.tx.Ignored(r.ctx, fresh)
	for _, p := range ignored {
		r.ignored[p] = true
	}
	if n := len(ignored); n > 0 {
		r.warn("git ignores %s, which sync leaves alone (%s)", vault.Plural(n, "file", "files"), ignored[0])
	}
	return err
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
			r.spared[m.ID] = true
		}
		r.leftOut.Add(p)
		hidden[p] = true
	}
	r.drift = slices.DeleteFunc(r.drift, func(d vault.Drift) bool { return hidden[d.Path] })
	return nil
}

// id returns the id that a memory has after this pass.
func (r *reconciler) id(n vault.Node) vault.ID {
	if id, ok := r.ids[n.Path]; ok {
		return id
	}
	return n.ID
}

// atHead returns HEAD's version of a file; nil where it has none.
func (r *reconciler) atHead(p vault.Path) (*vault.Memory, error) {
	if m, ok := r.heads[p]; ok || r.head == "" {
		return m, nil
	}
	doc, err := r.tx.ReadAt(r.ctx, r.head, p)
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		r.heads[p] = nil
	case err != nil:
		return nil, err
	default:
		r.heads[p] = vault.Parse(p, doc)
	}
	return r.heads[p], nil
}

// found records a discrepancy; fixed says in words what is done about it,
// nothing when it is only reported.
func (r *reconciler) found(d Discrepancy, fixed string, args ...any) {
	if fixed != "" {
		d.Fixed = fmt.Sprintf(fixed, args...)
	}
	r.out.Discrepancies = append(r.out.Discrepancies, d)
}

func (r *reconciler) warn(format string, args ...any) {
	r.out.Warnings = append(r.out.Warnings, fmt.Sprintf(format, args...))
}
