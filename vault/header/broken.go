package header

import (
	"cmp"
	"slices"
	"strings"
)

// BrokenID returns the id on a line of its own in a header that cannot be read, that of cp_id:
// before that of id:; of one without end, in the lines before the first blank one. It is ""
// where there is none.
func BrokenID(h *Header, doc []byte) string {
	text := h.Text()
	if text == "" {
		text = string(doc[:min(len(doc), MaxBytes)])
	}
	own := ""
	for row := range strings.Lines(text) {
		if strings.TrimSpace(row) == "" && h.Text() == "" {
			break
		}
		if id := RowID(row, OurID); id != "" {
			return id
		}
		own = cmp.Or(own, RowID(row, OwnID))
	}
	return own
}

// TwoIDs tells of a header with conflict markers that two memories are in it: they were made
// at one path.
func TwoIDs(header string) string {
	var ids []string
	for row := range strings.Lines(header) {
		if id := RowID(row, OwnID); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if len(ids) < 2 {
		return ""
	}
	return ", of two memories: " + strings.Join(ids, " and ")
}

// RowID returns the id on a line of a header that sets the key, or "".
func RowID(row, key string) string {
	value, ok := strings.CutPrefix(strings.TrimSpace(row), key+":")
	id, valid := ParseID(strings.Trim(value, ` "'`))
	if !ok || !valid {
		return ""
	}
	return id
}
