package merge

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// isMap reports whether the key is one of ours that holds a mapping.
func isMap(key string, s segment) bool {
	_, ok := s.header.Map(key)
	return ok && header.FieldOf(key).Kind == header.MappingValue
}

// mapping merges a mapping key by key. It is written into the version of one side, whose
// lines stay as far as their values do.
func (m *merger) mapping(key string, o, a, b segment) string {
	was, ours, theirs := valuesOf(key, o), valuesOf(key, a), valuesOf(key, b)
	text := "---\n" + max(a.Text, b.Text) + "---\n"
	var dropped []Dropped
	for _, name := range keysOf(ours, theirs) {
		value, chosen := three(was[name], ours[name], theirs[name])
		if chosen {
			dropped = append(dropped, Dropped{Key: key + "." + name, Kept: value, Lost: min(ours[name], theirs[name]), Theirs: value == ours[name]})
		}
		next, err := header.SetIn([]byte(text), key, name, value)
		if err != nil {
			return m.chooseVersion(key, a, b, max(a.Text, b.Text))
		}
		text = string(next)
	}
	for _, d := range dropped {
		m.noteDropped(d)
	}
	return strings.TrimSuffix(strings.TrimPrefix(text, "---\n"), "---\n")
}

// valuesOf returns the values of a mapping, as JSON by their keys.
func valuesOf(key string, s segment) map[string]string {
	all := make(map[string]string)
	object, _ := s.header.Map(key)
	_ = header.Map(object).EachKey(func(name, value string) error {
		all[name] = value
		return nil
	})
	return all
}

// keysOf returns the keys of two mappings, in order.
func keysOf(a, b map[string]string) (all []string) {
	for _, m := range []map[string]string{a, b} {
		for name := range m {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// itemsOf returns the items of a list, as the table of fields has them.
func itemsOf(key string, s segment) []string {
	if header.FieldOf(key).Kind == header.TextsValue {
		return s.header.Texts(key)
	}
	return s.header.List(key)
}
