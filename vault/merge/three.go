package merge

import (
	"cmp"
	"slices"
	"strings"
)

// three merges three values. If both sides changed the value differently it returns the
// greater one, and chosen is true.
func three[T cmp.Ordered](base, ours, theirs T) (value T, chosen bool) {
	switch {
	case ours == theirs || base == theirs:
		return ours, false
	case base == ours:
		return theirs, false
	}
	return max(ours, theirs), true
}

// order returns the keys that keep accepts, in their merged order. The base's keys stand in
// the base's order, or in that of the only side that changed it. If one side added keys,
// each stands behind the key that it follows there. If both did, the new keys come last, sorted.
func order(base, ours, theirs []string, keep func(string) bool, sorted func(a, b string) int) []string {
	added := func(side []string) []string { return keysWithout(side, base, keep) }
	out := spine(base, ours, theirs, keep)
	a, b := added(ours), added(theirs)
	switch {
	case len(b) == 0 || slices.Equal(a, b):
		return insert(out, a, ours)
	case len(a) == 0:
		return insert(out, b, theirs)
	}
	new := append(slices.Clone(a), b...)
	slices.SortFunc(new, sorted)
	return append(out, slices.Compact(new)...)
}

// keysWithout returns the keys that keep accepts and other does not hold.
func keysWithout(keys, other []string, keep func(string) bool) []string {
	known := makeSet(other)
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return known[k] || !keep(k) })
}

func makeSet(keys []string) map[string]bool {
	in := make(map[string]bool, len(keys))
	for _, k := range keys {
		in[k] = true
	}
	return in
}

// spine returns the base's keys that keep accepts, in their merged order.
func spine(base, ours, theirs []string, keep func(string) bool) []string {
	inOurs, inTheirs := makeSet(ours), makeSet(theirs)
	inBase := makeSet(base)
	common := func(keys []string) []string {
		return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !inBase[k] || !inOurs[k] || !inTheirs[k] })
	}
	was, a, b := common(base), common(ours), common(theirs)
	from := base
	switch {
	case slices.Equal(a, b), slices.Equal(was, b):
		from = a
	case slices.Equal(was, a):
		from = b
	}
	from = slices.DeleteFunc(slices.Clone(from), func(k string) bool { return !keep(k) })
	return insert(from, keysWithout(base, from, keep), base)
}

// insert puts each new key into out, behind the nearest key that precedes it in like. A key
// without such a neighbour goes to the front.
func insert(out, new, like []string) []string {
	for _, k := range new {
		at := 0
		for i := slices.Index(like, k) - 1; i >= 0 && at == 0; i-- {
			at = slices.Index(out, like[i]) + 1
		}
		out = slices.Insert(out, at, k)
	}
	return out
}

// evenLines returns the texts with "\n" at every line end, and a function that gives the
// merged text the line ends of the side that changed them. If a text has both kinds of
// line ends, all texts stay as they are.
func evenLines(docs ...[]byte) (even []string, back func(string) []byte) {
	var kinds []string
	for _, doc := range docs {
		even = append(even, string(doc))
		kind := lineEnds(string(doc))
		if kind == "mixed" {
			return mapEach(docs, func(doc []byte) string { return string(doc) }), func(s string) []byte { return []byte(s) }
		}
		kinds = append(kinds, kind)
	}
	for i, kind := range kinds { // one line without an end fits either
		even[i] = strings.ReplaceAll(even[i], "\r\n", "\n")
		if kind == "" {
			kinds[i] = cmp.Or(kinds[0], max(kinds[1], kinds[2]))
		}
	}
	kind, _ := three(kinds[0], kinds[1], kinds[2])
	if kind != "\r\n" {
		return even, func(s string) []byte { return []byte(s) }
	}
	return even, func(s string) []byte { return []byte(strings.ReplaceAll(s, "\n", "\r\n")) }
}

// lineEnds returns "\n" or "\r\n", empty for a text of one line, "mixed" for both.
func lineEnds(doc string) string {
	all, crlf := strings.Count(doc, "\n"), strings.Count(doc, "\r\n")
	switch {
	case strings.Count(doc, "\r") != crlf, crlf > 0 && crlf != all:
		return "mixed"
	case crlf > 0:
		return "\r\n"
	case all > 0:
		return "\n"
	}
	return ""
}
