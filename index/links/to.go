package links

import (
	"github.com/cp-memory/cp/index/naming"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// To returns the files on disk that link to one of the files by its path, in prose or under
// references:, or to one in the folders; and those in the folders that may link out of their
// own folder.
func To(t *sqlite.Tx, files, folders []vault.Path) ([]vault.Path, error) {
	var keys, references []int64
	for _, dir := range folders {
		in, err := sqlite.All(t, `SELECT path FROM files WHERE path > ? AND path < ?`, []any{dir + "/", dir + "0"}, (*sqlite.Row).Text)
		if err != nil {
			return nil, err
		}
		for _, p := range in {
			files = append(files, vault.Path(p))
		}
	}
	for _, p := range files {
		keys = append(keys, naming.Hash("/"+naming.Normal(string(p.Stem()))))
		references = append(references, naming.References(p, "", "")...)
	}
	query, args := `SELECT l.n FROM links l WHERE l.kind = 'link' AND l.key IN (SELECT value FROM json_each(?))
		UNION SELECT l.n FROM links l WHERE l.kind = 'references' AND l.key IN (SELECT value FROM json_each(?))`, []any{sqlite.List(keys), sqlite.List(references)}
	for _, dir := range folders {
		query += ` UNION SELECT f.n FROM files f JOIN memories m ON m.n = f.n WHERE f.path > ? AND f.path < ? AND m.upward`
		args = append(args, dir+"/", dir+"0")
	}
	return sqlite.All(t, `SELECT path FROM files WHERE disk AND n IN (`+query+`) ORDER BY path`, args, func(r *sqlite.Row) vault.Path { return vault.Path(r.Text()) })
}
