package mcp

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/vault"
)

// A tool's parameters are the fields of a struct, which is what a call is decoded into and
// what the schema is made of:
//
//	Query string   `json:"query" need:"yes" about:"what you want to know"`
//	Limit whole    `json:"limit" default:"8" within:"1 100"`
//	Label []string `json:"labels"`
//	How   string   `json:"how" of:"resolved superseded deleted"`
//
// The schema is made here and not by reflection of the SDK, which writes a list as the union
// of null and array: some models' services refuse each request that has such a type.

// hints are what a client may think of a tool. It asks its person before it calls a tool
// that is destructive; additive and reading ones it may call by itself.
type hints struct{ reads, adds, idempotent, always bool }

func (h hints) annotations() *sdk.ToolAnnotations {
	no, destroys := false, !h.adds
	a := &sdk.ToolAnnotations{ReadOnlyHint: h.reads, IdempotentHint: h.idempotent || h.reads, OpenWorldHint: &no}
	if !h.reads {
		a.DestructiveHint = &destroys
	}
	return a
}

// tool adds a tool. do gets the parameters of a call, checked by the schema.
func tool[In any](s *Server, name, about string, h hints, do func(context.Context, caller, In) (string, error)) {
	t := &sdk.Tool{Name: name, Description: about, Annotations: h.annotations(), InputSchema: schemaOf[In]()}
	if h.always { // Claude Code gives its model this tool's schema at the start, and of the others the names
		t.Meta = sdk.Meta{"anthropic/alwaysLoad": true}
	}
	s.sdk.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		in, err := decode[In](name, req.Params.Arguments)
		if err != nil {
			return failed(err), nil
		}
		var answer string
		err = vault.Guard("the tool "+name, nil, func() (err error) {
			answer, err = do(ctx, callerOf(req), in)
			return err
		})
		if err != nil {
			return failed(cause(err, ctx.Err())), nil
		}
		return said(answer), nil
	})
}

// caller is who calls.
type caller struct{ agent string }

func callerOf(req *sdk.CallToolRequest) caller {
	if info := req.ClientInfo(); info != nil {
		return caller{agent: info.Name}
	}
	return caller{}
}

// field is a parameter.
type field struct {
	name, kind string
	of         []string // the words that it may be
	needed     bool
	tag        reflect.StructTag
	index      int
}

// fieldsOf returns the parameters of a tool in order.
func fieldsOf(t reflect.Type) (all []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		all = append(all, field{f.Tag.Get("json"), kindOf(f.Type), strings.Fields(f.Tag.Get("of")), f.Tag.Get("need") != "", f.Tag, i})
	}
	return all
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Slice:
		return "array"
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	}
	return "string"
}

// schemaOf writes the schema of a tool's parameters, in their order.
func schemaOf[In any]() json.RawMessage {
	var props, needed []string
	for _, f := range fieldsOf(reflect.TypeFor[In]()) {
		props = append(props, quote(f.name)+":"+f.schema())
		if f.needed {
			needed = append(needed, quote(f.name))
		}
	}
	s := `{"type":"object","properties":{` + strings.Join(props, ",") + `}`
	if len(needed) > 0 {
		s += `,"required":[` + strings.Join(needed, ",") + `]`
	}
	return json.RawMessage(s + `,"additionalProperties":false}`)
}

func (f field) schema() string {
	s := `{"type":` + quote(f.kind)
	if f.kind == "array" {
		s += `,"items":{"type":"string"}`
	}
	if len(f.of) > 0 {
		s += `,"enum":["` + strings.Join(f.of, `","`) + `"]`
	}
	if about := f.tag.Get("about"); about != "" {
		s += `,"description":` + quote(about)
	}
	if def := f.tag.Get("default"); def != "" {
		s += `,"default":` + def
	}
	return s + "}"
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
