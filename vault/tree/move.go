package tree

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// Move gives a memory another parent. Its whole subtree moves along.
type Move struct {
	Ref     string `json:"id" need:"yes" tool:"id"`
	To      string `json:"parent" oneof:"yes" tool:"parent,need" about:"id, or root"` // the new parent
	Root    bool   `json:"root" oneof:"yes" flag:"root" help:"make it a root"`        // or none
	Summary string `json:"summary" flag:"summary" help:"a new trigger <phrase> (default: the present one)" tool:"summary" about:"a new phrase"`

	KeepLinks bool `json:"keep_links" flag:"keep-links" help:"name the links that break, and leave them"`

	In vault.Path `json:"-"` // the folder that takes the file; empty means the new parent's own
	As string     `json:"-"` // the name of the file there, without .md; empty keeps the present one

	// At is where the file goes instead, and its folder says what the parent is: To, Root, In and
	// As are empty then.
	At vault.Path `json:"-"`

	IfMatch string `json:"-"` // as in Amend: the hash of the memory's file as it was read
}

// Moved is the outcome of Move and Promote.
type Moved struct {
	ID        vault.ID   `json:"id"`
	OldParent *vault.ID  `json:"old_parent"`
	NewParent *vault.ID  `json:"new_parent"`
	NewDepth  int        `json:"new_depth"`
	Path      vault.Path `json:"path"`
	Unchanged bool       `json:"unchanged,omitempty"` // it was there already
	Summary   string     `json:"summary,omitempty"`   // the new trigger phrase
	Title     string     `json:"-"`
	OldTitle  string     `json:"-"` // of the old parent; empty for root
	NewTitle  string     `json:"-"`
	OldDepth  int        `json:"-"`
	Relinked
	vault.Warned
}

// Promote moves a memory up one level.
type Promote struct {
	Ref       string
	KeepLinks bool // as in Move
}

// Do gives a memory another parent, or none, in one commit: it moves the file with its
// folder and changes the pointers of both parents. The phrase is kept.
func (o Move) Do(ctx context.Context, v *vault.Vault) (Moved, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Do moves a memory to its grandparent, or to the root level.
func (o Promote) Do(ctx context.Context, v *vault.Vault) (Moved, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o Move) Name() string { return "move" }

// Name is the verb's.
func (o Promote) Name() string { return "promote" }

// Plan moves the memory below the target.
func (o Move) Plan(ctx context.Context, tx *vault.Tx) (Moved, error) {
	if (o.To == "") == !o.Root && o.At == "" {
		return Moved{}, vault.Errorf(vault.CodeInvalid, "`cp memory move <id> <new-parent-id>` or `cp memory move <id> --root`",
			"a move needs either a new parent or --root")
	}
	if err := vault.CheckLine("trigger phrase", o.Summary); err != nil {
		return Moved{}, err
	}
	src, err := moving(ctx, tx, o.Ref)
	if err == nil {
		err = src.Matches(o.IfMatch)
	}
	if err != nil {
		return Moved{}, err
	}
	dst, err := o.openParent(ctx, tx, src)
	if err != nil {
		return Moved{}, err
	}
	old, err := tx.Parent(ctx, src)
	if err != nil {
		return Moved{}, err
	}
	return moveBelow(ctx, tx, o, src, old, dst)
}

// Plan moves the memory up one level.
func (o Promote) Plan(ctx context.Context, tx *vault.Tx) (Moved, error) {
	src, err := moving(ctx, tx, o.Ref)
	if err != nil {
		return Moved{}, err
	}
	old, err := tx.Parent(ctx, src)
	if err != nil {
		return Moved{}, err
	}
	if old == nil {
		return Moved{}, vault.Errorf(vault.CodeInvalid, "", "Memory is already at root level")
	}
	dst, err := tx.Parent(ctx, old)
	if err != nil {
		return Moved{}, err
	}
	return moveBelow(ctx, tx, Move{KeepLinks: o.KeepLinks}, src, old, dst)
}

// moving opens the memory that is to move.
func moving(ctx context.Context, tx *vault.Tx, ref string) (*vault.Doc, error) {
	src, err := tx.OpenMemory(ctx, ref)
	if vault.CodeOf(err) == vault.CodeNotFound {
		err = vault.Errorf(vault.CodeNotFound, "`cp memory list` shows the ids", "memory %s not found", vault.Clip(ref, 80))
	}
	return src, err
}

// openParent opens the new parent and refuses a cycle. Position is parenthood: every memory in
// the memory's own folder is a descendant, even if the mirror says otherwise.
func (o Move) openParent(ctx context.Context, tx *vault.Tx, src *vault.Doc) (*vault.Doc, error) {
	if o.At != "" {
		if err := o.checkPlace(ctx, tx, src); err != nil {
			return nil, err
		}
		return openOwner(ctx, tx, o.At.Dir())
	}
	if o.Root {
		return nil, nil
	}
	dst, err := tx.Open(ctx, o.To)
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		return nil, vault.Errorf(vault.CodeNotFound, "`cp memory list` shows the ids", "target %s not found", vault.Clip(o.To, 80))
	case err != nil:
		return nil, err
	case dst.ID == src.ID:
		return nil, vault.Errorf(vault.CodeCycle, "", "Cannot move memory to itself")
	case !dst.IsMemory():
		return nil, vault.Errorf(vault.CodeType, "only a memory has sub-memories", "Target %s is type '%s', expected 'memory'", dst.ID, dst.Type)
	case dst.Path.Within(src.Folder()):
		return nil, vault.Errorf(vault.CodeCycle, "move the target elsewhere first", "Cannot move memory to own descendant (would create cycle)")
	}
	return dst, dst.Editable()
}

