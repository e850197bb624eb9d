package vault

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What comes from outside is checked here once, and trusted inside.

// checkTitle refuses what cannot be a title.
func checkTitle(title string) error {
	switch {
	case strings.TrimSpace(title) == "":
		return Errorf(CodeInvalid, "give the memory a title or some text", "the title is empty")
	case utf8.RuneCountInString(title) > MaxTitle:
		return Errorf(CodeInvalid, "put the rest into the body", "the title is longer than %d characters", MaxTitle)
	}
	return checkLine("title", title)
}

// checkLine refuses what cannot stand on one line of a header: titles, labels,
// phrases, status words.
func checkLine(what, s string) error {
	if !utf8.ValidString(s) {
		return Errorf(CodeInvalid, "pass UTF-8 text", "the %s is not valid UTF-8", what)
	}
	if strings.ContainsFunc(s, unicode.IsControl) {
		return Errorf(CodeInvalid, "put it on one line, without tabs or escapes", "the %s holds a control character", what)
	}
	return nil
}

// checkText refuses a text that, once written, we would not read again.
func checkText(what, s string) error {
	switch {
	case !utf8.ValidString(s):
		return Errorf(CodeInvalid, "convert it first, with `iconv -t UTF-8`, say", "the %s is not valid UTF-8", what)
	case strings.ContainsRune(s, 0):
		return Errorf(CodeInvalid, "a memory is text; keep binary files beside it", "the %s holds NUL bytes", what)
	case len(s) > MaxFile:
		return Errorf(CodeInvalid, "split it into several memories", "the %s is larger than %d MiB", what, MaxFile>>20)
	}
	return nil
}

// checkLines is checkLine for several.
func checkLines(what string, all ...string) error {
	for _, s := range all {
		if err := checkLine(what, s); err != nil {
			return err
		}
	}
	return nil
}

// wordy warns about a trigger phrase that costs every reader of its parent more
// than it should.
func wordy(phrase string) []string {
	if n := utf8.RuneCountInString(phrase); n > TriggerLimit {
		return []string{fmt.Sprintf("the trigger phrase has %d characters; up to %d stay cheap to read", n, TriggerLimit)}
	}
	return nil
}

// unusual warns about a status word of the person's own, which may be a slip.
func unusual(status string) []string {
	switch status {
	case StatusOpen, StatusClosed, StatusDeferred, StatusInProgress:
		return nil
	}
	return []string{fmt.Sprintf("status %q is none of %s, %s, %s and %s; it counts as open",
		status, StatusOpen, StatusInProgress, StatusDeferred, StatusClosed)}
}
