package vectors

import (
	_ "embed"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

// plainDot is dot in the plainest words, with the sums in the same order.
func plainDot(query []float32, scale float32, values []byte) float64 {
	var sums [4]float32
	for i, q := range query {
		at := i % 4
		if i >= len(query)/4*4 {
			at = 0
		}
		sums[at] += q * float32(int8(values[i]))
	}
	return float64(sums[0]+sums[1]+sums[2]+sums[3]) * float64(scale)
}

func TestDotIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		n := rng.IntN(40)
		q, values, scale := random(rng, n), make([]byte, n), rng.Float32()
		for i := range values {
			values[i] = byte(rng.Uint32())
		}
		if want, got := plainDot(q, scale, values), dot(q, scale, values); want != got {
			t.Fatalf("%d numbers: %v, want %v", n, got, want)
		}
	}
}

// weighedAll is the answer by the numbers of all vectors, each the only passage of its text.
func weighedAll(all []embed.Vector, query []float32, k int, only map[string]bool) []embed.Near {
	near := []embed.Near{}
	for _, v := range all {
		if only == nil || only[v.Passage] {
			scale, values := packValues(v.Numbers)
			near = append(near, embed.Near{Content: v.Passage, Part: 1, Score: plainDot(query, scale, values)})
		}
	}
	slices.SortFunc(near, func(a, b embed.Near) int {
		switch {
		case a.Score > b.Score || a.Score == b.Score && a.Content < b.Content:
			return -1
		}
		return 1
	})
	return near[:min(k, len(near))]
}

// agrees fails unless the file answers as weighing all does.
func agrees(t *testing.T, v *DB, space embed.Space, all []embed.Vector, rng *rand.Rand) {
	t.Helper()
	for round := range 6 {
		query, _ := embed.Unit(random(rng, space.Dimension))
		var only map[string]bool
		if round%2 == 1 {
			only = map[string]bool{contentNamed(-1): true}
			for _, one := range all {
				if rng.IntN(5) == 0 {
					only[one.Passage] = true
				}
			}
		}
		k := 1 + rng.IntN(60)
		want := weighedAll(all, query, k, only)
		got, err := v.Nearest(t.Context(), space, query, k, only)
		if diff := cmp.Diff(want, append([]embed.Near{}, got...)); diff != "" || err != nil {
			t.Fatalf("%d vectors of %d, the best %d: %v %s", len(all), space.Dimension, k, err, diff)
		}
	}
}

// Whatever was put and dropped, the nearest are those that weighing all gives, to the last bit: where
// all are weighed, and by the bits where as many are weighed as there are.
func TestTheNearestAreTheNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, dimension := range []int{1, 3, 64, 70, 300, 2100, 5000} {
		space, other := embed.Space{Model: "a", Dimension: dimension, Scheme: "none"}, embed.Space{Model: "b", Dimension: 5, Scheme: "none"}
		v := New(filepath.Join(t.TempDir(), "vectors.db"))
		t.Cleanup(func() { _ = v.Close() })
		var all []embed.Vector
		for range 5 {
			var batch []embed.Vector
			for range rng.IntN(120) {
				unit, _ := embed.Unit(random(rng, dimension))
				batch = append(batch, embed.Vector{Passage: contentNamed(rng.IntN(1 << 40)), Numbers: unit})
			}
			if err := putTexts(v, space, batch); err != nil {
				t.Fatal(err)
			}
			if err := putTexts(v, other, someVectors(40, 5, rng.Uint64())); err != nil {
				t.Fatal(err)
			}
			all = append(all, batch...)
			keep := map[string]bool{}
			all = slices.DeleteFunc(all, func(one embed.Vector) bool {
				keep[one.Passage] = rng.IntN(4) > 0
				return !keep[one.Passage]
			})
			for hash, is := range keep {
				if !is {
					delete(keep, hash)
				}
			}
			would, werr := v.Prune(t.Context(), keep, true)
			if did, err := v.Prune(t.Context(), keep, false); would != did || err != nil || werr != nil {
				t.Fatalf("dropped %d, and a dry run says %d: %v %v", did, would, err, werr)
			}
			for _, v.scanned = range []int{0, scanned} {
				agrees(t, v, space, all, rng)
			}
		}
		packedWell(t, v)
	}
}

