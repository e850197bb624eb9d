package header

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// form is a way to write front matter. Sites of Hugo, Zola, Eleventy and others have them:
//
//	+++                    {                        ---json
//	title = "Notes"          "title": "Notes"       {"title": "Notes"}
//	+++                    }                        ---
//
// ;;; fences JSON, too, and --- may be followed by the name of any form. Blank lines may
// stand above the first fence.
type form string

const (
	inYAML form = "YAML"
	inTOML form = "TOML"
	inJSON form = "JSON"
)

// named are the forms by the word behind the first fence; those that are not read are kept.
var named = map[string]form{
	"yaml": inYAML, "yml": inYAML, "toml": inTOML, "json": inJSON,
	"json5": "JSON5", "js": "JavaScript", "javascript": "JavaScript", "coffee": "CoffeeScript", "cson": "CSON",
}

// opening returns the form that a first line begins, and the line that ends it; none for
// any other line.
func opening(line []byte) (is form, closing string) {
	switch bare := strings.TrimRight(string(line), " \t\r\n"); {
	case bare == "---":
		return inYAML, "---"
	case bare == "+++":
		return inTOML, "+++"
	case bare == ";;;":
		return inJSON, ";;;"
	case strings.HasPrefix(bare, "---") && len(bare) < 20:
		return named[strings.TrimSpace(bare[3:])], "---"
	}
	return "", ""
}

// splitForm sets the header of another form than YAML that begins at the offset, and reports
// whether there is one.
func (h *Header) splitForm(doc []byte, at int, is form, closing string) bool {
	first := lineEnd(doc, at)
	stop := first
	for stop < len(doc) && !fence(doc[stop:lineEnd(doc, stop)], closing) {
		stop = lineEnd(doc, stop)
	}
	if stop == len(doc) || stop-first > MaxBytes {
		if !assigns.Match(doc[first:lineEnd(doc, first)]) && doc[min(first, len(doc)-1)] != '{' {
			return false
		}
		h.found, h.err = true, &Error{1 + h.blank, "front matter is never closed, or larger than 64 KiB: a line " + closing + " is missing"}
		return true
	}
	if text := string(doc[first:stop]); closing == "+++" && strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "=[") {
		return false // words between signs
	}
	h.found, h.unread, h.form = true, true, is
	h.text, h.start, h.end = string(doc[first:stop]), first, lineEnd(doc, stop)
	h.above = 1 + h.blank
	return true
}

// assigns matches a line of TOML that sets a key.
var assigns = regexp.MustCompile(`^[ \t]*("[^"]+"|'[^']+'|[A-Za-z0-9_.-]+)[ \t]*=`)

// usual are keys one of which a JSON object has that is front matter and not the text itself.
var usual = [...]string{"title", "date", "tags", "description", "summary", "id", "draft", "slug", "categories", "layout"}

// object sets the header that is a JSON object without fences, and reports whether there is one.
func (h *Header) object(doc []byte, at int) bool {
	if at == len(doc) || doc[at] != '{' {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(doc[at:min(len(doc), at+MaxBytes)]))
	var all map[string]json.RawMessage
	if dec.Decode(&all) != nil || !slices.ContainsFunc(usual[:], func(key string) bool { return all[key] != nil }) {
		return false
	}
	stop := at + int(dec.InputOffset())
	end := lineEnd(doc, stop)
	alone := len(bytes.TrimSpace(doc[at:lineEnd(doc, at)])) == 1
	if len(bytes.TrimSpace(doc[stop:end])) > 0 || !alone && len(bytes.TrimSpace(doc[end:])) == 0 {
		return false
	}
	h.found, h.unread, h.form, h.above = true, true, inJSON, h.blank
	h.text, h.start, h.end = string(doc[at:stop]), at, end
	return true
}

// isForeign reports whether the header is written in another form than YAML.
func (h *Header) isForeign() bool { return h.form != "" && h.form != inYAML }

// quoteJSON returns s as a string of JSON, which is one of TOML, too.
func quoteJSON(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string into a buffer cannot fail
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

// scalarOf returns a value as the header's form writes it.
func (h *Header) scalar(value, like string) string {
	if h.isForeign() {
		return quoteJSON(value)
	}
	return format(value, like, false)
}

// flow returns a list on one line as the header's form writes it.
func (h *Header) flow(items []string) string {
	if !h.isForeign() {
		return flowList(items)
	}
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = quoteJSON(item)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// insertForeign adds a key to a header of TOML or JSON: id in front, any other one behind the
// last. In TOML that is above the first table.
func (h *Header) insertForeign(doc, body []byte, key, value string) ([]byte, error) {
	in := &field{key: key}
	own := slices.DeleteFunc(slices.Clone(h.fields), func(f field) bool { return f.lines.end == 0 || f.table })
	at := 0
	if len(own) > 0 && key != "id" && key != "cp_id" {
		at = own[len(own)-1].lines.end
	}
	if h.form == inTOML {
		return h.splice(doc, body, in, span{at, at}, key+" = "+value+h.eol)
	}
	member := quoteJSON(key) + ": " + value
	brace := strings.IndexByte(h.text, '{') + 1
	if len(own) == 0 {
		return h.splice(doc, body, in, span{brace, brace}, member)
	}
	between := h.text[brace:own[0].lines.start] // a line end with an indent, or a blank
	if at == 0 {
		return h.splice(doc, body, in, span{own[0].lines.start, own[0].lines.start}, member+","+memberSpace(between))
	}
	return h.splice(doc, body, in, span{at, at}, ","+memberSpace(between)+member)
}

// memberSpace returns what parts two members of an object whose first one stands behind it.
func memberSpace(between string) string {
	if strings.TrimSpace(between) == "" && between != "" {
		return between
	}
	return " "
}

// dropForeign takes out a key of a header in TOML or JSON.
func (h *Header) dropForeign(doc, body []byte, f *field) ([]byte, error) {
	at := f.lines
	if h.form == inJSON {
		i := slices.IndexFunc(h.fields, func(o field) bool { return o.key == f.key })
		switch {
		case i+1 < len(h.fields):
			at.end = h.fields[i+1].lines.start
		case i > 0:
			at.start = h.fields[i-1].lines.end
		}
	}
	return h.splice(doc, body, f, at, "")
}
