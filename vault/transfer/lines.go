package transfer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxLine bounds a line of JSON, in bytes. A memory's file holds 4 MiB.
const maxLine = 4 << 20

// maxLines bounds the lines of a file.
const maxLines = 100_000

// eachObjectLine calls fn for the lines of the JSON Lines in the files. where names a line. What is no
// object of JSON is left out, and told.
func (r *reader) eachObjectLine(fn func(where string, text []byte)) {
	for _, f := range r.files {
		n := 0
		for row := range bytes.Lines(f.Text) {
			n++
			where := fmt.Sprintf("%s:%d", f.Rel, n)
			row = bytes.TrimSpace(bytes.TrimPrefix(row, []byte("\ufeff")))
			switch {
			case n > maxLines:
				r.noteLeftOut(where, "a file has at most %d lines; what follows was not read", maxLines)
			case len(row) == 0:
			case len(row) > maxLine:
				r.noteLeftOut(where, "the line is longer than 4 MiB")
			case row[0] != '{':
				r.noteLeftOut(where, "it is no object of JSON")
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
		r.noteLeftOut(where, "it cannot be read: %v", jsonError(err))
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

// fence is the mark of the block of code that a text is in; empty outside of one.
type fence string

// code takes the next line, without what may stand before a mark, and reports whether it is
// code, or a mark around it.
func (f *fence) code(bare string) bool {
	for _, mark := range []string{"```", "~~~"} {
		switch {
		case !strings.HasPrefix(bare, mark):
		case *f == "":
			*f = fence(mark)
			return true
		case string(*f) == mark:
			*f = ""
			return true
		}
	}
	return *f != ""
}

// splitAppended parts texts that stand one below the other, each with a front matter that has one of
// the keys. Lines of three dashes in a text, and those in a block of code, part nothing.
func splitAppended(text string, keys ...string) (parts []string) {
	lines := strings.SplitAfter(strings.TrimPrefix(text, "\ufeff"), "\n")
	from := 0
	part := func(to int) {
		if all := strings.Join(lines[from:to], ""); strings.TrimSpace(all) != "" {
			parts = append(parts, all)
		}
		from = to
	}
	var fence fence
	for i := 0; i < len(lines); i++ {
		if fence.code(strings.TrimLeft(lines[i], " ")) || strings.TrimRight(lines[i], "\r\n") != "---" {
			continue
		}
		if end := headerEnd(lines, i, keys); end > 0 {
			part(i)
			i = end
		}
	}
	part(len(lines))
	return parts
}

// maxHeader bounds the lines of such a front matter.
const maxHeader = 60

// headerEnd returns the line that closes the front matter which line at opens; 0 if it opens
// none that has one of the keys.
func headerEnd(lines []string, at int, keys []string) int {
	isHeader := false
	for i := at + 1; i < len(lines) && i <= at+maxHeader; i++ {
		if strings.TrimRight(lines[i], "\r\n") == "---" {
			if isHeader {
				return i
			}
			return 0
		}
		isHeader = isHeader || slices.ContainsFunc(keys, func(key string) bool { return strings.HasPrefix(lines[i], key+":") })
	}
	return 0
}
