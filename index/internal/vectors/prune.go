package vectors

import (
	"context"
	"errors"
	"maps"

	"github.com/cp-memory/cp/index/sqlite"
)

// Prune drops, in every space, the contents that are not in keep and the vectors that no
// content has. It returns the number of vectors. One that may be that of a whole memory in keep
// stays as long as that memory's passages are not noted. A dry run counts, and changes nothing.
func (v *DB) Prune(ctx context.Context, keep map[string]bool, dry bool) (dropped int, err error) {
	if all, err := v.Spaces(ctx); err != nil || len(all) == 0 {
		return 0, err
	}
	door := v.inWriteTx
	if dry {
		door = v.viewAnyVersion
	}
	err = door(ctx, func(t *sqlite.Tx) error {
		dropped = 0
		version, verr := versionOf(t)
		spaces, err := spacesIn(t)
		for _, s := range spaces {
			if err != nil {
				break
			}
			var x surplus
			if x, err = surplusIn(t, version, s, keep); err == nil && !dry {
				err = x.dropAndPack(t)
			}
			dropped += len(x.passages)
		}
		return errors.Join(verr, err)
	})
	return dropped, err
}

// surplus is what a space has more than it is to have.
type surplus struct {
	numbered
	contents []string
	passages []string        // those with a vector
	held     map[string]bool // the passages that stay
}

// surplusIn finds what is to go from a space in a file of the version.
func surplusIn(t *sqlite.Tx, version int, s numbered, keep map[string]bool) (surplus, error) {
	x := surplus{numbered: s, held: maps.Clone(keep)}
	if x.held == nil {
		x.held = make(map[string]bool)
	}
	note := func(name string) {
		if !x.held[name] {
			x.passages = append(x.passages, name)
		}
	}
	if version == old { // the vectors are of whole memories
		return x, t.Each(`SELECT content FROM vectors WHERE s = ?`, []any{s.number}, func(r *sqlite.Row) error {
			note(string(r.Hash()))
			return nil
		})
	}
	if err := x.findSurplus(t, keep); err != nil {
		return x, err
	}
	return x, eachBlock(t, s.number, s.dimension, func(b block) error {
		for i := range b.len() {
			note(b.digest(i).String())
		}
		return nil
	})
}

// findSurplus finds which contents go, and holds the passages of the others.
func (x *surplus) findSurplus(t *sqlite.Tx, keep map[string]bool) error {
	err := t.Each(`SELECT content FROM texts WHERE s = ?`, []any{x.number}, func(r *sqlite.Row) error {
		content := string(r.Hash())
		if delete(x.held, content); !keep[content] {
			x.contents = append(x.contents, content)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return t.Each(`SELECT DISTINCT passage FROM parts WHERE s = ? AND content NOT IN (SELECT unhex(value) FROM json_each(?))`,
		[]any{x.number, sqlite.List(x.contents)}, func(r *sqlite.Row) error {
			x.held[string(r.Hash())] = true
			return nil
		})
}

// dropAndPack takes it away and packs the other vectors anew.
func (x *surplus) dropAndPack(t *sqlite.Tx) error {
	t.Exec(`DELETE FROM texts WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`, x.number, sqlite.List(x.contents))
	t.Exec(`DELETE FROM parts WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`, x.number, sqlite.List(x.contents))
	if err := updateTextCount(t, x.number); err != nil || len(x.passages) == 0 {
		return err
	}
	t.Exec(`DELETE FROM vectors WHERE s = ? AND passage IN (SELECT unhex(value) FROM json_each(?))`, x.number, sqlite.List(x.passages))
	return repack(t, x.number, x.dimension, inPages(t, x.number, x.dimension), func(passage digest) bool { return x.held[passage.String()] })
}
