package splice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// bom is the byte order mark with which some editors begin a file.
const bom = "\ufeff"

// document is a JSON file that was read.
type document struct {
	text []byte // without its byte order mark
	mark string // the byte order mark, or nothing
	root hujson.Value
}

// parseJSON reads a file. An empty one is an empty object.
func parseJSON(text []byte) (document, error) {
	d := document{text: text}
	if rest, marked := bytes.CutPrefix(text, []byte(bom)); marked {
		d.text, d.mark = rest, bom
	}
	if len(bytes.TrimSpace(d.text)) == 0 {
		d.text = append([]byte("{}"), d.text...)
	}
	root, err := hujson.Parse(d.text)
	if err != nil {
		return d, err
	}
	d.root = root
	for v := range root.All() {
		if o, ok := v.Value.(*hujson.Object); ok {
			if name, twice := findRepeatedKey(o); twice {
				return d, fmt.Errorf("the key %s stands there twice", strconv.Quote(name))
			}
		}
	}
	if _, ok := root.Value.(*hujson.Object); !ok {
		return d, fmt.Errorf("it is no JSON object")
	}
	return d, nil
}

// findRepeatedKey returns a key that an object has twice. Programs differ in which one they take.
func findRepeatedKey(o *hujson.Object) (string, bool) {
	seen := make(map[string]bool, len(o.Members))
	for _, m := range o.Members {
		name := m.Name.Value.(hujson.Literal).String()
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

// pointer is a path as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
	}
	return b.String()
}

// Get returns the value at a path as plain JSON, and nil where there is none.
func Get(text []byte, path []string) (json.RawMessage, error) {
	d, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	v := d.root.Find(pointer(path))
	if v == nil {
		return nil, nil
	}
	plain := v.Clone()
	plain.BeforeExtra, plain.AfterExtra = nil, nil
	plain.Standardize()
	return plain.Pack(), nil
}

// Set puts a value, which is plain JSON, at a path of keys. Objects on the way are made. A
// value that is there is replaced, unless it says the same.
func Set(text []byte, path []string, value []byte) ([]byte, error) {
	d, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	want, err := putValue(plainJSON(d.text), path, value)
	if err != nil {
		return nil, err
	}
	if reflect.DeepEqual(want, plainJSON(d.text)) {
		return text, nil
	}
	if v := d.root.Find(pointer(path)); v != nil {
		return d.checkResult(slices.Concat(d.text[:v.StartOffset], d.laid(value, v.StartOffset), d.text[v.EndOffset:]), want)
	}
	depth := len(path) - 1
	for d.root.Find(pointer(path[:depth])) == nil {
		depth--
	}
	for i := len(path) - 1; i > depth; i-- {
		value = slices.Concat([]byte("{"), quoteName(path[i]), []byte(":"), value, []byte("}"))
	}
	at := d.root.Find(pointer(path[:depth]))
	if _, ok := at.Value.(*hujson.Object); !ok {
		return nil, fmt.Errorf("%s is no JSON object", strings.Join(path[:depth], "."))
	}
	return d.checkResult(d.insert(at, quoteName(path[depth]), value), want)
}

// Append puts a value at the end of the array at a path of keys, which is made if it is not
// there.
func Append(text []byte, path []string, value []byte) ([]byte, error) {
	d, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	at := d.root.Find(pointer(path))
	if at == nil {
		return Set(text, path, slices.Concat([]byte("["), value, []byte("]")))
	}
	list, ok := at.Value.(*hujson.Array)
	if !ok {
		return nil, fmt.Errorf("%s is no JSON array", strings.Join(path, "."))
	}
	want, err := putValue(plainJSON(d.text), append(slices.Clone(path), strconv.Itoa(len(list.Elements))), value)
	if err != nil {
		return nil, err
	}
	return d.checkResult(d.insert(at, nil, value), want)
}

// Delete takes out what stands at a path, whose names may be positions in arrays, and then
// each object or array above it that this left empty, but for the whole document.
func Delete(text []byte, path []string) ([]byte, error) {
	d, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	if d.root.Find(pointer(path)) == nil {
		return text, nil
	}
	for len(path) > 1 && d.only(path[:len(path)-1]) {
		path = path[:len(path)-1]
	}
	want, err := putValue(plainJSON(d.text), path, nil)
	if err != nil {
		return nil, err
	}
	return d.checkResult(d.remove(path), want)
}

// only reports whether the value at a path holds one thing.
func (d document) only(path []string) bool {
	switch v := d.root.Find(pointer(path)).Value.(type) {
	case *hujson.Object:
		return len(v.Members) == 1
	case *hujson.Array:
		return len(v.Elements) == 1
	}
	return false
}

// checkResult checks that a text says what is wanted, and gives it its byte order mark back.
func (d document) checkResult(text []byte, want any) ([]byte, error) {
	got, err := hujson.Parse(bytes.Clone(text)) // Standardize writes into it
	if err != nil {
		return nil, fmt.Errorf("it is laid out in a way that this program cannot change: %w", err)
	}
	got.Standardize()
	var said any
	if err := json.Unmarshal(got.Pack(), &said); err != nil || !reflect.DeepEqual(said, want) {
		return nil, fmt.Errorf("it is laid out in a way that this program cannot change")
	}
	return append([]byte(d.mark), text...), nil
}

// plainJSON is what a text says.
func plainJSON(text []byte) any {
	std, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil
	}
	var said any
	_ = json.Unmarshal(std, &said)
	return said
}

// putValue puts a value into what a document says, or takes it out where it is nil.
func putValue(said any, path []string, value []byte) (any, error) {
	var v any
	if value != nil {
		if err := json.Unmarshal(value, &v); err != nil {
			return nil, err
		}
	}
	return setWithin(said, path, v, value == nil)
}

func setWithin(said any, path []string, v any, gone bool) (any, error) {
	if len(path) == 0 {
		return v, nil
	}
	switch at := said.(type) {
	case nil:
		inner, err := setWithin(nil, path[1:], v, gone)
		return map[string]any{path[0]: inner}, err
	case map[string]any:
		if gone && len(path) == 1 {
			delete(at, path[0])
			return at, nil
		}
		inner, err := setWithin(at[path[0]], path[1:], v, gone)
		at[path[0]] = inner
		return at, err
	case []any:
		i, err := strconv.Atoi(path[0])
		switch {
		case err != nil || i < 0 || i > len(at):
			return nil, fmt.Errorf("there is no %s in the list", path[0])
		case i == len(at):
			return append(at, v), nil
		case gone && len(path) == 1:
			return slices.Delete(at, i, i+1), nil
		}
		at[i], err = setWithin(at[i], path[1:], v, gone)
		return at, err
	}
	return nil, fmt.Errorf("%s stands in something that is no JSON object", path[0])
}

func quoteName(name string) []byte {
	b, _ := json.Marshal(name)
	return b
}
