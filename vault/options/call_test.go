package options_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/options"
)

type args struct {
	ID    string   `tool:"id" need:"yes" about:"which"`
	How   string   `tool:"how" of:"one two"`
	Text  *string  `tool:"text"`
	Limit int      `tool:"limit" default:"8" within:"1 100"`
	Depth int      `tool:"depth" within:"0 5"`
	Labs  []string `tool:"labels" commas:"yes"`
	Texts []string `tool:"texts"`
	All   bool     `tool:"all"`
	Most  *int     `tool:"most" within:"1 9"`
	Nths  []int    `tool:"nths"`
}

func TestDecode(t *testing.T) {
	text, padded, truth, two := "x", " x ", "true", 2
	for _, row := range []struct {
		name, in string
		want     args
		err      string
	}{
		{"all of it", `{"id":"a","how":"two","text":"x","limit":3,"labels":["p","q"],"all":true,"most":2e0,"nths":[3,1]}`, args{"a", "two", &text, 3, 0, []string{"p", "q"}, nil, true, &two, []int{3, 1}}, ""},
		{"defaults", `{"id":"a"}`, args{ID: "a", Limit: 8}, ""},
		{"null is nothing", `{"id":"a","limit":null,"labels":null,"text":null}`, args{ID: "a", Limit: 8}, ""},
		{"a int number with a point", `{"id":"a","limit":3.0}`, args{ID: "a", Limit: 3}, ""},
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
		{"numbers as texts", `{"id":"a","limit":"3","most":" 2.0 ","nths":["3",1]}`, args{ID: "a", Limit: 3, Most: &two, Nths: []int{3, 1}}, ""},
		{"0 as a text", `{"id":"a","limit":"0"}`, args{ID: "a", Limit: 8}, ""},
		{"a list of numbers as a text", `{"id":"a","nths":"3, 1"}`, args{ID: "a", Limit: 8, Nths: []int{3, 1}}, ""},
		{"a boolean as a text", `{"id":"a","all":"True"}`, args{ID: "a", Limit: 8, All: true}, ""},
		{"a text for a list", `{"id":"a","labels":"p"}`, args{ID: "a", Limit: 8, Labs: []string{"p"}}, ""},
		{"several texts for a list", `{"id":"a","labels":"p, q,"}`, args{ID: "a", Limit: 8, Labs: []string{"p", "q"}}, ""},
		{"a sentence for a list of them", `{"id":"a","texts":"Nomad, not Kubernetes"}`, args{ID: "a", Limit: 8, Texts: []string{"Nomad, not Kubernetes"}}, ""},
		{"a list as a text", `{"id":"a","labels":"[\"p\", \"q\"]"}`, args{ID: "a", Limit: 8, Labs: []string{"p", "q"}}, ""},
		{"an empty list as JSON in a text", `{"id":"a","labels":"[]"}`, args{ID: "a", Limit: 8}, ""},
		{"a text stays one", `{"id":"5","text":"true"}`, args{ID: "5", Limit: 8, Text: &truth}, ""},
		{"a word for a number", `{"id":"a","limit":"five"}`, args{}, `"limit" has to be a whole number like 5, and is the string "five"`},
		{"a number that JSON has not", `{"id":"a","limit":"0x5"}`, args{}, `"limit" has to be a whole number like 5, and is the string "0x5"`},
		{"a fraction", `{"id":"a","limit":3.5}`, args{}, `"limit" has to be a whole number like 5, and is the number 3.5`},
		{"a fraction as a text", `{"id":"a","limit":"3.5"}`, args{}, `"limit" has to be a whole number like 5, and is the number 3.5`},
		{"too large a number", `{"id":"a","limit":1e300}`, args{}, `"limit" has to be a whole number like 5, and is the number 1e300`},
		{"a pointer to a number that is too large", `{"id":"a","most":10}`, args{}, `"most" has to be 1 to 9, and is 10`},
		{"a list of texts for one of numbers", `{"id":"a","nths":["x"]}`, args{}, `"nths" has to be a list of whole numbers like [1, 2], and is a list that holds something else`},
		{"a list of numbers", `{"id":"a","labels":[1]}`, args{}, `"labels" has to be a list of strings like ["a", "b"], and is a list that holds something else`},
		{"a number as a string", `{"id":7}`, args{}, `"id" has to be a string like "a", and is the number 7`},
		{"an object", `{"id":{}}`, args{}, `"id" has to be a string like "a", and is an object`},
		{"a word as a boolean", `{"id":"a","all":"yes"}`, args{}, `"all" has to be true or false, and is the string "yes"`},
		{"a word that is none of them", `{"id":"a","how":"three"}`, args{}, `"how" has to be one, two, and is "three"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got args
			err := options.Decode("t", json.RawMessage(row.in), &got)
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
		`"limit":{"type":"integer","default":8},"depth":{"type":"integer"},"labels":{"type":"array","items":{"type":"string"}},"texts":{"type":"array","items":{"type":"string"}},"all":{"type":"boolean"},"most":{"type":"integer"},"nths":{"type":"array","items":{"type":"integer"}}},"required":["id"]}`
	if got := string(options.Schema(args{})); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A parameter that there is not is refused with the near one.
func TestUnknownParameter(t *testing.T) {
	for typed, want := range map[string]string{"label": `did you mean "labels"? `, "Labels": `did you mean "labels"? `, "lables": `did you mean "labels"? `, "zeppelin": "", "Id": `did you mean "id"? `} {
		err := options.Decode("t", json.RawMessage(`{"id":"a","`+typed+`":"x"}`), new(args))
		var e *vault.Error
		if !errors.As(err, &e) || e.Hint != want+"t takes id, how, text, limit, depth, labels, texts, all, most, nths" {
			t.Errorf("%s: got %#v", typed, e)
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
		var got args
		err := options.Decode("t", json.RawMessage(in), &got)
		if err == nil && strings.TrimSpace(got.ID) == "" {
			t.Errorf("%s: no id, and no error", in)
		}
	})
}
