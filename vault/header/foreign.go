package header

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// readOtherForm reads a header of another form than YAML.
func (h *Header) readOtherForm() ([]field, *Error) {
	switch h.form {
	case inTOML:
		return tomlFields(h.text)
	case inJSON:
		return jsonFields(h.text)
	}
	return nil, &Error{1, "front matter in " + string(h.form) + " is not read: keep it as it is, or write it as YAML between lines ---"}
}

// tomlLine matches a line that sets one key to a value which ends on it: its lead, the value,
// and what follows.
var tomlLine = regexp.MustCompile(`^([ \t]*[^=]+=[ \t]*)("(?:[^"\\]|\\.)*"|'[^']*'|\[[^#\[\]]*\]|[^\s#"'\[{][^#"'\[{]*?)[ \t]*(?:#.*)?$`)

// tomlFields reads TOML. The top level is edited by line; of its tables there are the names,
// and the tags that Zola has in one.
func tomlFields(text string) (fields []field, err *Error) {
	var all map[string]any
	if err := toml.Unmarshal([]byte(text), &all); err != nil {
		return nil, tomlError(err)
	}
	line, tables := 0, false
	for at := 0; at < len(text); at = lineEnd(text, at) {
		row := strings.TrimRight(text[at:lineEnd(text, at)], "\r\n")
		line++
		if tables = tables || strings.HasPrefix(strings.TrimLeft(row, " \t"), "["); tables {
			break
		}
		key := assigns.FindStringSubmatch(row)
		if key == nil {
			if n := len(fields); n > 0 && strings.TrimSpace(row) != "" && !fields[n-1].simple { // the value goes on
				fields[n-1].lines.end = lineEnd(text, at)
			}
			continue
		}
		name := strings.Trim(key[1], `"'`)
		value, ok := all[name]
		if !ok {
			continue
		}
		delete(all, name)
		f := field{key: name, line: line, lines: span{at, lineEnd(text, at)}}
		f.setValue(value)
		if parts := tomlLine.FindStringSubmatchIndex(row); parts != nil && f.kind != other {
			f.simple, f.val = true, span{at + parts[4], at + parts[5]}
		}
		fields = append(fields, f)
	}
	if inside, ok := all["taxonomies"].(map[string]any); ok && all["tags"] == nil {
		f := field{key: "tags", line: 1, table: true}
		f.setValue(inside["tags"])
		fields = append(fields, f)
	}
	return fields, nil
}

func tomlError(err error) *Error {
	line := 1
	var at *toml.DecodeError
	if e, ok := err.(*toml.DecodeError); ok {
		at = e
		line, _ = at.Position()
		line++
	}
	return &Error{line, "front matter is not valid TOML: " + strings.TrimPrefix(err.Error(), "toml: ")}
}

// jsonFields reads a JSON object.
func jsonFields(text string) (fields []field, err *Error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	broken := func(err error) *Error {
		return &Error{1 + strings.Count(text[:min(int(dec.InputOffset()), len(text))], "\n"), "front matter is not a JSON object: " + err.Error()}
	}
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, broken(fmt.Errorf("it does not begin with {"))
	}
	for dec.More() {
		from := int(dec.InputOffset())
		from += strings.IndexByte(text[from:], '"')
		tok, err := dec.Token()
		if err != nil {
			return nil, broken(err)
		}
		var value any
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, broken(err)
		}
		_ = json.Unmarshal(raw, &value) // which the decoder has read
		end := int(dec.InputOffset())
		key, _ := tok.(string)
		f := field{key: key, line: 1 + strings.Count(text[:from], "\n"), lines: span{from, end}, val: span{end - len(raw), end}, simple: true}
		if f.setValue(value); f.kind == scalar && raw[0] != '"' {
			f.value = string(raw) // a number as it is written
		}
		fields = append(fields, f)
	}
	if _, err := dec.Token(); err != nil {
		return nil, broken(err)
	}
	if rest := strings.TrimSpace(text[dec.InputOffset():]); rest != "" {
		return nil, broken(fmt.Errorf("text follows it"))
	}
	return fields, nil
}

// setValue sets kind, value and items from a value of TOML or JSON.
func (f *field) setValue(value any) {
	switch v := value.(type) {
	case nil:
		f.kind = null
	case []any:
		f.kind = list
		for _, item := range v {
			if text, ok := scalarText(item); ok {
				f.items = append(f.items, text)
			} else {
				f.kind = other
			}
		}
	default:
		text, ok := scalarText(value)
		if f.value = text; !ok {
			f.kind = other
		}
	}
}

// scalarText returns a text, number, bool or time as it is written.
func scalarText(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case time.Time:
		return v.Format(time.RFC3339), true
	case bool, int64, float64, toml.LocalDate, toml.LocalDateTime, toml.LocalTime:
		return fmt.Sprint(v), true
	}
	return "", false
}
