package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/options"
)

// checkFields refuses what the verb has no use for, and a line that lacks what the command
// line of that verb requires. null is nothing. It returns the texts of the fields.
func checkFields(verb lineVerb, fields map[string]json.RawMessage) (texts []string, err error) {
	if err := checkNames(verb, fields); err != nil {
		return nil, err
	}
	options.SpellAll(verb.Options, fields)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		all, blank := textsOf(fields[name])
		texts = append(texts, all...)
		switch {
		case string(fields[name]) == "null", blank && slices.Contains(verb.Needs, name):
			delete(fields, name)
		case blank && slices.Contains(references, name):
			return nil, fmt.Errorf("%s: %q is empty; give it or leave it out", verb.Name, name)
		}
	}
	for _, name := range verb.Needs {
		if fields[name] == nil {
			return nil, fmt.Errorf("%s needs %q", verb.Name, name)
		}
	}
	if len(verb.OneOf) > 0 && !slices.ContainsFunc(verb.OneOf, func(name string) bool { return fields[name] != nil }) {
		return nil, fmt.Errorf("nothing to change: give %s", joinNames(verb.OneOf))
	}
	return texts, nil
}

// references are the fields that name something. An empty name is none, and is no way to say
// that there is none: what is moved, placed or compared then would be something else.
var references = []string{"id", "parent", "by", "under", "folder", "section", "if_match", "commit", "to", "until"}

// textsOf returns the texts of a field, and whether it has texts and none of them says anything.
func textsOf(raw json.RawMessage) (all []string, blank bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		all = []string{text}
	} else if json.Unmarshal(raw, &all) != nil { // it is of another kind: the verb says so
		return all, false
	}
	return all, strings.TrimSpace(strings.Join(all, "")) == ""
}

// checkNames refuses fields that the verb does not have, also within a field that is an object.
func checkNames(verb lineVerb, fields map[string]json.RawMessage) error {
	allowed := verb.All()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(allowed, name) {
			return unknown(name, allowed, "%s has no field %q; it has %s", verb.Name, vault.Clip(name, 40), strings.Join(allowed, ", "))
		}
		var inner map[string]json.RawMessage
		if verb.Inner[name] == nil || json.Unmarshal(fields[name], &inner) != nil {
			continue
		}
		if twice := findRepeatedKey(fields[name]); twice != "" {
			return fmt.Errorf("%s has %q twice in %q", verb.Name, twice, name)
		}
		for _, in := range slices.Sorted(maps.Keys(inner)) {
			if !slices.Contains(verb.Inner[name], in) {
				return unknown(in, verb.Inner[name], "%s has no field %q in %q; it has %s", verb.Name, vault.Clip(in, 40), name, strings.Join(verb.Inner[name], ", "))
			}
		}
	}
	return nil
}

// unknown refuses a name, and asks whether the near one was meant.
func unknown(name string, known []string, format string, args ...any) error {
	return vault.Errorf(vault.CodeInvalid, filename.WordMeant(name, known)+"`cp memory batch --help` shows what a line looks like", format, args...)
}

// joinNames names things: a, b or c.
func joinNames(names []string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// anchorLine gives a line that tells of a commit its full id, and its key.
func anchorLine(verb lineVerb, fields map[string]json.RawMessage, anchor anchoring) error {
	if !slices.Contains(verb.Others, "commit") {
		return nil
	}
	var said struct {
		Commit *string `json:"commit"`
	}
	if raw := fields["commit"]; raw != nil {
		if err := json.Unmarshal([]byte(`{"commit":`+string(raw)+`}`), &said); err != nil {
			return inJSON(err)
		}
	}
	a, err := anchor(said.Commit)
	if err != nil || a.Commit == "" {
		return err
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &fields)
}

// namedMemories returns the memories that the fields of a line name, but for those of earlier lines.
func namedMemories(fields map[string]json.RawMessage) (all []string) {
	for _, key := range []string{"id", "parent", "by", "under"} {
		var name string
		if json.Unmarshal(fields[key], &name) == nil && name != "" && !strings.HasPrefix(name, "$") {
			all = append(all, name)
		}
	}
	return all
}

// findRepeatedKey returns a key that an object has twice, or "". Of these the last one would count.
func findRepeatedKey(object []byte) string {
	in := json.NewDecoder(bytes.NewReader(object))
	_, _ = in.Token()
	for seen := map[string]bool{}; in.More(); {
		key, _ := in.Token()
		name, _ := key.(string)
		var value json.RawMessage
		if err := in.Decode(&value); err != nil || seen[name] {
			return name
		}
		seen[name] = true
	}
	return ""
}
