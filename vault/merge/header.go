package merge

import (
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/frontmatter"
)

// header returns the merged front matter, fences included.
func (m *merger) header() (text string, ok bool) {
	o, a, b := side(m.base), side(m.ours), side(m.theirs)
	switch {
	case a.raw == b.raw || o.raw == b.raw:
		return a.raw, true
	case o.raw == a.raw:
		return b.raw, true
	}
	var out strings.Builder
	merged := m.keys(o, a, b)
	keep := func(key string) bool { _, ok := merged[key]; return ok }
	for _, key := range order(o.keys, a.keys, b.keys, keep, byRank) {
		out.WriteString(mergeLines(o.at(key).Above, a.at(key).Above, b.at(key).Above, united))
		out.WriteString(merged[key])
	}
	out.WriteString(mergeLines(o.below, a.below, b.below, united))
	return m.fenced(out.String(), len(merged))
}

// keys returns the lines of each key that stays. What a trigger phrase was written
// for goes with the phrase: it is one value in two keys.
func (m *merger) keys(o, a, b headerSide) map[string]string {
	merged := make(map[string]string)
	seen := map[string]bool{phraseOf: true}
	one := func(key string, o, a, b segment) {
		if s, stays := m.key(key, o, a, b); stays {
			merged[key] = s
		}
	}
	for _, key := range slices.Concat(o.keys, a.keys, b.keys) {
		if !seen[key] {
			seen[key] = true
			one(key, o.at(key), a.at(key), b.at(key))
		}
	}
	phrase, stays := merged["summary"]
	was, x, y := o.at(phraseOf), a.at(phraseOf), b.at(phraseOf)
	ours, in := a.at("summary").header.Get("summary")
	theirs, inBoth := b.at("summary").header.Get("summary")
	switch {
	case !stays:
	case in && inBoth && ours == theirs:
		one(phraseOf, was, x, y)
	case a.at("summary").Text == phrase:
		one(phraseOf, x, x, x)
	default:
		one(phraseOf, y, y, y)
	}
	return merged
}

// phraseOf is the key for the text that a model wrote the phrase in summary for.
const phraseOf = "summary_of"

// fenced puts the fences around a header's text and checks that it reads as
// that many keys.
func (m *merger) fenced(text string, keys int) (string, bool) {
	o, a, b := m.base, m.ours, m.theirs
	open, _ := three(o.open, a.open, b.open)
	shut, _ := three(o.shut, a.shut, b.shut)
	if open == "" || shut == "" {
		if text == "" {
			return "", true
		}
		open, shut = "---\n", "---\n"
	}
	whole := open + text + shut
	h, body := frontmatter.Split([]byte(whole))
	return whole, h.Err() == nil && len(body) == 0 && len(h.Keys()) == keys && (h.Found() || keys == 0)
}

// headerSide is one version of the header, by key.
type headerSide struct {
	raw   string // with its fences
	keys  []string
	by    map[string]segment
	below string
}

// segment is one key of one version.
type segment struct {
	frontmatter.Segment
	present bool                // false where the version has no such key
	header  *frontmatter.Header // of the version; empty where the key is absent
}

func side(p parts) headerSide {
	s := headerSide{raw: p.open + p.header.Text() + p.shut, keys: p.header.Keys(), by: make(map[string]segment)}
	all, below := p.header.Segments()
	s.below = below
	for _, seg := range all {
		s.by[seg.Key] = segment{seg, true, p.header}
	}
	return s
}

// at returns the key as this side has it.
func (s headerSide) at(key string) segment {
	if seg, ok := s.by[key]; ok {
		return seg
	}
	return segment{header: &frontmatter.Header{}}
}

func (s segment) same(t segment) bool { return s.present == t.present && s.Text == t.Text }

