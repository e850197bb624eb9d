package vault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Tx is the vault as it will be after what has been planned so far: the tree and
// the files as they are, and over them the edits of the verb, or of the lines of
// a batch before it. A Tx that is not committed is a dry run.
type Tx struct {
	v     *Vault
	tree  Tree
	fixed *fixed
	drawn int         // how many of fixed.ids this planning has taken
	known map[ID]bool // the tree's ids; nil until many are drawn

	names   map[Path]names  // of the folders that were looked at
	docs    map[Path]*Doc   // those that were opened, and the new ones, by where they will be
	at      map[ID]*Doc     // the same
	named   map[string]ID   // see Call
	next    map[Path]int    // the last number that a name was tried with
	edits   map[Path]*Edit  // by where their files will be
	dirs    map[Path]bool   // the folders in which they will be
	order   []*Edit         // as they were first meant
	about   Change          // all but the edits
	format  int             // the vault's format that the plan needs; 0 for any
	part    string          // see InPart
	facts   bool            // the vault holds facts, see AdmitFacts
	factsAt map[Path][]byte // the facts files that are planned; nil is none

	attributes []string // lines for AttributesFile
	reads      reads
}

// fixed holds what stays the same when a write is planned again.
type fixed struct {
	ids []ID      // the nth that is drawn
	now time.Time // its moment
}

// begin returns a Tx on the vault as it is.
func (v *Vault) begin(t Tree, f *fixed) *Tx {
	tx := &Tx{v: v, tree: t, fixed: f, names: make(map[Path]names)}
	tx.forget()
	return tx
}

// Restart drops everything planned so far. The commit is then named after verb.
func (tx *Tx) Restart(verb string) {
	tx.forget()
	tx.about.Verb = verb
}

// forget drops what was planned of files.
func (tx *Tx) forget() {
	tx.docs, tx.at, tx.next, tx.edits, tx.dirs, tx.order = make(map[Path]*Doc), make(map[ID]*Doc), make(map[Path]int), make(map[Path]*Edit), make(map[Path]bool), nil
	tx.factsAt, tx.attributes = nil, nil
}

// Reading returns a Tx to read with.
func (v *Vault) Reading() *Tx { return v.begin(v.Mirror.Tree, new(fixed)) }

// Tree answers questions about the vault's shape from the mirror. A write that asks none
// leaves the mirror alone: init makes none where it is refused.
func (tx *Tx) Tree() Tree {
	if r := &tx.reads; r.binding && !r.stamped {
		r.tree, r.failed = tx.v.Mirror.Generation(context.Background())
		r.stamped = true
	}
	return tx.tree
}

// Now is the moment of the write, however long it is planned.
func (tx *Tx) Now() time.Time {
	if tx.fixed.now.IsZero() {
		tx.fixed.now = tx.v.Now()
	}
	return tx.fixed.now
}

// NoAdopt reports whether files that are in no commit are to be left alone.
func (tx *Tx) NoAdopt() bool { return tx.v.NoAdopt }

// BlobID returns git's object id of a text. The Hash of a [Doc] is such an id.
func (tx *Tx) BlobID(text []byte) string { return tx.v.Store.BlobID(text) }

// Prefix begins the ids that the vault draws.
func (tx *Tx) Prefix() string { return tx.v.Prefix }

// Agent is the author of the write.
func (tx *Tx) Agent() string { return cmp.Or(tx.about.Agent, tx.v.Agent) }

// CatchUp brings the tree up to date with the disk as far as scope says. It remembers the
// scope, unless that is the whole vault.
func (tx *Tx) CatchUp(ctx context.Context, scope Scope) (Report, error) {
	report, err := tx.v.CatchUp(ctx, scope)
	tx.reads.tree, tx.reads.stamped = report.Generation, true
	if !scope.IsWholeVault() {
		generation := func(ctx context.Context) (Generation, error) {
			report, err := tx.v.Mirror.CatchUp(ctx, tx.v.Store.Source, scope)
			return report.Generation, err
		}
		remember(tx, fmt.Sprint("scope ", scope), report.Generation, err, generation)
	}
	return report, err
}

// openTries bounds how often a memory is looked for: its file may be caught in
// the middle of an editor's save, when it does not carry its id.
const openTries = 4

// Open finds ref, an id, a unique prefix of one or a path, and checks the answer
// on disk. Only when the two disagree does it bring the whole tree up to date,
// and tries again. The error is CodeNotFound, or CodeAmbiguous with the candidates.
func (tx *Tx) Open(ctx context.Context, ref string) (*Doc, error) {
	for try := 1; ; try++ {
		d, err := tx.OpenFromMirror(ctx, ref)
		if err == nil || !isBehindDisk(err) || try == openTries {
			return d, err
		}
		report, err2 := tx.CatchUp(ctx, Scope{})
		if err2 != nil {
			return nil, err2
		}
		if try > 1 && report.Changed == 0 && report.Removed == 0 {
			return d, err
		}
	}
}

