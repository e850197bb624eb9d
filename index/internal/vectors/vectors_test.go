package vectors

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

func contentNamed(i int) string {
	sum := sha256.Sum256(fmt.Append(nil, i))
	return hex.EncodeToString(sum[:16])
}

// someVectors returns vectors that lie in clusters, as texts do.
func someVectors(n, dimension int, seed uint64) []embed.Vector {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([][]float32, 1+n/250)
	for i := range centres {
		centres[i] = gauss(rng, dimension)
	}
	all := make([]embed.Vector, n)
	for i := range all {
		v := gauss(rng, dimension)
		for j, x := range centres[rng.IntN(len(centres))] {
			v[j] += x
		}
		unit, _ := embed.Unit(v)
		all[i] = embed.Vector{Passage: contentNamed(i), Numbers: unit}
	}
	return all
}

func gauss(rng *rand.Rand, dimension int) []float32 {
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

func filledVectors(t testing.TB, s embed.Space, all []embed.Vector) (*DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cp", "vault", "vectors.db")
	v := New(path)
	t.Cleanup(func() { _ = v.Close() })
	for batch := range slices.Chunk(all, 700) {
		if err := putTexts(v, s, batch); err != nil {
			t.Fatal(err)
		}
	}
	return v, path
}

// putTexts puts vectors, each the only passage of a text.
func putTexts(v *DB, s embed.Space, all []embed.Vector) error {
	var texts []embed.Text
	for _, one := range all {
		texts = append(texts, embed.Text{Content: one.Passage, Passages: []string{one.Passage}})
	}
	return v.Put(context.Background(), s, all, texts)
}

func contentsOf(t *testing.T, near []embed.Near, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, n := range near {
		all = append(all, n.Content)
	}
	return all
}

// exact is the answer without bits and bytes.
func exact(all []embed.Vector, query []float32, k int, only map[string]bool) []string {
	score := func(v embed.Vector) (sum float64) {
		for i, x := range v.Numbers {
			sum += float64(x) * float64(query[i])
		}
		return sum
	}
	all = slices.DeleteFunc(slices.Clone(all), func(v embed.Vector) bool { return only != nil && !only[v.Passage] })
	slices.SortFunc(all, func(a, b embed.Vector) int {
		if score(a) > score(b) {
			return -1
		}
		return 1
	})
	var best []string
	for _, v := range all[:k] {
		best = append(best, v.Passage)
	}
	return best
}

func TestVectorsAreFoundAgain(t *testing.T) {
	ctx := context.Background()
	space := embed.Space{Model: "test/one", Dimension: 100, Scheme: "none"}
	all := someVectors(2500, 100, 1)
	v, path := filledVectors(t, space, all)
	_ = v.Close()

	other := New(path)
	defer other.Close()
	for _, i := range []int{0, 1023, 1024, 2499} {
		got, err := other.Nearest(ctx, space, all[i].Numbers, 10, nil)
		if contentsOf(t, got, err)[0] != all[i].Passage || got[0].Score < 0.99 || got[0].Score > 1.01 {
			t.Errorf("vector %d: the nearest to itself is %v", i, got[0])
		}
		shared := 0
		for _, c := range exact(all, all[i].Numbers, 10, nil) {
			if slices.Contains(contentsOf(t, got, nil), c) {
				shared++
			}
		}
		if shared < 8 {
			t.Errorf("vector %d: %d of the 10 nearest were found", i, shared)
		}
	}

	t.Log("a filter holds before the limit")
	only := map[string]bool{}
	for i := 7; i < len(all); i += 500 {
		only[all[i].Passage] = true
	}
	got, err := other.Nearest(ctx, space, all[0].Numbers, 10, only)
	if diff := cmp.Diff(exact(all, all[0].Numbers, len(only), only), contentsOf(t, got, err)); diff != "" {
		t.Error(diff)
	}

	t.Log("what is there stays, and is there once")
	if err := putTexts(other, space, all[:50]); err != nil {
		t.Fatal(err)
	}
	stored, err := other.Spaces(ctx)
	if diff := cmp.Diff([]embed.Stored{{Space: space, Texts: 2500, Passages: 2500}}, stored); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestSpacesAreNeverMixed(t *testing.T) {
	ctx := context.Background()
	one := embed.Space{Model: "test/one", Dimension: 8, Scheme: "none"}
	v, _ := filledVectors(t, one, someVectors(5, 8, 1))
	two := embed.Space{Model: "test/two", Dimension: 8, Scheme: "none"}
	if err := putTexts(v, two, someVectors(3, 8, 2)); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		space embed.Space
		want  int
	}{
		{one, 5}, {two, 3},
		{embed.Space{Model: "test/one", Dimension: 8, Scheme: "e5"}, 0},
		{embed.Space{Model: "test/one", Dimension: 16, Scheme: "none"}, 0},
	} {
		got, err := v.Nearest(ctx, row.space, make([]float32, row.space.Dimension), 10, nil)
		has, herr := v.Contents(ctx, row.space)
		if len(got) != row.want || len(has) != row.want || err != nil || herr != nil {
			t.Errorf("%v: %d near, %d in all, want %d (%v, %v)", row.space, len(got), len(has), row.want, err, herr)
		}
	}
	if err := v.Put(ctx, one, []embed.Vector{{Passage: contentNamed(9), Numbers: []float32{1}}}, nil); err == nil {
		t.Error("a vector of another dimension was taken")
	}
}

func TestVectorsThatNobodyHoldsGo(t *testing.T) {
	ctx := context.Background()
	space := embed.Space{Model: "test/one", Dimension: 70, Scheme: "none"}
	all := someVectors(2100, 70, 3)
	v, _ := filledVectors(t, space, all)
	keep := map[string]bool{}
	for i := 0; i < len(all); i += 2 {
		keep[all[i].Passage] = true
	}
	if n, err := v.Prune(ctx, keep, true); n != 1050 || err != nil {
		t.Fatalf("a dry run counts %d, %v", n, err)
	}
	n, err := v.Prune(ctx, keep, false)
	if n != 1050 || err != nil {
		t.Fatalf("dropped %d, %v", n, err)
	}
	has, err := v.Contents(ctx, space)
	if diff := cmp.Diff(keep, has); diff != "" || err != nil {
		t.Errorf("%s %v", diff, err)
	}
	got, err := v.Nearest(ctx, space, all[2098].Numbers, 1, nil)
	if contentsOf(t, got, err)[0] != all[2098].Passage {
		t.Error("the last one is not found after the others moved up")
	}
	if err := putTexts(v, space, all[1:2]); err != nil {
		t.Fatal(err)
	}
	got, err = v.Nearest(ctx, space, all[1].Numbers, 1, nil)
	if contentsOf(t, got, err)[0] != all[1].Passage {
		t.Error("what was dropped cannot come back")
	}
}

func TestAFileThatIsNoneFindsNothingAndIsNotMade(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "vectors.db")
	v := New(path)
	defer v.Close()
	stored, err := v.Spaces(ctx)
	near, nerr := v.Nearest(ctx, embed.Space{Model: "m", Dimension: 2, Scheme: "none"}, []float32{1, 0}, 5, nil)
	n, perr := v.Prune(ctx, nil, false)
	would, derr := v.Prune(ctx, nil, true)
	if len(stored)+len(near)+n+would > 0 || errors.Join(err, nerr, perr, derr) != nil {
		t.Errorf("%v %v %d %d, %v %v %v %v", stored, near, n, would, err, nerr, perr, derr)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading made a file: %v", err)
	}
}

