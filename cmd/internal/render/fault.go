package render

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Fault is an error as programs get it.
type Fault struct {
	Code    vault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitempty"`
	Path    string     `json:"path,omitempty"`
	Line    int        `json:"line,omitempty"`
}

// FaultOf describes err; nil is the empty Fault.
func FaultOf(err error) Fault {
	if err == nil {
		return Fault{}
	}
	f := Fault{Code: vault.CodeOf(err), Message: err.Error()}
	var e *vault.Error
	if errors.As(err, &e) {
		f.Hint, f.Path, f.Line = e.Hint, e.Path, e.Line
		if f.Message == e.Error() {
			f.Message = e.Msg // the place has fields of its own
		}
	}
	return f
}

// Error writes err: for people a sentence and what to type next, for programs
// a document {"error": {…}}.
func Error(s Screen, f Format, err error) {
	fault := FaultOf(err)
	if f != Text {
		_ = Value(s, f, struct {
			Error Fault `json:"error"`
		}{fault})
		return
	}
	fmt.Fprintln(s, "Error: "+indented(err.Error()))
	if fault.Hint != "" {
		fmt.Fprintln(s, "hint: "+indented(fault.Hint))
	}
}

// indented makes text safe and indents all lines but the first, so that what a
// file says cannot pass for a message of ours.
func indented(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(Block(text)), "\n", "\n  ")
}