// packedWell fails unless blocks and pages hold the same passages in the same order, and all pages of a space
// but the last are full.
func packedWell(t *testing.T, v *DB) {
	t.Helper()
	err := v.view(t.Context(), func(tx *sqlite.Tx) error {
		spaces, err := spacesIn(tx)
		for _, s := range spaces {
			var inBlocks, inPages []byte
			if err := eachBlock(tx, s.number, s.dimension, func(b block) error { inBlocks = append(inBlocks, b.passages...); return nil }); err != nil {
				return err
			}
			for n := int64(0); ; n++ {
				p, err := pageAt(tx, s.number, n, s.dimension)
				if err != nil {
					return err
				}
				for i := range p.len() {
					name := p.digest(i)
					inPages = append(inPages, name[:]...)
				}
				if p.len() < perPage(s.dimension) {
					break
				}
			}
			var rows int
			if err := tx.One(`SELECT count(*) FROM pages WHERE n >= ? AND n < ?`, []any{pageKey(s.number, 0), pageKey(s.number+1, 0)}, &rows); err != nil {
				return err
			}
			n, per := len(inBlocks)/16, perPage(s.dimension)
			if !slices.Equal(inBlocks, inPages) || rows != (n+per-1)/per {
				t.Errorf("space %d: %d passages in the blocks, %d in %d pages", s.number, n, len(inPages)/16, rows)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// The tables as version 2 made them.
//
//go:embed testdata/version2.sql
var version2 string

// asVersion2 writes a file as version 2 did, in which each vector is the only passage of a text.
func asVersion2(t *testing.T, path string, spaces map[embed.Space][]embed.Vector) {
	t.Helper()
	db, err := sqlite.Open(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = sqlite.Do(t.Context(), db, sqlite.Write, func(tx *sqlite.Tx) error {
		tx.Exec(version2)
		for s, all := range spaces {
			tx.Exec(`INSERT INTO spaces (model, dimension, scheme, texts) VALUES (?, ?, ?, ?)`, s.Model, s.Dimension, s.Scheme, len(all))
			n, _, err := numberOf(tx, s)
			if err != nil {
				return err
			}
			last := block{}
			for _, one := range all {
				if last.len() == blockSize {
					putBlock(tx, n, last)
					last = block{number: last.number + 1}
				}
				name, _ := digestOf(one.Passage)
				scale, numbers := packValues(one.Numbers)
				last.passages, last.bits = append(last.passages, name[:]...), append(last.bits, packBits(one.Numbers)...)
				tx.Exec(`INSERT INTO vectors VALUES (?, ?, ?, ?)`, n, name[:], float64(scale), numbers)
				tx.Exec(`INSERT INTO texts VALUES (?, ?, ?)`, n, name[:], name[:])
				tx.Exec(`INSERT INTO parts VALUES (?, ?, ?, 1)`, n, name[:], name[:])
			}
			putBlock(tx, n, last)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A file of version 2 answers as it stands, and the first write brings it to this version with every
// vector. A write that ends in the middle, as by kill -9, leaves it as it was.
func TestAFileOfVersion2(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	narrow, wide := embed.Space{Model: "a", Dimension: 24, Scheme: "none"}, embed.Space{Model: "b", Dimension: 900, Scheme: "e5"}
	path := filepath.Join(t.TempDir(), "vectors.db")
	vectors := map[embed.Space][]embed.Vector{narrow: someVectors(390, 24, 1), wide: someVectors(60, 900, 2)}
	asVersion2(t, path, vectors)
	check := func(v *DB, why string) {
		t.Helper()
		t.Log(why)
		for s, all := range vectors {
			agrees(t, v, s, all, rng)
			held, err := v.ListHeld(t.Context(), s, []string{all[0].Passage, contentNamed(-1), all[59].Passage})
			if diff := cmp.Diff(map[string]bool{all[0].Passage: true, all[59].Passage: true}, held); diff != "" || err != nil {
				t.Error(err, diff)
			}
		}
		stored, err := v.Spaces(t.Context())
		for _, one := range stored {
			if n := len(vectors[one.Space]); one.Texts != n || one.Passages != n || one.Old {
				t.Errorf("%+v", one)
			}
		}
		if len(stored) != 2 || err != nil {
			t.Error(len(stored), err)
		}
	}
	open := func(path string) *DB {
		v := New(path)
		t.Cleanup(func() { _ = v.Close() })
		return v
	}
	was := open(path)
	check(was, "as it stands")

	db, err := sqlite.Open(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	killed := filepath.Join(t.TempDir(), "vectors.db")
	err = sqlite.Do(t.Context(), db, sqlite.Write, func(tx *sqlite.Tx) error {
		tx.Exec(`PRAGMA cache_size = 10; PRAGMA cache_spill = 10`) // what is not committed reaches the disk
		if err := lay(tx); err != nil {
			return err
		}
		check(was, "while it is renewed")
		for _, suffix := range []string{"", "-wal"} {
			copied(t, path+suffix, killed+suffix)
		}
		return fmt.Errorf("killed: %w", io.EOF)
	})
	if err == nil {
		t.Fatal("it was not killed")
	}
	check(open(killed), "after a kill in the middle")
	if v := open(killed); v.Put(t.Context(), narrow, nil, nil) != nil {
		t.Error("it is not renewed then")
	} else {
		check(v, "and renewed")
		packedWell(t, v)
	}

	fresh := someVectors(500, 24, 7)[390:]
	if err := putTexts(was, narrow, fresh); err != nil {
		t.Fatal(err)
	}
	vectors[narrow] = append(vectors[narrow], fresh...)
	check(was, "renewed by a write")
	packedWell(t, was)
	if is := sqlite.VersionOf(path); is != version && is != single { // the newer one may be in the log
		t.Errorf("version %d", is)
	}
}

func copied(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
