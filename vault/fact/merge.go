package fact

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
)

// Merger returns what merges the facts file at a path of a repository, in whatever folder of
// it the vault is. It is nil for a path of no facts file.
func Merger(path string) func(base, ours, theirs []byte) []byte {
	i := strings.LastIndex("/"+path, "/"+Dir+"/")
	switch {
	case i < 0 || !Is(path[i:]):
		return nil
	case strings.HasSuffix(path, ".jsonl"):
		return MergeLines
	}
	return Merge
}

// Merge merges two versions of a facts file that grew from base, which is empty if both
// sides made the file. It depends on the three texts alone, and not on which side is ours.
//
// Entries that a person wrote or removed merge by their keys: what one side changed is
// taken, and where both changed one, what a person wrote stays before what one removed. Drawn
// entries belong together: they are those of the side that drew them anew, of two sides that
// did the one with the higher prompt, then of the smaller SHA-256. They are cut at the limits;
// no entry of a person is, see [Dropped] for what gives way.
//
// The result is a facts file if one of the texts is, unless people wrote more than [MaxSize].
// A text that is none has no say; one beyond the limits has.
func Merge(base, ours, theirs []byte) []byte {
	a, aerr := parseFacts(ours)
	b, berr := parseFacts(theirs)
	o, oerr := parseFacts(base)
	switch {
	case aerr != nil && berr != nil && oerr == nil:
		return o.Bytes()
	case aerr != nil && berr != nil:
		return smaller(ours, theirs)
	case aerr != nil:
		return b.Bytes()
	case berr != nil:
		return a.Bytes()
	case oerr != nil:
		o = &Facts{}
	}
	switch was, x, y := o.Bytes(), a.Bytes(), b.Bytes(); {
	case bytes.Equal(x, was), bytes.Equal(x, y):
		return y
	case bytes.Equal(y, was):
		return x
	}
	if a.ID != b.ID { // git took one file for another that has moved
		return newcomer(o, a, b).Bytes()
	}
	from := drawnSide(o, a, b)
	m := *from
	m.Entities = mergeEntries(o.Entities, a.Entities, b.Entities, from.Entities)
	m.Relations = mergeEntries(o.Relations, a.Relations, b.Relations, from.Relations)
	m.sort()
	m.addLostEntities(o, a, b)
	m.Fit()
	return m.Bytes()
}

func smaller(a, b []byte) []byte {
	x, y := sha256.Sum256(a), sha256.Sum256(b)
	if bytes.Compare(x[:], y[:]) <= 0 {
		return a
	}
	return b
}

// newcomer returns the side that is of another memory than the base, or else the smaller one.
func newcomer(o, a, b *Facts) *Facts {
	switch {
	case a.ID == o.ID:
		return b
	case b.ID == o.ID:
		return a
	}
	return less(a, b)
}

func less(a, b *Facts) *Facts {
	if text := a.Bytes(); bytes.Equal(smaller(text, b.Bytes()), text) {
		return a
	}
	return b
}

// drawnSide returns the side of which the drawn entries are taken.
func drawnSide(o, a, b *Facts) *Facts {
	was, x, y := o.onlyDrawn(), a.onlyDrawn(), b.onlyDrawn()
	switch {
	case bytes.Equal(x, y):
		return less(a, b)
	case bytes.Equal(x, was):
		return b
	case bytes.Equal(y, was):
		return a
	case a.Prompt != b.Prompt && a.Prompt > b.Prompt:
		return a
	case a.Prompt != b.Prompt:
		return b
	}
	return less(a, b)
}

// onlyDrawn returns the text of the facts without what a person did.
func (f *Facts) onlyDrawn() []byte {
	c := Facts{ID: f.ID, Of: f.Of, By: f.By, Prompt: f.Prompt}
	for _, e := range f.Entities {
		if rank(e) == 0 {
			c.Entities = append(c.Entities, e)
		}
	}
	for _, r := range f.Relations {
		if rank(r) == 0 {
			c.Relations = append(c.Relations, r)
		}
	}
	return c.Bytes()
}

// mergeEntries returns the entries of a merge: those by hand of all sides, and those of from that
// are drawn and that no person has a word on.
func mergeEntries[E entry](o, a, b, from []E) []E {
	was, x, y := byHand(o), byHand(a), byHand(b)
	out := make(map[string]E)
	for _, e := range from {
		if rank(e) == 0 {
			out[e.Key()] = e
		}
	}
	for _, side := range []map[string]E{x, y} {
		for key := range side {
			if e, ok := three(key, was, x, y); ok {
				out[key] = e
			}
		}
	}
	return slices.Collect(maps.Values(out))
}

// byHand returns the entries that a person wrote or removed.
func byHand[E entry](all []E) map[string]E {
	found := make(map[string]E)
	for _, e := range all {
		if rank(e) > 0 {
			found[e.Key()] = e
		}
	}
	return found
}

// three merges one entry by hand.
func three[E entry](key string, was, x, y map[string]E) (e E, ok bool) {
	o, had := was[key]
	a, inA := x[key]
	b, inB := y[key]
	switch {
	case inA && inB && had && a == o:
		return b, true
	case inA && inB && had && b == o:
		return a, true
	case inA && inB && compareRank(a, b) >= 0, inA && !inB && (!had || a != o):
		return a, true
	case inA && inB, inB && !inA && (!had || b != o):
		return b, true
	}
	return e, false // one side took it away, the other left it as it was
}

// addLostEntities adds the entities at the ends of relations that are new: the side that brought one
// may have lost its drawn entities, or the other side took its end away.
func (f *Facts) addLostEntities(o, a, b *Facts) {
	there, had := make(map[string]bool), make(map[string]bool)
	for _, e := range f.Entities {
		there[FoldName(e.Name)] = true
	}
	for _, r := range o.Relations {
		had[r.Key()] = true
	}
	known := sortEntries(slices.Concat(a.Entities, b.Entities))
	for _, r := range f.Relations {
		for _, end := range [...]string{FoldName(r.From), FoldName(r.To)} {
			i := slices.IndexFunc(known, func(e Entity) bool { return FoldName(e.Name) == end && !e.Removed })
			if !r.Removed && !had[r.Key()] && !there[end] && i >= 0 {
				f.Entities, there[end] = append(f.Entities, known[i]), true
			}
		}
	}
}

// ApplyChange makes in now, which is what a file says, the change from was to text: by entries in
// the facts of a memory, by lines in those of none.
func ApplyChange(was, now, text []byte) []byte {
	if _, err := parseFacts(text); err == nil {
		return Merge(was, now, text)
	}
	return MergeLines(was, now, text)
}

// MergeLines merges two versions of a file of [UntrackedDir] by its lines, which have no
// order: what one side added is there, and what one took away is not.
func MergeLines(base, ours, theirs []byte) []byte {
	was, x, y := linesOf(base), linesOf(ours), linesOf(theirs)
	var all []string
	for line := range x {
		if y[line] || !was[line] {
			all = append(all, line)
		}
	}
	for line := range y {
		if !x[line] && !was[line] {
			all = append(all, line)
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return []byte{}
	}
	return []byte(strings.Join(all, "\n") + "\n")
}

func linesOf(text []byte) map[string]bool {
	all := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			all[line] = true
		}
	}
	return all
}
