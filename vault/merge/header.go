package merge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/header"
)

// mergeHeader returns the merged front matter, fences included.
func (m *merger) mergeHeader() (text string, ok bool) {
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
		out.WriteString(mergeLines(o.keySegment(key).Above, a.keySegment(key).Above, b.keySegment(key).Above, writeBothTexts))
		out.WriteString(merged[key])
	}
	out.WriteString(mergeLines(o.below, a.below, b.below, writeBothTexts))
	return m.addFences(out.String(), len(merged))
}

// keys returns the lines of each key that stays. A key that describes the value of another
// one comes from the side whose value stays.
func (m *merger) keys(o, a, b headerSide) map[string]string {
	merged := make(map[string]string)
	one := func(key string, o, a, b segment) {
		if s, stays := m.mergeHeaderKey(key, o, a, b); stays {
			merged[key] = s
		}
	}
	for _, key := range header.UniqueItems(slices.Concat(o.keys, a.keys, b.keys)) {
		if header.FieldOf(key).With == "" {
			one(key, o.keySegment(key), a.keySegment(key), b.keySegment(key))
		}
	}
	for _, f := range header.Fields {
		value, stays := merged[f.With]
		was, x, y := o.keySegment(f.Key), a.keySegment(f.Key), b.keySegment(f.Key)
		ours, in := a.keySegment(f.With).header.Get(f.With)
		theirs, inBoth := b.keySegment(f.With).header.Get(f.With)
		joint := f.Joint && a.keySegment(f.With).present && b.keySegment(f.With).present
		switch {
		case f.With == "" || !stays && !f.Alone:
		case f.Joint && !stays && o.keySegment(f.With).present: // one side has dropped both
		case !stays || joint || in && inBoth && ours == theirs:
			one(f.Key, was, x, y)
		case a.keySegment(f.With).Text == value:
			one(f.Key, x, x, x)
		default:
			one(f.Key, y, y, y)
		}
	}
	return merged
}

// addFences puts the fences around a header's text. ok is false if the result does not read
// as that many keys.
func (m *merger) addFences(text string, keys int) (string, bool) {
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
	h, body := header.Split([]byte(whole))
	return whole, h.Err() == nil && len(body) == 0 && len(h.Keys()) == keys && (h.HasFrontMatter() || keys == 0)
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
	header.Segment
	present bool           // false where the version has no such key
	header  *header.Header // of the version; empty where the key is absent
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

// keySegment returns the key as this side has it.
func (s headerSide) keySegment(key string) segment {
	if seg, ok := s.by[key]; ok {
		return seg
	}
	return segment{header: &header.Header{}}
}

func (s segment) same(t segment) bool { return s.present == t.present && s.Text == t.Text }

// mergeHeaderKey merges one key. stays is false if the merged header does not have it.
func (m *merger) mergeHeaderKey(key string, o, a, b segment) (text string, stays bool) {
	switch {
	case a.same(b) || o.same(b):
		return a.Text, a.present
	case o.same(a):
		return b.Text, b.present
	case !a.present || !b.present:
		m.noteDropped(Dropped{Key: key, Kept: a.value(key) + b.value(key), Theirs: a.present})
		return a.Text + b.Text, true
	case isList(key, a) && isList(key, b):
		return m.mergeList(key, o, a, b), true
	case isMap(key, a) && isMap(key, b):
		return m.mapping(key, o, a, b), true
	}
	return m.scalar(key, o, a, b), true
}

// isList reports whether the key holds a list: labels may be written with commas.
func isList(key string, s segment) bool {
	return s.List || s.present && header.FieldOf(key).Merge == header.United && !s.header.IsMixed(key)
}

// scalar merges a key that both sides wrote differently.
func (m *merger) scalar(key string, o, a, b segment) string {
	was, _ := o.header.Get(key)
	x, okX := a.header.Get(key)
	y, okY := b.header.Get(key)
	switch {
	case !okX || !okY: // a mapping, or something else we do not read
		return m.chooseVersion(key, a, b, max(a.Text, b.Text))
	case x == y:
		return max(a.Text, b.Text)
	case was == y && o.present:
		return a.Text
	case was == x && o.present:
		return b.Text
	case header.FieldOf(key).Merge == header.Earlier:
		return m.chooseVersion(key, a, b, earliest(a, b, x, y))
	case header.FieldOf(key).Merge == header.Later:
		return m.chooseVersion(key, a, b, latest(a, b, x, y))
	case x > y:
		return m.chooseVersion(key, a, b, a.Text)
	}
	return m.chooseVersion(key, a, b, b.Text)
}

// chooseVersion records which of two versions of a key stays, and returns it.
func (m *merger) chooseVersion(key string, a, b segment, stays string) string {
	d := Dropped{Key: key, Kept: a.value(key), Lost: b.value(key), Theirs: true}
	if a.Text != stays {
		d.Kept, d.Lost, d.Theirs = d.Lost, d.Kept, false
	}
	if d.Kept != d.Lost {
		m.noteDropped(d)
	}
	return stays
}

// value returns the key's text, or its list with commas. Any other value is returned as
// it is written.
func (s segment) value(key string) string {
	if v, ok := s.header.Get(key); ok || !s.present {
		return v
	}
	if s.List {
		return strings.Join(s.header.List(key), ", ")
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s.Text), key+":"))
}

