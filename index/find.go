package index

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// minPrefix is the shortest prefix of an id that Find takes.
const minPrefix = 3

// maxCandidates bounds the candidates that an ambiguous prefix lists.
const maxCandidates = 5

// Find resolves an id, a file's path with or without its .md, or a unique
// prefix of an id, in this order. Ids may be given in capitals. A path is the
// vault's, or else the file system's: absolute or from where the person is.
func (d *DB) Find(ctx context.Context, ref string) (vault.Node, error) {
	ref = strings.TrimSpace(ref)
	n, err := d.find(ctx, ref)
	if within, ok := d.beneath(ref); ok && vault.CodeOf(err) == vault.CodeNotFound {
		if n, ok, err := d.At(ctx, within); err != nil || ok {
			return n, err
		}
	}
	return n, err
}

// beneath returns the vault's path for the name of a Markdown file in it.
func (d *DB) beneath(ref string) (vault.Path, bool) {
	if !strings.HasSuffix(ref, ".md") || !filepath.IsAbs(ref) && d.opt.Dir == "" {
		return "", false
	}
	if !filepath.IsAbs(ref) {
		ref = filepath.Join(d.opt.Dir, ref)
	}
	rel, err := filepath.Rel(filepath.Dir(filepath.Dir(d.path)), ref)
	return vault.Path(filepath.ToSlash(rel)), err == nil && filepath.IsLocal(rel)
}

func (d *DB) find(ctx context.Context, ref string) (vault.Node, error) {
	id := strings.ToLower(ref)
	path := strings.TrimPrefix(ref, "./")
	nodes, err := d.nodes(ctx, `WHERE m.n IN (SELECT n FROM memories WHERE id = ? UNION ALL SELECT n FROM files WHERE path IN (?, ? || '.md')) ORDER BY m.id = ? DESC, f.path LIMIT 1`, id, path, path, id)
	if err != nil {
		return vault.Node{}, err
	}
	if len(nodes) == 0 && len(id) >= minPrefix && !strings.ContainsRune(id, '/') {
		nodes, err = d.nodes(ctx, `WHERE m.id >= ? AND m.id < ? ORDER BY m.id LIMIT ?`, id, id+"\x7f", maxCandidates+1)
	}
	switch {
	case err != nil:
		return vault.Node{}, err
	case len(nodes) == 0:
		return vault.Node{}, vault.NotFound(ref)
	case len(nodes) > 1:
		return vault.Node{}, ambiguous(ref, nodes)
	}
	return nodes[0], nil
}

func ambiguous(ref string, nodes []vault.Node) error {
	names := make([]string, 0, len(nodes))
	for _, n := range nodes {
		names = append(names, string(n.ID))
	}
	if len(names) > maxCandidates {
		names[maxCandidates] = "…"
	}
	return vault.Errorf(vault.CodeAmbiguous, "type more of the id", "'%s' is the beginning of several ids: %s", ref, strings.Join(names, ", "))
}

// At returns the memory in the file p. ok is false if there is none.
func (d *DB) At(ctx context.Context, p vault.Path) (vault.Node, bool, error) {
	return first(d.nodes(ctx, `WHERE f.path = ?`, p))
}

// Owner returns the memory whose children live in dir.
func (d *DB) Owner(ctx context.Context, dir vault.Path) (vault.Node, bool, error) {
	rows, err := ask(ctx, d, func(t *tx) ([]row, error) {
		return t.rows(`WHERE m.n = ?`, newPlacer(t.holder).above(dir).n)
	})
	return first(d.counted(ctx, rows), err)
}

func first(nodes []vault.Node, err error) (vault.Node, bool, error) {
	if err != nil || len(nodes) == 0 {
		return vault.Node{}, false, err
	}
	return nodes[0], true, nil
}

// Children returns the direct children in display order, closed ones too; none
// for an id that does not exist.
func (d *DB) Children(ctx context.Context, id vault.ID) ([]vault.Node, error) {
	return d.nodes(ctx, `WHERE m.type = 'memory' AND m.parent = (SELECT n FROM memories WHERE id = ?)`+displayOrder, id)
}

// Ancestry returns the way from the root to the memory itself.
func (d *DB) Ancestry(ctx context.Context, id vault.ID) ([]vault.Node, error) {
	nodes, err := d.nodes(ctx, `WHERE m.n IN (
		WITH RECURSIVE up(n, hops) AS (
			SELECT n, 0 FROM memories WHERE id = ?
			UNION ALL
			SELECT a.parent, hops + 1 FROM up JOIN memories a ON a.n = up.n WHERE a.parent IS NOT NULL AND hops < ?
		) SELECT n FROM up) ORDER BY m.depth`, id, vault.MaxDepth)
	if err == nil && len(nodes) == 0 {
		err = vault.NotFound(string(id))
	}
	return nodes, err
}
