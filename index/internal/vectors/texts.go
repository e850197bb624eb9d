package vectors

import (
	"context"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

// Contents returns the contents that are noted in the space.
func (v *DB) Contents(ctx context.Context, s embed.Space) (all map[string]bool, err error) {
	all = make(map[string]bool)
	err = v.view(ctx, func(t *sqlite.Tx) error { return hashes(t, s, all, `SELECT content FROM texts WHERE s = ?`) })
	return all, err
}

// ListHeld returns those of the passages that have a vector in the space, also one of the version
// before.
func (v *DB) ListHeld(ctx context.Context, s embed.Space, passages []string) (all map[string]bool, err error) {
	all = make(map[string]bool)
	err = v.viewAnyVersion(ctx, func(t *sqlite.Tx) error {
		is, err := versionOf(t)
		if err != nil {
			return err
		}
		query := `SELECT passage FROM vectors WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`
		if is == old {
			query = `SELECT content FROM vectors WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`
		}
		return hashes(t, s, all, query, sqlite.List(passages))
	})
	return all, err
}

// hashes adds the hashes that a query about a space gives.
func hashes(t *sqlite.Tx, s embed.Space, all map[string]bool, query string, more ...any) error {
	n, found, err := numberOf(t, s)
	if err != nil || !found {
		return err
	}
	return t.Each(query, append([]any{n}, more...), func(r *sqlite.Row) error {
		all[string(r.Hash())] = true
		return nil
	})
}

// noteAll notes the passages of contents.
func noteAll(t *sqlite.Tx, space int64, texts []embed.Text) error {
	fresh := 0
	for _, one := range texts {
		added, err := noteContent(t, space, one)
		if err != nil {
			return err
		}
		if added {
			fresh++
		}
	}
	t.Exec(`UPDATE spaces SET texts = texts + ? WHERE s = ?`, fresh, space)
	return t.Err()
}

// noteContent notes one content. added is false if it is noted already, or a vector has gone.
func noteContent(t *sqlite.Tx, space int64, text embed.Text) (added bool, err error) {
	content, err := digestOf(text.Content)
	if err != nil {
		return false, err
	}
	passages, err := keptHashes(t, space, text.Passages)
	if err != nil || passages == nil {
		return false, err
	}
	fresh, err := t.Change(`INSERT INTO texts (s, content, passages) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, space, content[:], passages)
	if err != nil || fresh == 0 {
		return false, err
	}
	for i, hash := range text.Passages {
		if hash != "" {
			t.Exec(`INSERT INTO parts (s, passage, content, part) VALUES (?, ?, ?, ?)`, space, passages[i*len(content):(i+1)*len(content)], content[:], i+1)
		}
	}
	return true, t.Err()
}

// keptHashes returns the hashes as they are kept, zeros for an empty one; nil if one has no vector.
func keptHashes(t *sqlite.Tx, space int64, hashes []string) ([]byte, error) {
	all := []byte{}
	for _, hash := range hashes {
		var passage digest
		if hash != "" {
			var err error
			if passage, err = digestOf(hash); err != nil {
				return nil, err
			}
			found, err := t.Maybe(`SELECT 1 FROM vectors WHERE s = ? AND passage = ?`, []any{space, passage[:]}, new(int))
			if err != nil || !found {
				return nil, err
			}
		}
		all = append(all, passage[:]...)
	}
	return all, nil
}

// updateTextCount keeps how many contents are noted in a space.
func updateTextCount(t *sqlite.Tx, space int64) error {
	t.Exec(`UPDATE spaces SET texts = (SELECT count(*) FROM texts WHERE s = ?) WHERE s = ?`, space, space)
	return t.Err()
}