// earliest returns the text of the side with the earlier time. A side without a readable
// time loses.
func earliest(a, b segment, x, y string) string {
	s, t := header.ParseDate(strings.TrimSpace(x)), header.ParseDate(strings.TrimSpace(y))
	switch {
	case s.IsZero() && t.IsZero() || s.Equal(t):
		return max(a.Text, b.Text)
	case t.IsZero() || !s.IsZero() && s.Before(t):
		return a.Text
	}
	return b.Text
}

// latest returns the text of the side with the later time. A side without a readable time
// loses.
func latest(a, b segment, x, y string) string {
	s, t := header.ParseDate(strings.TrimSpace(x)), header.ParseDate(strings.TrimSpace(y))
	switch {
	case s.Equal(t):
		return max(a.Text, b.Text)
	case s.After(t):
		return a.Text
	}
	return b.Text
}

// mergeList returns the list with the items that either side added, without the items that
// either side removed, in the form in which it was written.
func (m *merger) mergeList(key string, o, a, b segment) string {
	was, x, y := itemsOf(key, o), itemsOf(key, a), itemsOf(key, b)
	inWas, inX, inY := makeSet(was), makeSet(x), makeSet(y)
	keep := func(item string) bool { return inX[item] && inY[item] || (inX[item] || inY[item]) && !inWas[item] }
	items := order(header.UniqueItems(was), header.UniqueItems(x), header.UniqueItems(y), keep, strings.Compare)
	if header.FieldOf(key).Merge == header.Newest {
		items = newest(items)
	}
	like := max(a.Text, b.Text)
	if o.present && isList(key, o) {
		like = o.Text
	}
	if !strings.HasSuffix(like, "\n") {
		return m.chooseVersion(key, a, b, max(a.Text, b.Text))
	}
	doc, err := header.SetFieldList([]byte("---\n"+like+"---\n"), key, items)
	if h, _ := header.Split([]byte("---\n" + like + "---\n")); err != nil && h.Err() == nil { // comments inside, which either side's history has
		doc, err = header.SetFieldList([]byte("---\n---\n"), key, items)
	}
	if err != nil {
		return m.chooseVersion(key, a, b, max(a.Text, b.Text))
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(doc), "---\n"), "---\n")
}

// newest returns the texts without those of which another one has the same first word and a later
// time for its last; of the same time the greater one stays.
func newest(items []string) []string {
	best := make(map[string]string, len(items))
	for _, item := range items {
		first := firstWord(item)
		if was, ok := best[first]; !ok || cmp.Or(timeOf(item).Compare(timeOf(was)), strings.Compare(item, was)) > 0 {
			best[first] = item
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(item string) bool { return best[firstWord(item)] != item })
}

func firstWord(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

// timeOf returns the time that a text ends with; the zero time without one.
func timeOf(text string) time.Time {
	return header.ParseDate(text[strings.LastIndexByte(text, ' ')+1:])
}

// byRank orders keys as a new memory has them; others follow by name.
func byRank(a, b string) int {
	x, y := header.RankOf(a), header.RankOf(b)
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
