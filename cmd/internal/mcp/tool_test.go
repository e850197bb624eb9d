package mcp

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

type args struct {
	ID    string   `json:"id" need:"yes" about:"which"`
	How   string   `json:"how" of:"one two"`
	Text  *string  `json:"text"`
	Limit whole    `json:"limit" default:"8" within:"1 100"`
	Depth whole    `json:"depth" within:"0 5"`
	Labs  []string `json:"labels"`
	All   bool     `json:"all"`
}

func TestDecode(t *testing.T) {
	text, padded := "x", " x "
	for _, row := range []struct {
		name, in string
		want     args
		err      string
	}{
		{"all of it", `{"id":"a","how":"two","text":"x","limit":3,"labels":["p","q"],"all":true}`, args{"a", "two", &text, 3, 0, []string{"p", "q"}, true}, ""},
		{"defaults", `{"id":"a"}`, args{ID: "a", Limit: 8}, ""},
		{"null is nothing", `{"id":"a","limit":null,"labels":null,"text":null}`, args{ID: "a", Limit: 8}, ""},
		{"a whole number with a point", `{"id":"a","limit":3.0}`, args{ID: "a", Limit: 3}, ""},
		{"nothing at all", ``, args{}, `t needs "id"`},
		{"an empty one that is needed", `{"id":" "}`, args{}, `t needs "id", and it is empty`},
		{"no object", `[1]`, args{}, "the arguments of t have to be a JSON object"},
		{"an unknown one", `{"id":"a","ID":"b"}`, args{}, `t has no parameter "ID"`},
		{"nothing in every way", `{"id":"a","how":"","text":"","limit":0,"depth":0,"labels":[],"all":false}`, args{ID: "a", Limit: 8}, ""},
		{"blanks", `{"id":"a","how":" ","text":"\n\t ","limit":" ","depth":"","labels":["", " "],"all":""}`, args{ID: "a", Limit: 8}, ""},
		{"blanks beside texts", `{"id":"a","labels":["","p"," q "],"text":" x "}`, args{ID: "a", Limit: 8, Text: &padded, Labs: []string{"p", " q "}}, ""},
		{"an empty list as a text", `{"id":"a","labels":""}`, args{ID: "a", Limit: 8}, ""},
		{"too small a number", `{"id":"a","limit":-1}`, args{}, `"limit" has to be 1 to 100, and is -1`},
		{"out of bounds", `{"id":"a","depth":6}`, args{}, `"depth" has to be 0 to 5, and is 6`},
		{"an empty one that is needed", `{"id":""}`, args{}, `t needs "id", and it is empty`},
		{"a number as a string", `{"id":"a","limit":"3"}`, args{}, `"limit" has to be a whole number, and is a string`},
		{"a fraction", `{"id":"a","limit":3.5}`, args{}, `"limit" has to be a whole number, and is the number 3.5`},
		{"too large a number", `{"id":"a","limit":1e300}`, args{}, `"limit" has to be a whole number, and is the number 1e300`},
		{"a string as a list", `{"id":"a","labels":"p"}`, args{}, `"labels" has to be a list of strings, and is a string`},
		{"a list of numbers", `{"id":"a","labels":[1]}`, args{}, `"labels" has to be a list of strings, and is a list that holds something else`},
		{"a number as a string", `{"id":7}`, args{}, `"id" has to be a string, and is the number 7`},
		{"an object", `{"id":{}}`, args{}, `"id" has to be a string, and is an object`},
		{"a word as a boolean", `{"id":"a","all":"yes"}`, args{}, `"all" has to be true or false, and is a string`},
		{"a word that is none of them", `{"id":"a","how":"three"}`, args{}, `"how" has to be one, two, and is "three"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := decode[args]("t", json.RawMessage(row.in))
			if row.err != "" {
				if err == nil || err.Error() != row.err {
					t.Errorf("got error %v, want %s", err, row.err)
				}
				return
			}
			if diff := cmp.Diff(row.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestSchema(t *testing.T) {
	want := `{"type":"object","properties":{"id":{"type":"string","description":"which"},"how":{"type":"string","enum":["one","two"]},"text":{"type":"string"},` +
		`"limit":{"type":"integer","default":8},"depth":{"type":"integer"},"labels":{"type":"array","items":{"type":"string"}},"all":{"type":"boolean"}},"required":["id"],"additionalProperties":false}`
	if got := string(schemaOf[args]()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A parameter that there is not is refused with the near one.
func TestUnknownParameter(t *testing.T) {
	for typed, want := range map[string]string{"label": `did you mean "labels"? `, "Labels": `did you mean "labels"? `, "lables": `did you mean "labels"? `, "zeppelin": "", "Id": `did you mean "id"? `} {
		_, err := decode[args]("t", json.RawMessage(`{"id":"a","`+typed+`":"x"}`))
		var e *vault.Error
		if !errors.As(err, &e) || e.Hint != want+"t takes id, how, text, limit, depth, labels, all" {
			t.Errorf("%s: got %#v", typed, e)
		}
	}
}

// The bounds in the tags are those of the rooms.
func TestBounds(t *testing.T) {
	for _, f := range fieldsOf(reflect.TypeFor[showArgs]()) {
		if _, most := f.bounds(); f.name == "depth" && most != tree.MaxShowDepth {
			t.Errorf("depth has %d levels, and can have %d", most, tree.MaxShowDepth)
		}
	}
}

// FuzzDecode: no argument, however wrong, does more than be refused.
func FuzzDecode(f *testing.F) {
	f.Add(`{"id":"a","limit":3.0,"labels":["x"]}`)
	f.Add(`{"id":null}`)
	f.Fuzz(func(t *testing.T, in string) {
		if !json.Valid([]byte(in)) {
			return
		}
		got, err := decode[args]("t", json.RawMessage(in))
		if err == nil && strings.TrimSpace(got.ID) == "" {
			t.Errorf("%s: no id, and no error", in)
		}
	})
}

// The essence of the instructions comes first, and none of it is cut by a client.
func TestInstructions(t *testing.T) {
	if n := len(instructions); n >= 4000 {
		t.Errorf("they have %d characters", n)
	}
	for _, tool := range []string{"memory_recall", "memory_show", "memory_add"} {
		if at := strings.Index(instructions, tool); at < 0 || at > 600 {
			t.Errorf("%s comes first at %d", tool, at)
		}
	}
}

// What a tool takes for a memory that is left out, or blank, is listed here: either the tool
// needs it, or nothing is moved, ended or narrowed by its absence.
func TestEachReferenceOfATool(t *testing.T) {
	known := map[string]string{
		"addArgs.parent":     "without one the memory is a new root; the word of memory_move says that, too",
		"addArgs.references": "a list, and none refers to nothing",
		"updateArgs.id":      "needed", "moveArgs.id": "needed", "moveArgs.parent": "needed: the root has a word of its own",
		"retireArgs.id": "needed", "retireArgs.by": "refused where it is missing", "showArgs.id": "needed",
		"historyArgs.id": "without one it tells of all", "treeArgs.root": "without one it shows all", "recallArgs.under": "without one it looks everywhere",
	}
	refers := map[string]bool{"id": true, "parent": true, "by": true, "under": true, "root": true, "references": true, "into": true, "to": true}
	for _, in := range []any{addArgs{}, updateArgs{}, moveArgs{}, retireArgs{}, showArgs{}, historyArgs{}, treeArgs{}, recallArgs{}} {
		of := reflect.TypeOf(in)
		for i := range of.NumField() {
			f := of.Field(i)
			name := f.Tag.Get("json")
			why := known[of.Name()+"."+name]
			if refers[name] && (why == "" || strings.HasPrefix(why, "needed") != (f.Tag.Get("need") != "")) {
				t.Errorf("%s.%s may be left out: %q", of.Name(), name, why)
			}
		}
	}
	if _, err := (&Server{}).retire(t.Context(), caller{}, retireArgs{ID: "pf-a", How: "superseded"}); err == nil || vault.CodeOf(err) != vault.CodeInvalid {
		t.Errorf("superseded by nothing: %v", err)
	}
}
