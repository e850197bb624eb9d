package render

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// Format is a form of output.
type Format string

// The forms of output.
const (
	Text  Format = "text"
	JSON  Format = "json"
	YAML  Format = "yaml"
	JSONL Format = "jsonl"
)

// ParseFormat returns the Format named s; the empty name is Text.
func ParseFormat(s string) (Format, error) {
	switch f := Format(s); f {
	case "":
		return Text, nil
	case Text, JSON, YAML, JSONL:
		return f, nil
	}
	return Text, vault.Errorf(vault.CodeInvalid, "use -o text, -o json, -o yaml or -o jsonl", "unknown output format '%s'", s)
}

// Value writes v in a format for programs; Text counts as JSON. A nil slice is
// an empty list. JSONL writes each element of a slice as a line, anything else
// as one line.
func Value(w io.Writer, f Format, v any) error {
	switch f {
	case YAML:
		return writeYAML(w, v)
	case JSONL:
		return writeLines(w, v)
	}
	if rows, ok := v.(Dense); ok {
		return rows.write(w)
	}
	if o, ok := v.(lined); ok && o.HasFolderLines() {
		return writeLined(w, v)
	}
	return writeJSON(w, v, "  ")
}

// Dense is a list whose elements are a line each in JSON, too: what is printed within a
// budget has no tokens for an indent.
type Dense []any

func (d Dense) write(w io.Writer) error {
	if len(d) == 0 {
		_, err := io.WriteString(w, "[]\n")
		return err
	}
	for i, v := range d {
		var b bytes.Buffer
		if err := writeJSON(&b, v, ""); err != nil {
			return err
		}
		before, after := ",\n", ""
		if i == 0 {
			before = "[\n"
		}
		if i == len(d)-1 {
			after = "\n]\n"
		}
		if _, err := io.WriteString(w, before+strings.TrimSuffix(b.String(), "\n")+after); err != nil {
			return err
		}
	}
	return nil
}

// lined is an object that may ask for a line of each field in JSON, and of each element of
// those that are lists, for a budget like Dense.
type lined interface{ HasFolderLines() bool }

func writeLined(w io.Writer, v any) error {
	var b bytes.Buffer
	if err := writeJSON(&b, v, ""); err != nil {
		return err
	}
	d := json.NewDecoder(&b)
	_, err := d.Token()
	for before := "{\n"; err == nil && d.More(); before = ",\n" {
		var name json.Token
		var value json.RawMessage
		if name, err = d.Token(); err == nil {
			err = d.Decode(&value)
		}
		var rows []json.RawMessage
		if json.Unmarshal(value, &rows) == nil && len(rows) > 0 {
			value = slices.Concat([]byte("[\n"), bytes.Join(raw(rows), []byte(",\n")), []byte("\n]"))
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "%s%q: %s", before, name, value)
		}
	}
	if err == nil {
		_, err = io.WriteString(w, "\n}\n")
	}
	return err
}

// raw are values as bytes.
func raw(values []json.RawMessage) [][]byte {
	all := make([][]byte, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

func writeJSON(w io.Writer, v any, indent string) error {
	if r := reflect.ValueOf(v); r.Kind() == reflect.Slice && r.IsNil() {
		v = []any{}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeInvisible(b.String()))
	return err
}

func writeLines(w io.Writer, v any) error {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Slice {
		return writeJSON(w, v, "")
	}
	for i := range r.Len() {
		if err := writeJSON(w, r.Index(i).Interface(), ""); err != nil {
			return err
		}
	}
	return nil
}

// escapeInvisible writes what could steer a terminal as \uXXXX. JSON allows it
// everywhere in a string, and outside of strings such runes do not occur.
func escapeInvisible(doc string) string { return escapeSteering(doc, unicodeEscape) }

// escapeSteering writes the runes that could steer a terminal as escape says.
func escapeSteering(doc string, escape func(rune) string) string {
	if !strings.ContainsFunc(doc, prose.IsSteering) {
		return doc
	}
	var b strings.Builder
	for _, r := range doc {
		if prose.IsSteering(r) {
			b.WriteString(escape(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Fault is an error as programs get it.
type Fault struct {
	Code     vault.Code `json:"code"`
	Category string     `json:"category"` // see [vault.Code.Category]
	Message  string     `json:"message"`
	Hint     string     `json:"hint,omitempty"`
	Recovery string     `json:"recovery,omitempty"` // of a command that captures, in place of the hint
	Path     string     `json:"path,omitempty"`
	Line     int        `json:"line,omitempty"`
}

// OfCapture returns an error that is told as [FailureOf] words it; nil for nil. People are told of
// a wrong use as by any other command.
func OfCapture(err error, usage bool) error {
	if err == nil {
		return nil
	}
	return captureError{err, usage}
}

type captureError struct {
	error
	usage bool
}

func (e captureError) Unwrap() error { return e.error }

// FaultOf describes err; nil is the empty Fault.
func FaultOf(err error) Fault {
	if err == nil {
		return Fault{}
	}
	f := Fault{Code: vault.CodeOf(err), Message: err.Error()}
	f.Category = f.Code.Category()
	var captured captureError
	if errors.As(err, &captured) {
		failed := FailureOf(captured.error)
		f.Category, f.Message, f.Recovery = failed.Category, failed.Message, failed.Recovery
		return f
	}
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
	fault.Message, fault.Hint, fault.Recovery = RenameCommands(s.Name, fault.Message), RenameCommands(s.Name, fault.Hint), RenameCommands(s.Name, fault.Recovery)
	if f != Text {
		_ = Value(s, f, faultDocument(err, fault))
		return
	}
	var captured captureError
	if errors.As(err, &captured) && !captured.usage {
		s.Printf("[%s] %s\n", fault.Category, indentSafely(fault.Message))
		if fault.Recovery != "" {
			s.Printf("→ %s\n", indentSafely(fault.Recovery))
		}
		return
	}
	fmt.Fprintln(s, "Error: "+indentSafely(RenameCommands(s.Name, err.Error())))
	if hint := cmp.Or(fault.Hint, fault.Recovery); hint != "" {
		fmt.Fprintln(s, "hint: "+indentSafely(hint))
	}
}

// faultDocument returns an error as programs get it. A promotion or decision that was refused says so
// in the words of its own answer, too: {"success": false, "reason": "Not approved", "error": …}.
func faultDocument(err error, fault Fault) any {
	type document struct {
		Error Fault `json:"error"`
	}
	if vault.CodeOf(err) != vault.CodeRefused {
		return document{fault}
	}
	return struct {
		Success bool   `json:"success"`
		Reason  string `json:"reason"`
		document
	}{false, fault.Message, document{fault}}
}

// indentSafely makes text safe and indents all lines but the first, so that what a
// file says cannot pass for a message of ours.
func indentSafely(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(prose.Visible(text)), "\n", "\n  ")
}
