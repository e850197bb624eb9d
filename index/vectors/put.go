package vectors

import (
	"context"
	"encoding/hex"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// chunkSize is the number of vectors whose bits lie in one row.
const chunkSize = 1024

// digest is a content's hash as it is kept.
type digest [16]byte

func digestOf(content string) (digest, error) {
	b, err := hex.DecodeString(content)
	if err != nil || len(b) != len(digest{}) {
		return digest{}, vault.Errorf(vault.CodeInternal, "", "%q is no content's hash", content)
	}
	return digest(b), nil
}

func (n digest) String() string { return hex.EncodeToString(n[:]) }

// chunk is the bits of some vectors.
type chunk struct {
	number   int64
	contents []byte // 16 bytes each
	bits     []byte
}

func (c *chunk) len() int { return len(c.contents) / len(digest{}) }

func (c *chunk) digest(i int) digest { return digest(c.contents[i*len(digest{}):]) }

// Put adds vectors of unit length. A vector that is kept already stays.
func (v *DB) Put(ctx context.Context, s embed.Space, all []embed.Vector) error {
	return v.update(ctx, func(t *sqlite.Tx) error {
		t.Exec(`INSERT INTO spaces (model, dimension, scheme) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, s.Model, s.Dimension, s.Scheme)
		n, _, err := numberOf(t, s)
		if err != nil {
			return err
		}
		var last chunk
		if _, err := t.Maybe(`SELECT chunk, contents, bits FROM chunks WHERE s = ? ORDER BY chunk DESC LIMIT 1`, []any{n}, &last.number, &last.contents, &last.bits); err != nil {
			return err
		}
		for _, one := range all {
			if err := put(t, n, s.Dimension, &last, one); err != nil {
				return err
			}
		}
		putChunk(t, n, last)
		return nil
	})
}

// put adds one vector, its bits to the chunk last; a full one is begun anew.
func put(t *sqlite.Tx, space int64, dimension int, last *chunk, v embed.Vector) error {
	if len(v.Numbers) != dimension {
		return vault.Errorf(vault.CodeInternal, "", "a vector of %d numbers does not go with those of %d", len(v.Numbers), dimension)
	}
	name, err := digestOf(v.Content)
	if err != nil {
		return err
	}
	scale, numbers := packValues(v.Numbers)
	added, err := t.Change(`INSERT INTO vectors (s, content, scale, numbers) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		space, name[:], float64(scale), numbers)
	if err != nil || added == 0 {
		return err
	}
	if last.len() == chunkSize {
		putChunk(t, space, *last)
		*last = chunk{number: last.number + 1}
	}
	last.contents = append(last.contents, name[:]...)
	last.bits = append(last.bits, packBits(v.Numbers)...)
	return nil
}

// putChunk writes a chunk; an empty one is left out.
func putChunk(t *sqlite.Tx, space int64, c chunk) {
	if c.len() == 0 {
		return
	}
	t.Exec(`INSERT INTO chunks (s, chunk, contents, bits) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET contents = excluded.contents, bits = excluded.bits`, space, c.number, c.contents, c.bits)
}

// eachChunk calls fn for the chunks of a space in order.
func eachChunk(t *sqlite.Tx, space int64, dimension int, fn func(chunk) error) error {
	return t.Each(`SELECT chunk, contents, bits FROM chunks WHERE s = ? ORDER BY chunk`, []any{space}, func(r *sqlite.Row) error {
		c := chunk{r.Int64(), r.Blob(), r.Blob()}
		if len(c.contents) != c.len()*len(digest{}) || len(c.bits) != c.len()*width(dimension) {
			return sqlite.ErrDamaged
		}
		return fn(c)
	})
}

// Contents returns the contents that have a vector in the space.
func (v *DB) Contents(ctx context.Context, s embed.Space) (map[string]bool, error) {
	all := make(map[string]bool)
	err := v.view(ctx, func(t *sqlite.Tx) error {
		n, found, err := numberOf(t, s)
		if err != nil || !found {
			return err
		}
		return eachChunk(t, n, s.Dimension, func(c chunk) error {
			for i := range c.len() {
				all[c.digest(i).String()] = true
			}
			return nil
		})
	})
	return all, err
}
