package index

import (
	"context"

	"github.com/cp-memory/cp/index/vectors"
)

// Prune drops, in every space, the vectors of contents that are not in keep,
// and returns how many.
func (v *Vectors) Prune(ctx context.Context, keep map[string]bool) (int, error) {
	dropped := 0
	if all, err := v.Spaces(ctx); err != nil || len(all) == 0 {
		return 0, err
	}
	err := v.update(ctx, func(t *tx) error {
		type space struct {
			n         int64
			dimension int
		}
		var spaces []space
		err := t.each(`SELECT s, dimension FROM spaces`, nil, func(scan scanner) error {
			var s space
			err := scan(&s.n, &s.dimension)
			spaces = append(spaces, s)
			return err
		})
		for _, s := range spaces {
			if err != nil {
				return err
			}
			var n int
			n, err = t.prune(s.n, s.dimension, keep)
			dropped += n
		}
		return err
	})
	return dropped, err
}

// prune drops vectors of one space and packs the chunks anew.
func (t *tx) prune(space int64, dimension int, keep map[string]bool) (int, error) {
	var gone []string
	kept := []chunk{{}}
	width := vectors.Width(dimension)
	err := t.eachChunk(space, dimension, func(c chunk) error {
		for i := range c.len() {
			name := c.digest(i)
			if !keep[name.String()] {
				gone = append(gone, name.String())
				continue
			}
			last := &kept[len(kept)-1]
			if last.len() == chunkSize {
				kept = append(kept, chunk{number: last.number + 1})
				last = &kept[len(kept)-1]
			}
			last.contents = append(last.contents, name[:]...)
			last.bits = append(last.bits, c.bits[i*width:(i+1)*width]...)
		}
		return nil
	})
	if err != nil || len(gone) == 0 {
		return 0, err
	}
	if err := t.exec(`DELETE FROM vectors WHERE s = ? AND content IN (SELECT unhex(value) FROM json_each(?))`, space, list(gone)); err != nil {
		return 0, err
	}
	if err := t.exec(`DELETE FROM chunks WHERE s = ?`, space); err != nil {
		return 0, err
	}
	for _, c := range kept {
		if err := t.putChunk(space, c); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}
