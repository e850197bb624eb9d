package vault

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
)

// importer decides where each file goes and what is added to it.
type importer struct {
	v   *Vault
	ctx context.Context
	t   Tree
	o   Import

	dest     Path          // the folder everything goes below
	nodes    map[Path]Node // memories that are there
	names    names         // what stands below dest, and what is claimed
	ids      map[ID]bool   // given in this import
	seen     map[ID]bool   // of the whole vault; nil until they are needed
	made     []*newFile    // files to create, in order
	byPath   map[Path]*newFile
	updates  []Edit
	warnings []string
}

// newFile is a file to be created.
type newFile struct {
	path   Path
	text   []byte // with its id
	memory *Memory
	entry  pointer.Entry   // by which its parent points to it
	kids   []pointer.Entry // by which it points to its children
}

func (v *Vault) newImporter(ctx context.Context, t Tree, o Import) (*importer, error) {
	im := &importer{
		v: v, ctx: ctx, t: t, o: o,
		nodes: make(map[Path]Node), ids: make(map[ID]bool), byPath: make(map[Path]*newFile), names: newNames(),
	}
	walk := WalkOptions{MaxDepth: MaxDepth + 1, Closed: true}
	if o.Under != "" {
		under, err := t.Find(ctx, o.Under)
		if err != nil {
			return nil, err
		}
		if under.Type != TypeMemory {
			return nil, Errorf(CodeType, "", "Target %s is type '%s', expected 'memory'", under.ID, under.Type)
		}
		im.dest, walk.Root = under.Folder(), under.ID
		im.nodes[under.Path] = under
	}
	all, err := t.Walk(ctx, walk)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		im.nodes[n.Path] = n
	}
	_, err = v.Store.Scan(ctx, Scope{Dir: im.dest}, func(f File) error {
		im.names.stands(f.Path, im.dest)
		return nil
	})
	return im, err
}

// file decides about one file.
func (im *importer) file(file SourceFile) (ImportRow, error) {
	row := ImportRow{Source: file.Rel, Action: ImportSkipped}
	if row.Reason = im.unfit(file); row.Reason != "" {
		return row, nil
	}
	f := newSource(file)
	if old, ok, err := im.byID(f); err != nil || ok {
		return im.again(row, old, err)
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
	if what, line := secretIn(f.Text); what != "" {
		return fmt.Sprintf("line %d looks like %s; --allow-secret takes it in", line, what)
	}
	return ""
}

// unfit tells why a file is not fit for a vault; empty when it is.
func unfit(f SourceFile, alone bool) string {
	switch {
	case hidden(f.Rel) && !alone:
		return "a hidden file"
	case Path(f.Rel).ConflictCopy():
		return "a conflict copy that a cloud folder left"
	case !markdownName(f.Rel):
		return "not a Markdown file"
	case len(f.Text) > MaxFile:
		return "larger than 4 MiB"
	case bytes.IndexByte(f.Text, 0) >= 0:
		return "binary: it holds NUL bytes"
	case unfetched(f.Text):
		return "a pointer of git-lfs: git lfs pull fetches the text"
	case !utf8.Valid(f.Text):
		return "not UTF-8 text"
	}
	return ""
}

// place finds the file's own earlier copy among those of its name, or a free name.
func (im *importer) place(row ImportRow, f *source, dir Path) (ImportRow, error) {
	var similar *existing
	stem := fileStem(f.Rel)
	for n := 1; ; n++ {
		p := dir.Join(fit(stem, n) + markdownExt(f.Rel))
		switch im.names.at(p) {
		case nameFree:
			if similar != nil {
				return im.differs(row, *similar)
			}
			return im.create(row, f, p)
		case nameExact:
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

// create adds a new file.
func (im *importer) create(row ImportRow, f *source, p Path) (ImportRow, error) {
	id, err := im.id(f)
	if err != nil {
		return row, err
	}
	text, ok := f.dress(p, id, nil)
	if !ok {
		row.Reason = "its front matter cannot take an id"
		return row, nil
	}
	if len(text) > MaxFile {
		row.Reason = "larger than 4 MiB"
		return row, nil
	}
	im.ids[id] = true
	im.names.claim(p)
	m := ParseText(p, text)
	made := &newFile{path: p, text: text, memory: m}
	made.entry = pointer.Entry{ID: string(id), Title: m.Title, Summary: cmp.Or(f.phrase(m), Placeholder)}
	im.made = append(im.made, made)
	im.byPath[p] = made
	row.Path, row.ID, row.Action = p, id, ImportCreated
	if p != im.dest.Join(f.Rel) {
		row.Reason = "renamed"
	}
	return row, nil
}

// id returns the file's own id when it is valid and free, else a new one.
func (im *importer) id(f *source) (ID, error) {
	if f.own != "" && !im.ids[f.own] {
		if n, err := im.t.Find(im.ctx, string(f.own)); CodeOf(err) == CodeNotFound || err == nil && n.ID != f.own {
			return f.own, nil
		}
	}
	for {
		id, err := im.draw()
		if err != nil || !im.ids[id] {
			return id, err
		}
	}
}

// draw draws an id that nobody has. Of many files it asks the tree once for
// all: a question for each was a third of the whole import (measured).
func (im *importer) draw() (ID, error) {
	if len(im.o.Files) < progressEvery {
		return im.v.reading().NewID(im.ctx)
	}
	if im.seen == nil {
		all, err := im.t.Walk(im.ctx, WalkOptions{MaxDepth: MaxDepth + 1, Closed: true})
		if err != nil {
			return "", err
		}
		im.seen = idsOf(all)
	}
	return im.v.unseenID(im.seen)
}