// checkPlace refuses a place that is taken, or lies in the memory's own folder. A folder is moved
// by its own name.
func (o Move) checkPlace(ctx context.Context, tx *vault.Tx, src *vault.Doc) error {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return err
	}
	there, err := tx.Look(ctx, o.At)
	switch {
	case err != nil:
		return err
	case there.File || there.Folder:
		return errPlaceTaken(o.At)
	case o.At.Within(src.Folder()) && !src.Seat:
		return vault.Errorf(vault.CodeCycle, "", "Cannot move memory to own descendant (would create cycle)")
	case src.Seat:
		return vault.Errorf(vault.CodeInvalid, "", "%s stands for its folder: it is the folder that can get another name", src.Path)
	case o.At.FolderRank() > 0:
		return vault.Errorf(vault.CodeInvalid, "", "%s would stand for its folder, which only a new file can", o.At)
	}
	return nil
}

// moveBelow plans the move itself; a nil parent is the root level.
func moveBelow(ctx context.Context, tx *vault.Tx, o Move, src, old, dst *vault.Doc) (out Moved, err error) {
	phrase := o.Summary
	out = Moved{ID: src.ID, Title: src.Title, Path: src.Path, OldDepth: src.Depth}
	out.OldParent, out.OldTitle = idOf(old)
	out.NewParent, out.NewTitle = idOf(dst)
	if dst != nil {
		out.NewDepth = dst.Depth + 1
	}
	out.Summary = phrase
	same := old.IsSameParent(dst)
	if same && o.At == "" {
		return out.stay(ctx, tx, src)
	}
	if dst != nil && !same {
		if err := checkParentOpen(ctx, tx, dst); err != nil {
			return out, err
		}
		out.Warnings = deep(out.NewDepth)
	}
	if old != nil {
		if err := old.Editable(); err != nil {
			return out, err
		}
	}
	entry := carry(src, old, phrase)
	listed := vault.ID(entry.ID)
	_, pointed := old.Entry(src.ID)
	if err := out.relocate(ctx, tx, o, src, dst); err != nil {
		return out, err
	}
	if phrase != "" {
		if err := tx.Edit(src, vault.Step{Op: vault.OpSetKey, Key: "summary", Value: phrase}); err != nil {
			return out, err
		}
	}
	entry.ID = string(src.ID) // it may have got it just now
	if entry.Title, err = titleAt(src, out.Path); err != nil {
		return out, err
	}
	if dst != nil && (!same || pointed && entry.Title != src.Title) {
		if err := tx.Point(ctx, dst, entry); err != nil {
			return out, err
		}
	}
	if old != nil && !same {
		err = tx.RemovePointer(ctx, old, listed)
	}
	out.ID = src.ID
	out.NewParent, _ = idOf(dst)
	out.Title = entry.Title
	tx.About(src.ID, out.Title)
	return out, err
}

