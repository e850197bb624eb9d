package options

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Option is one option of a verb. What a face does not know of it is empty.
type Option struct {
	Key, Also   string // in JSON
	Flag, Help  string
	Commas      bool // the values of the flag are split at commas
	Tool, About string

	Kind        string   // string, integer, boolean, array or object
	Items       string   // the kind of the values of an array
	Words       []string // the words that it can be
	Default     string   // in JSON
	Least, Most int      // of a number; 0 as the largest does not bound it

	Need, OneOf bool     // in a line
	ToolNeeds   bool     // in a call
	Inner       []Option // of an object

	index place
}

// place is where a field stands in a struct: its number in each of the structs around it.
type place struct {
	of    [6]int
	depth int
}

func (p place) enterField(i int) place {
	p.of[p.depth] = i
	p.depth++
	return p
}

// Of returns the options of a verb, a struct or a pointer to one, in their order.
func Of(verb any) []Option {
	return optionsOf(reflect.Indirect(reflect.ValueOf(verb)).Type(), place{})
}

func optionsOf(t reflect.Type, above place) (all []Option) {
	eachOption(t, above, func(o *Option) { all = append(all, *o) })
	return all
}

// Each calls fn with each option of a verb, as [Of] returns them.
func Each(verb any, fn func(*Option)) {
	eachOption(reflect.Indirect(reflect.ValueOf(verb)).Type(), place{}, fn)
}

func eachOption(t reflect.Type, above place, fn func(*Option)) {
	var o Option
	for i := range t.NumField() {
		f := t.Field(i)
		o = Option{index: above.enterField(i)}
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			eachOption(f.Type, o.index, fn)
		} else if o.readTag(string(f.Tag)) {
			o.takeType(f.Type)
			fn(&o)
		}
	}
}

// readTag takes what a tag says, and reports whether any face knows the field. It reads a tag in one
// go, since every start of the program reads those of all commands; so no value holds a quote.
func (o *Option) readTag(tag string) bool {
	isLine := true
	for tag != "" {
		name, rest, _ := strings.Cut(tag, `:"`)
		value, next, _ := strings.Cut(rest, `"`)
		isLine = isLine && strings.TrimLeft(name, " ") != "batch"
		o.setTag(strings.TrimLeft(name, " "), value)
		tag = next
	}
	if !isLine || o.Key == "-" {
		o.Key = ""
	}
	o.ToolNeeds = o.ToolNeeds || o.Need
	return o.Key+o.Flag+o.Tool != ""
}

// setTag takes one value of a tag.
func (o *Option) setTag(name, value string) {
	switch name {
	case "json":
		o.Key, _, _ = strings.Cut(value, ",")
	case "also":
		o.Also = value
	case "need":
		o.Need = true
	case "oneof":
		o.OneOf = true
	case "flag":
		o.Flag = value
	case "help":
		o.Help = value
	case "commas":
		o.Commas = true
	case "tool":
		o.Tool, _, o.ToolNeeds = strings.Cut(value, ",")
	case "about":
		o.About = value
	case "of":
		o.Words = strings.Fields(value)
	case "default":
		o.Default = value
	case "within":
		_, _ = fmt.Sscan(value, &o.Least, &o.Most)
	}
}

// takeType takes the type of the field.
func (o *Option) takeType(t reflect.Type) {
	o.Kind = kindOf(t)
	if o.Kind == "array" {
		o.Items = kindOf(t.Elem())
	} else if o.Kind == "object" && t.Kind() == reflect.Struct {
		o.Inner = optionsOf(t, o.index)
	}
}

// kindOf returns the kind of a value in JSON. What reads itself from JSON counts as a string.
func kindOf(t reflect.Type) string {
	if t.PkgPath() != "" && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return "string"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Slice:
		return "array"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Struct:
		return "object"
	}
	return "string"
}

// FieldIn returns a pointer to the option's field in a verb, which is itself a pointer to a struct.
func (o Option) FieldIn(verb any) any { return o.field(verb).Addr().Interface() }

func (o Option) field(verb any) reflect.Value {
	return reflect.Indirect(reflect.ValueOf(verb)).FieldByIndex(o.index.of[:o.index.depth])
}

// IsSet reports whether a verb says something by the option. A pointer to an empty text does,
// an empty list does not.
func (o Option) IsSet(verb any) bool {
	v := o.field(verb)
	return !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0)
}

// HasOneOf reports whether a verb says one of those things of which one has to be said.
func HasOneOf(verb any) bool {
	return slices.ContainsFunc(Of(verb), func(o Option) bool { return o.OneOf && o.IsSet(verb) })
}
