package vectors

import (
	"github.com/cp-memory/cp/index/sqlite"
)

// packed is a vector as it is kept.
type packed struct {
	passage digest
	bits    []byte
	scale   float32
	numbers []byte
}

// packer puts vectors of a space one behind the other.
type packer struct {
	*sqlite.Tx
	space     int64
	dimension int
	block     block // the last ones, which are not full yet or not written
	page      page
}

// packerBehind returns a packer that goes on behind the vectors that are there.
func packerBehind(t *sqlite.Tx, space int64, dimension int) (*packer, error) {
	p := &packer{Tx: t, space: space, dimension: dimension}
	_, err := t.Maybe(`SELECT block, passages, bits FROM blocks WHERE s = ? ORDER BY block DESC LIMIT 1`, []any{space}, &p.block.number, &p.block.passages, &p.block.bits)
	if err != nil {
		return nil, err
	}
	if !p.block.hasAllBits(dimension) {
		return nil, sqlite.ErrDamaged
	}
	before := p.block.number*blockSize + int64(p.block.len())
	per := int64(perPage(dimension))
	p.page, err = pageAt(t, space, before/per, dimension)
	if err == nil && int64(p.page.len()) != before%per {
		err = sqlite.ErrDamaged
	}
	return p, err
}

// packVector puts a vector behind the others. A full block, and a full page, is written.
func (p *packer) packVector(v packed) {
	if p.block.len() == blockSize {
		putBlock(p.Tx, p.space, p.block)
		p.block = block{number: p.block.number + 1}
	}
	if p.page.len() == perPage(p.dimension) {
		putPage(p.Tx, p.space, p.page)
		p.page = page{number: p.page.number + 1, dimension: p.dimension}
	}
	p.block.passages = append(p.block.passages, v.passage[:]...)
	p.block.bits = append(p.block.bits, v.bits...)
	p.page.addVector(v)
}

// flush writes what is not written yet.
func (p *packer) flush() error {
	putBlock(p.Tx, p.space, p.block)
	putPage(p.Tx, p.space, p.page)
	return p.Err()
}

// flushPages flushes, and drops what lies behind.
func (p *packer) flushPages() error {
	if err := p.flush(); err != nil {
		return err
	}
	last := func(number int64, n int) int64 { // an empty one was not written
		if n == 0 {
			return number - 1
		}
		return number
	}
	p.Exec(`DELETE FROM blocks WHERE s = ? AND block > ?`, p.space, last(p.block.number, p.block.len()))
	p.Exec(`DELETE FROM pages WHERE n > ? AND n < ?`, pageKey(p.space, 0)+last(p.page.number, p.page.len()), pageKey(p.space+1, 0))
	return p.Err()
}

// numbers returns the scale and the numbers of the vector of a passage at a place; found is false where it
// has none.
type numbers func(place int64, passage digest) (scale float32, values []byte, found bool, err error)

// repack puts the vectors that keep lets pass one behind the other, from the beginning on. What
// is written has been read before, since a vector only ever moves to the front.
func repack(t *sqlite.Tx, space int64, dimension int, of numbers, keep func(digest) bool) error {
	to := &packer{Tx: t, space: space, dimension: dimension, page: page{dimension: dimension}}
	wide := width(dimension)
	for number := int64(0); ; number++ {
		b, found, err := blockAt(t, space, dimension, number)
		if err != nil {
			return err
		}
		if !found {
			return to.flushPages()
		}
		for i := range b.len() {
			v := packed{passage: b.digest(i), bits: b.bits[i*wide : (i+1)*wide]}
			if !keep(v.passage) {
				continue
			}
			if v.scale, v.numbers, found, err = of(number*blockSize+int64(i), v.passage); err != nil {
				return err
			}
			if found {
				to.packVector(v)
			}
		}
	}
}

// inPages returns the numbers as version 3 keeps them, for places that come in their order.
func inPages(t *sqlite.Tx, space int64, dimension int) numbers {
	per := int64(perPage(dimension))
	p := page{number: -1, dimension: dimension}
	return func(place int64, passage digest) (float32, []byte, bool, error) {
		if p.number != place/per {
			var err error
			if p, err = pageAt(t, space, place/per, dimension); err != nil {
				return 0, nil, false, err
			}
		}
		i := int(place % per)
		if i >= p.len() || p.digest(i) != passage {
			return 0, nil, false, sqlite.ErrDamaged
		}
		scale, values := p.vector(i)
		return scale, values, true, nil
	}
}
