package vault

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Tx is the vault as it will be after what has been planned so far: the tree and
// the files as they are, and over them the edits of the verb, or of the lines of
// a batch before it. A Tx that is not committed is a dry run.
type Tx struct {
	v     *Vault
	tree  Tree
	ids   *draws
	drawn int         // how many of ids this planning has taken
	known map[ID]bool // the tree's ids; nil until many are drawn

	docs  map[Path]*Doc // those that were opened, and the new ones
	at    map[ID]Path   // of docs
	next  map[Path]int  // the last number that a name was tried with
	edits map[Path]*Edit
	order []Path // of edits, as they were first meant
	about Change // all but the edits
}

// draws are the ids of one write: the nth is the same when it is planned again.
type draws []ID

// begin returns a Tx on the vault as it is.
func (v *Vault) begin(t Tree, ids *draws) *Tx {
	tx := &Tx{v: v, tree: t, ids: ids}
	tx.forget()
	return tx
}

// Restart drops all that was planned; what is planned now the commit calls verb.
func (tx *Tx) Restart(verb string) {
	tx.forget()
	tx.about.Verb = verb
}

// forget drops what was planned of files.
func (tx *Tx) forget() {
	tx.docs, tx.at, tx.next, tx.edits, tx.order = make(map[Path]*Doc), make(map[ID]Path), make(map[Path]int), make(map[Path]*Edit), nil
}

// Reading returns a Tx to read with.
func (v *Vault) Reading() *Tx { return v.begin(v.Mirror.Tree, new(draws)) }

// Tree answers questions about the vault's shape, as the mirror has it.
func (tx *Tx) Tree() Tree { return tx.tree }

// Now is the moment of the write.
func (tx *Tx) Now() time.Time { return tx.v.Now() }

// NoAdopt reports whether files that are in no commit are to be left alone.
func (tx *Tx) NoAdopt() bool { return tx.v.NoAdopt }

// BlobID returns git's object id of a text, as [Doc]'s Hash is one.
func (tx *Tx) BlobID(text []byte) string { return tx.v.Store.BlobID(text) }

// Agent is the author of the write.
func (tx *Tx) Agent() string { return tx.v.Agent }

// CatchUp brings the tree up to date with the disk as far as scope says.
func (tx *Tx) CatchUp(ctx context.Context, scope Scope) error {
	_, err := tx.v.CatchUp(ctx, scope)
	return err
}

// openTries bounds how often a memory is looked for: its file may be caught in
// the middle of an editor's save, when it does not carry its id.
const openTries = 4

// Open finds ref, an id, a unique prefix of one or a path, and checks the answer
// on disk. Only when the two disagree does it bring the whole tree up to date,
// and tries again. The error is CodeNotFound, or CodeAmbiguous with the candidates.
func (tx *Tx) Open(ctx context.Context, ref string) (*Doc, error) {
	for try := 1; ; try++ {
		d, err := tx.Peek(ctx, ref)
		if err == nil || !stale(err) || try == openTries {
			return d, err
		}
		report, err2 := tx.v.CatchUp(ctx, Scope{})
		if err2 != nil {
			return nil, err2
		}
		if try > 1 && report.Changed == 0 && report.Removed == 0 {
			return d, err
		}
	}
}

// stale reports whether err may come from a mirror that is behind the disk.
func stale(err error) bool {
	switch CodeOf(err) {
	case CodeNotFound, CodeAmbiguous:
		return true
	}
	return false
}

// Peek is [Tx.Open] for a mirror that is not behind: it brings nothing up to date.
func (tx *Tx) Peek(ctx context.Context, ref string) (*Doc, error) {
	if d := tx.opened(ref); d != nil {
		return d, nil
	}
	n, err := tx.tree.Find(ctx, ref)
	if CodeOf(err) == CodeNotFound {
		return nil, tx.v.absent(ctx, tx.tree, ref)
	}
	if err != nil {
		return nil, err
	}
	if d := tx.docs[n.Path].parsed(); d != nil {
		return d, nil
	}
	var m *Memory
	text, _, err := tx.v.Store.ReadWhole(ctx, n.Path, func(text []byte) bool {
		m = Parse(n.Path, text)
		return n.Is(m) && len(m.Problems) == 0
	})
	if err != nil {
		return nil, err
	}
	if !n.Is(m) {
		return nil, NotFound(ref)
	}
	n.Hash = tx.v.Store.BlobID(text)
	return tx.keep(&Doc{Node: n, Mem: m, text: text}), nil
}

// opened returns the memory that ref, an id or a path, names; nil when nobody
// has opened or created it.
func (tx *Tx) opened(ref string) *Doc {
	if p, ok := tx.at[ID(ref)]; ok {
		return tx.docs[p].parsed()
	}
	return tx.docs[Path(ref)].parsed()
}