// isBehindDisk reports whether err may come from a mirror that is behind the disk.
func isBehindDisk(err error) bool {
	switch CodeOf(err) {
	case CodeNotFound, CodeAmbiguous:
		return true
	}
	return false
}

// OpenFromMirror is [Tx.Open] for a mirror that is not behind: it brings nothing up to date.
func (tx *Tx) OpenFromMirror(ctx context.Context, ref string) (*Doc, error) {
	ref, err := tx.resolveLineName(ref)
	if err != nil {
		return nil, err
	}
	if d := tx.findOpened(ref); d != nil {
		return d, nil
	}
	n, err := tx.findNode(ctx, ref)
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(tx.about.Gone, n.ID):
		return nil, NotFound(ref)
	}
	path := tx.pathAfterMoves(n.Path)
	if d := cmp.Or(tx.at[n.ID], tx.docs[path]).ensureParsed(); d != nil {
		return d, nil
	}
	return tx.readSaved(ctx, n, ref)
}

// resolveLineName returns the id of the memory that a line of a batch names by an earlier line, and
// any other reference as it is.
func (tx *Tx) resolveLineName(ref string) (string, error) {
	name, ok := strings.CutPrefix(ref, "$")
	if !ok || tx.named == nil {
		return ref, nil
	}
	if id, ok := tx.named[name]; ok {
		return string(id), nil
	}
	return "", Errorf(CodeInvalid, "give the earlier line a \"key\", or name it by its number, as in \"$1\"", "'%s' is no earlier line's memory", Clip(ref, 80))
}

// findNode asks the tree for what a reference names.
func (tx *Tx) findNode(ctx context.Context, ref string) (Node, error) {
	n, err := tx.Tree().Find(ctx, string(tx.was(Path(ref))))
	if CodeOf(err) == CodeNotFound && ID(ref).Provisional() {
		n, err = tx.findByStandIn(ctx, ID(ref))
	}
	if CodeOf(err) == CodeNotFound {
		err = tx.v.absent(ctx, tx.Tree(), ref)
	}
	return n, err
}

// readSaved opens the file that the tree names. The error is CodeNotFound when another
// memory is in it.
func (tx *Tx) readSaved(ctx context.Context, n Node, ref string) (*Doc, error) {
	var m *Memory
	text, _, err := tx.v.Store.ReadSaved(ctx, n.Path, func(text []byte) bool {
		m = Parse(n.Path, text)
		return n.Is(m) && len(m.Problems) == 0
	})
	if err != nil {
		return nil, err
	}
	if !n.Is(m) {
		return nil, NotFound(ref)
	}
	remember(tx, "text "+string(n.Path), text, nil, tx.textReader(n.Path))
	n.Hash, n.Path = tx.v.Store.BlobID(text), tx.pathAfterMoves(n.Path)
	return tx.rememberDoc(&Doc{Node: n, Mem: m, text: text}), nil
}

// findByStandIn finds the file whose stand-in id was shown before it got one of its own.
func (tx *Tx) findByStandIn(ctx context.Context, id ID) (Node, error) {
	var at Path
	_, err := tx.v.Store.Scan(ctx, Scope{}, func(f File) error {
		if f.Problem == nil && ProvisionalID(f.Path, func(ID) bool { return false }) == id {
			at = f.Path
			return errFound
		}
		return nil
	})
	switch {
	case at != "":
		return tx.Tree().Find(ctx, string(at))
	case err != nil:
		return Node{}, err
	}
	return Node{}, NotFound(string(id))
}

// findOpened returns the memory that ref (an id or a path) names, if it was opened or created
// before, else nil.
func (tx *Tx) findOpened(ref string) *Doc {
	if d := tx.at[ID(ref)].ensureParsed(); d != nil {
		return d
	}
	return tx.docs[Path(ref)].ensureParsed()
}

// FindPlanned returns the memory that was opened at p, or is planned to be there; nil for none.
func (tx *Tx) FindPlanned(p Path) *Doc { return tx.docs[p].ensureParsed() }

// ListCreated lists the memories that are planned and not there yet.
func (tx *Tx) ListCreated() (all []Node) {
	for _, p := range slices.Sorted(maps.Keys(tx.docs)) {
		if d := tx.docs[p]; d.created {
			all = append(all, d.Node)
		}
	}
	return all
}

// rememberDoc remembers a memory.
func (tx *Tx) rememberDoc(d *Doc) *Doc {
	tx.docs[d.Path] = d
	if d.ID != "" {
		tx.at[d.ID] = d
	}
	return d
}

// OpenMemory is Open, and refuses what is not of the type memory.
func (tx *Tx) OpenMemory(ctx context.Context, ref string) (*Doc, error) {
	d, err := tx.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	if !d.IsMemory() {
		return nil, Errorf(CodeType, "`cp shard show "+string(d.ID)+"` shows files of any type",
			"Shard %s is type '%s', expected 'memory'", d.ID, d.Type)
	}
	return d, nil
}

