package query

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// How many rows one generation may have, and how many rows there are at the most. A checkout
// of another branch that changes 50,000 files is noted by the first of them.
const (
	mostOfOne = 400
	mostKept  = 2000
)

// ChangeTables is the SQL of the table.
const ChangeTables = `
-- The memories that changed last (package changed). An index that is made anew begins with none.
CREATE TABLE changed (
  seq        INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,    -- in which it changed
  id         TEXT NOT NULL,
  named      INTEGER NOT NULL     -- 1 where it came, or has another title, id or path: other memories' links may mean it now
) STRICT;
`

// ChangeIndexes returns the SQL of the triggers, which are made when there are rows.
func ChangeIndexes() string {
	return strings.NewReplacer("KEPT", strconv.Itoa(mostKept), "NOTE(", note, ");", noted).Replace(triggers)
}

const triggers = `
CREATE TRIGGER changed_last AFTER INSERT ON changed BEGIN
  DELETE FROM changed WHERE seq <= NEW.seq - KEPT;
END;
CREATE TRIGGER changed_came AFTER INSERT ON memories BEGIN
  NOTE(NEW.id AS id, 1 AS named);
END;
CREATE TRIGGER changed_went AFTER DELETE ON memories BEGIN
  NOTE(OLD.id AS id, 1 AS named);
END;
CREATE TRIGGER changed_memory AFTER UPDATE OF id, parent, orphan, content, words, parts ON memories BEGIN
  NOTE(NEW.id AS id, OLD.id IS NOT NEW.id OR OLD.title <> NEW.title AS named);
  NOTE(iif(OLD.id IS NOT NEW.id, OLD.id, NULL) AS id, 1 AS named);
END;
CREATE TRIGGER changed_file AFTER UPDATE OF path, hash, head ON files WHEN OLD.path <> NEW.path OR OLD.hash <> NEW.hash OR OLD.head <> NEW.head BEGIN
  NOTE((SELECT id FROM memories WHERE n = NEW.n) AS id, OLD.path <> NEW.path AS named);
END;
CREATE TRIGGER changed_facts_came AFTER INSERT ON facts BEGIN
  NOTE(NEW.id AS id, 0 AS named);
END;
CREATE TRIGGER changed_facts AFTER UPDATE OF id, hash ON facts WHEN OLD.hash <> NEW.hash OR OLD.id <> NEW.id BEGIN
  NOTE(NEW.id AS id, 0 AS named);
END;
CREATE TRIGGER changed_facts_went AFTER DELETE ON facts BEGIN
  NOTE(OLD.id AS id, 0 AS named);
END;
`

// note notes an id in the generation that is being written, unless that has its rows.
var note = `INSERT INTO changed (generation, id, named) SELECT g, id, named
	FROM (SELECT coalesce((SELECT value FROM state WHERE key = 'generation'), 0) + 1 AS g)
	JOIN (SELECT max(seq) - ` + strconv.Itoa(mostOfOne) + ` AS before FROM changed)
	JOIN (SELECT `

// noted ends it.
const noted = `) WHERE id IS NOT NULL AND id <> '' AND g IS NOT (SELECT generation FROM changed WHERE seq = before);`

// ChangedSince returns the memories whose pages may show something else than at a generation: those
// that changed, went and came, and those that they link to or lie below; of one that came or has
// other names also those that link to it. It returns nil if they are more than most, or if the
// list does not tell.
func ChangedSince(t *sqlite.Tx, at vault.Generation, most int) ([]vault.ID, error) {
	complete := false
	if err := t.One(told, []any{at.Number, mostOfOne, at.Epoch}, &complete); err != nil || !complete {
		return nil, err
	}
	rows, err := sqlite.All(t, `SELECT c.id, coalesce(m.n, 0), max(c.named) FROM changed c LEFT JOIN memories m ON m.id = c.id WHERE c.generation > ? GROUP BY c.id ORDER BY c.id`, []any{at.Number}, func(r *sqlite.Row) (w row) {
		r.Scan(&w.id, &w.n, &w.named)
		return w
	})
	ids, seen := []vault.ID{}, map[int64]bool{}
	for _, w := range rows {
		ids = append(ids, vault.ID(w.id))
		seen[w.n] = true
	}
	var near []int64
	for _, w := range rows {
		if err != nil || len(ids)+len(near) > most {
			return nil, err
		}
		near, err = w.addNear(t, near, seen)
	}
	if err != nil || len(ids)+len(near) > most {
		return nil, err
	}
	more, err := sqlite.All(t, `SELECT id FROM memories WHERE id IS NOT NULL AND n IN (SELECT value FROM json_each(?)) ORDER BY id`, []any{sqlite.List(near)}, func(r *sqlite.Row) vault.ID { return vault.ID(r.Text()) })
	if err != nil {
		return nil, err
	}
	return append(ids, more...), nil
}

// told tells whether all rows since a generation are there, and it is one of this mirror.
const told = `SELECT ?3 = (SELECT value FROM state WHERE key = 'epoch')
	AND ((SELECT coalesce(min(seq), 1) FROM changed) = 1 OR (SELECT generation <= ?1 FROM changed ORDER BY seq LIMIT 1))
	AND NOT EXISTS (SELECT 1 FROM changed WHERE generation > ?1 GROUP BY generation HAVING count(*) > ?2)`

// row is a memory that changed; n is 0 where it is gone.
type row struct {
	id    string
	n     int64
	named bool
}

// addNear adds the memories whose pages show this one and may not name it yet.
func (w row) addNear(t *sqlite.Tx, all []int64, seen map[int64]bool) ([]int64, error) {
	if w.n == 0 {
		return all, nil
	}
	edges, err := LinksOf(t, w.n, false)
	for _, e := range edges {
		if (e.Outgoing || w.named) && e.N != 0 && !seen[e.N] {
			seen[e.N] = true
			all = append(all, e.N)
		}
	}
	return all, err
}
