package phrase

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// Schema is the form of a reply, as JSON Schema.
const Schema = `{
  "type": "object",
  "properties": {
    "summary": {"type": "string", "description": "the trigger phrase, one line of at most 120 characters"},
    "parent_needs_update": {"type": "boolean"},
    "parent_edits": {"type": ["string", "null"], "description": "suggested edits of the parent's prose, or null"}
  },
  "required": ["summary", "parent_needs_update", "parent_edits"],
  "additionalProperties": false
}`

// Reply is a model's answer.
type Reply struct {
	Summary    string // the trigger phrase, on one line
	Suggestion string // for the parent's prose; empty when that is fine
	Warnings   []string
}

// maxPhrase is the length in characters from which a text is no phrase: every reader of
// the parent would pay for all of it.
const maxPhrase = 1000

// answer is the reply as it is written.
type answer struct {
	Summary           *string `json:"summary"`
	ParentNeedsUpdate any     `json:"parent_needs_update"`
	ParentEdits       any     `json:"parent_edits"`
}

// Parse reads a reply. Models wrap JSON in a fence, or think aloud before it:
// the first object that has a summary counts. A phrase of more than
// [vault.TriggerLimit] characters is returned with a warning. The error wraps
// [ErrReply].
func Parse(reply string) (Reply, error) {
	a, ok := findSummary(reply)
	if !ok {
		return Reply{}, unusable("the model's reply is not the JSON that was asked for: %q", vault.Clip(vault.OneLine(reply), 80))
	}
	out := Reply{Summary: vault.OneLine(*a.Summary), Suggestion: a.suggestion()}
	n := utf8.RuneCountInString(out.Summary)
	switch {
	case n == 0:
		return Reply{}, unusable("the model's reply has an empty summary")
	case n > maxPhrase:
		return Reply{}, unusable("the model's summary has %d characters: a text, not a phrase", n)
	case n > vault.TriggerLimit:
		out.Warnings = []string{fmt.Sprintf("the trigger phrase has %d characters; up to %d stay cheap to read", n, vault.TriggerLimit)}
	}
	return out, nil
}

// maxTries is at how many opening braces of a reply an object is looked for:
// each costs a look at all that follows.
const maxTries = 100

// findSummary returns the first object with a summary in the text.
func findSummary(text string) (answer, bool) {
	for range maxTries {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			break
		}
		var a answer
		text = text[at:]
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&a); err == nil && a.Summary != nil {
			return a, true
		}
		text = text[1:]
	}
	return answer{}, false
}

// suggestion returns the model's change to the parent, or "".
func (a *answer) suggestion() string {
	if needed, ok := a.ParentNeedsUpdate.(bool); ok && !needed {
		return ""
	}
	if word, ok := a.ParentNeedsUpdate.(string); ok && !strings.EqualFold(strings.TrimSpace(word), "true") {
		return ""
	}
	if a.ParentNeedsUpdate == nil || a.ParentEdits == nil {
		return ""
	}
	return strings.TrimSpace(formatEdits(a.ParentEdits))
}

// formatEdits returns edits as text: a string unchanged, a list by lines, and any other value
// as JSON.
func formatEdits(edits any) string {
	switch e := edits.(type) {
	case string:
		return e
	case []any:
		lines := make([]string, len(e))
		for i, one := range e {
			lines[i] = formatEdits(one)
		}
		return strings.Join(lines, "\n")
	}
	b, err := json.Marshal(edits)
	if err != nil {
		panic(err) // it came from JSON
	}
	return string(b)
}

func unusable(format string, args ...any) error {
	return &vault.Error{Code: vault.CodeGeneration, Msg: fmt.Sprintf(format, args...), Err: ErrReply,
		Hint: "try again, or write the phrase yourself with --summary"}
}
