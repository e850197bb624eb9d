package vectors

import (
	"encoding/binary"
	"math"

	"github.com/cp-memory/cp/index/sqlite"
)

// pageBytes is what a row of pages may take and lie in one page of the file, of 4,096 bytes.
const pageBytes = 4040

// vectorSize is the bytes of a vector in a page: the passage, the scale, the numbers.
func vectorSize(dimension int) int { return len(digest{}) + 4 + dimension }

// perPage returns how many vectors lie in a row of pages.
func perPage(dimension int) int { return max(pageBytes/vectorSize(dimension), 1) }

// pageKey is the key of a page of a space.
func pageKey(space, number int64) int64 { return space<<32 | number }

// page is the numbers of some vectors.
type page struct {
	number    int64
	dimension int
	vectors   []byte // their records
}

// readPage takes the column of a page.
func readPage(r *sqlite.Row, number int64, dimension int) (page, error) {
	p := page{number, dimension, r.Blob()}
	if len(p.vectors)%vectorSize(dimension) != 0 {
		return p, sqlite.ErrDamaged
	}
	return p, nil
}

func (p *page) len() int { return len(p.vectors) / vectorSize(p.dimension) }

func (p *page) digest(i int) digest { return digest(p.vectors[i*vectorSize(p.dimension):]) }

// vector returns the scale and the numbers of a vector.
func (p *page) vector(i int) (scale float32, values []byte) {
	b := p.vectors[i*vectorSize(p.dimension)+len(digest{}) : (i+1)*vectorSize(p.dimension)]
	return math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4:]
}

// addVector puts a vector behind the others.
func (p *page) addVector(v packed) {
	p.vectors = append(p.vectors, v.passage[:]...)
	p.vectors = binary.LittleEndian.AppendUint32(p.vectors, math.Float32bits(v.scale))
	p.vectors = append(p.vectors, v.numbers...)
}

// pageAt reads a page of a space; an empty one where there is none.
func pageAt(t *sqlite.Tx, space, number int64, dimension int) (p page, err error) {
	p.number, p.dimension = number, dimension
	err = t.Each(`SELECT vectors FROM pages WHERE n = ?`, []any{pageKey(space, number)}, func(r *sqlite.Row) (err error) {
		p, err = readPage(r, number, dimension)
		return err
	})
	return p, err
}

// putPage writes a page; an empty one is left out.
func putPage(t *sqlite.Tx, space int64, p page) {
	if p.len() > 0 {
		t.Exec(`INSERT INTO pages (n, vectors) VALUES (?, ?) ON CONFLICT DO UPDATE SET vectors = excluded.vectors`, pageKey(space, p.number), p.vectors)
	}
}
