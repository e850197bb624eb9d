package registry

import (
	"strings"
	"unicode/utf8"
)

// quick reads an entry as [Entry.formatLine] writes it, if it holds nothing that is escaped and
// only our keys. ok is false for any other one, which encoding/json reads: a thousand lines
// take 6 ms there and 1 ms here, and each command reads them.
func quick(line string) (e Entry, ok bool) {
	rest, ok := strings.CutPrefix(line, "- {")
	if !ok || strings.ContainsRune(rest, '\\') || !utf8.ValidString(rest) {
		return e, false
	}
	for {
		var key, value string
		if key, rest, ok = cutQuoted(rest); !ok {
			return e, false
		}
		if rest, ok = strings.CutPrefix(rest, ":"); !ok {
			return e, false
		}
		rest = strings.TrimPrefix(rest, " ")
		if after, yes := strings.CutPrefix(rest, "true"); yes && key == "added" {
			e.Added, rest = true, after
		} else if value, rest, ok = cutQuoted(rest); !ok || !e.setText(key, value) {
			return e, false
		}
		if rest == "}" {
			return e, true
		}
		if rest, ok = strings.CutPrefix(rest, ","); !ok {
			return e, false
		}
		rest = strings.TrimPrefix(rest, " ")
	}
}

// cutQuoted cuts a string in quotes, without escapes, off the beginning of a text.
func cutQuoted(text string) (value, rest string, ok bool) {
	if text, ok = strings.CutPrefix(text, `"`); !ok {
		return "", "", false
	}
	return strings.Cut(text, `"`)
}

// setText gives a key of text its value, once; ok is false for any other key.
func (e *Entry) setText(key, value string) (ok bool) {
	var to *string
	switch key {
	case "path":
		to = &e.Path
	case "name":
		to = &e.Name
	case "vault":
		to = &e.Vault
	case "seen":
		to = &e.Seen
	case "apart":
		to = &e.Apart
	case "within":
		to = &e.Within
	case "gone":
		to = &e.Gone
	}
	if to == nil || *to != "" {
		return false
	}
	*to = value
	return true
}
