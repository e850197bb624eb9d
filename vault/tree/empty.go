package tree

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// An empty text is no text: a variable that was not set, a command that failed before a pipe, a
// program that fills each option that it does not mean. It takes nothing out of a memory unless
// [Amend.Clear] says so.

// What Amend.Clear can name.
const (
	ClearBody    = "body"
	ClearSummary = "summary"
)

// clears reports whether a text is to be empty.
func (o *Amend) clears(name string) bool { return slices.Contains(o.Clear, name) }

// checkEmpty refuses an empty text that nobody has asked for.
func (o *Amend) checkEmpty() error {
	for _, name := range o.Clear {
		if all := []string{ClearBody, ClearSummary}; !slices.Contains(all, name) {
			return vault.Errorf(vault.CodeInvalid, filename.WordMeant(name, all)+`clear takes "body" and "summary"`, "%q cannot be cleared", vault.Clip(name, 40))
		}
	}
	switch {
	case o.clears(ClearBody) && (hasText(o.Body) || o.Append != nil), o.clears(ClearSummary) && hasText(o.Summary):
		return vault.Errorf(vault.CodeInvalid, "leave one of them out", "a text cannot be cleared and set at once")
	case o.Append != nil && !hasText(o.Append):
		return vault.Errorf(vault.CodeInvalid, "give the paragraph, or leave it out", "the text to append is empty")
	case o.Body != nil && !hasText(o.Body) && !o.clears(ClearBody):
		return errEmptied("text", ClearBody)
	case o.Summary != nil && !hasText(o.Summary) && !o.clears(ClearSummary):
		return errEmptied("trigger phrase", ClearSummary)
	}
	return nil
}

// hasText reports whether an option is a text that says anything.
func hasText(text *string) bool { return text != nil && strings.TrimSpace(*text) != "" }

func errEmptied(what, name string) error {
	return vault.Errorf(vault.CodeInvalid, "leave it out to keep the old one; where it is to be empty, say so: --force, in JSON \"clear\": [\""+name+"\"]",
		"the new %s is empty; nothing was changed", what)
}

// clearTexts sets the texts that are to be cleared.
func (o *Amend) clearTexts() {
	if o.clears(ClearBody) {
		o.Body = new(string)
	}
	if o.clears(ClearSummary) {
		o.Summary = new(string)
	}
}
