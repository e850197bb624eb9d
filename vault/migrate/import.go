package migrate

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/foreign"
	"github.com/cp-memory/cp/vault/transfer"
)

// Import brings a bundle in, in one commit.
type Import struct {
	foreign.Bundle
	Under   string // the memory to hang it under; empty means the root
	DryRun  bool
	Update  bool           // take what changed there, where nothing changed here
	Skipped []transfer.Row // what the caller could not read, for the report

	AllowSecret bool // take in also what looks like it holds a credential
}

// Do brings the bundle in. The rows are those of an import of files; Source names the item.
func (o Import) Do(ctx context.Context, v *vault.Vault) (transfer.Imported, error) {
	if o.DryRun {
		return vault.Preview(ctx, v, o)
	}
	out, receipt, err := vault.Do(ctx, v, o, vault.Options{})
	if err != nil {
		return transfer.Imported{}, err
	}
	out.Warnings = append(out.Warnings, receipt.Notes...)
	return out, nil
}

// Name is the verb's.
func (o Import) Name() string { return "import" }

// Plan finds out which items are here, and makes memories of the others.
func (o Import) Plan(ctx context.Context, tx *vault.Tx) (transfer.Imported, error) {
	out := transfer.Imported{Rows: []transfer.Row{}, DryRun: o.DryRun, Warnings: slices.Clone(o.Notes)}
	im := &importer{tx: tx, o: o, items: make([]item, len(o.Items)), ids: make(map[string]bool), bySource: make(map[string]*item)}
	if err := im.under(ctx); err != nil {
		return out, err
	}
	if err := im.list(ctx); err != nil {
		return out, err
	}
	for i := range o.Items {
		im.items[i].Item = &o.Items[i]
		if err := im.know(ctx, &im.items[i]); err != nil {
			return out, err
		}
	}
	for i := range im.items {
		im.items[i].complete(im)
	}
	if err := im.create(ctx, &out); err != nil {
		return out, err
	}
	for i := range im.items {
		if it := &im.items[i]; it.doc != nil {
			if err := im.again(ctx, it); err != nil {
				return out, err
			}
		}
		out.Count(im.items[i].row)
	}
	for _, l := range o.Left {
		out.Count(transfer.Row{Source: l.What, Action: transfer.Skipped, Reason: l.Why})
	}
	for _, row := range o.Skipped {
		out.Count(row)
	}
	tx.About("", vault.Plural(out.Created+out.Updated, "memory", "memories"))
	tx.AllowSecret() // each text was looked at
	return out, nil
}

// importer decides what becomes of each item.
type importer struct {
	tx       *vault.Tx
	o        Import
	root     vault.ID // under which all hangs; empty is none
	items    []item
	ids      map[string]bool // of the items, folded
	bySource map[string]*item
	known    map[string]string // the sources of the memories that are here, by folded id; nil for few items
}

// item is one item with what is known of it here.
type item struct {
	*foreign.Item
	id   vault.ID
	doc  *vault.Doc // the memory that it is here; nil if it is not
	read string     // the beginning of the hash of what was read
	text []byte     // its file
	row  transfer.Row

	phrased bool // the memory has got a phrase of its own here
}

// under finds the memory to hang all under.
func (im *importer) under(ctx context.Context) error {
	if _, err := im.tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return err
	}
	if im.o.Under == "" {
		return nil
	}
	n, err := im.tx.Tree().Find(ctx, im.o.Under)
	if err != nil {
		return err
	}
	if !n.IsMemory() {
		return vault.Errorf(vault.CodeType, "", "Target %s is type '%s', expected 'memory'", n.ID, n.Type)
	}
	im.root = n.ID
	return nil
}

// create makes the memories that are not here. Those below one that is here go where that is
// by now.
func (im *importer) create(ctx context.Context, out *transfer.Imported) error {
	groups := make(map[vault.ID][]*item)
	rels := make(map[*item]string)
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
		under, rel := im.above(at, it)
		if groups[under] == nil {
			order = append(order, under)
		}
		groups[under], rels[it] = append(groups[under], it), rel+".md"
	}
	for _, under := range order {
		all := groups[under]
		slices.SortStableFunc(all, func(a, b *item) int { return strings.Compare(rels[a], rels[b]) })
		o := transfer.Import{Under: string(under), AllowSecret: im.o.AllowSecret}
		for _, it := range all {
			o.Files = append(o.Files, transfer.SourceFile{Rel: rels[it], Text: it.text, Fresh: !it.Found})
		}
		made, err := o.Plan(ctx, im.tx)
		if err != nil {
			return err
		}
		out.Warnings = append(out.Warnings, made.Warnings...)
		for i, row := range made.Rows {
			all[i].made(row)
		}
	}
	return nil
}

// above returns the nearest memory above an item that is here, and where the item goes below
// it.
func (im *importer) above(at map[string]*item, it *item) (vault.ID, string) {
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

// made takes over what became of a new item.
func (it *item) made(row transfer.Row) {
	it.row = row
	it.row.Source = it.Source
	switch row.Action {
	case transfer.Created:
		it.row.Reason = ""
		if own, ok := field.ParseID(it.Own); ok && !row.ID.Is(vault.ID(own)) {
			it.row.Reason = "its own id, " + own + ", is another memory's here"
		}
	case transfer.Differs, transfer.Unchanged:
		it.row.Action, it.row.Reason = transfer.Differs, "a memory of that name says nearly the same, and was not brought in from there; it stays"
	}
}

// sum returns what source_of says: the beginnings of the hashes of what was read and of what
// was made of it, and of the phrase, if the item has one.
func sum(read string, made *vault.Memory) string {
	all := read + "." + fingerprint(made)
	if made.Summary != "" {
		all += "." + short([]byte(made.Summary))
	}
	return all
}
