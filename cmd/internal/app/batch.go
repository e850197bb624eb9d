package app

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// maxBatchLine bounds one line: the largest text, every character of it escaped.
const maxBatchLine = 6*vault.MaxFile + 64<<10

// ReadBatch reads JSON lines, one write in each. Blank lines are skipped but counted.
func ReadBatch(r io.Reader) ([]tree.BatchLine, error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxBatchLine)
	var lines []tree.BatchLine
	keys := map[string]bool{}
	n := 0
	for in.Scan() {
		n++
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		l, err := readBatchLine(in.Bytes())
		if err == nil {
			err = freshKey(l.Key, keys)
		}
		if err != nil {
			return nil, badLine(n, err)
		}
		l.Number = n
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		return nil, badLine(n+1, err)
	}
	return lines, nil
}

func badLine(n int, err error) error {
	var e *vault.Error
	if errors.As(err, &e) {
		return vault.Errorf(e.Code, e.Hint, "%s%w", lineOf(n), err)
	}
	return vault.Errorf(vault.CodeInvalid, "`cp memory batch --help` shows what a line looks like", "%s%w", lineOf(n), err)
}

func lineOf(n int) string { return fmt.Sprintf("line %d: ", n) }

// freshKey refuses a key that could mean two lines.
func freshKey(key string, keys map[string]bool) error {
	switch {
	case key == "":
		return nil
	case strings.Trim(key, "0123456789") == "":
		return fmt.Errorf("the key %q is a number, which means a line", key)
	case keys[key]:
		return fmt.Errorf("an earlier line has the key %q", key)
	}
	keys[key] = true
	return nil
}

// batchLine is a line as it is written; which fields are allowed depends on the verb.
type batchLine struct {
	Verb         string   `json:"verb"`
	Key          string   `json:"key"`
	ID           string   `json:"id"`
	Parent       string   `json:"parent"`
	Title        *string  `json:"title"`
	Text         string   `json:"text"`
	Body         *string  `json:"body"`
	Section      string   `json:"section"`
	Append       *string  `json:"append"`
	Labels       []string `json:"labels"`
	RemoveLabels []string `json:"remove_labels"`
	Summary      *string  `json:"summary"`
	Status       *string  `json:"status"`
	Type         string   `json:"type"`
	References   []string `json:"references"`
	IfMatch      string   `json:"if_match"`
}

// batchFields are the fields of each verb, besides verb and key.
var batchFields = map[string][]string{
	"add":     {"text", "body", "title", "labels", "summary", "type", "references"},
	"add-sub": {"parent", "title", "body", "labels", "summary"},
	"update":  {"id", "title", "body", "section", "append", "labels", "remove_labels", "summary", "status", "if_match"},
}

func readBatchLine(text []byte) (tree.BatchLine, error) {
	if !utf8.Valid(text) {
		return tree.BatchLine{}, errors.New("the line is not valid UTF-8")
	}
	var l batchLine
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return tree.BatchLine{}, fmt.Errorf("not a JSON object: %w", err)
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return tree.BatchLine{}, err
	}
	if err := l.checkFields(fields); err != nil {
		return tree.BatchLine{}, err
	}
	return l.options()
}

// checkFields refuses what the verb has no use for.
func (l *batchLine) checkFields(fields map[string]json.RawMessage) error {
	allowed, ok := batchFields[l.Verb]
	if !ok {
		return fmt.Errorf("the verb is %q; it can be add, add-sub and update", l.Verb)
	}
	for name := range fields {
		if name != "verb" && name != "key" && !slices.Contains(allowed, name) {
			return fmt.Errorf("%s has no field %q; it has %s", l.Verb, name, strings.Join(allowed, ", "))
		}
	}
	return nil
}

// options turns the line into the options of its verb. It requires what the command line
// of that verb requires.
func (l *batchLine) options() (tree.BatchLine, error) {
	out := tree.BatchLine{Key: l.Key}
	title, summary := cmp.Or(l.Title, new(string)), cmp.Or(l.Summary, new(string))
	switch l.Verb {
	case "add":
		if l.Text != "" && l.Body != nil {
			return out, errors.New("text and body are one thing: give one of them")
		}
		out.Add = &tree.Add{Text: cmp.Or(l.Text, *cmp.Or(l.Body, new(string))), Title: *title, Labels: l.Labels, Summary: *summary, Type: l.Type, References: l.References}
		return out, nil
	case "add-sub":
		out.AddSub = &tree.AddSub{Parent: l.Parent, Title: *title, Body: *cmp.Or(l.Body, new(string)), Labels: l.Labels, Summary: *summary}
		return out, l.need("parent", l.Parent, "title", *title, "summary", *summary)
	}
	out.Amend = &tree.Amend{Ref: l.ID, IfMatch: l.IfMatch, Title: l.Title, Body: l.Body, Append: l.Append, Section: l.Section,
		AddLabels: l.Labels, RemoveLabels: l.RemoveLabels, Summary: l.Summary, Status: l.Status}
	if l.Title == nil && l.Body == nil && l.Append == nil && l.Summary == nil && l.Status == nil && len(l.Labels)+len(l.RemoveLabels) == 0 {
		return out, errors.New("nothing to change: give title, body, append, labels, remove_labels, summary or status")
	}
	return out, l.need("id", l.ID)
}

// need refuses a line in which a field is empty that the verb cannot do without.
func (l *batchLine) need(fields ...string) error {
	for i := 0; i < len(fields); i += 2 {
		if strings.TrimSpace(fields[i+1]) == "" {
			return fmt.Errorf("%s needs %q", l.Verb, fields[i])
		}
	}
	return nil
}
