package transfer

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// intoTree decides about the items that are memories. Those of another program that are here
// are found first, by their sources.
func (im *importer) intoTree() (rows []Row, err error) {
	if err := im.findItems(); err != nil {
		return nil, err
	}
	if im.o.Kind == Memories {
		if err := im.recognise(); err != nil {
			return nil, err
		}
	}
	if err := im.findPlaces(); err != nil {
		return nil, err
	}
	for i := range im.items {
		it := &im.items[i]
		if it.doc != nil {
			if err := im.decideExisting(it); err != nil {
				return nil, err
			}
		}
		rows = append(rows, it.row)
	}
	return rows, nil
}

// findItems finds the memory to hang all under, and the items.
func (im *importer) findItems() error {
	if _, err := im.tx.CatchUp(im.ctx, vault.Scope{}); err != nil {
		return err
	}
	root, err := im.parentOf(im.o.Under)
	if err != nil {
		return err
	}
	im.root, im.items = root.ID, make([]item, len(im.o.Items))
	for i := range im.items {
		im.items[i].Item = &im.o.Items[i]
		im.items[i].text = im.items[i].Text
	}
	return nil
}

// parentOf finds the memory that ref names, to hang items under; none for an empty ref.
func (im *importer) parentOf(ref string) (n vault.Node, err error) {
	if ref == "" {
		return n, nil
	}
	if n, err = im.tx.Tree().Find(im.ctx, ref); err == nil && !n.IsMemory() {
		err = vault.Errorf(vault.CodeType, "", "Target %s is type '%s', expected 'memory'", n.ID, n.Type)
	}
	return n, err
}

// recognise finds the memories that items of another program are here, and makes the files of
// all.
func (im *importer) recognise() error {
	im.given, im.bySource = make(map[string]bool), make(map[string]*item)
	if err := im.listSources(); err != nil {
		return err
	}
	for i := range im.items {
		if err := im.know(&im.items[i]); err != nil {
			return err
		}
	}
	for i := range im.items {
		im.items[i].makeFile(im)
	}
	return nil
}

// item is one item with what is known of it here.
type item struct {
	*Item
	id   vault.ID
	doc  *vault.Doc // the memory that it is here; nil if it is not
	read string     // the beginning of the hash of what was read
	text []byte     // its file
	rel  string     // where its file goes, below the memory under which it hangs
	row  Row

	phrased bool // the memory has got a phrase of its own here
}

// findPlaces finds places for the items that are not here. Those below one that is here go where
// that is by now.
func (im *importer) findPlaces() error {
	groups := make(map[vault.ID][]*item)
	at := make(map[string]*item, len(im.items))
	for i := range im.items {
		at[im.items[i].Place] = &im.items[i]
	}
	var order []vault.ID
	for i := range im.items {
		it := &im.items[i]
		if it.doc != nil {
			continue
		}
		var under vault.ID
		if under, it.rel = im.nearestAbove(at, it); groups[under] == nil {
			order = append(order, under)
		}
		if groups[under] = append(groups[under], it); im.o.Kind == Memories {
			it.rel += ".md"
		}
	}
	for _, under := range order {
		all := groups[under]
		slices.SortStableFunc(all, func(a, b *item) int { return strings.Compare(a.rel, b.rel) })
		if err := im.placeBelow(under, all); err != nil {
			return err
		}
	}
	return nil
}

// nearestAbove returns the nearest memory above an item that is here, and where the item goes below
// it.
func (im *importer) nearestAbove(at map[string]*item, it *item) (vault.ID, string) {
	for dir := it.Place; ; {
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			return im.root, it.Place
		}
		dir = dir[:i]
		if up := at[dir]; up != nil && up.doc != nil && up.doc.Status != vault.StatusClosed {
			return up.doc.ID, it.Place[i+1:]
		}
	}
}

// tellFate tells of a new item of another program what became of its file.
func (it *item) tellFate() {
	switch it.row.Action {
	case Created:
		it.row.Reason = ""
		if own, ok := header.ParseID(it.Own); ok && !it.row.ID.Is(vault.ID(own)) {
			it.row.Reason = "its own id, " + own + ", is another memory's here"
		}
	case Differs, Unchanged:
		it.row.Action, it.row.Reason = Differs, "a memory of that name says nearly the same, and was not brought in from there; it stays"
	}
}
