package options

import (
	"encoding/json"
	"strings"
)

// Schema writes the schema of the parameters of a tool, in their order. It is not that of the
// SDK, which writes a list as the union of null and array: some models' services refuse each
// request that has such a type. What a tool does not have [Decode] refuses, and names what it has:
// to say so in each schema costs a client more than it gains.
func Schema(verb any) json.RawMessage {
	var props, needed []string
	for _, o := range toolsOf(verb) {
		props = append(props, quoteJSON(o.Tool)+":"+o.schema())
		if o.ToolNeeds {
			needed = append(needed, quoteJSON(o.Tool))
		}
	}
	s := `{"type":"object","properties":{` + strings.Join(props, ",") + `}`
	if len(needed) > 0 {
		s += `,"required":[` + strings.Join(needed, ",") + `]`
	}
	return json.RawMessage(s + "}")
}

// toolsOf returns the options that a tool has.
func toolsOf(verb any) (all []Option) {
	for _, o := range Of(verb) {
		if o.Tool != "" {
			all = append(all, o)
		}
	}
	return all
}

func (o Option) schema() string {
	s := `{"type":` + quoteJSON(o.Kind)
	if o.Items != "" {
		s += `,"items":{"type":` + quoteJSON(o.Items) + `}`
	}
	if len(o.Words) > 0 {
		s += `,"enum":["` + strings.Join(o.Words, `","`) + `"]`
	}
	if o.About != "" {
		s += `,"description":` + quoteJSON(o.About)
	}
	if o.Default != "" {
		s += `,"default":` + o.Default
	}
	return s + "}"
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
