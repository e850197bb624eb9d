package options_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/options"
)

// What a verb may hold: shared options, keys of its own in one key, what reads itself from
// JSON, what is of the outbox alone, and what is of no face.
type (
	verb struct {
		Ref string `json:"id" need:"yes" tool:"id"`
		shared
		To    string    `json:"to,omitempty" oneof:"yes" tool:"parent,need"`
		Up    bool      `json:"up" oneof:"yes" flag:"up" help:"go <where> it was"`
		Parts parts     `json:"parts,omitzero"`
		At    time.Time `json:"at"`
		ID    string    `json:"made" batch:"-"`
		Fresh bool      `flag:"fresh"`
		Alike []string  `json:"-"`
		Other *verb     `json:"-"`
	}
	shared struct {
		Text string `json:"text" also:"body"`
	}
	parts struct {
		Why   string   `json:"why" flag:"why"`
		Notes []string `json:"notes"`
	}
)

func TestKeys(t *testing.T) {
	want := options.Keys{Needs: []string{"id"}, OneOf: []string{"to", "up"}, Others: []string{"text", "body", "parts", "at"}, Inner: map[string][]string{"parts": {"why", "notes"}}}
	if diff := cmp.Diff(want, options.KeysOf(&verb{})); diff != "" {
		t.Error(diff)
	}
	want = options.Keys{Others: []string{"id", "to", "up", "text", "body", "parts", "at"}, Inner: want.Inner}
	if diff := cmp.Diff(want, options.KeysOf(verb{}).Optional()); diff != "" {
		t.Error(diff)
	}
}

// A face sees what is for it, also in a part and in what is shared.
func TestOf(t *testing.T) {
	var flags, tools, kinds []string
	for _, o := range options.Of(verb{}) {
		if o.Flag != "" {
			flags = append(flags, o.Flag)
		}
		if o.Tool != "" && o.ToolNeeds {
			tools = append(tools, o.Tool)
		}
		for _, in := range o.Inner {
			flags = append(flags, in.Flag)
		}
		kinds = append(kinds, o.Kind)
	}
	want := [][]string{{"up", "why", "", "fresh"}, {"id", "parent"}, {"string", "string", "string", "boolean", "object", "string", "boolean"}}
	if diff := cmp.Diff(want, [][]string{flags, tools, kinds}); diff != "" {
		t.Error(diff)
	}
}

// What an option says is found in the verb, wherever it stands there.
func TestGiven(t *testing.T) {
	for in, want := range map[string]bool{`{}`: false, `{"id":"x","text":"y"}`: false, `{"to":"x"}`: true, `{"up":true}`: true, `{"up":false,"to":""}`: false} {
		var v verb
		if err := json.Unmarshal([]byte(in), &v); err != nil || options.HasOneOf(v) != want || options.HasOneOf(&v) != want {
			t.Errorf("%s: %v, want %v; %v", in, options.HasOneOf(v), want, err)
		}
	}
	for _, o := range options.Of(verb{}) {
		if v := (verb{Alike: []string{}, Parts: parts{Why: "x"}}); o.IsSet(v) != (o.Key == "parts") {
			t.Errorf("%+v is set: %v", o, o.IsSet(v))
		}
	}
	list := options.Of(struct {
		L []string `json:"l"`
		T *string  `json:"t"`
	}{})
	empty := struct {
		L []string `json:"l"`
		T *string  `json:"t"`
	}{[]string{}, new(string)}
	if list[0].IsSet(empty) || !list[1].IsSet(empty) {
		t.Error("an empty list says nothing, and a pointer to an empty text does")
	}
}

// A field is found by a pointer to the verb, so that a flag can write into it.
func TestIn(t *testing.T) {
	var v verb
	for _, o := range options.Of(&v) {
		if to, ok := o.FieldIn(&v).(*string); ok && o.Key == "text" {
			*to = "written"
		}
		for _, in := range o.Inner {
			if to, ok := in.FieldIn(&v).(*string); ok {
				*to = "because"
			}
		}
	}
	if v.Text != "written" || v.Parts.Why != "because" {
		t.Errorf("%+v", v)
	}
}
