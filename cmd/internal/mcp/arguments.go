package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/spelling"
)

// The arguments of a call are read in two steps, one parameter after the other. First what says
// nothing is taken away: many clients fill each parameter that they do not mean with null, "",
// [] or 0. Then what is left is read as what the parameter is, see [field.value]. So an empty
// text is never a text; a tool that can empty something has a parameter which says so.

// decode reads the arguments of a call. What the tool does not know, or has another type, is
// refused by name: the model can correct itself.
func decode[In any](tool string, raw json.RawMessage) (in In, err error) {
	var given map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return in, invalid("", "the arguments of %s have to be a JSON object", tool)
		}
	}
	fields := fieldsOf(reflect.TypeFor[In]())
	if err := checkNames(tool, given, fields); err != nil {
		return in, err
	}
	into := reflect.ValueOf(&in).Elem()
	for _, f := range fields {
		if err := f.read(tool, given[f.name], into.Field(f.index)); err != nil {
			return in, err
		}
	}
	return in, nil
}

// checkNames refuses a parameter that the tool does not have.
func checkNames(tool string, given map[string]json.RawMessage, fields []field) error {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return invalid(spelling.Meant(name, names)+tool+" takes "+strings.Join(names, ", "), "%s has no parameter %q", tool, vault.Clip(name, 40))
		}
	}
	return nil
}

// read reads one argument, or its default.
func (f field) read(tool string, raw json.RawMessage, to reflect.Value) error {
	if f.isNothing(raw) {
		if f.needed && isText(raw) {
			return invalid("", "%s needs %q, and it is empty", tool, f.name)
		} else if f.needed {
			return invalid("", "%s needs %q", tool, f.name)
		}
		if raw = json.RawMessage(f.tag.Get("default")); len(raw) == 0 {
			return nil
		}
	}
	return f.value(raw, to)
}

// isNothing reports whether an argument says nothing. 0 does so where it is too small.
func (f field) isNothing(raw json.RawMessage) bool {
	var text string
	var number whole
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return true
	case isText(raw):
		return json.Unmarshal(raw, &text) == nil && strings.TrimSpace(text) == ""
	}
	least, _ := f.bounds()
	return f.kind == "integer" && least > 0 && json.Unmarshal(raw, &number) == nil && number == 0
}

func isText(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// value reads an argument as what the parameter is.
func (f field) value(raw json.RawMessage, to reflect.Value) error {
	if json.Unmarshal(raw, to.Addr().Interface()) != nil {
		return invalid("", "%q has to be %s, and is %s", f.name, wanted[f.kind], kindOfJSON(raw))
	}
	switch f.kind {
	case "integer":
		return f.within(to)
	case "array":
		var list []string
		for _, item := range to.Interface().([]string) {
			if strings.TrimSpace(item) != "" {
				list = append(list, item)
			}
		}
		to.Set(reflect.ValueOf(list))
		return f.oneOf(list...)
	}
	if to.Kind() == reflect.String {
		return f.oneOf(to.String())
	}
	return nil
}

// oneOf refuses a word that a parameter cannot be.
func (f field) oneOf(words ...string) error {
	for _, word := range words {
		if len(f.of) > 0 && !slices.Contains(f.of, word) {
			return invalid("", "%q has to be %s, and is %q", f.name, strings.Join(f.of, ", "), vault.Clip(word, 40))
		}
	}
	return nil
}

// bounds returns the least and the largest number that a parameter can be.
func (f field) bounds() (least, most int) {
	_, _ = fmt.Sscan(f.tag.Get("within"), &least, &most)
	return least, most
}

// within refuses a number that is out of bounds.
func (f field) within(to reflect.Value) error {
	least, most := f.bounds()
	if n := reflect.Indirect(to).Int(); most > 0 && (n < int64(least) || n > int64(most)) {
		return invalid("", "%q has to be %d to %d, and is %d", f.name, least, most, n)
	}
	return nil
}

// whole is a whole number. Clients send 8, 8.0 and 8e0.
type whole int

// UnmarshalJSON takes a number without a fraction.
func (w *whole) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseFloat(string(b), 64)
	if err != nil || n != math.Trunc(n) || math.Abs(n) > 1e9 {
		return fmt.Errorf("not a whole number")
	}
	*w = whole(n)
	return nil
}

var wanted = map[string]string{"string": "a string", "integer": "a whole number", "boolean": "true or false", "array": "a list of strings"}

// kindOfJSON names what a value is.
func kindOfJSON(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a string"
	case '[':
		return "a list that holds something else"
	case '{':
		return "an object"
	case 't', 'f':
		return "a boolean"
	}
	return "the number " + vault.Clip(string(raw), 20)
}