// key merges one key; stays is false where it goes.
func (m *merger) key(key string, o, a, b segment) (text string, stays bool) {
	switch {
	case a.same(b) || o.same(b):
		return a.Text, a.present
	case o.same(a):
		return b.Text, b.present
	case !a.present || !b.present:
		m.drop(Dropped{Key: key, Kept: a.value(key) + b.value(key), Theirs: a.present})
		return a.Text + b.Text, true
	case isList(key, a) && isList(key, b):
		return m.list(key, o, a, b), true
	}
	return m.scalar(key, o, a, b), true
}

// isList reports whether the key holds a list: labels may be written with commas.
func isList(key string, s segment) bool {
	return s.List || slices.Contains([]string{"labels", "references"}, key) && s.present
}

// scalar merges a key that both sides wrote differently.
func (m *merger) scalar(key string, o, a, b segment) string {
	was, _ := o.header.Get(key)
	x, okX := a.header.Get(key)
	y, okY := b.header.Get(key)
	switch {
	case !okX || !okY: // a mapping, or something else we do not read
		return m.choose(key, a, b, max(a.Text, b.Text))
	case x == y:
		return max(a.Text, b.Text)
	case was == y && o.present:
		return a.Text
	case was == x && o.present:
		return b.Text
	case key == "created":
		return m.choose(key, a, b, earliest(a, b, x, y))
	case x > y:
		return m.choose(key, a, b, a.Text)
	}
	return m.choose(key, a, b, b.Text)
}

// choose records which of two versions of a key stays, and returns it.
func (m *merger) choose(key string, a, b segment, stays string) string {
	d := Dropped{Key: key, Kept: a.value(key), Lost: b.value(key), Theirs: true}
	if a.Text != stays {
		d.Kept, d.Lost, d.Theirs = d.Lost, d.Kept, false
	}
	if d.Kept != d.Lost {
		m.drop(d)
	}
	return stays
}

// value returns what the key says, as it is written where that is neither a text
// nor a list.
func (s segment) value(key string) string {
	if v, ok := s.header.Get(key); ok || !s.present {
		return v
	}
	if s.List {
		return strings.Join(s.header.List(key), ", ")
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s.Text), key+":"))
}

// earliest returns the one that tells the earlier time; one that tells none
// gives way.
func earliest(a, b segment, x, y string) string {
	s, t := date(x), date(y)
	switch {
	case s.IsZero() && t.IsZero() || s.Equal(t):
		return max(a.Text, b.Text)
	case t.IsZero() || !s.IsZero() && s.Before(t):
		return a.Text
	}
	return b.Text
}

// date reads a point in time or a day; the zero time for anything else.
func date(s string) time.Time {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// list unites what both sides added and drops what either removed, in the form in
// which the list was written.
func (m *merger) list(key string, o, a, b segment) string {
	was, x, y := o.header.List(key), a.header.List(key), b.header.List(key)
	inWas, inX, inY := set(was), set(x), set(y)
	keep := func(item string) bool { return inX[item] && inY[item] || (inX[item] || inY[item]) && !inWas[item] }
	items := order(unique(was), unique(x), unique(y), keep, strings.Compare)
	like := max(a.Text, b.Text)
	if o.present && isList(key, o) {
		like = o.Text
	}
	if !strings.HasSuffix(like, "\n") {
		return m.choose(key, a, b, max(a.Text, b.Text))
	}
	doc, err := frontmatter.SetList([]byte("---\n"+like+"---\n"), key, items)
	if err != nil {
		return m.choose(key, a, b, max(a.Text, b.Text))
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(doc), "---\n"), "---\n")
}

func unique(items []string) (out []string) {
	for _, s := range items {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// ranks is the order in which a new memory's keys are written; other keys
// follow by name.
var ranks = []string{"id", "title", "type", "status", "labels", "summary", phraseOf, "created", "creator"}

func byRank(a, b string) int {
	x, y := slices.Index(ranks, a), slices.Index(ranks, b)
	switch {
	case x >= 0 && y >= 0:
		return x - y
	case x >= 0:
		return -1
	case y >= 0:
		return 1
	}
	return strings.Compare(a, b)
}
