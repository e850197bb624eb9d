package transfer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/secret"
)

// importer decides where each file goes and what to add to it.
type importer struct {
	tx  *vault.Tx
	ctx context.Context
	o   Import

	dest     vault.Path                // the folder everything goes below
	nodes    map[vault.Path]vault.Node // memories that are there
	names    names                     // what stands below dest, and what is claimed
	ids      map[string]bool           // given in this import, folded
	made     []*newFile                // files to create, in order
	byPath   map[vault.Path]*newFile
	warnings []string
}

// newFile is a file to be created.
type newFile struct {
	path   vault.Path
	text   []byte // with its id
	memory *vault.Memory
	entry  pointer.Entry   // by which its parent points to it
	kids   []pointer.Entry // by which it points to its children
}

func newImporter(ctx context.Context, tx *vault.Tx, o Import) (*importer, error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	im := &importer{
		tx: tx, ctx: ctx, o: o,
		nodes: make(map[vault.Path]vault.Node), ids: make(map[string]bool), byPath: make(map[vault.Path]*newFile), names: newNames(),
	}
	walk := vault.WalkOptions{MaxDepth: vault.MaxDepth + 1, Closed: true}
	if o.Under != "" {
		under, err := tx.Tree().Find(ctx, o.Under)
		if err != nil {
			return nil, err
		}
		if !under.IsMemory() {
			return nil, vault.Errorf(vault.CodeType, "", "Target %s is type '%s', expected 'memory'", under.ID, under.Type)
		}
		im.dest, walk.Root = under.Folder(), under.ID
		im.nodes[under.Path] = under
	}
	all, err := tx.Tree().Walk(ctx, walk)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		im.nodes[n.Path] = n
	}
	return im, tx.Scan(ctx, im.dest, func(f vault.File) error {
		im.names.stands(f.Path, im.dest)
		return nil
	})
}

// file decides about one file.
func (im *importer) file(file SourceFile) (Row, error) {
	row := Row{Source: file.Rel, Action: Skipped}
	if row.Reason = im.unfit(file); row.Reason != "" {
		return row, nil
	}
	f := newSource(file)
	if !f.Fresh {
		if old, ok, err := im.byID(f); err != nil || ok {
			return im.again(row, old, err)
		}
	}
	dir, ok := im.names.folder(im.dest, f.Rel)
	if !ok {
		row.Reason = "deeper than 64 folders"
		return row, nil
	}
	row, err := im.place(row, f, dir)
	if err == nil && row.Path != "" && row.Path.Stem() != dir.Join(fileStem(f.Rel)) {
		im.names.follow(f.Rel[:len(f.Rel)-len(extension(f.Rel))], row.Path.Stem())
	}
	return row, err
}

// unfit tells why a file is not imported; empty when it is. A credential is
// looked for once: what comes in is the file's text, and ours around it.
func (im *importer) unfit(f SourceFile) string {
	if why := unfit(f, len(im.o.Files) == 1); why != "" || im.o.AllowSecret {
		return why
	}
	if found := secret.Scan(f.Text); len(found) > 0 {
		return fmt.Sprintf("line %d looks like %s; --allow-secret takes it in", found[0].Line, found[0].String(f.Text))
	}
	return ""
}

// unfit tells why a file is not fit for a vault; empty when it is.
func unfit(f SourceFile, alone bool) string {
	switch {
	case hidden(f.Rel) && !alone:
		return "a hidden file"
	case filename.ConflictCopy(vault.Path(f.Rel).Base()):
		return "a conflict copy that a cloud folder left"
	case noteExt(f.Rel) == "":
		return "not a Markdown file"
	case len(f.Text) > vault.MaxFile:
		return "larger than 4 MiB"
	case bytes.IndexByte(f.Text, 0) >= 0:
		return "binary: it holds NUL bytes"
	case vault.Unfetched(f.Text):
		return "a pointer of git-lfs: git lfs pull fetches the text"
	case !utf8.Valid(f.Text):
		return "not UTF-8 text"
	}
	return ""
}

// place finds the file's own earlier copy among the files of its name, or a free name.
func (im *importer) place(row Row, f *source, dir vault.Path) (Row, error) {
	var similar *existing
	stem := fileStem(f.Rel)
	for n := 1; ; n++ {
		p := dir.Join(fit(stem, n) + noteExt(f.Rel))
		switch im.names.at(p) {
		case nameFree:
			there, err := im.tx.Look(im.ctx, p)
			if err != nil {
				return row, err
			}
			if there.File { // one that git ignores, say
				continue
			}
			if similar != nil {
				return im.differs(row, *similar)
			}
			return im.add(row, f, p)
		case nameExact:
			if f.Fresh {
				continue
			}
			old, err := im.existing(f, p)
			if err != nil {
				return row, err
			}
			if old.same {
				return im.unchanged(row, old), nil
			}
			if old.similar && similar == nil {
				similar = &old
			}
		}
	}
}

// add makes a new file of a source.
func (im *importer) add(row Row, f *source, p vault.Path) (Row, error) {
	id, err := im.id(f)
	if err != nil {
		return row, err
	}
	text, ok := f.dress(id, nil)
	if !ok {
		row.Reason = "its front matter cannot take an id"
		return row, nil
	}
	if len(text) > vault.MaxFile {
		row.Reason = "larger than 4 MiB"
		return row, nil
	}
	im.ids[id.Fold()] = true
	im.names.claim(p)
	m := vault.ParseText(p, text)
	made := &newFile{path: p, text: text, memory: m}
	made.entry = pointer.Entry{ID: string(id), Title: m.Title, Summary: cmp.Or(f.phrase(m), vault.Placeholder)}
	im.made = append(im.made, made)
	im.byPath[p] = made
	row.Path, row.ID, row.Action = p, id, Created
	switch own := f.header.Line(field.OwnID) > 0 && id != f.own; {
	case p != im.dest.Join(f.Rel) && own:
		row.Reason = "renamed, and " + besideOwn
	case p != im.dest.Join(f.Rel):
		row.Reason = "renamed"
	case own:
		row.Reason = besideOwn
	}
	return row, nil
}

// besideOwn tells of a file that brings an id which cannot serve, or is taken.
const besideOwn = "its own id line stays; the id stands under " + field.OurID

// id returns the file's own id when it is valid and free, else a new one.
func (im *importer) id(f *source) (vault.ID, error) {
	if f.own != "" && !im.ids[f.own.Fold()] {
		switch n, err := im.tx.Tree().Find(im.ctx, string(f.own)); vault.CodeOf(err) {
		case vault.CodeNotFound, vault.CodeAmbiguous:
			return f.own, nil
		case "":
			if !n.ID.Is(f.own) {
				return f.own, nil
			}
		}
	}
	for {
		id, err := im.tx.NewID(im.ctx)
		if err != nil || !im.ids[id.Fold()] {
			return id, err
		}
	}
}
