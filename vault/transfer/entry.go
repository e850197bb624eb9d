package transfer

import (
	"bytes"
	"crypto/sha256"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// importItem makes an entry of an item. One that is there already stays as it is, whatever has
// become of it here.
func (im *importer) importItem(it *Item) (Row, error) {
	id, err := idFrom(im.tx.Prefix(), it.Source)
	if err != nil {
		return Row{}, err
	}
	d, err := im.tx.OpenFromMirror(im.ctx, string(id))
	switch {
	case err == nil:
		return Row{Action: Unchanged, ID: id, Path: d.Path}, nil
	case vault.CodeOf(err) != vault.CodeNotFound:
		return Row{}, err
	}
	m := *it.Entry
	m.ID = id
	p, err := journal.Enter(im.ctx, im.tx, &m, "")
	return Row{Action: Created, ID: id, Path: p}, err
}

// idFrom returns the id that follows from a text, so that every clone draws the same.
func idFrom(prefix, text string) (vault.ID, error) {
	sum := sha256.Sum256([]byte(text))
	return vault.NewID(prefix, bytes.NewReader(sum[:]))
}
