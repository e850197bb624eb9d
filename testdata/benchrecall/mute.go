package main

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// mute takes out of the set's mirror what the sources of the questions call their answers. A
// question that was made of a link would else be found by that link: its source does not count in
// the answer, and so must not speak in the index. What other files call the answer stays. It
// returns what the mirror says of the files that it leaves out.
func (s *set) mute() (leaves string, err error) {
	db, err := sqlite.Open(filepath.Join(s.root, ".cp", "index.db"), 0, "")
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = sqlite.Do(context.Background(), db, sqlite.Write, func(t *sqlite.Tx) error {
		var c query.AnchorChanges
		for _, q := range s.all {
			for answer := range q.answers {
				for _, source := range q.Neutral {
					silence(t, &c, source, answer)
				}
			}
		}
		c.Settle(t)
		return t.One(`SELECT value FROM state WHERE key = 'leaves'`, nil, &leaves)
	})
	return leaves, err
}

// silence removes the texts of the links from one file to another one.
func silence(t *sqlite.Tx, c *query.AnchorChanges, from, to string) {
	var id vault.ID
	var title string
	if found, _ := t.Maybe(`SELECT coalesce(m.id, ''), m.title FROM memories m JOIN files f USING (n) WHERE f.path = ?`, []any{to}, &id, &title); !found {
		return
	}
	for _, k := range query.NamesOf(vault.Path(to), id, title) {
		t.Exec(`UPDATE links SET text = '', language = 0 WHERE n = (SELECT n FROM files WHERE path = ?) AND kind = 'link' AND key = ? AND text <> ''`, from, k.Key)
		c.Link(k.Key)
	}
}
