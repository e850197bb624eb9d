package index

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/naming"
)

// Find finds what somebody named, see [naming.FindTyped]. A path is the vault's, or else the file
// system's: absolute or from where the person is.
func (d *DB) Find(ctx context.Context, ref string) (vault.Node, error) {
	return naming.FindTyped(ctx, d, ref, d.beneath(strings.TrimSpace(ref)))
}

// beneath returns the vault's path for what has the form of a path in the file system:
// absolute or from where the person is. It is empty for any other name.
func (d *DB) beneath(ref string) string {
	if !vault.Path(ref).IsNote() && !strings.Contains(ref, "/") || !filepath.IsAbs(ref) && d.opt.Dir == "" {
		return ""
	}
	if !filepath.IsAbs(ref) {
		ref = filepath.Join(d.opt.Dir, ref)
	}
	rel, err := filepath.Rel(d.root(), ref)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// root is the vault's folder.
func (d *DB) root() string { return filepath.Dir(filepath.Dir(d.path)) }

// ByID, ByPath, ByPrefix, ByName and ByLink are [naming.Names].
func (d *DB) ByID(ctx context.Context, id vault.ID) ([]vault.Node, error) {
	return d.nodes(ctx, `WHERE m.id = ?`, id.Fold())
}

func (d *DB) ByPath(ctx context.Context, paths ...vault.Path) ([]vault.Node, error) {
	all := sqlite.List(paths)
	return d.nodes(ctx, `WHERE f.path IN (SELECT value FROM json_each(?)) ORDER BY (SELECT key FROM json_each(?) WHERE value = f.path) LIMIT 1`, all, all)
}

func (d *DB) ByPrefix(ctx context.Context, beginning string, limit int) ([]vault.Node, error) {
	id := vault.ID(beginning).Fold()
	return d.nodes(ctx, `WHERE m.id >= ? AND m.id < ? ORDER BY m.id LIMIT ?`, id, id+"\U0010FFFF", limit)
}

func (d *DB) ByName(ctx context.Context, name string, limit int) ([]vault.Node, error) {
	key := query.HashName(query.NormalName(name))
	return d.nodes(ctx, `WHERE m.n IN (SELECT n FROM names WHERE key = ? AND rank = ? UNION SELECT n FROM aliases WHERE key = ?) ORDER BY f.path LIMIT ?`,
		key, query.RankTitle, key, limit)
}

// ByLink returns none where a file stands at that path: the mirror may be behind it.
func (d *DB) ByLink(ctx context.Context, target string, limit int) ([]vault.Node, error) {
	for _, p := range naming.Files(target, d.beneath(target)) {
		if _, err := os.Lstat(filepath.Join(d.root(), filepath.FromSlash(string(p)))); err == nil {
			return nil, nil
		}
	}
	key := query.HashName(query.LinkName("", vault.Reference{Target: target}))
	return d.nodes(ctx, `WHERE m.n IN (SELECT n FROM names WHERE key = ? AND rank = (SELECT min(rank) FROM names WHERE key = ?)) ORDER BY f.path LIMIT ?`, key, key, limit)
}

// At returns the memory in the file p. ok is false if there is none.
func (d *DB) At(ctx context.Context, p vault.Path) (vault.Node, bool, error) {
	return firstNode(d.nodes(ctx, `WHERE f.path = ?`, p))
}

// Owner returns the memory whose children live in dir.
func (d *DB) Owner(ctx context.Context, dir vault.Path) (vault.Node, bool, error) {
	rows, err := askSnapshot(ctx, d, func(t *tx) ([]*row, error) {
		return t.rows(`WHERE m.n = ?`, newPlacer(t.folderMemory).above(dir).n)
	})
	return firstNode(d.nodesWithCounts(ctx, rows), err)
}

func firstNode(nodes []vault.Node, err error) (vault.Node, bool, error) {
	if err != nil || len(nodes) == 0 {
		return vault.Node{}, false, err
	}
	return nodes[0], true, nil
}

// Children returns the direct children in display order, closed ones too; none
// for an id that does not exist.
func (d *DB) Children(ctx context.Context, id vault.ID) ([]vault.Node, error) {
	return d.nodes(ctx, `WHERE m.held > 0 AND m.parent = (SELECT n FROM memories WHERE id = ?)`+displayOrder, id)
}

// Ancestry returns the way from the root to the memory itself. It opens no telemetry, which
// would be the only one of a recall, in each vault of a family.
func (d *DB) Ancestry(ctx context.Context, id vault.ID) ([]vault.Node, error) {
	nodes, err := askSnapshot(ctx, d, func(t *tx) ([]vault.Node, error) {
		return nodesOf(t.selectRows(`WITH RECURSIVE up(n, hops) AS (
			SELECT n, 0 FROM memories WHERE id = ?
			UNION ALL
			SELECT a.parent, hops + 1 FROM up JOIN memories a ON a.n = up.n WHERE a.parent IS NOT NULL AND hops < ?
		) SELECT n FROM up ORDER BY hops DESC`, id, vault.MaxDepth))
	})
	if err == nil && len(nodes) == 0 {
		err = vault.NotFound(string(id))
	}
	return nodes, err
}
