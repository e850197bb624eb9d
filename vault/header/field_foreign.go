package header

import (
	"fmt"
	"strconv"
)

// Other programs use some of our keys for something else: `source:` with a list, `resolution:`
// with two numbers, `created:` with a season. What they mean stays as it is written: nothing is
// read of it, a step that would replace it fails and names it, and one that would drop the key
// leaves it.

// ForeignKeys returns the keys of the table that hold another shape than theirs.
func ForeignKeys(h *Header) (keys []string) {
	for i := range Fields {
		if Fields[i].shape(h) != "" {
			keys = append(keys, Fields[i].Key)
		}
	}
	return keys
}

// shape says what a key holds that is of another shape than the field's; empty for none.
func (f *Field) shape(h *Header) string {
	_, one := h.Get(f.Key)
	_, keys := h.Map(f.Key)
	switch mixed := h.IsMixed(f.Key); {
	case f.Kind == IDValue, f.Kind == MappingValue && keys:
		return ""
	case mixed && keys:
		return "keys of its own"
	case mixed:
		return "a list of more than texts"
	case one || len(h.List(f.Key)) == 0:
		if f.Kind == MappingValue && one {
			return "a text"
		}
		return ""
	}
	switch f.Kind {
	case ListValue, ReferencesValue, TextsValue:
		return ""
	}
	return "a list"
}

// checkForeign fails where the header has a value under the field's key that a new one would replace
// and that is not one of ours.
func (f *Field) checkForeign(h *Header) error {
	what := f.shape(h)
	if said := keyWord(h, f.Key); what == "" && said != "" && !f.reads(said) {
		what = fmt.Sprintf("%.60q", said)
	}
	if what == "" {
		return nil
	}
	return &Error{Line: h.Line(f.Key), Msg: fmt.Sprintf("key %s holds %s, which another program wrote for itself: it stays", f.Key, what)}
}

// reads reports whether a text is a value that the field can have.
func (f *Field) reads(said string) bool {
	switch f.Kind {
	case ListValue:
		return !f.only
	case TimeValue:
		return !ParseDate(said).IsZero()
	case PlainValue:
		if f.Key == protectionKeys[0] {
			_, ok := readProtection(said)
			return ok
		}
		_, number := strconv.ParseFloat(said, 64)
		_, truth := strconv.ParseBool(said)
		return number == nil || truth == nil
	}
	return true
}

// DropKey returns doc without a key, unless that holds what another program wrote for itself.
func DropKey(doc []byte, key string) ([]byte, error) {
	h, _ := Split(doc)
	f := FieldOf(key)
	if h.Err() == nil && f.Key == key && RankOf(key) >= 0 && f.checkForeign(h) != nil {
		return doc, nil
	}
	return DropLines(doc, key)
}
