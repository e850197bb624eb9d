package findings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// Findings come as one JSON array, or as JSON objects one after the other, which JSON lines
// are. A byte order mark, CRLF and empty lines are no part of it. A key that a finding does
// not have is an error, since what it says would be lost.
//
//	[{"severity": "high", "category": "security", "file": "a.py", "line": 4, "summary": "It leaks"}]
//
//	{"severity": "high", "category": "security", "file": "a.py", "line": 4, "summary": "It leaks"}
//	{"severity": "low", "category": "tests", "summary": "No test of the parser"}

// Parse reads findings and tidies them. The error names the row, counted from 1, and the line
// of the text. An empty text holds none.
func Parse(text []byte) ([]Finding, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, vault.Errorf(vault.CodeInvalid, "save it as UTF-8", "the findings are not valid UTF-8")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	if bytes.TrimSpace(text)[0] == '[' {
		return array(text)
	}
	return stream(json.NewDecoder(bytes.NewReader(text)), text, true)
}

// array reads a JSON array and refuses what stands behind it.
func array(text []byte) ([]Finding, error) {
	in := json.NewDecoder(bytes.NewReader(text))
	if _, err := in.Token(); err != nil {
		return nil, errNoJSON(text, in, err)
	}
	all, err := stream(in, text, false)
	if err != nil {
		return nil, err
	}
	if _, err := in.Token(); err != nil { // the closing bracket
		return nil, errNoJSON(text, in, err)
	}
	if in.More() {
		return nil, errNoJSON(text, in, errors.New("there is more behind the array"))
	}
	return all, nil
}

// stream reads objects as long as there are any; to the end of the text where open is set.
func stream(in *json.Decoder, text []byte, open bool) (all []Finding, err error) {
	for open || in.More() {
		var raw json.RawMessage
		switch err := in.Decode(&raw); {
		case open && errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, atRow(len(all)+1, errNoJSON(text, in, err))
		}
		f, err := readFinding(raw)
		if err != nil {
			return nil, atRow(len(all)+1, err)
		}
		all = append(all, f.Tidy())
		if len(all) > MaxFindings {
			return nil, vault.Errorf(vault.CodeInvalid, "add them in parts", "a review has at most %d findings; these are more", MaxFindings)
		}
	}
	return all, nil
}

// readFinding reads one finding.
func readFinding(raw json.RawMessage) (f Finding, err error) {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.DisallowUnknownFields()
	if raw[0] != '{' {
		return f, vault.Errorf(vault.CodeInvalid, shapeHint, "a finding is a JSON object, and not %s", vault.Clip(string(raw), 40))
	}
	err = in.Decode(&f)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		return f, vault.Errorf(vault.CodeInvalid, shapeHint, "%q cannot be a JSON %s", wrong.Field, wrong.Value)
	case err != nil:
		return f, vault.Errorf(vault.CodeInvalid, shapeHint, "%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return f, nil
}

// Example is a finding as a host hands it over.
const Example = `{"severity": "high", "category": "security", "file": "src/user.py", "line": 42, "summary": "SQL injection in user_query()", "details": "The name goes into the query as it is.", "remediation": "Bind it as a parameter.", "tags": ["sql-injection"]}`

const shapeHint = "`cp memory findings plan -o json` shows the shape"

// errNoJSON tells where a text is no JSON.
func errNoJSON(text []byte, in *json.Decoder, err error) error {
	at := in.InputOffset()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = syntax.Offset
	}
	line := 1 + bytes.Count(text[:min(max(at, 0), int64(len(text)))], []byte("\n"))
	why := err.Error()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		why = "it ends in the middle"
	}
	return vault.Errorf(vault.CodeInvalid, shapeHint, "the findings are no JSON: line %d: %s", line, why)
}

// atRow says of which finding an error tells.
func atRow(n int, err error) error {
	var e *vault.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("finding %d: %w", n, err)
	}
	return vault.Errorf(e.Code, e.Hint, "finding %d: %w", n, err)
}

// Format writes findings as a JSON array, one a line. Parse reads it back.
func Format(all []Finding) []byte {
	if len(all) == 0 {
		return []byte("[]\n")
	}
	var rows []string
	for row := range strings.Lines(string(FormatLines(all))) {
		rows = append(rows, "  "+strings.TrimSuffix(row, "\n"))
	}
	return []byte("[\n" + strings.Join(rows, ",\n") + "\n]\n")
}

// FormatLines writes findings as JSON lines. Parse reads them back.
func FormatLines(all []Finding) []byte {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	for _, f := range all {
		_ = out.Encode(f) // strings and numbers
	}
	return b.Bytes()
}

// sortFindings returns the findings with the worst first, then by category and place.
func sortFindings(all []Finding) []Finding {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Finding) int { return order(&a, &b) })
	return all
}