// keep remembers a memory.
func (tx *Tx) keep(d *Doc) *Doc {
	tx.docs[d.Path] = d
	if d.ID != "" {
		tx.at[d.ID] = d.Path
	}
	return d
}

// OpenMemory is Open, and refuses what is not of the type memory.
func (tx *Tx) OpenMemory(ctx context.Context, ref string) (*Doc, error) {
	d, err := tx.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	if d.Type != TypeMemory {
		return nil, Errorf(CodeType, "`cp shard show "+string(d.ID)+"` shows files of any type",
			"Shard %s is type '%s', expected 'memory'", d.ID, d.Type)
	}
	return d, nil
}

// Parent opens the memory above d; nil for a root.
func (tx *Tx) Parent(ctx context.Context, d *Doc) (*Doc, error) {
	if d.Parent == "" {
		return nil, nil
	}
	up, err := tx.Open(ctx, string(d.Parent))
	var e *Error
	if errors.As(err, &e) && e.Code == CodeNotFound {
		return nil, nil
	}
	return up, err
}

// Below lists the descendants of d, closed ones too, as they are on disk.
func (tx *Tx) Below(ctx context.Context, d *Doc) ([]Node, error) {
	if err := tx.CatchUp(ctx, Scope{Dir: d.Folder()}); err != nil {
		return nil, err
	}
	all, err := tx.tree.Walk(ctx, WalkOptions{Root: d.ID, Closed: true, MaxDepth: MaxDepth})
	if len(all) > 0 && all[0].ID == d.ID {
		all = all[1:]
	}
	return all, err
}

// Look tells what stands at p.
func (tx *Tx) Look(ctx context.Context, p Path) (Spot, error) {
	if e := tx.edits[p]; e != nil && e.Create != nil {
		return Spot{File: true}, nil
	}
	return tx.v.Store.Look(ctx, p)
}

// Committed returns a file's text in HEAD, and whether there is one.
func (tx *Tx) Committed(ctx context.Context, p Path) (text []byte, held bool, err error) {
	return tx.v.headText(ctx, p)
}

// Clean refuses files whose text, on disk or staged, is in no commit.
func (tx *Tx) Clean(ctx context.Context, paths ...Path) error {
	return tx.v.Committed(ctx, slices.DeleteFunc(paths, func(p Path) bool { return tx.docs[p] != nil && tx.docs[p].created })...)
}

// Busy reports whether a merge, rebase or the like is under way: a file may then
// be full of conflict markers, and what is to be written waits in the outbox.
func (tx *Tx) Busy(ctx context.Context) bool {
	head, err := tx.v.Store.Head(ctx)
	return err == nil && head.Busy != ""
}

// Committed refuses files whose text, on disk or staged, is in no commit.
func (v *Vault) Committed(ctx context.Context, paths ...Path) error {
	disk, staged, err := v.Store.Modified(ctx, paths...)
	switch {
	case err != nil:
		return err
	case len(disk) > 0:
		return Typed(disk[0], "the file", false)
	case len(staged) > 0:
		return Typed(staged[0], "the file", true)
	}
	return nil
}

// Modified reports whether p's text on disk is in no commit.
func (tx *Tx) Modified(ctx context.Context, p Path) (bool, error) {
	disk, _, err := tx.v.Store.Modified(ctx, p)
	return len(disk) > 0, err
}

// Read returns a file's bytes.
func (tx *Tx) Read(p Path) ([]byte, error) {
	text, _, err := tx.v.Store.Read(p)
	return text, err
}

// Scan calls fn for each file in the folder dir and below, as it is on disk; a
// name that cannot be a memory comes with its problem.
func (tx *Tx) Scan(ctx context.Context, dir Path, fn func(File) error) error {
	_, err := tx.v.Store.Scan(ctx, Scope{Dir: dir}, fn)
	return err
}

// OpenAt opens the file of a memory whatever id it carries.
func (tx *Tx) OpenAt(n Node) (*Doc, error) {
	if d := tx.docs[n.Path].parsed(); d != nil {
		return d, nil
	}
	text, err := tx.Read(n.Path)
	if err != nil {
		return nil, err
	}
	n.Hash = tx.v.Store.BlobID(text)
	return tx.keep(newDoc(n, text)), nil
}

// Staged returns those of the paths that a person has staged.
func (tx *Tx) Staged(ctx context.Context, paths []Path) ([]Path, error) {
	return tx.v.Store.Staged(ctx, paths)
}

// Ignored returns those of the paths that git ignores and HEAD has not.
func (tx *Tx) Ignored(ctx context.Context, paths []Path) ([]Path, error) {
	return tx.v.Store.Ignored(ctx, paths)
}
