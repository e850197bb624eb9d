package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/findings"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// maxBatchLine bounds one line: the largest text, every character of it escaped.
const maxBatchLine = 6*vault.MaxFile + 64<<10

// anchoring returns the commit of which a write tells, by what a line says; nil says nothing.
type anchoring func(revision *string) (header.Anchor, error)

// readBatch reads JSON lines, one write in each. Blank lines are skipped but counted.
func readBatch(r io.Reader, verbs map[string]lineVerb, anchor anchoring) ([]tree.BatchLine, error) {
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
		l, err := readBatchLine(in.Bytes(), verbs, anchor)
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

// ReadOptions reads the options of one of the tree's verbs as a JSON object, with the keys of
// a line of a batch. None of them has to be there.
func ReadOptions(r io.Reader, name string, into any) error {
	text, err := io.ReadAll(io.LimitReader(r, maxBatchLine+1))
	if err == nil {
		err = readOptions(text, name, into)
	}
	if err == nil {
		return nil
	}
	return vault.Errorf(vault.CodeInvalid, "`cp memory batch --help` shows the keys of "+name, "the JSON on stdin: %w", err)
}

func readOptions(text []byte, name string, into any) error {
	all := tree.Verbs()
	verb := lineVerb{Verb: all[slices.IndexFunc(all, func(v tree.Verb) bool { return v.Name == name })]}
	verb.Keys = options.KeysOf(verb.Options).Optional()
	var fields map[string]json.RawMessage
	switch {
	case len(text) > maxBatchLine:
		return errors.New("it is too long")
	case !utf8.Valid(text):
		return errors.New("it is not valid UTF-8")
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if twice := findRepeatedKey(text); twice != "" {
		return fmt.Errorf("it has %q twice", twice)
	}
	if _, err := checkFields(verb, fields); err != nil {
		return err
	}
	said, err := json.Marshal(fields)
	if err == nil {
		err = json.Unmarshal(said, into)
	}
	return inJSON(err)
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

// ReadBatch reads JSON lines, one write in each, with the thresholds of the session's settings.
// An entry of the journal remembers a commit as it does on the command line.
// more are verbs beside those of the rooms, and with is what becomes of each of these.
func (s *Session) ReadBatch(ctx context.Context, r io.Reader, with func(tree.Verb) tree.Verb, more ...tree.Verb) ([]tree.BatchLine, error) {
	known := map[string]header.Anchor{}
	return readBatch(r, verbsWith(verbs(s.app.Now, s.Settings.Promotion.Thresholds, s.Lexicon.Analyser), with, more), func(revision *string) (a header.Anchor, err error) {
		name := "" // of none: an empty one is refused before
		if revision != nil {
			name = *revision
		}
		a, ok := known[name]
		if !ok {
			a, err = s.Anchor(ctx, revision)
			known[name] = a
		}
		return a, err
	})
}

// lineVerb is a verb that a line can be, with its keys.
type lineVerb struct {
	tree.Verb
	options.Keys
}

// verbs is the table of the verbs that a line can be, by name.
func verbs(now func() time.Time, thresholds tier.Thresholds, analyser func() recall.Analyse) map[string]lineVerb {
	all := make(map[string]lineVerb)
	for _, v := range append(rooms(thresholds, analyser), deferral(now)) {
		all[v.Name] = lineVerb{v, options.KeysOf(v.Options)}
	}
	return all
}

// verbsWith is a table with more verbs; with is what becomes of those that were in it.
func verbsWith(all map[string]lineVerb, with func(tree.Verb) tree.Verb, more []tree.Verb) map[string]lineVerb {
	for name, v := range all {
		v.Verb = with(v.Verb)
		all[name] = v
	}
	for _, v := range more {
		all[v.Name] = lineVerb{v, options.KeysOf(v.Options)}
	}
	return all
}

// rooms are the verbs of all rooms.
func rooms(thresholds tier.Thresholds, analyser func() recall.Analyse) []tree.Verb {
	return slices.Concat(tree.Verbs(), journal.Verbs(thresholds, analyser), findings.Verbs(analyser), graph.FactVerbs(), journal.QueueVerbs())
}

// Deliverable are the verbs that may wait in the outbox, for [vault.Vault]. analyser returns
// what takes the words out of texts.
func Deliverable(analyser func() recall.Analyse) map[string]func() vault.Verb[vault.Delivered] {
	all := tree.Deliverable(append(journal.Verbs(tier.Default(), analyser), findings.Verbs(analyser)...)...)
	all[journal.SessionEnd{}.Name()] = func() vault.Verb[vault.Delivered] { return new(journal.SessionEnd) }
	all[journal.Handoff{}.Name()] = func() vault.Verb[vault.Delivered] { return new(journal.QueuedHandoff) }
	return all
}

// Defer puts a memory off until a day, or for a time from now.
type Defer struct {
	Ref   string `json:"id" need:"yes"`
	Until string `json:"until" need:"yes" flag:"until" help:"a <day> to come: 2026-12-01, tomorrow, 'in 2 weeks', 7d, 24h"`
}

// deferral is the verb in the table.
func deferral(now func() time.Time) tree.Verb {
	return tree.Verb{Name: "defer", Options: Defer{}, Line: func(text []byte) (tree.Line, error) {
		var o Defer
		if err := json.Unmarshal(text, &o); err != nil {
			return nil, err
		}
		v, err := o.Amend(now())
		return tree.LineOf(v), err
	}}
}

// Amend returns the verb that does it.
func (o Defer) Amend(now time.Time) (tree.Amend, error) {
	day, err := past.ParseUntil(o.Until, now)
	deferred := vault.StatusDeferred
	return tree.Amend{Ref: o.Ref, Status: &deferred, Deferred: &day, Verb: "defer"}, err
}

// readBatchLine reads the verb of a line and its options.
func readBatchLine(text []byte, verbs map[string]lineVerb, anchor anchoring) (l tree.BatchLine, err error) {
	if !utf8.Valid(text) {
		return l, errors.New("the line is not valid UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return l, fmt.Errorf("not a JSON object: %w", err)
	}
	if name := findRepeatedKey(text); name != "" {
		return l, fmt.Errorf("the line has %q twice", name)
	}
	var about struct {
		Verb string `json:"verb"`
		Key  string `json:"key"`
	}
	if err := json.Unmarshal(text, &about); err != nil {
		return l, inJSON(err)
	}
	verb, known := verbs[about.Verb]
	if !known {
		all := slices.Sorted(maps.Keys(verbs))
		return l, unknown(about.Verb, all, "the verb is %q; it can be %s", about.Verb, strings.Join(all, ", "))
	}
	delete(fields, "verb")
	delete(fields, "key")
	if l.Texts, err = checkFields(verb, fields); err != nil {
		return l, err
	}
	if err := anchorLine(verb, fields, anchor); err != nil {
		return l, err
	}
	l.Key, l.Names = about.Key, namedMemories(fields)
	said, err := json.Marshal(fields)
	if err == nil {
		l.Verb, err = verb.Line(said)
	}
	return l, inJSON(err)
}

// inJSON says of a value of the wrong kind what it has to be, in the words of JSON.
func inJSON(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	kinds := map[reflect.Kind]string{reflect.String: "a string", reflect.Int: "a whole number", reflect.Bool: "true or false", reflect.Slice: "a list of strings"}
	name := wrong.Field[strings.LastIndexByte(wrong.Field, '.')+1:]
	return fmt.Errorf("%q has to be %s, and is a JSON %s", name, kinds[wrong.Type.Kind()], wrong.Value)
}