// Parent opens the memory above d; nil for a root.
func (tx *Tx) Parent(ctx context.Context, d *Doc) (*Doc, error) {
	if up := tx.newParent(d); up != nil || d.Parent == "" {
		return up, nil
	}
	up, err := tx.Open(ctx, string(d.Parent))
	var e *Error
	if errors.As(err, &e) && e.Code == CodeNotFound {
		return nil, nil
	}
	return up, err
}

// Tip returns HEAD's commit, or "" on an unborn branch.
func (tx *Tx) Tip(ctx context.Context) (string, error) {
	return askVault(ctx, tx, "tip", tx.v.Store.Tip)
}

// ReadCommitted returns a file's text in HEAD. held is false if HEAD has no such file.
func (tx *Tx) ReadCommitted(ctx context.Context, p Path) (text []byte, held bool, err error) {
	tip, err := tx.Tip(ctx)
	if err != nil || tip == "" {
		return nil, false, err
	}
	text, err = tx.ReadAt(ctx, tip, p)
	if CodeOf(err) == CodeNotFound {
		return nil, false, nil
	}
	return text, err == nil, err
}

// ReadAt returns a file's text in a commit, as [Snapshots] does.
func (tx *Tx) ReadAt(ctx context.Context, commit string, p Path) ([]byte, error) {
	return tx.v.Store.ReadAt(ctx, commit, p)
}

// History calls fn for the commits in HEAD's history that touched any of the paths, as
// [Snapshots] does.
func (tx *Tx) History(ctx context.Context, paths []Path, fn func(Revision) bool) error {
	if _, err := tx.Tip(ctx); err != nil {
		return err
	}
	return tx.v.Store.History(ctx, paths, fn)
}

// Clean refuses files whose text, on disk or staged, is in no commit.
func (tx *Tx) Clean(ctx context.Context, paths ...Path) error {
	paths = slices.DeleteFunc(paths, func(p Path) bool { return tx.docs[p] != nil && tx.docs[p].created })
	m, err := tx.askModified(ctx, paths)
	switch {
	case err != nil:
		return err
	case len(m.staged) > 0:
		return ErrUncommitted(m.staged[0], "the file", true)
	case len(m.disk) > 0:
		return ErrUncommitted(m.disk[0], "the file", false)
	}
	return nil
}

// Busy reports whether a merge, rebase or the like is under way: a file may then
// be full of conflict markers, and what is to be written waits in the outbox.
func (tx *Tx) Busy(ctx context.Context) bool {
	head, err := askVault(ctx, tx, "head", tx.v.Store.Head)
	return err == nil && head.Busy != ""
}

// IsModified reports whether p's text on disk is in no commit.
func (tx *Tx) IsModified(ctx context.Context, p Path) (bool, error) {
	m, err := tx.askModified(ctx, []Path{p})
	return len(m.disk) > 0, err
}

// Read returns a file's bytes.
func (tx *Tx) Read(p Path) ([]byte, error) {
	return askVault(context.Background(), tx, "text "+string(p), tx.textReader(p))
}

// Scan calls fn for each file in the folder dir and below, as it is on disk; a
// name that cannot be a memory comes with its problem.
func (tx *Tx) Scan(ctx context.Context, dir Path, fn func(File) error) error {
	all, err := tx.listing(dir, fn)(ctx)
	remember(tx, "files "+string(dir), all, err, tx.listing(dir, func(File) error { return nil }))
	return err
}

// OpenAt opens the file of a memory, whatever id the file carries.
func (tx *Tx) OpenAt(n Node) (*Doc, error) {
	if d := tx.docs[tx.pathAfterMoves(n.Path)].ensureParsed(); d != nil {
		return d, nil
	}
	text, err := tx.Read(n.Path)
	if err != nil {
		return nil, err
	}
	n.Hash, n.Path = tx.v.Store.BlobID(text), tx.pathAfterMoves(n.Path)
	return tx.rememberDoc(newDoc(n, text)), nil
}

// ListStaged returns the paths that a person has staged.
func (tx *Tx) ListStaged(ctx context.Context, paths []Path) ([]Path, error) {
	return askVault(ctx, tx, fmt.Sprint("staged ", paths), func(ctx context.Context) ([]Path, error) { return tx.v.Store.ListStaged(ctx, paths) })
}

// LeftOut returns the paths that a sparse checkout leaves out of the work tree.
func (tx *Tx) LeftOut(ctx context.Context, paths []Path) ([]Path, error) {
	return askVault(ctx, tx, fmt.Sprint("left out ", paths), func(ctx context.Context) ([]Path, error) { return tx.v.Store.LeftOut(ctx, paths) })
}

// ListIgnored returns the paths that git ignores and HEAD does not hold.
func (tx *Tx) ListIgnored(ctx context.Context, paths []Path) ([]Path, error) {
	return askVault(ctx, tx, fmt.Sprint("ignored ", paths), func(ctx context.Context) ([]Path, error) { return tx.v.Store.ListIgnored(ctx, paths) })
}