// titleAt returns the title that a memory has in another file: the file's name may be its title.
func titleAt(d *vault.Doc, p vault.Path) (string, error) {
	if !d.Mem.Untitled {
		return d.Title, nil
	}
	text, err := d.Text()
	return vault.Parse(p, text).Title, err
}

// stay plans the new phrase of a memory that is below its parent already.
func (m Moved) stay(ctx context.Context, tx *vault.Tx, src *vault.Doc) (Moved, error) {
	m.Unchanged, m.NewDepth = true, src.Depth
	if m.Summary == "" {
		return m, nil
	}
	if err := src.Editable(); err != nil {
		return m, err
	}
	changed, err := tx.Amend(ctx, src, vault.SetPhrase(m.Summary, "")...)
	m.Unchanged = !changed
	tx.About(src.ID, src.Title)
	return m, err
}

// relocate plans that src's file and folder go to dst, and what that does to links.
func (m *Moved) relocate(ctx context.Context, tx *vault.Tx, o Move, src, dst *vault.Doc) error {
	if err := tx.Adopt(ctx, src); err != nil {
		return err
	}
	to, moves, err := destination(ctx, tx, src, dst, o)
	if err != nil {
		return err
	}
	mends, err := mending(ctx, tx, moves)
	if err != nil {
		return err
	}
	m.Warnings = append(m.Warnings, warnUnmended(mends)...)
	if err := tx.Move(src, to, dst); err != nil {
		return err
	}
	for _, move := range moves {
		if move.Tree {
			if err := tx.MoveFolder(ctx, move.From, move.To); err != nil {
				return err
			}
		}
	}
	m.Path = to
	return m.relink(tx, src, mends, o.KeepLinks)
}

// destination returns where src's file goes, and the moves that this makes.
func destination(ctx context.Context, tx *vault.Tx, src, dst *vault.Doc, o Move) (vault.Path, []FileMove, error) {
	folder := FileMove{From: src.Folder(), Tree: true}
	if o.At != "" {
		return withFolder(ctx, tx, src, o.At, folder)
	}
	dir := o.In
	if dst != nil && dir == "" {
		dir = dst.Folder()
	}
	if src.Folder() == src.Path.Dir() { // README.md standing for its folder: the folder is the memory
		name, err := tx.NewPath(ctx, dir, src.Folder().Base())
		folder.To = name.Stem()
		return folder.To.Join(src.Path.Base()), []FileMove{folder}, err
	}
	name := cmp.Or(o.As, src.Path.Home().Base())
	if dir.Join("x").Join(src.Path.Base()).FolderRank() > 0 {
		name = filename.Slug(src.Title, src.ID.Suffix())
	}
	to, err := tx.NewPath(ctx, dir, name)
	if err != nil {
		return "", nil, err
	}
	return withFolder(ctx, tx, src, to.Stem()+src.Path[len(src.Path.Home()):], folder) // the kind of note that it is
}

// withFolder returns the moves of a file and, if there is one, of its folder.
func withFolder(ctx context.Context, tx *vault.Tx, src *vault.Doc, to vault.Path, folder FileMove) (vault.Path, []FileMove, error) {
	moves := []FileMove{{From: src.Path, To: to}}
	there, err := tx.Look(ctx, src.Path)
	if folder.To = to.Home(); there.Folder {
		moves = append(moves, folder)
	}
	return to, moves, err
}

// carry is the pointer that the new parent gets: the old parent's as it stands
// on disk, else one made from the child.
func carry(src, old *vault.Doc, phrase string) pointer.Entry {
	entry, ok := old.Entry(src.ID)
	if !ok {
		entry = pointer.Entry{ID: string(src.ID), Summary: cmp.Or(src.Mem.Summary, vault.Placeholder)}
	}
	entry.Title = src.Title
	if phrase != "" {
		entry.Summary = phrase
	}
	return entry
}

func idOf(p *vault.Doc) (*vault.ID, string) {
	if p == nil {
		return nil, ""
	}
	return &p.ID, p.Title
}
