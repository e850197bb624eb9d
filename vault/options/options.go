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

	index []int
}

// Of returns the options of a verb, a struct or a pointer to one, in their order.
func Of(verb any) []Option {
	return optionsOf(reflect.Indirect(reflect.ValueOf(verb)).Type(), nil)
}

func optionsOf(t reflect.Type, above []int) (all []Option) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(slices.Clone(above), i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			all = append(all, optionsOf(f.Type, index)...)
		} else if o := optionOf(f, index); o.Key+o.Flag+o.Tool != "" {
			all = append(all, o)
		}
	}
	return all
}

func optionOf(f reflect.StructField, index []int) Option {
	tag := f.Tag.Get
	tool, call, _ := strings.Cut(tag("tool"), ",")
	o := Option{Key: keyOf(f.Tag), Also: tag("also"), Flag: tag("flag"), Help: tag("help"), Commas: tag("commas") != "", Tool: tool, About: tag("about"),
		Kind: kindOf(f.Type), Words: strings.Fields(tag("of")), Default: tag("default"), Need: tag("need") != "", OneOf: tag("oneof") != "", index: index}
	o.ToolNeeds = o.Need || call != ""
	_, _ = fmt.Sscan(tag("within"), &o.Least, &o.Most)
	if o.Kind == "array" {
		o.Items = kindOf(f.Type.Elem())
	} else if o.Kind == "object" && f.Type.Kind() == reflect.Struct {
		o.Inner = optionsOf(f.Type, index)
	}
	return o
}

func keyOf(tag reflect.StructTag) string {
	key, _, _ := strings.Cut(tag.Get("json"), ",")
	if key == "-" || tag.Get("batch") == "-" {
		return ""
	}
	return key
}

// kindOf returns the kind of a value in JSON. What reads itself from JSON counts as a string.
func kindOf(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
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

// In returns a pointer to the option's field in a verb, which is itself a pointer to a struct.
func (o Option) In(verb any) any { return o.field(verb).Addr().Interface() }

func (o Option) field(verb any) reflect.Value {
	return reflect.Indirect(reflect.ValueOf(verb)).FieldByIndex(o.index)
}

// IsSet reports whether a verb says something by the option. A pointer to an empty text does,
// an empty list does not.
func (o Option) IsSet(verb any) bool {
	v := o.field(verb)
	return !v.IsZero() && (v.Kind() != reflect.Slice || v.Len() > 0)
}

// Given reports whether a verb says one of those things of which one has to be said.
func Given(verb any) bool {
	return slices.ContainsFunc(Of(verb), func(o Option) bool { return o.OneOf && o.IsSet(verb) })
}
