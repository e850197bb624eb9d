package journal

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// Root describes a root memory that the program makes by itself: the journal, or Learned.
// Every clone that makes it writes the same bytes: it has neither a date nor a creator.
type Root struct {
	Name    string // of its file and in its id: "journal"
	Title   string
	Summary string // the trigger phrase
	Quiet   bool   // it keeps no pointers to its children

	part *vault.Doc // below which it hangs; nil is a root of the vault
}

// The root memories that the program makes.
var (
	journalRoot = Root{Name: "journal", Title: "Journal", Quiet: true,
		Summary: "When you want to know what was decided, tried or found out, and when"}

	// Learned takes the entries that get a place in the tree and are given no parent.
	Learned = Root{Name: "learned", Title: "Learned",
		Summary: "When you want to know what has proved to be so in this project"}
)

// In returns the root of a part of the vault; nil is the vault itself.
func (r Root) In(part *vault.Doc) Root {
	r.part = part
	return r
}

// Open returns the root and plans to make it where there is none. It never takes a place
// that is occupied: where a file, a folder or a root memory of that name stands without the
// mark, the name cp-journal is used, and after it cp-journal-2 and so on.
func (r Root) Open(ctx context.Context, tx *vault.Tx) (vault.Node, error) {
	n, ok, err := r.findRoot(ctx, tx)
	if err != nil || ok {
		return n, err
	}
	if n.Path, err = r.freePlace(ctx, tx); err != nil {
		return n, err
	}
	n.ID = r.rootID(tx, n.Path)
	if r.part != nil {
		n.Parent, n.ParentTitle, n.Depth = r.part.ID, r.part.Title, r.part.Depth+1
	}
	m := vault.Memory{ID: n.ID, Header: vault.Header{Title: r.Title, Summary: r.Summary}}
	m.Header.Journal = r.journalValue()
	if r.Quiet {
		m.Header.Pointers = header.NoPointers
		tx.Needs(vault.FormatQuiet)
	}
	text, err := vault.Render(&m)
	if err != nil {
		return n, err
	}
	n.Header = m.Header
	tx.Create(n, text)
	if r.part != nil {
		err = tree.Point(tx, r.part, n.ID, r.Title, r.Summary)
	}
	return n, err
}

// journalValue is what `journal:` says in the root.
func (r Root) journalValue() string {
	if r.Quiet {
		return "true"
	}
	return r.Name
}

// rootID returns the id of the root at a path. It follows from the path alone, and the id of the
// part.
func (r Root) rootID(tx *vault.Tx, p vault.Path) vault.ID {
	id := tx.Prefix() + "-" + string(vault.Path(p.Base()).Stem())
	if r.part != nil {
		id += "-" + r.part.ID.Suffix()
	}
	return vault.ID(id)
}

// rootFolder is that of the root.
func (r Root) rootFolder() vault.Path {
	if r.part == nil {
		return ""
	}
	return r.part.Folder()
}

// likelyPlaces are where the root is looked for, the likely one first.
func (r Root) likelyPlaces() []vault.Path {
	return []vault.Path{r.rootFolder().Join(r.Name + ".md"), r.rootFolder().Join("cp-" + r.Name + ".md")}
}

// Folder returns the folder of the journal of the vault or of a part of it, as the mirror has it.
func Folder(ctx context.Context, t vault.Tree, part string) vault.Path {
	r := journalRoot
	var above vault.Path
	if part != "" {
		if n, err := t.Find(ctx, part); err == nil {
			above = n.Folder()
		}
	}
	for _, p := range r.likelyPlaces() {
		if n, ok, err := t.At(ctx, above.Join(string(p))); err == nil && ok && n.Header.Quiet() {
			return n.Folder()
		}
	}
	return above.Join(r.Name)
}

// findRoot returns the root that is there: by its path, or by its id where a person has moved
// it. The mark says that it is one.
func (r Root) findRoot(ctx context.Context, tx *vault.Tx) (n vault.Node, ok bool, err error) {
	for _, p := range r.likelyPlaces() {
		there, err := tx.Look(ctx, p)
		if err != nil {
			return n, false, err
		}
		if !there.File {
			continue
		}
		if n, ok, err := r.markedRootIn(ctx, tx, p); err != nil || ok {
			return n, ok, err
		}
	}
	for _, p := range r.likelyPlaces() {
		d, err := tx.OpenFromMirror(ctx, string(r.rootID(tx, p)))
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous:
		case err != nil:
			return n, false, err
		case d.ID == r.rootID(tx, p) && d.Mem.Header.Journal == r.journalValue(): // that of a part begins so
			return d.Node, true, nil
		}
	}
	return n, false, nil
}

// markedRootIn returns the marked root in a file. The mirror is not asked: it would count the
// entries. ok is false if the file is no root, or has no id to go by.
func (r Root) markedRootIn(ctx context.Context, tx *vault.Tx, p vault.Path) (n vault.Node, ok bool, err error) {
	if d := tx.FindPlanned(p); d != nil {
		return d.Node, d.Mem.Header.Journal == r.journalValue(), nil
	}
	text, err := tx.Read(p)
	if err != nil {
		return n, false, err
	}
	m := vault.Parse(p, text)
	return vault.Node{ID: m.ID, Path: p, Header: m.Header}, m.Header.Journal == r.journalValue() && m.ID != "", nil
}

// freePlace returns the first place that nothing occupies.
func (r Root) freePlace(ctx context.Context, tx *vault.Tx) (vault.Path, error) {
	taken, err := r.isTitleTaken(ctx, tx)
	if err != nil {
		return "", err
	}
	first := r.likelyPlaces()[0]
	if there, err := tx.Look(ctx, first); err != nil || !taken && !there.File && !there.Folder {
		return first, err
	}
	return tx.NewPath(ctx, r.rootFolder(), "cp-"+r.Name)
}

// isTitleTaken reports whether a root memory has the title already.
func (r Root) isTitleTaken(ctx context.Context, tx *vault.Tx) (bool, error) {
	if r.part != nil {
		return false, nil
	}
	roots, err := tx.Tree().Roots(ctx)
	return slices.ContainsFunc(roots, func(n vault.Node) bool { return strings.EqualFold(n.Title, r.Title) }), err
}
