// Package pool_test holds what a family of vaults promises about ranking: it answers as the
// one vault would in which all its memories lay.
package pool_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/worktree"
)

// parts is into how many vaults a tree is split.
const parts = 5

// open opens a vault of the files and embeds them.
func open(t *testing.T, name string, files map[string]string) recall.Member {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	for p, text := range files {
		at := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, ".cp"), 0o755); err != nil {
		t.Fatal(err)
	}
	store, err := worktree.Open(root, nil, worktree.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	mirror, err := index.Open(filepath.Join(root, ".cp", "index.db"), index.Options{Source: store.Ports().Source})
	if err != nil {
		t.Fatal(err)
	}
	near := index.NewVectors(filepath.Join(root, ".cp", "vectors.db"))
	t.Cleanup(func() { _, _ = mirror.Close(), near.Close() })
	v := &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }}
	if _, err := v.CatchUp(t.Context(), vault.Scope{}); err != nil {
		t.Fatal(err)
	}
	ports := embed.Ports{Model: model{}, Vectors: near, Holders: mirror, Files: v.Store}
	if _, err := ports.Run(t.Context(), embed.Run{Batch: 500}); err != nil {
		t.Fatal(err)
	}
	origin := func(vault.Path) family.Origin { return family.Origin{Project: name, ProjectPath: "/p/" + name} }
	return recall.Member{VaultMember: recall.VaultMember{Vault: v, Origin: origin}, Lexicon: mirror, Leg: embed.Leg{Ports: ports}, Web: mirror.Graph()}
}

// model turns a text into a vector: each of its terms points into a direction of its own.
type model struct{}

// wide is how many numbers its vectors have. The store picks the nearest by one bit of each,
// before it weighs them by the numbers: fewer bits would tell little.
const wide = 256

func (model) Space() (embed.Space, error) {
	return embed.Space{Model: "terms", Dimension: wide, Scheme: "none"}, nil
}

func (model) Embed(_ context.Context, _ embed.Purpose, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i, text := range texts {
		v := make([]float32, wide)
		for term := range strings.FieldsSeq(strings.ToLower(text)) {
			h := fnv.New64a()
			h.Write([]byte(term))
			way := mathrand.New(mathrand.NewPCG(h.Sum64(), 1))
			for d := 0; d < wide; d += 64 {
				bits := way.Uint64()
				for j := range 64 {
					v[d+j] += float32(int(bits>>j&1)*2 - 1)
				}
			}
		}

		all[i], _ = embed.Unit(v)
	}
	return all, nil
}

// split deals a tree out to several vaults at its roots: what lies in the folder of a memory
// goes with it.
func split(files map[string]string) []map[string]string {
	held := make(map[vault.Path]bool) // the folders of memories
	for p := range files {
		file := vault.Path(p)
		if held[file.Stem()] = true; file.FolderRank() > 0 {
			held[file.Dir()] = true
		}
	}
	roots := make(map[string][]string)
	for p := range files {
		root := rootOf(held, p)
		roots[root] = append(roots[root], p)
	}
	out := make([]map[string]string, min(parts, len(roots)))
	for i, root := range slices.Sorted(maps.Keys(roots)) {
		into := &out[i%len(out)]
		if *into == nil {
			*into = make(map[string]string)
		}
		for _, p := range roots[root] {
			(*into)[p] = files[p]
		}
	}
	return out
}

// rootOf returns the folder of the topmost memory that a file lies below, or its own.
func rootOf(held map[vault.Path]bool, p string) string {
	for i, c := range p {
		if c == '/' && held[vault.Path(p[:i])] {
			return p[:i]
		}
	}
	return string(vault.Path(p).Stem())
}

// found is a result that is compared.
type found struct {
	path  string
	score float64
}

