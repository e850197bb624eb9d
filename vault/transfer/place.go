package transfer

import (
	"bytes"
	"cmp"
	"fmt"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/secret"
)

// placer decides where each file goes below one memory, and what to add to it.
type placer struct {
	*importer
	under  vault.ID                  // the memory; empty is none
	dest   vault.Path                // the folder everything goes below
	alone  bool                      // there is one file
	nodes  map[vault.Path]vault.Node // memories that are there
	names  names                     // what stands below dest, and what is claimed
	ids    map[string]bool           // given by this placer, folded
	made   []*newFile                // files to create, in order
	byPath map[vault.Path]*newFile
}

// newFile is a file to be created.
type newFile struct {
	path   vault.Path
	text   []byte // with its id
	memory *vault.Memory
	entry  pointer.Entry   // by which its parent points to it
	kids   []pointer.Entry // by which it points to its children
}

// placeBelow finds places for items below a memory, or at the root, and gives every new parent
// its block.
func (im *importer) placeBelow(under vault.ID, items []*item) error {
	p, err := im.newPlacer(under)
	if err != nil {
		return err
	}
	p.alone = len(items) == 1
	for _, it := range items {
		if it.row, err = p.placeFile(it); err != nil {
			return err
		}
		if im.through(); im.o.Kind == Memories {
			it.tellFate()
		}
	}
	return p.planNewFiles()
}

func (im *importer) newPlacer(under vault.ID) (*placer, error) {
	p := &placer{importer: im, under: under, nodes: make(map[vault.Path]vault.Node), ids: make(map[string]bool), byPath: make(map[vault.Path]*newFile), names: newNames()}
	walk := vault.WalkOptions{Root: under, MaxDepth: vault.MaxDepth + 1, Closed: true}
	if under != "" {
		n, err := im.parentOf(string(under))
		if err != nil {
			return nil, err
		}
		p.dest, p.nodes[n.Path] = n.Folder(), n
	}
	all, err := im.tx.Tree().Walk(im.ctx, walk)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		p.nodes[n.Path] = n
	}
	return p, im.tx.Scan(im.ctx, p.dest, func(f vault.File) error {
		p.names.noteFile(f.Path, p.dest)
		return nil
	})
}

// placeFile decides about one file.
func (im *placer) placeFile(it *item) (Row, error) {
	row := Row{Source: it.Source, Action: Skipped}
	if row.Reason = im.unfit(it); row.Reason != "" {
		return row, nil
	}
	f := newSource(it.text)
	f.rel, f.fresh = it.rel, !it.Found
	if !f.fresh {
		if old, ok, err := im.byID(f); err != nil || ok {
			return im.reportExisting(row, old, err)
		}
	}
	dir, ok := im.names.folderFor(im.dest, f.rel)
	if !ok {
		row.Reason = "deeper than 64 folders"
		return row, nil
	}
	row, err := im.findPlace(row, f, dir)
	if err == nil && row.Path != "" && row.Path.Stem() != dir.Join(fileStem(f.rel)) {
		im.names.followFile(f.rel[:len(f.rel)-len(extension(f.rel))], row.Path.Stem())
	}
	return row, err
}

// unfit tells why a file is not imported; empty when it is. A credential is
// looked for once: what comes in is the file's text, and ours around it.
func (im *placer) unfit(it *item) string {
	switch {
	case hasDotPart(it.rel) && !im.alone:
		return "a hidden file"
	case filename.ConflictCopy(vault.Path(it.rel).Base()):
		return "a conflict copy that a cloud folder left"
	case noteExt(it.rel) == "":
		return "not a Markdown file"
	case len(it.text) > vault.MaxFile:
		return "larger than 4 MiB"
	case bytes.IndexByte(it.text, 0) >= 0:
		return "binary: it holds NUL bytes"
	case vault.IsLFSPointer(it.text):
		return "a pointer of git-lfs: git lfs pull fetches the text"
	case !utf8.Valid(it.text):
		return "not UTF-8 text"
	}
	return im.credential(it.text)
}

// credential tells that a text looks like it holds one; empty when it does not, or may.
func (im *importer) credential(text []byte) string {
	if im.o.AllowSecret {
		return ""
	}
	found := secret.FindCredentials(text)
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("line %d looks like %s; --allow-secret takes it in", found[0].Line, found[0].String(text))
}

// findPlace finds the file's own earlier copy among the files of its name, or a free name.
func (im *placer) findPlace(row Row, f *source, dir vault.Path) (Row, error) {
	var similar *existing
	stem := fileStem(f.rel)
	for n := 1; ; n++ {
		p := dir.Join(nthName(stem, n) + noteExt(f.rel))
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
			return im.makeFile(row, f, p)
		case nameExact:
			if f.fresh {
				continue
			}
			old, err := im.existing(f, p)
			if err != nil {
				return row, err
			}
			if old.same {
				return im.keepUnchanged(row, old), nil
			}
			if old.similar && similar == nil {
				similar = &old
			}
		}
	}
}

// makeFile makes a new file of a source.
func (im *placer) makeFile(row Row, f *source, p vault.Path) (Row, error) {
	id, err := im.chooseID(f)
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
	made.entry = pointer.Entry{ID: string(id), Title: m.Title, Summary: cmp.Or(f.phraseOf(m), vault.Placeholder)}
	im.made = append(im.made, made)
	im.byPath[p] = made
	row.Path, row.ID, row.Action = p, id, Created
	switch own := f.header.Line(header.OwnID) > 0 && id != f.own; {
	case p != im.dest.Join(f.rel) && own:
		row.Reason = "renamed, and " + besideOwn
	case p != im.dest.Join(f.rel):
		row.Reason = "renamed"
	case own:
		row.Reason = besideOwn
	}
	return row, nil
}

// besideOwn tells of a file that brings an id which cannot serve, or is taken.
const besideOwn = "its own id line stays; the id stands under " + header.OurID

// chooseID returns the file's own id when it is valid and free, else a new one.
func (im *placer) chooseID(f *source) (vault.ID, error) {
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