// A file whose tables another process has not made yet holds nothing, and stays where it is:
// the process that makes them has it open.
func TestAFileWithoutTablesYetIsLeftAlone(t *testing.T) {
	ctx := context.Background()
	space := embed.Space{Model: "test/one", Dimension: 64, Scheme: "none"}
	path := filepath.Join(t.TempDir(), "vectors.db")
	other, err := sqlite.Open(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Exec(`PRAGMA user_version = 0`); err != nil { // the header is on the disk
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Fatalf("the other process has not begun: %v", err)
	}
	v := New(path)
	t.Cleanup(func() { _ = v.Close() })
	if all, err := v.Spaces(ctx); err != nil || len(all) > 0 {
		t.Fatalf("spaces %v, %v", all, err)
	}
	if _, err := os.Stat(path + ".bad"); err == nil {
		t.Fatal("the file was set aside")
	}
	if err := sqlite.Do(ctx, other, sqlite.Write, lay); err != nil {
		t.Fatal(err)
	}
	all := someVectors(20, 64, 4)
	if err := putTexts(v, space, all); err != nil {
		t.Fatal(err)
	}
	got, err := v.Nearest(ctx, space, all[3].Numbers, 1, nil)
	if contentsOf(t, got, err)[0] != all[3].Passage {
		t.Error("the file does not answer")
	}
}

// Each way in which the file can be spoilt: a sentence, the file set aside, and
// a new beginning.
func TestSpoiltVectorsAreSetAside(t *testing.T) {
	ctx := context.Background()
	space := embed.Space{Model: "test/one", Dimension: 64, Scheme: "none"}
	for _, row := range []struct {
		name  string
		spoil func(t *testing.T, path string, b []byte) []byte
	}{
		{"cut in half", func(_ *testing.T, _ string, b []byte) []byte { return b[:len(b)/2] }},
		{"cut inside a page", func(_ *testing.T, _ string, b []byte) []byte { return b[:len(b)-1000] }},
		{"noise", func(_ *testing.T, _ string, b []byte) []byte {
			rng := rand.New(rand.NewPCG(5, 5))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			return b
		}},
		{"another program's", func(t *testing.T, path string, b []byte) []byte {
			return []byte("not a database, but long enough to be looked at as one")
		}},
		{"a block that is too short", func(t *testing.T, path string, _ []byte) []byte {
			return spoilBy(t, path, `UPDATE blocks SET passages = substr(passages, 1, 9)`)
		}},
		{"numbers that are too few", func(t *testing.T, path string, _ []byte) []byte {
			return spoilBy(t, path, `UPDATE pages SET vectors = x'00'`)
		}},
		{"a page that is gone", func(t *testing.T, path string, _ []byte) []byte {
			return spoilBy(t, path, `DELETE FROM pages`)
		}},
		{"pages in another order", func(t *testing.T, path string, _ []byte) []byte {
			return spoilBy(t, path, `UPDATE pages SET vectors = (SELECT vectors FROM pages p WHERE p.n = (pages.n & ~4294967295) | (31 - (pages.n & 4294967295)))`)
		}},
		{"a table that is gone", func(t *testing.T, path string, _ []byte) []byte { return spoilBy(t, path, `DROP TABLE blocks`) }},
		{"another version's", func(t *testing.T, path string, _ []byte) []byte { return spoilBy(t, path, `PRAGMA user_version = 99`) }},
	} {
		t.Run(row.name, func(t *testing.T) {
			all := someVectors(1500, 64, 4)
			v, path := filledVectors(t, space, all)
			v.scanned = 0 // the search goes by the bits, through blocks and pages
			spoilBy(t, path, `PRAGMA wal_checkpoint(TRUNCATE)`)
			_ = v.Close()
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, row.spoil(t, path, b), 0o644); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(path + "-wal")
			_ = os.Remove(path + "-shm")

			_, err = v.Nearest(ctx, space, all[0].Numbers, 10, nil)
			var e *vault.Error
			if !errors.As(err, &e) || e.Code != vault.CodeDamaged || !strings.Contains(e.Msg, "set aside as "+path+".bad") || !strings.Contains(e.Hint, "embed-backfill") {
				t.Fatalf("got %v", err)
			}
			if _, err := os.Stat(path + ".bad"); err != nil {
				t.Error(err)
			}
			if err := putTexts(v, space, all[:20]); err != nil {
				t.Fatalf("no new beginning: %v", err)
			}
			got, err := v.Nearest(ctx, space, all[3].Numbers, 1, nil)
			if contentsOf(t, got, err)[0] != all[3].Passage {
				t.Error("the new file does not answer")
			}
		})
	}
}

