package phrase

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

func TestPromptHoldsBothTextsAndTheInstructions(t *testing.T) {
	q := Question{ParentID: "pf-aa1", Parent: "Deploy overview: Nomad.\n", Title: "Troubleshooting", Text: "If service fails to start, look at the log.\n"}
	got := q.Prompt()
	for _, want := range []string{
		"PARENT MEMORY (ID: pf-aa1):\n---\nDeploy overview: Nomad.\n---\n",
		"NEW CHILD MEMORY (title: Troubleshooting):\n---\nIf service fails to start, look at the log.\n---\n",
		"1. TRIGGER SUMMARY (max 120 chars):", "2. PARENT REVIEW:",
		`Good: "If deploy succeeds but service unchanged, or allocations don't restart"`, `Bad:  "Entity quality issues and fixes"`,
		"Respond as JSON:\n{\n  \"summary\": \"trigger phrase here\",\n  \"parent_needs_update\": true/false,",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, got)
		}
	}
}

func TestPromptOfARootHasNoParent(t *testing.T) {
	got := Question{Title: "Deployment", Text: "Nomad."}.Prompt()
	if !strings.Contains(got, "PARENT MEMORY: none.") || !strings.Contains(got, "NEW MEMORY (title: Deployment):\n---\nNomad.\n---") {
		t.Errorf("got %s", got)
	}
}

func TestPromptHoldsNoCredentials(t *testing.T) {
	got := Question{ParentID: "pf-a", Parent: "Key: AKIAIOSFODNN7EXAMPL3.", Title: "T", Text: "AKIAIOSFODNN7EXAMPL3, and ghp_abcdefghijklmnopqrstuvwxyzAB12345678 here."}.Prompt()
	if strings.Contains(got, "AKIA") || strings.Contains(got, "ghp_") || !strings.Contains(got, "[secret], and ") {
		t.Errorf("got %s", got)
	}
}

func TestPromptIsBounded(t *testing.T) {
	long := strings.Repeat("ü", 10*maxText)
	got := Question{ParentID: "pf-a", Parent: long, Title: "T", Text: long}.Prompt()
	if len(got) > 2*2*maxText+4000 || strings.Count(got, "[the rest is left out]") != 2 {
		t.Errorf("the prompt has %d bytes", len(got))
	}
}

func TestParse(t *testing.T) {
	long := strings.Repeat("x", 121)
	for _, test := range []struct{ name, reply, summary, suggestion string }{
		{"valid JSON", `{"summary": "If deploy fails...", "parent_needs_update": false, "parent_edits": null}`, "If deploy fails...", ""},
		{"with parent edits", `{"summary": "S", "parent_needs_update": true, "parent_edits": "Change line 3..."}`, "S", "Change line 3..."},
		{"edits that are not needed", `{"summary": "S", "parent_needs_update": false, "parent_edits": "No changes needed."}`, "S", ""},
		{"needed, and null", `{"summary": "S", "parent_needs_update": true, "parent_edits": null}`, "S", ""},
		{"needed as a word", `{"summary": "S", "parent_needs_update": "true", "parent_edits": "E"}`, "S", "E"},
		{"not needed as a word", `{"summary": "S", "parent_needs_update": "false", "parent_edits": "E"}`, "S", ""},
		{"edits as a list", `{"summary": "S", "parent_needs_update": true, "parent_edits": ["a", {"b": 1}]}`, "S", "a\n{\"b\":1}"},
		{"the rest missing", `{"summary": "S"}`, "S", ""},
		{"in a fence", "```json\n{\"summary\": \"S\", \"parent_needs_update\": false, \"parent_edits\": null}\n```", "S", ""},
		{"in a fence without a language", "```\n{\"summary\": \"S\"}\n```\n", "S", ""},
		{"with CRLF and a byte order mark", "\ufeff```json\r\n{\"summary\": \"S\"}\r\n```\r\n", "S", ""},
		{"after a sentence", "Here it is:\n{\"summary\": \"S\"}\nHope it helps.", "S", ""},
		{"after a thought with braces", "<think>{summary} or {\"x\": 1}?</think>{\"summary\": \"S\"}", "S", ""},
		{"on several lines", `{"summary": " If\n deploy\tfails "}`, "If deploy fails", ""},
		{"with escapes", `{"summary": "If \u001b[31mred\u0007"}`, "If [31mred", ""},
		{"a long one stays whole", `{"summary": "` + long + `"}`, long, ""},
	} {
		got, err := Parse(test.reply)
		if err != nil || got.Summary != test.summary || got.Suggestion != test.suggestion {
			t.Errorf("%s: got %+v, %v", test.name, got, err)
		}
		if warned := len(got.Warnings) > 0; warned != (test.summary == long) {
			t.Errorf("%s: warnings %v", test.name, got.Warnings)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, test := range []struct{ name, reply, want string }{
		{"no JSON", "I think it is about deployment.", `is not the JSON that was asked for: "I think it is about deployment."`},
		{"nothing", "", `is not the JSON that was asked for: ""`},
		{"cut off", `{"summary": "If dep`, "is not the JSON that was asked for"},
		{"another object", `{"text": "S"}`, "is not the JSON that was asked for"},
		{"a list", `["S"]`, "is not the JSON that was asked for"},
		{"null", `{"summary": null}`, "is not the JSON that was asked for"},
		{"a number", `{"summary": 5}`, "is not the JSON that was asked for"},
		{"an empty summary", `{"summary": ""}`, "has an empty summary"},
		{"a blank summary", `{"summary": " \n "}`, "has an empty summary"},
		{"a book", `{"summary": "` + strings.Repeat("x ", 1000) + `"}`, "a text, not a phrase"},
		{"braces without end", strings.Repeat("{", 1<<20), "is not the JSON that was asked for"},
	} {
		_, err := Parse(test.reply)
		if !errors.Is(err, ErrReply) || vault.CodeOf(err) != vault.CodeGeneration || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}

// model answers everything alike.
type model struct {
	reply string
	err   error
	asked string
}

func (m *model) Generate(_ context.Context, prompt string) (string, error) {
	m.asked = prompt
	return m.reply, m.err
}

func TestAsk(t *testing.T) {
	m := &model{reply: `{"summary": "S"}`}
	q := Question{ParentID: "pf-a", Parent: "P", Title: "T", Text: "X"}
	if r, err := Ask(context.Background(), m, q); err != nil || r.Summary != "S" || m.asked != q.Prompt() {
		t.Errorf("got %+v, %v", r, err)
	}
	m.err = errors.New("down")
	if _, err := Ask(context.Background(), m, q); err != m.err {
		t.Errorf("got %v", err)
	}
}

// Whatever a model says, a phrase is one line that can stand in a header.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"summary": "If deploy fails", "parent_needs_update": true, "parent_edits": ["a", 1]}`, "```json\n{}\n```", `{"summary": "a\u0000\u2028b"}`, "{{{"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		r, err := Parse(reply)
		if err != nil {
			if !errors.Is(err, ErrReply) {
				t.Fatalf("got %v", err)
			}
			return
		}
		if r.Summary == "" || !utf8.ValidString(r.Summary) || strings.ContainsFunc(r.Summary, unicode.IsControl) || utf8.RuneCountInString(r.Summary) > maxPhrase {
			t.Fatalf("got %q", r.Summary)
		}
	})
}
