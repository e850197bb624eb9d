package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxLine bounds a line of JSON, in bytes. A memory's file holds 4 MiB.
const maxLine = 4 << 20

// maxLines bounds the lines of a file.
const maxLines = 100_000

// each calls fn for the lines of the JSON Lines in the files. where names a line. What is no
// object of JSON is left out, and told.
func (r *reader) each(fn func(where string, text []byte)) {
	for _, f := range r.files {
		n := 0
		for row := range bytes.Lines(f.Text) {
			n++
			where := fmt.Sprintf("%s:%d", f.Rel, n)
			row = bytes.TrimSpace(bytes.TrimPrefix(row, []byte("\ufeff")))
			switch {
			case n > maxLines:
				r.left(where, "a file has at most %d lines; what follows was not read", maxLines)
			case len(row) == 0:
			case len(row) > maxLine:
				r.left(where, "the line is longer than 4 MiB")
			case row[0] != '{':
				r.left(where, "it is no object of JSON")
			default:
				fn(where, row)
			}
			if n > maxLines {
				break
			}
		}
	}
}

// object reads a line, and reports whether it has the shape of v.
func (r *reader) object(where string, text []byte, v any) bool {
	if err := json.Unmarshal(text, v); err != nil {
		r.left(where, "it cannot be read: %v", jsonError(err))
		return false
	}
	return true
}

// jsonError says what is wrong of JSON without the names of our types.
func jsonError(err error) string {
	switch err := err.(type) { //nolint:errorlint // the library returns them unwrapped
	case *json.SyntaxError:
		return fmt.Sprintf("no valid JSON at byte %d", err.Offset)
	case *json.UnmarshalTypeError:
		return fmt.Sprintf("%s is a %s", err.Field, err.Value)
	}
	return "no valid JSON"
}
