package header

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Reference is a pointer to another memory, in the header or in the prose.
type Reference struct {
	Kind   string // the header's key; "wikilink" or "link" in the prose
	Target string // as written; of a link without fragment and label, unescaped
}

// ReadValues returns what a header says: the values, the references in the order of
// the table, and the keywords. All keys that refer to memories have one rule:
// each target once, as it is written.
func ReadValues(h *Header) (v Values, refs []Reference, keywords string) {
	for i := range Fields {
		f := &Fields[i]
		switch f.Kind {
		case TextValue, PlainValue:
			*f.at(&v).(*string) = f.readTextField(h)
		case TimeValue:
			*f.at(&v).(*time.Time) = f.time(h)
		case ListValue:
			*f.at(&v).(*[]string) = f.listValues(h)
		case TextsValue:
			*f.at(&v).(*[]string) = UniqueItems(h.Texts(f.Key))
		case MappingValue:
			object, _ := h.Map(f.Key)
			*f.at(&v).(*Map) = Map(strings.TrimPrefix(object, "{}"))
		case ReferencesValue:
			for _, target := range UniqueItems(h.List(f.Key)) {
				refs = append(refs, Reference{f.Key, target})
			}
		}
	}
	return v, refs, otherWords(h)
}

// readTextField returns what the header says of a Text.
func (f *Field) readTextField(h *Header) string {
	if f.read != nil {
		return f.read(h)
	}
	said := keyWord(h, f.Key)
	if f.clean != nil {
		said = f.clean(said)
	}
	if said == "" && f.also != "" {
		said = OneLine(keyWord(h, f.also))
	}
	return cmp.Or(said, f.or)
}

// time returns what the header says of a Time.
func (f *Field) time(h *Header) time.Time {
	t := ParseDate(keyWord(h, f.Key))
	for also := range strings.FieldsSeq(f.also) {
		if t.IsZero() {
			t = ParseDate(keyWord(h, also))
		}
	}
	return t
}

// listValues returns what the header says of a List.
func (f *Field) listValues(h *Header) []string {
	if _, one := h.Get(f.Key); one && f.only {
		return nil
	}
	all := h.List(f.Key)
	if f.also != "" {
		for _, item := range h.List(f.also) {
			all = append(all, bareTag(item))
		}
	}
	return UniqueItems(all)
}

// bareTag returns a tag as a label: some people write the # that a tag has in the text.
func bareTag(item string) string { return strings.TrimLeft(item, "#") }

// AddItems returns doc with more items in a List. They go under the key that is there, our own
// if both are; what either has already is not repeated. A key that holds something else
// than a list stays as it is, and the other one takes them.
func AddItems(doc []byte, key string, more []string) ([]byte, error) {
	h, _ := Split(doc)
	f := FieldOf(key)
	if f.Kind == TextsValue {
		return SetTexts(doc, key, UniqueItems(append(h.Texts(key), more...)))
	}
	if err := f.checkForeign(h); f.only && err != nil && h.Err() == nil {
		return nil, err
	}
	have := f.listValues(h)
	more = slices.DeleteFunc(UniqueItems(more), func(item string) bool { return slices.Contains(have, item) })
	if len(more) == 0 && h.Err() == nil {
		return doc, nil
	}
	if also := f.also; also != "" && !h.IsMixed(also) && (h.IsMixed(key) || h.Line(key) == 0 && h.Line(also) > 0) {
		key = also
	}
	return SetList(doc, key, append(h.List(key), more...))
}

