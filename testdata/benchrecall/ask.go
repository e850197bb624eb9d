package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/worktree"
)

// asked is how many results a query gets: ten, and as many more as there may be
// paths that do not count.
const asked = 60

// system is one way to answer.
type system struct {
	name string
	ask  func(q query) (paths []string, err error)
}

// measure prints a line for each system.
func (s *set) measure(program string) error {
	sums := map[string]*sum{}
	var order []string
	checked := 0
	for _, c := range s.vaults {
		systems, closeAll, err := c.open(program)
		if err != nil {
			return err
		}
		for i, q := range c.queries {
			var paths []string
			for _, sys := range systems {
				if sums[sys.name] == nil {
					sums[sys.name], order = &sum{}, append(order, sys.name)
				}
				from := time.Now()
				if paths, err = sys.ask(q); err != nil {
					return err
				}
				sums[sys.name].add(q, paths, time.Since(from))
			}
			if i%50 == 0 { // paths is recall's, which is the last
				if err := c.check(program, q, paths); err != nil {
					return err
				}
				checked++
			}
		}
		closeAll()
	}
	for _, name := range order {
		sums[name].print(s.name, name)
	}
	fmt.Printf("%-12s the built program gave the same answer to %d of the queries\n", s.name, checked)
	return nil
}

// open makes a vault of the corpus, and the systems that answer from it.
func (c *corpus) open(program string) ([]system, func(), error) {
	for _, args := range [][]string{{"git", "init", "-q"}, {program, "init", "."}, {program, "memory", "list", "--limit", "1"}} {
		if _, err := runIn(c.root, args...); err != nil {
			return nil, nil, err
		}
	}
	v, mirror, err := c.vault()
	if err != nil {
		return nil, nil, err
	}
	plain, err := loadPlain(c.root)
	if err != nil {
		return nil, nil, err
	}
	ctx := context.Background()
	return []system{
		{"plain FTS5", plain.ask},
		{"search", func(q query) (paths []string, err error) {
			hits, _, err := mirror.Search(ctx, q.Text, vault.ListOptions{Limit: asked, Types: []string{"*"}, Status: []string{"*"}})
			for _, h := range hits {
				paths = append(paths, string(h.Path))
			}
			return paths, err
		}},
		{"recall words", recalls(recall.Finder{Vault: v, Lexicon: mirror})},
		{"recall graph", recalls(recall.Finder{Vault: v, Lexicon: mirror, Web: mirror.Graph(), Reach: recall.DefaultReach})},
	}, func() { _ = mirror.Close(); plain.close() }, nil
}

// recalls asks by a finder.
func recalls(f recall.Finder) func(query) ([]string, error) {
	return func(q query) (paths []string, err error) {
		a, err := f.Recall(context.Background(), recall.Query{Text: q.Text, MinSimilarity: recall.DefaultSimilarity, Filter: vault.ListOptions{Limit: asked}})
		for _, r := range a.Rows {
			paths = append(paths, string(r.Path))
		}
		return paths, err
	}
}

// vault opens the corpus's, which is made already.
func (c *corpus) vault() (*vault.Vault, *index.DB, error) {
	store, err := worktree.Open(c.root, nil, worktree.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		return nil, nil, err
	}
	mirror, err := index.Open(filepath.Join(c.root, ".cp", "index.db"), index.Options{Source: store.Ports().Source})
	if err != nil {
		return nil, nil, err
	}
	return &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Now: time.Now}, mirror, nil
}

// check asks the built program and compares its answer.
func (c *corpus) check(program string, q query, want []string) error {
	out, err := runIn(c.root, program, "memory", "recall", "--limit", fmt.Sprint(asked), "-o", "jsonl", "--", q.Text)
	if err != nil {
		return err
	}
	var got []string
	for line := range bytes.Lines(out) {
		var r struct{ Path string }
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		got = append(got, r.Path)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the program and this one disagree about %q:\n%q\n%q", q.Text, got, want)
	}
	return nil
}

// runIn runs a program with no settings of the person.
func runIn(dir string, args ...string) ([]byte, error) {
	p := exec.Command(args[0], args[1:]...)
	p.Dir, p.Env = dir, append(os.Environ(), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "CP_AGENT=bench", "CP_VAULT=")
	var said bytes.Buffer
	p.Stderr = &said
	out, err := p.Output()
	if err != nil {
		return nil, fmt.Errorf("%q: %w\n%s", args, err, said.Bytes())
	}
	return out, nil
}

// sum is what a system got.
type sum struct {
	n                     int
	at1, at5, at10, ranks float64
	took                  time.Duration
}

// add counts one answer. Recall is the share of the right ones that are there.
func (s *sum) add(q query, paths []string, took time.Duration) {
	s.n++
	s.took += took
	place, first := 0, true
	one := 1 / float64(len(q.answers))
	for _, p := range paths {
		if slices.Contains(q.Neutral, p) && !q.answers[p] {
			continue
		}
		if place++; place > 10 {
			break
		}
		if !q.answers[p] {
			continue
		}
		if first {
			s.ranks, first = s.ranks+1/float64(place), false
		}
		s.at10 += one
		if place <= 5 {
			s.at5 += one
		}
		if place == 1 {
			s.at1 += one
		}
	}
}

func (s *sum) print(set, name string) {
	n := float64(s.n)
	fmt.Printf("%-12s %-12s %6.3f %6.3f %6.3f %6.3f %9.1f\n", set, name, s.at1/n, s.at5/n, s.at10/n, s.ranks/n, float64(s.took.Microseconds())/n/1000)
}
