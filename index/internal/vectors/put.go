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

// hasAllBits reports whether the block has the bits of each of its vectors.
func (c *block) hasAllBits(dimension int) bool {
	return len(c.passages) == c.len()*len(digest{}) && len(c.bits) == c.len()*width(dimension)
}

func (c *block) len() int { return len(c.passages) / len(digest{}) }

func (c *block) digest(i int) digest { return digest(c.passages[i*len(digest{}):]) }

// Put adds vectors of unit length and notes the passages of contents. A vector that is kept
// already stays. A content of which a vector has gone meanwhile is left out: the next run makes
// it anew.
func (v *DB) Put(ctx context.Context, s embed.Space, all []embed.Vector, texts []embed.Text) error {
	return v.inWriteTx(ctx, func(t *sqlite.Tx) error {
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
	p, err := packerBehind(t, space, dimension)
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := p.addVector(one); err != nil {
			return err
		}
	}
	return p.flush()
}

// addVector adds a vector unless its passage has one.
func (p *packer) addVector(v embed.Vector) error {
	if len(v.Numbers) != p.dimension {
		return vault.Errorf(vault.CodeInternal, "", "a vector of %d numbers does not go with those of %d", len(v.Numbers), p.dimension)
	}
	name, err := digestOf(v.Passage)
	if err != nil {
		return err
	}
	added, err := p.Change(`INSERT INTO vectors (s, passage) VALUES (?, ?) ON CONFLICT DO NOTHING`, p.space, name[:])
	if err != nil || added == 0 {
		return err
	}
	scale, numbers := packValues(v.Numbers)
	p.packVector(packed{name, packBits(v.Numbers), scale, numbers})
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
		if !c.hasAllBits(dimension) {
			return sqlite.ErrDamaged
		}
		return fn(c)
	})
}

// blockAt reads one block of a space.
func blockAt(t *sqlite.Tx, space int64, dimension int, number int64) (c block, found bool, err error) {
	c.number = number
	found, err = t.Maybe(`SELECT passages, bits FROM blocks WHERE s = ? AND block = ?`, []any{space, number}, &c.passages, &c.bits)
	if err == nil && !c.hasAllBits(dimension) {
		err = sqlite.ErrDamaged
	}
	return c, found, err
}
