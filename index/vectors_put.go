package index

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"

	"github.com/cp-memory/cp/index/vectors"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// chunkSize is how many vectors' bits lie in a row.
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

// Put adds vectors of unit length; one that is there stays.
func (v *Vectors) Put(ctx context.Context, s embed.Space, all []embed.Vector) error {
	return v.update(ctx, func(t *tx) error {
		n, err := t.makeSpace(s)
		if err != nil {
			return err
		}
		last, err := t.lastChunk(n)
		if err != nil {
			return err
		}
		for _, one := range all {
			if err := t.put(n, s.Dimension, &last, one); err != nil {
				return err
			}
		}
		return t.putChunk(n, last)
	})
}

// makeSpace returns the number of a space, which it makes if need be.
func (t *tx) makeSpace(s embed.Space) (int64, error) {
	err := t.exec(`INSERT INTO spaces (model, dimension, scheme) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, s.Model, s.Dimension, s.Scheme)
	if err != nil {
		return 0, err
	}
	return t.spaceOf(s)
}

// put adds one vector, its bits to the chunk last; a full one is begun anew.
func (t *tx) put(space int64, dimension int, last *chunk, v embed.Vector) error {
	if len(v.Numbers) != dimension {
		return vault.Errorf(vault.CodeInternal, "", "a vector of %d numbers does not go with those of %d", len(v.Numbers), dimension)
	}
	name, err := digestOf(v.Content)
	if err != nil {
		return err
	}
	scale, numbers := vectors.Values(v.Numbers)
	done, err := t.sql.ExecContext(t.ctx, `INSERT INTO vectors (s, content, scale, numbers) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		space, name[:], float64(scale), numbers)
	if err != nil {
		return err
	}
	if fresh, err := done.RowsAffected(); err != nil || fresh == 0 {
		return err
	}
	if last.len() == chunkSize {
		if err := t.putChunk(space, *last); err != nil {
			return err
		}
		*last = chunk{number: last.number + 1}
	}
	last.contents = append(last.contents, name[:]...)
	last.bits = append(last.bits, vectors.Bits(v.Numbers)...)
	return nil
}

func (t *tx) lastChunk(space int64) (c chunk, err error) {
	err = t.one(`SELECT chunk, contents, bits FROM chunks WHERE s = ? ORDER BY chunk DESC LIMIT 1`, []any{space}, &c.number, &c.contents, &c.bits)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return c, err
}

// putChunk writes a chunk; an empty one is left out.
func (t *tx) putChunk(space int64, c chunk) error {
	if c.len() == 0 {
		return nil
	}
	return t.exec(`INSERT INTO chunks (s, chunk, contents, bits) VALUES (?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET contents = excluded.contents, bits = excluded.bits`, space, c.number, c.contents, c.bits)
}

// eachChunk calls fn for the chunks of a space in order. What they hold is
// valid until fn returns.
func (t *tx) eachChunk(space int64, dimension int, fn func(chunk) error) error {
	return t.each(`SELECT chunk, contents, bits FROM chunks WHERE s = ? ORDER BY chunk`, []any{space}, func(scan scanner) error {
		var c chunk
		if err := scan(&c.number, (*sql.RawBytes)(&c.contents), (*sql.RawBytes)(&c.bits)); err != nil {
			return err
		}
		if len(c.contents) != c.len()*len(digest{}) || len(c.bits) != c.len()*vectors.Width(dimension) {
			return errDamaged
		}
		return fn(c)
	})
}

// Contents returns the contents that have a vector in the space.
func (v *Vectors) Contents(ctx context.Context, s embed.Space) (map[string]bool, error) {
	all := make(map[string]bool)
	err := v.view(ctx, func(t *tx) error {
		n, err := t.spaceOf(s)
		if err != nil {
			return none(err)
		}
		return t.eachChunk(n, s.Dimension, func(c chunk) error {
			for i := range c.len() {
				all[c.digest(i).String()] = true
			}
			return nil
		})
	})
	return all, err
}

// none makes nothing of there being no such row.
func none(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
