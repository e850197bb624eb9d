package vectors

import (
	"container/heap"
	"slices"
)

// nearestOf keeps the nearest of the passages that it is offered, so many at the most.
type nearestOf struct {
	most int
	all  furthest
}

func (n *nearestOf) offer(score float64, hash digest) {
	if len(n.all) == n.most && score < n.all[0].score { // most are
		return
	}
	switch p := (passage{hash, score}); {
	case len(n.all) < n.most:
		heap.Push(&n.all, p)
	case nearer(p, n.all[0]) < 0:
		n.all[0] = p
		heap.Fix(&n.all, 0)
	}
}

// sortNearest returns them, the nearest first.
func (n *nearestOf) sortNearest() []passage {
	slices.SortFunc(n.all, nearer)
	return n.all
}

// furthest is a heap with the furthest passage on top. It implements [heap.Interface].
type furthest []passage

// Len returns how many there are.
func (f furthest) Len() int { return len(f) }

// Less reports whether the passage i is further than j.
func (f furthest) Less(i, j int) bool { return nearer(f[i], f[j]) > 0 }

// Swap swaps two of them.
func (f furthest) Swap(i, j int) { f[i], f[j] = f[j], f[i] }

// Push adds a passage at the end.
func (f *furthest) Push(x any) { *f = append(*f, x.(passage)) }

// Pop takes the last one.
func (f *furthest) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}