// RemoveItems returns doc without the items in a List, under whichever key they stand.
func RemoveItems(doc []byte, key string, items []string) ([]byte, error) {
	h, _ := Split(doc)
	if FieldOf(key).Kind == TextsValue {
		return SetTexts(doc, key, slices.DeleteFunc(h.Texts(key), func(item string) bool { return slices.Contains(items, item) }))
	}
	for _, key := range [...]string{key, FieldOf(key).also} {
		if _, one := h.Get(key); one && FieldOf(key).only {
			continue
		}
		have := h.List(key)
		left := slices.DeleteFunc(slices.Clone(have), func(item string) bool {
			return slices.Contains(items, item) || slices.Contains(items, bareTag(item))
		})
		if len(left) == len(have) && h.Err() == nil {
			continue
		}
		var err error
		if doc, err = SetList(doc, key, left); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

func keyWord(h *Header, key string) string {
	s, _ := h.Get(key)
	return strings.TrimSpace(s)
}

// WriteValues returns doc with the values and references in its header: those that are
// set, in the order of the table.
func WriteValues(doc []byte, v *Values, refs []Reference) (_ []byte, err error) {
	for i := range Fields {
		if doc, err = Fields[i].writeField(doc, v, refs); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// writeField returns doc with the field's value, if it is set.
func (f *Field) writeField(doc []byte, v *Values, refs []Reference) ([]byte, error) {
	value, list := "", []string(nil)
	switch f.Kind {
	case TextValue, PlainValue:
		value = cmp.Or(*f.at(v).(*string), f.or)
	case TimeValue:
		value = FormatDate(*f.at(v).(*time.Time))
	case ListValue, TextsValue:
		list = *f.at(v).(*[]string)
	case ReferencesValue:
		list = TargetsOf(refs, f.Key)
	case MappingValue:
		return setMap(doc, f.Key, *f.at(v).(*Map))
	}
	switch {
	case value != "" && value == f.or && *f.at(v).(*string) == "":
		if h, _ := Split(doc); f.shape(h) != "" {
			return doc, nil // what it counts as, whatever stands there
		}
		return f.setInDoc(doc, value)
	case value != "":
		return f.setInDoc(doc, value)
	case len(list) > 0:
		return SetFieldList(doc, f.Key, list)
	}
	return doc, nil
}

// setInDoc returns doc with the field's value set.
func (f *Field) setInDoc(doc []byte, value string) ([]byte, error) {
	h, _ := Split(doc)
	if err := f.checkForeign(h); err != nil && h.Err() == nil {
		return nil, err
	}
	if f.Kind == PlainValue {
		return SetPlain(doc, f.Key, value)
	}
	return h.Set(doc, f.Key, value)
}

// SetField returns doc with the value of a key, as the table says that it is written.
func SetField(doc []byte, key, value string) ([]byte, error) {
	f := FieldOf(key)
	if RankOf(f.Key) < 0 { // another program's: a number is to stay one
		return SetPlain(doc, key, value)
	}
	return f.setInDoc(doc, value)
}

// SetFieldList returns doc with the list of a key, as the table says that it is written.
func SetFieldList(doc []byte, key string, items []string) ([]byte, error) {
	if FieldOf(key).Kind == TextsValue {
		return SetTexts(doc, key, items)
	}
	return SetList(doc, key, items)
}

// TargetsOf returns what the references of one kind point to.
func TargetsOf(refs []Reference, kind string) (targets []string) {
	for _, r := range refs {
		if r.Kind == kind {
			targets = append(targets, r.Target)
		}
	}
	return targets
}

// silent are other programs' keys whose values do not describe the text, or are used
// elsewhere.
var silent = [...]string{"updated", "date", "author", "layout", "weight"}

// maxKeywords bounds the keywords in bytes.
const maxKeywords = 4 << 10

// otherWords returns the words of the header's other keys, one value a line: by
// the aliases and keywords of other programs a memory is found as well.
func otherWords(h *Header) string {
	var b strings.Builder
	for _, key := range h.Keys() {
		if f := knownField(key); f != nil && !f.words || slices.Contains(silent[:], key) {
			continue
		}
		for _, value := range h.List(key) {
			if b.Len()+len(value) < maxKeywords && strings.ContainsFunc(value, unicode.IsLetter) {
				b.WriteString(value)
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// UniqueItems returns the strings without repetitions; nil for none.
func UniqueItems(list []string) []string {
	var out []string
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// ParseDate reads a point in time: RFC 3339, the same without a zone (UTC), or a
// day; the zero time for anything else.
func ParseDate(s string) time.Time {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// FormatDate writes a point in time as front matter does, UTC and to the second; empty for none.
func FormatDate(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// FormatDay writes the day of a point in time, in UTC; empty for none.
func FormatDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// MaxTitle bounds the characters of a title.
const MaxTitle = 500

// OneLine returns s as a title: one line, without control characters, of at most MaxTitle characters.
func OneLine(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) && utf8.RuneCountInString(s) <= MaxTitle {
		return strings.TrimSpace(s)
	}
	visible := func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}
	runes := []rune(strings.Join(strings.Fields(strings.Map(visible, s)), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), MaxTitle)]))
}
