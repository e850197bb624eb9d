package options

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// The arguments of a call are read in two steps, one parameter after the other. First what says
// nothing is taken away: many clients fill each parameter that they do not mean with null, "",
// [] or 0. Then what is left is read as what the parameter is, see [Option.Spell] and [Option.readValue]. So an empty
// text is never a text; a tool that can empty something has a parameter which says so.

// Decode reads the arguments of a call into a verb, which is a pointer to a struct. What the
// tool does not know, or has another type, is refused by name: the model can correct itself.
func Decode(tool string, raw json.RawMessage, verb any) error {
	var given map[string]json.RawMessage
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &given); err != nil {
			return invalid("", "the arguments of %s have to be a JSON object", tool)
		}
	}
	all := toolsOf(verb)
	if err := checkNames(tool, given, all); err != nil {
		return err
	}
	for _, o := range all {
		if err := o.readArgument(tool, o.Spell(given[o.Tool]), o.field(verb)); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses a parameter that the tool does not have.
func checkNames(tool string, given map[string]json.RawMessage, all []Option) error {
	names := make([]string, len(all))
	for i, o := range all {
		names[i] = o.Tool
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			return invalid(filename.WordMeant(name, names)+tool+" takes "+strings.Join(names, ", "), "%s has no parameter %q", tool, vault.Clip(name, 40))
		}
	}
	return nil
}

// readArgument reads one argument, or its default.
func (o Option) readArgument(tool string, raw json.RawMessage, to reflect.Value) error {
	if o.isNothing(raw) {
		if o.ToolNeeds && isText(raw) {
			return invalid(o.example(), "%s needs %q, and it is empty", tool, o.Tool)
		} else if o.ToolNeeds {
			return invalid(o.example(), "%s needs %q", tool, o.Tool)
		}
		if raw = json.RawMessage(o.Default); len(raw) == 0 {
			return nil
		}
	}
	return o.readValue(raw, to)
}

// example is how a text is given to the parameter.
func (o Option) example() string {
	return fmt.Sprintf("give it as in {%q: %q}", o.Tool, cmp.Or(o.About, "…"))
}

// isNothing reports whether an argument says nothing. 0 does so where it is too small.
func (o Option) isNothing(raw json.RawMessage) bool {
	var text string
	var number whole
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return true
	case isText(raw):
		return json.Unmarshal(raw, &text) == nil && strings.TrimSpace(text) == ""
	}
	return o.Kind == "integer" && o.Least > 0 && json.Unmarshal(raw, &number) == nil && number == 0
}

func isText(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// readValue reads an argument as what the parameter is.
func (o Option) readValue(raw json.RawMessage, to reflect.Value) error {
	if o.Kind == "integer" {
		return o.readInteger(raw, to)
	}
	if json.Unmarshal(raw, to.Addr().Interface()) != nil {
		return o.unlike(raw)
	}
	switch list := to.Addr().Interface().(type) {
	case *[]string:
		*list = slices.DeleteFunc(*list, func(item string) bool { return strings.TrimSpace(item) == "" })
		if len(*list) == 0 {
			*list = nil
		}
		return o.oneOf(*list...)
	case *string:
		return o.oneOf(*list)
	}
	return nil
}

// readInteger reads a whole number.
func (o Option) readInteger(raw json.RawMessage, to reflect.Value) error {
	var n whole
	if json.Unmarshal(raw, &n) != nil {
		return o.unlike(raw)
	}
	if o.Most > 0 && (int(n) < o.Least || int(n) > o.Most) {
		return invalid("", "%q has to be %d to %d, and is %d", o.Tool, o.Least, o.Most, n)
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	to.SetInt(int64(n))
	return nil
}

// oneOf refuses a word that a parameter cannot be.
func (o Option) oneOf(words ...string) error {
	for _, word := range words {
		if len(o.Words) > 0 && !slices.Contains(o.Words, word) {
			return invalid("", "%q has to be %s, and is %q", o.Tool, strings.Join(o.Words, ", "), vault.Clip(word, 40))
		}
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

// unlike refuses a value of another kind.
func (o Option) unlike(raw json.RawMessage) error {
	return invalid("", "%q has to be %s, and is %s", o.Tool, o.describeValue(), describeJSON(raw))
}

// describeValue says what the value of an option has to be, in the words of JSON.
func (o Option) describeValue() string {
	if o.Items != "" {
		return map[string]string{"string": `a list of strings like ["a", "b"]`, "integer": "a list of whole numbers like [1, 2]"}[o.Items]
	}
	return map[string]string{"string": `a string like "a"`, "integer": "a whole number like 5", "boolean": "true or false", "object": `an object like {"a": "b"}`}[o.Kind]
}

// describeJSON says what a value is.
func describeJSON(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "the string " + vault.Clip(string(raw), 40)
	case '[':
		return "a list that holds something else"
	case '{':
		return "an object"
	case 't', 'f':
		return "a boolean"
	}
	return "the number " + vault.Clip(string(raw), 20)
}

// invalid refuses an argument.
func invalid(hint, format string, args ...any) error {
	return vault.Errorf(vault.CodeInvalid, hint, format, args...)
}