// same reports whether two answers are one but for the order of what scores the same, to so
// much. Where the answer was cut there may be others that score the same: at its end, and at
// the beginning of a later page.
func same(got, want []found, tie float64, later bool) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d results, want %d", len(got), len(want))
	}
	for i := range want {
		if math.Abs(got[i].score-want[i].score) > tie {
			return fmt.Errorf("result %d scores %v, want %v", i, got[i], want[i])
		}
	}
	for i := 0; i < len(want); {
		end := i + 1
		for end < len(want) && want[end-1].score-want[end].score <= tie {
			end++
		}
		cut := i == 0 && later || end == len(want)
		if a, b := paths(got[i:end]), paths(want[i:end]); !cut && !slices.Equal(a, b) {
			return fmt.Errorf("results %d to %d are %q, want %q", i, end-1, a, b)
		}
		i = end
	}
	return nil
}

func paths(all []found) (out []string) {
	for _, f := range all {
		out = append(out, f.path)
	}
	slices.Sort(out)
	return out
}

// asked is a way to ask.
type asked struct {
	name string
	tie  float64 // the greatest difference of scores that does not count
	// ask returns a page and how many results there are in all, if the way tells it.
	ask func(t *testing.T, members []recall.Member, query string, o vault.ListOptions) (page []found, total int)
}

var ways = []asked{
	{"search", 1e-9, func(t *testing.T, members []recall.Member, query string, o vault.ListOptions) (all []found, total int) {
		var plain []recall.VaultMember
		for _, m := range members {
			m.Options = o
			plain = append(plain, m.VaultMember)
		}
		page, failed, err := recall.SearchPool(t.Context(), plain, query)
		if err != nil || len(failed) > 0 {
			t.Fatal(err, failed)
		}
		for _, r := range page.Rows {
			all = append(all, found{string(r.Path), r.Score})
		}
		return all, page.Total
	}},
	{"recall", 1e-9, func(t *testing.T, members []recall.Member, query string, o vault.ListOptions) ([]found, int) {
		return recalled(t, members, query, o, false, 0, new(int)), 0
	}},
	// All vectors are weighed here, so that it does not matter in which store they lie.
	{"recall with vectors", 1e-9, func(t *testing.T, members []recall.Member, query string, o vault.ListOptions) ([]found, int) {
		return recalled(t, members, query, o, true, 0, new(int)), 0
	}},
}

func recalled(t *testing.T, members []recall.Member, query string, o vault.ListOptions, legs bool, reach float64, reached *int) (all []found) {
	t.Helper()
	f := recall.Finder{Vault: members[0].Vault, Weight: 0.5, Reach: reach}
	for _, m := range members {
		if m.Options = o; !legs {
			m.Leg = nil
		}
		f.Family = append(f.Family, m)
	}
	a, err := f.Recall(t.Context(), recall.Query{Text: query, Filter: o, Explain: true})
	if err != nil || len(a.Failed)+len(a.Warnings) > 0 {
		t.Fatal(err, a.Failed, a.Warnings)
	}
	for _, r := range a.Rows {
		all = append(all, found{string(r.Path), r.Similarity}) // rounded, so that near ones tie
		if r.Explain.Graph != nil {
			*reached++
		}
		if legs && r.Explain.Vector == nil && r.Explain.Lexical == 0 && r.Explain.Graph == nil {
			t.Errorf("%s was found by nothing", r.Path)
		}
	}
	return all
}

// compare asks the whole and its parts, and compares the answers.
func compare(t *testing.T, files map[string]string, queries []string, options ...vault.ListOptions) {
	t.Helper()
	compareBy(t, ways, files, queries, options...)
}

func compareBy(t *testing.T, ways []asked, files map[string]string, queries []string, options ...vault.ListOptions) {
	t.Helper()
	whole := []recall.Member{open(t, "whole", files)}
	var split5 []recall.Member
	for i, part := range split(files) {
		split5 = append(split5, open(t, fmt.Sprintf("part%d", i), part))
	}
	several := 0
	for _, query := range queries {
		for _, o := range options {
			for _, w := range ways {
				want, all := w.ask(t, whole, query, o)
				got, found := w.ask(t, split5, query, o)
				if err := same(got, want, w.tie, o.Offset > 0); err != nil || found != all {
					t.Errorf("%s %q, limit %d, offset %d, labels %q: %d found, want %d; %v", w.name, query, o.Limit, o.Offset, o.Labels, found, all, err)
				}
				if len(want) > 3 {
					several++
				}
			}
		}
	}
	if several < len(queries) {
		t.Errorf("only %d of the answers have some results", several)
	}
}
