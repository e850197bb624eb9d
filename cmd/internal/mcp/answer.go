package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// rows bounds the lists in what is told of a write.
const rows = 20

// text is an answer under way.
type text struct{ bytes.Buffer }

// printf writes words of ours; the arguments are made safe, and can close no fence.
func (t *text) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = harmless(render.Line(s))
		}
	}
	fmt.Fprintf(&t.Buffer, format, args...)
}

// writeWarnings tells beside an answer what a person would be warned of.
func (t *text) writeWarnings(warnings []string) {
	for _, w := range warnings {
		t.printf("Warning: %s\n", guide.SayTools(w))
	}
}

// writeScreen has the words of the command line tell of an outcome.
func (t *text) writeScreen(h *held, write func(render.Screen)) {
	var b bytes.Buffer
	write(render.Screen{Writer: &b, Rows: rows, Now: h.app.Now()})
	t.WriteString(harmless(guide.SayTools(b.String())))
}

// newResult is the result of a call that was done.
func newResult(answer string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: strings.TrimRight(answer, "\n")}}}
}

// errorResult is the result of one that was not: the model can read why, and try otherwise.
func errorResult(err error) *sdk.CallToolResult {
	r := newResult(harmless(complaint(err)))
	r.IsError = true
	return r
}

// complaint is a sentence and what to do next.
func complaint(err error) string {
	fault := render.FaultOf(err)
	line := "Error: " + prose.Visible(guide.SayTools(err.Error()))
	if hint := nextHint(err, fault); hint != "" {
		line += "\nhint: " + prose.Visible(hint)
	}
	return line
}

// nextHint says what to do next, by tools.
func nextHint(err error, fault render.Fault) string {
	if vault.CodeOf(err) == vault.CodeSecret {
		return "take it out and keep it where secrets are kept; if it is none, a person can allow it"
	}
	return guide.SayTools(fault.Hint)
}

// invalid refuses a parameter.
func invalid(hint, format string, args ...any) error {
	return vault.Errorf(vault.CodeInvalid, hint, format, args...)
}

// cause returns why a call ended, where the reason is not its own.
func cause(err, ended error) error {
	if ended != nil && err != nil && !errors.Is(err, ended) {
		return vault.Errorf(vault.CodeInterrupted, "a write that had begun is finished by the next call", "%w", ended)
	}
	return err
}