// spoilBy runs a statement on the file and returns what it holds then.
func spoilBy(t *testing.T, path, statement string) []byte {
	t.Helper()
	v := New(path)
	if err := v.inWriteTx(context.Background(), func(t *sqlite.Tx) error { t.Exec(`SELECT 1`); return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := v.write.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if _, err := v.write.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The two figures stand side by side: 100,000 vectors of 768 numbers, the bare
// scan of the packed bits, and the whole search with the weighing. cpu-ms/op is
// what counts on a machine that does other things too.
func BenchmarkNearest100000(b *testing.B) {
	ctx := context.Background()
	space := embed.Space{Model: "test/one", Dimension: 768, Scheme: "none"}
	all := someVectors(100_000, 768, 9)
	v, _ := filledVectors(b, space, all)
	for _, search := range []struct {
		name string
		run  func(query []float32) error
	}{
		{"packed bits alone", func(query []float32) error {
			return v.view(ctx, func(t *sqlite.Tx) error {
				_, err := (&search{Tx: t, space: 1, query: query}).bits(len(all))
				return err
			})
		}},
		{"two stages", func(query []float32) error {
			_, err := v.Nearest(ctx, space, query, 10, nil)
			return err
		}},
	} {
		b.Run(search.name, func(b *testing.B) {
			before, i := spent(b), 0
			for b.Loop() {
				if err := search.run(all[i*997%len(all)].Numbers); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64((spent(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// spent is the processor time that this process has used.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
