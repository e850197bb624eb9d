package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// table holds what the systems got, of all questions and of those of each task.
type table struct {
	set   string
	order []string
	sums  map[string]*sum
}

func newTable(set string) *table { return &table{set: set, sums: make(map[string]*sum)} }

// add counts an answer.
func (t *table) add(system string, q labelled, paths []string, took time.Duration) {
	t.of(t.set, system).add(q, paths, took)
	if q.Task != "" {
		t.of("  "+q.Task, system).add(q, paths, took)
	}
}

func (t *table) of(set, system string) *sum {
	name := fmt.Sprintf("%-16s %-12s", set, system)
	if t.sums[name] == nil {
		t.sums[name] = &sum{}
		t.order = append(t.order, name)
	}
	return t.sums[name]
}

// print prints the lines of all questions first.
func (t *table) print() {
	slices.SortStableFunc(t.order, func(a, b string) int {
		if strings.HasPrefix(a, " ") && strings.HasPrefix(b, " ") {
			return strings.Compare(a[:16], b[:16])
		}
		return strings.Compare(b[:1], a[:1])
	})
	for _, name := range t.order {
		t.sums[name].print(name)
	}
}

// sum is what a system got.
type sum struct {
	n                     int
	at1, at5, at10, ranks float64
	took                  time.Duration
}

// add counts one answer. Recall is the share of the right ones that are there.
func (s *sum) add(q labelled, paths []string, took time.Duration) {
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

func (s *sum) print(name string) {
	n := float64(s.n)
	fmt.Printf("%s %4d %6.3f %6.3f %6.3f %6.3f %9.1f\n", name, s.n, s.at1/n, s.at5/n, s.at10/n, s.ranks/n, float64(s.took.Microseconds())/n/1000)
}
