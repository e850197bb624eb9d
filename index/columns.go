package index

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tier"
)

// inRow are the fields that memories has a column of: text, a list or a mapping as JSON,
// empty for none, or a time in microseconds, NULL for none. The table of fields alone says which.
var inRow = header.Columns()

// columns returns SQL about each of these columns, separated by commas.
func columns(format string) string {
	all := make([]string, len(inRow))
	for i, f := range inRow {
		all[i] = fmt.Sprintf(format, f.Column)
	}
	return strings.Join(all, ", ")
}

// columnTypes declares the columns.
func columnTypes() string {
	var b strings.Builder
	for _, f := range inRow {
		kind := "TEXT NOT NULL"
		if f.Kind == header.TimeValue {
			kind = "INTEGER"
		}
		fmt.Fprintf(&b, "  %-9s %s,\n", f.Column, kind)
	}
	return b.String()
}

// said holds the columns of a memory's row from which no other row is derived, except
// those that every change of the text changes.
type said struct {
	header []any // the values of inRow
	holds  int   // the column held
	block  bool
	parts  int64 // reading.parts
	seen   int   // tier.Count
}

func saidBy(r reading) *said {
	s := &said{make([]any, len(inRow)), belongs(r.memory), r.memory.HasBlock, r.hashParts(), tier.CountSessions(&r.memory.Header)}
	for i, f := range inRow {
		switch v := f.PointerIn(&r.memory.Header).(type) {
		case *string:
			s.header[i] = *v
		case *time.Time:
			s.header[i] = sqlite.Micros(*v)
		case *[]string:
			s.header[i] = sqlite.Texts(*v)
		case *header.Map:
			s.header[i] = string(*v)
		}
	}
	return s
}

// belongs returns the column held of a memory.
func belongs(m *vault.Memory) int {
	switch {
	case m.InTree():
		return 2
	case m.IsMemory():
		return 1
	}
	return 0
}

func (s *said) equal(o *said) bool {
	return slices.Equal(s.header, o.header) && s.holds == o.holds && s.block == o.block && s.parts == o.parts && s.seen == o.seen
}

// text returns what the row says under a key.
func (s *said) text(key string) string {
	i := slices.IndexFunc(inRow, func(f header.Field) bool { return f.Key == key })
	text, _ := s.header[i].(string)
	return text
}

// readHeader takes the columns off a row.
func readHeader(r *sqlite.Row, h *vault.Header) {
	for _, f := range inRow {
		switch v := f.PointerIn(h).(type) {
		case *[]string:
			*v = r.Texts()
		case *header.Map:
			*v = header.Map(r.Text())
		default:
			r.Scan(v)
		}
	}
}
