package vectors

import (
	"context"
	"encoding/hex"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// blockSize is the number of vectors whose bits lie in one row.
const blockSize = 1024

// digest is the hash of a content or a passage as it is kept.
type digest [16]byte

func digestOf(hash string) (digest, error) {
	b, err := hex.DecodeString(hash)
	if err != nil || len(b) != len(digest{}) {
		return digest{}, vault.Errorf(vault.CodeInternal, "", "%q is no hash of a text", hash)
	}
	return digest(b), nil
}

func (n digest) String() string { return hex.EncodeToString(n[:]) }

// block is the bits of some vectors.
type block struct {
	number   int64
	passages []byte // 16 bytes each
	bits     []byte
}

func (c *block) len() int { return len(c.passages) / len(digest{}) }

func (c *block) digest(i int) digest { return digest(c.passages[i*len(digest{}):]) }

// Put adds vectors of unit length and notes the passages of contents. A vector that is kept
// already stays. A content of which a vector has gone meanwhile is left out: the next run makes
// it anew.
func (v *DB) Put(ctx context.Context, s embed.Space, all []embed.Vector, texts []embed.Text) error {
	return v.update(ctx, func(t *sqlite.Tx) error {
		t.Exec(`INSERT INTO spaces (model, dimension, scheme) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, s.Model, s.Dimension, s.Scheme)
		n, _, err := numberOf(t, s)
		if err == nil && len(all) > 0 {
			err = putAll(t, n, s.Dimension, all)
		}
		if err == nil && len(texts) > 0 {
			err = noteAll(t, n, texts)
		}
		return err
	})
}

func putAll(t *sqlite.Tx, space int64, dimension int, all []embed.Vector) error {
	var last block
	if _, err := t.Maybe(`SELECT block, passages, bits FROM blocks WHERE s = ? ORDER BY block DESC LIMIT 1`, []any{space}, &last.number, &last.passages, &last.bits); err != nil {
		return err
	}
	for _, one := range all {
		if err := put(t, space, dimension, &last, one); err != nil {
			return err
		}
	}
	putBlock(t, space, last)
	return nil
}

// put adds one vector, its bits to the block last; a full one is begun anew.
func put(t *sqlite.Tx, space int64, dimension int, last *block, v embed.Vector) error {
	if len(v.Numbers) != dimension {
		return vault.Errorf(vault.CodeInternal, "", "a vector of %d numbers does not go with those of %d", len(v.Numbers), dimension)
	}
	name, err := digestOf(v.Passage)
	if err != nil {
		return err
	}
	scale, numbers := packValues(v.Numbers)
	added, err := t.Change(`INSERT INTO vectors (s, passage, scale, numbers) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		space, name[:], float64(scale), numbers)
	if err != nil || added == 0 {
		return err
	}
	if last.len() == blockSize {
		putBlock(t, space, *last)
		*last = block{number: last.number + 1}
	}
	last.passages = append(last.passages, name[:]...)
	last.bits = append(last.bits, packBits(v.Numbers)...)
	return nil
}

// putBlock writes a block; an empty one is left out.
func putBlock(t *sqlite.Tx, space int64, c block) {
	if c.len() == 0 {
		return
	}
	t.Exec(`INSERT INTO blocks (s, block, passages, bits) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET passages = excluded.passages, bits = excluded.bits`, space, c.number, c.passages, c.bits)
}

// eachBlock calls fn for the blocks of a space in order.
func eachBlock(t *sqlite.Tx, space int64, dimension int, fn func(block) error) error {
	return t.Each(`SELECT block, passages, bits FROM blocks WHERE s = ? ORDER BY block`, []any{space}, func(r *sqlite.Row) error {
		c := block{r.Int64(), r.Blob(), r.Blob()}
		if len(c.passages) != c.len()*len(digest{}) || len(c.bits) != c.len()*width(dimension) {
			return sqlite.ErrDamaged
		}
		return fn(c)
	})
}
