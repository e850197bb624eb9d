package pointer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// errNotUTF8 keeps encoding/json from replacing bytes silently.
var errNotUTF8 = errors.New("text is not UTF-8")

// Line returns the entry as a line of a block, without indent, comma and line end. The
// order is id, title, summary, then Extra.
func (e Entry) Line() (string, error) {
	fields := []Field{{"id", quoteReadable(e.ID)}, {"title", quoteReadable(e.Title)}, {"summary", quoteReadable(e.Summary)}}
	var b bytes.Buffer
	lead := "{"
	for _, f := range append(fields, e.Extra...) {
		key := quoteReadable(f.Key)
		if f.Value == nil || key == nil {
			return "", fmt.Errorf("entry %q: %w", e.ID, errNotUTF8)
		}
		b.WriteString(lead)
		lead = ", "
		b.Write(key)
		b.WriteString(": ")
		if err := json.Compact(&b, f.Value); err != nil {
			return "", fmt.Errorf("entry %q, key %q: %w", e.ID, f.Key, err)
		}
	}
	b.WriteByte('}')
	return disarm(b.String()), nil
}

// quoteReadable returns s as a JSON string with <, > and & readable; nil if it is not UTF-8.
func quoteReadable(s string) json.RawMessage {
	if !utf8.ValidString(s) {
		return nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string into a buffer cannot fail
	return json.RawMessage(disarm(strings.TrimSuffix(b.String(), "\n")))
}

// ends escapes the two sequences that close an HTML comment. In JSON they occur only
// inside strings, so the > may be escaped everywhere.
var ends = strings.NewReplacer("-->", `--\u003e`, "--!>", `--!\u003e`)

func disarm(s string) string { return ends.Replace(s) }

// MarshalJSON returns the entry as an object whose unknown keys come last, in their order.
func (e Entry) MarshalJSON() ([]byte, error) {
	line, err := e.Line()
	return []byte(line), err
}

// UnmarshalJSON reads an object; keys other than id, title and summary go to Extra.
func (e *Entry) UnmarshalJSON(raw []byte) error {
	o, err := parseObject(string(raw))
	if err != nil {
		return err
	}
	*e = o.entry
	return nil
}

// object is one element of the array, with the places of its values.
type object struct {
	entry  Entry
	values map[string]span // of id, title and summary, in the object's own text
	idEnd  int             // past the value of id, or past the opening brace
}

// span is a range of bytes.
type span struct{ start, end int }

// knownField returns the entry's field for id, title or summary, and nil for another key.
func (e *Entry) knownField(key string) *string {
	switch key {
	case "id":
		return &e.ID
	case "title":
		return &e.Title
	case "summary":
		return &e.Summary
	}
	return nil
}

// parseObject reads a JSON object, keeping where its values stand. A repeated
// key counts with its last value, as in encoding/json.
func parseObject(raw string) (object, error) {
	o := object{values: map[string]span{}}
	dec := json.NewDecoder(strings.NewReader(raw))
	if tok, err := dec.Token(); err != nil {
		return o, err
	} else if tok != json.Delim('{') {
		return o, errors.New("an entry must be an object")
	}
	o.idEnd = int(dec.InputOffset())
	for dec.More() {
		if err := o.readField(dec); err != nil {
			return o, err
		}
	}
	_, err := dec.Token()
	return o, err
}

// readField reads one key and its value.
func (o *object) readField(dec *json.Decoder) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	key, _ := tok.(string)
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return err
	}
	dst := o.entry.knownField(key)
	if dst == nil {
		o.entry.Extra = append(o.entry.Extra, Field{key, value})
		return nil
	}
	*dst = ""
	if err := json.Unmarshal(value, dst); err != nil {
		return fmt.Errorf("%s must be a string", key)
	}
	end := int(dec.InputOffset())
	o.values[key] = span{end - len(value), end}
	if key == "id" {
		o.idEnd = end
	}
	return nil
}
