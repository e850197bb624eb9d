package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/recall"
)

// weights are those that are tried for the second leg.
var weights = []float64{0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1}

// fuse compares the legs of each model, alone and mixed in several ways, each on one half of
// the queries and then the other: what is chosen on the even ones is looked at on the odd ones.
func (s *set) fuse(o options) error {
	models, err := o.models()
	if err != nil {
		return err
	}
	for _, m := range models {
		defer m.close()
		measure := s.fuseOf
		if o.calibrate {
			measure = s.calibrateOf
		}
		if err := measure(o, m); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}

func (s *set) fuseOf(o options, m model) error {
	f, ports, closeAll, err := s.openVectors(o.program, m)
	if err != nil {
		return err
	}
	defer closeAll()
	for _, scope := range s.scopes {
		halves := [2]*table{newTable(s.name + scope + " even"), newTable(s.name + scope + " odd")}
		for i, q := range s.queries {
			from := time.Now()
			lists, err := legs(f, ports, q, scope)
			if err != nil {
				return err
			}
			q.Task = ""
			for _, l := range lists {
				halves[i%2].add(l.name, q, l.paths, time.Since(from))
			}
		}
		fmt.Println(m.name)
		for _, t := range halves {
			t.print()
		}
	}
	return nil
}

// openVectors makes a vault of the set and embeds it.
func (c *set) openVectors(program string, m model) (*recall.Finder, embed.Ports, func(), error) {
	v, mirror, err := c.vault(program)
	if err != nil {
		return nil, embed.Ports{}, nil, err
	}
	vectors := index.NewVectors(filepath.Join(c.root, ".cp", "vectors.db"))
	ports := embed.Ports{Model: m, Vectors: vectors, Weights: vectors, Holders: mirror, Files: v.Store}
	ctx := context.Background()
	if _, err := mirror.CatchUp(ctx, v.Store.Source, vault.Scope{}); err != nil {
		return nil, ports, nil, err
	}
	from := time.Now()
	done, err := ports.Run(ctx, embed.Run{Batch: 32})
	if err != nil {
		return nil, ports, nil, err
	}
	if done.Passages > 0 {
		fmt.Printf("%s: %d texts, %d passages in %v\n", m.name, done.Embedded, done.Passages, time.Since(from).Round(time.Second))
	}
	return &recall.Finder{Vault: v, Lexicon: mirror}, ports, func() { _, _ = mirror.Close(), vectors.Close() }, nil
}

// list is what one way of answering gives.
type list struct {
	name  string
	paths []string
}

// depth is how many of each leg are mixed.
const depth = 100

// legs asks both legs once and mixes what they say.
func legs(f *recall.Finder, p embed.Ports, q labelled, scope string) ([]list, error) {
	ctx := context.Background()
	o := vault.ListOptions{Limit: depth}
	if scope == under {
		o.Dir = vault.Path(q.Scope)
	}
	a, err := f.Recall(ctx, recall.Query{Text: q.Text, Filter: o})
	if err != nil {
		return nil, err
	}
	o.Now = time.Now()
	vector, err := embed.Leg{Ports: p}.FindNearest(ctx, q.Text, o)
	if err != nil {
		return nil, err
	}
	path := map[vault.ID]string{}
	var lexical []recall.Scored
	for _, r := range a.Rows {
		path[r.ID] = string(r.Path)
		lexical = append(lexical, recall.Scored{ID: r.ID, Score: r.Similarity})
	}
	if err := paths(ctx, p, vector, path); err != nil {
		return nil, err
	}
	named := func(ids []vault.ID) (all []string) {
		for _, id := range ids {
			all = append(all, path[id])
		}
		return all
	}
	lists := []list{{"words", named(ids(lexical))}, {"vector", named(ids(vector))}, {"ranks 1:1", named(ranks(ids(lexical), ids(vector)))}}
	for _, w := range weights {
		lists = append(lists, list{fmt.Sprintf("mixed %.2f", w), named(mixed(lexical, vector, w))},
			list{fmt.Sprintf("cosine %.2f", w), named(mixed(lexical, vector[:min(len(vector), depth-1)], w))}) // no crowd: as it stands
	}
	return lists, nil
}

func mixed(lexical, vector []recall.Scored, weight float64) (all []vault.ID) {
	for _, m := range recall.Mix(lexical, vector, weight, recall.DefaultSimilarity) {
		all = append(all, m.ID)
	}
	return all
}

// paths looks up where the memories of the second leg are.
func paths(ctx context.Context, p embed.Ports, vector []recall.Scored, path map[vault.ID]string) error {
	for _, s := range vector {
		if path[s.ID] != "" {
			continue
		}
		n, err := p.Holders.(*index.DB).Find(ctx, string(s.ID))
		if err != nil {
			return err
		}
		path[s.ID] = string(n.Path)
	}
	return nil
}

func ids(all []recall.Scored) []vault.ID {
	var out []vault.ID
	for _, s := range all {
		out = append(out, s.ID)
	}
	return out
}

// ranks fuses by reciprocal ranks of equal weight (Cormack 2009, k = 60).
func ranks(lists ...[]vault.ID) []vault.ID {
	score := map[vault.ID]float64{}
	var all []vault.ID
	for _, l := range lists {
		for i, id := range l {
			if score[id] == 0 {
				all = append(all, id)
			}
			score[id] += 1 / float64(60+i+1)
		}
	}
	slices.SortStableFunc(all, func(a, b vault.ID) int { return cmp.Compare(score[b], score[a]) })
	return all
}
