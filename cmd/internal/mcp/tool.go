package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/prose"
)

// A tool's parameters are the options of its verb, else those of a struct with the same tags:
// see package options.

// hints are what a client may think of a tool. It asks its person before it calls a tool
// that is destructive; additive and reading ones it may call by itself.
type hints struct{ reads, adds, idempotent, always bool }

func (h hints) annotations() *sdk.ToolAnnotations {
	no := false
	a := &sdk.ToolAnnotations{ReadOnlyHint: h.reads, IdempotentHint: h.idempotent || h.reads, OpenWorldHint: &no}
	if h.adds { // of a tool that writes, the others are destructive where nothing is said
		a.DestructiveHint = &no
	}
	return a
}

// tool adds a tool. do gets the parameters of a call, checked by the schema.
func tool[In any](s *Server, name, about string, h hints, do func(context.Context, caller, In) (string, error)) {
	t := &sdk.Tool{Name: name, Description: about, Annotations: h.annotations(), InputSchema: options.Schema(*new(In))}
	if h.always { // Claude Code gives its model this tool's schema at the start, and of the others the names
		t.Meta = sdk.Meta{"anthropic/alwaysLoad": true}
	}
	s.sdk.AddTool(t, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		var in In
		if err := options.Decode(name, req.Params.Arguments, &in); err != nil {
			return errorResult(err), nil
		}
		var answer string
		err := vault.Guard("the tool "+name, nil, func() (err error) {
			answer, err = do(ctx, callerOf(req), in)
			return err
		})
		if err != nil {
			return errorResult(cause(err, ctx.Err())), nil
		}
		if !h.reads {
			answer += tornTexts(&in)
		}
		return newResult(answer), nil
	})
}

// tornTexts warns of what a client may have left in the texts of a call: they are written as they
// came.
func tornTexts(verb any) string {
	var t text
	for _, o := range options.Of(verb) {
		switch said := o.FieldIn(verb).(type) {
		case *string:
			t.writeWarnings(prose.Torn(*said))
		case **string:
			if *said != nil {
				t.writeWarnings(prose.Torn(**said))
			}
		}
	}
	return t.String()
}

// caller is who calls.
type caller struct{ agent string }

func callerOf(req *sdk.CallToolRequest) caller {
	if info := req.ClientInfo(); info != nil {
		return caller{agent: info.Name}
	}
	return caller{}
}
