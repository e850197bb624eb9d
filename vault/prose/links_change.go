package prose

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault/header"
)

// Relink is another destination of a link, both as a [Destination] says them; with Key
// another item of that list in the front matter.
type Relink struct {
	From string `json:"from"`
	To   string `json:"to"`
	Key  string `json:"key,omitempty"`
}

// RelinkHeader returns the document with the new items of lists. A version of the file in
// which a list cannot be edited keeps it.
func RelinkHeader(doc []byte, links []Relink) []byte {
	keys := make(map[string]bool)
	for _, l := range links {
		keys[l.Key] = true
	}
	delete(keys, "")
	for key := range keys {
		h, _ := header.Split(doc)
		to, chained := byOld(links, key)
		if chained && hasAll(h.List(key), slices.Sorted(maps.Values(to))) {
			continue
		}
		if after, err := header.Rename(doc, key, to); err == nil {
			doc = after
		}
	}
	return doc
}

// hasAll reports whether all of some items are in a list.
func hasAll(list, all []string) bool {
	return !slices.ContainsFunc(all, func(s string) bool { return !slices.Contains(list, s) })
}

// byOld returns the new destinations of a key, by the old ones. chained says that one of them
// is another's old one: then a text may show the effect already.
func byOld(links []Relink, key string) (to map[string]string, chained bool) {
	to = make(map[string]string, len(links))
	for _, l := range links {
		if l.Key == key {
			to[l.From] = l.To
		}
	}
	for _, next := range to {
		chained = chained || to[next] != ""
	}
	return to, chained
}

// ReplaceLinks returns the text with the new destinations. Where they are chained ([a](a.md) and
// [b](../a.md), one folder down), a text that shows the effect already has the new ones one
// after the other.
func ReplaceLinks(text string, links []Relink) string {
	to, chained := byOld(links, "")
	if chained && showing(text, links) {
		return text
	}
	return Replace(text, func(raw string) (string, bool) { return to[raw], to[raw] != "" })
}

// showing reports whether the new destinations stand in the text, in their order.
func showing(text string, links []Relink) bool {
	left := slices.DeleteFunc(slices.Clone(links), func(l Relink) bool { return l.Key != "" })
	for _, d := range Destinations(text) {
		if len(left) > 0 && d.Raw == left[0].To {
			left = left[1:]
		}
	}
	return len(left) == 0
}
