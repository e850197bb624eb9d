package fact

import (
	"cmp"
	"maps"
	"slices"
)

// Dropped is what a person said of an entry and a merge has not kept: both sides had changed it.
type Dropped struct {
	Key        string // what it is about, in words
	Kept, Lost string // Lost is empty where that side had removed the entry
	Theirs     bool   // it was theirs that gave way
}

// DroppedBy returns what gives way in [Merge], in the order of the entries' keys.
func DroppedBy(base, ours, theirs []byte) []Dropped {
	a, aerr := parseFacts(ours)
	b, berr := parseFacts(theirs)
	if aerr != nil || berr != nil || a.ID != b.ID {
		return nil
	}
	o, err := parseFacts(base)
	if err != nil {
		o = &Facts{}
	}
	return slices.Concat(gaveWay(o.Entities, a.Entities, b.Entities), gaveWay(o.Relations, a.Relations, b.Relations))
}

// gaveWay compares the entries by hand of two sides that both have changed.
func gaveWay[E entry](o, a, b []E) (all []Dropped) {
	was, x, y := byHand(o), byHand(a), byHand(b)
	keys := make(map[string]bool)
	for _, side := range []map[string]E{was, x, y} {
		for key := range side {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		before, had := was[key]
		ours, inA := x[key]
		theirs, inB := y[key]
		kept, ok := three(key, was, x, y)
		changed := func(e E, in bool) bool { return in != had || e != before }
		if !ok || inA == inB && ours == theirs || !changed(ours, inA) || !changed(theirs, inB) {
			continue
		}
		lost, in, oursLost := theirs, inB, inB && kept == theirs
		if oursLost {
			lost, in = ours, inA
		}
		if d, told := tellLost(kept, lost, in); told {
			d.Theirs = !oursLost
			all = append(all, d)
		}
	}
	return all
}

// tellLost tells what is lost with an entry in whose place another one stays; in is false where
// that side has none. Nothing is lost that the other one says, too.
func tellLost[E entry](kept, lost E, in bool) (d Dropped, told bool) {
	_, gone := lost.byHandOrRemoved()
	if _, removed := kept.byHandOrRemoved(); removed || !in || gone {
		return Dropped{Key: kept.String(), Kept: cmp.Or(kept.descriptionText(), kept.words()[0])}, !removed
	}
	return Dropped{Key: "the description of " + kept.String(), Kept: kept.descriptionText(), Lost: lost.descriptionText()}, lost.descriptionText() != "" && kept.descriptionText() != lost.descriptionText()
}

// String names the entity.
func (e Entity) String() string { return e.Name + " (" + e.Type + ")" }

// String names the relation.
func (r Relation) String() string { return r.From + " " + r.Relation + " " + r.To }

func (e Entity) descriptionText() string   { return e.Description }
func (r Relation) descriptionText() string { return "" }
