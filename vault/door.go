package vault

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
)

// Values from outside are checked here once, and trusted inside.

// CheckTitle refuses what cannot be a title.
func CheckTitle(title string) error {
	switch {
	case strings.TrimSpace(title) == "":
		return Errorf(CodeInvalid, "give the memory a title or some text", "the title is empty")
	case utf8.RuneCountInString(title) > MaxTitle:
		return Errorf(CodeInvalid, "put the rest into the body", "the title is longer than %d characters", MaxTitle)
	}
	return CheckLine("title", title)
}

// CheckLine refuses a text that does not fit on one line of a header: a title, label,
// phrase or status word. what names it in the error.
func CheckLine(what string, all ...string) error {
	for _, s := range all {
		if !utf8.ValidString(s) {
			return Errorf(CodeInvalid, "pass UTF-8 text", "the %s is not valid UTF-8", what)
		}
		if strings.ContainsFunc(s, unicode.IsControl) {
			return Errorf(CodeInvalid, "put it on one line, without tabs or escapes", "the %s holds a control character", what)
		}
	}
	return nil
}

// IsCommit reports whether a name is the full id of a commit, or of another of git's objects.
func IsCommit(name string) bool {
	return (len(name) == 40 || len(name) == 64) && strings.Trim(name, "0123456789abcdef") == ""
}

// CheckCommit refuses what is not empty and not the full id of a commit.
func CheckCommit(name string) error {
	if name == "" || IsCommit(name) {
		return nil
	}
	return Errorf(CodeInvalid, "`git rev-parse` says a commit's full id", "'%s' is not the full id of a commit", Clip(name, 80))
}

// CheckText refuses texts that, once written, we would not read again.
func CheckText(what string, all ...string) error {
	for _, s := range all {
		switch {
		case !utf8.ValidString(s):
			return Errorf(CodeInvalid, "convert it first, with `iconv -t UTF-8`, say", "the %s is not valid UTF-8", what)
		case strings.ContainsRune(s, 0):
			return Errorf(CodeInvalid, "a memory is text; keep binary files beside it", "the %s holds NUL bytes", what)
		case len(s) > MaxFile:
			return Errorf(CodeInvalid, "split it into several memories", "the %s is larger than %d MiB", what, MaxFile>>20)
		case hasBlock(s):
			return Errorf(CodeInvalid, "take the lines from "+pointer.Start+" to "+pointer.End+" out, or put them into a code fence (```)",
				"the %s holds a pointer block, which cp writes itself from the sub-memories", what)
		}
	}
	return nil
}

// Statuses are the words that a writing command takes for a memory's status.
var Statuses = []string{StatusOpen, StatusInProgress, StatusDeferred, StatusClosed}

// UsualStatus reports whether a status is one of [Statuses]. Any other one stands in a
// person's file, and counts as open.
func UsualStatus(status string) bool { return slices.Contains(Statuses, status) }

// ParseStatus returns the status that a word means, in any case: one of [Statuses], or
// "resolved" and "unresolved", as the journal calls closed and open.
func ParseStatus(word string) (string, error) {
	said := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(word)))
	switch {
	case said == "resolved":
		return StatusClosed, nil
	case said == "unresolved":
		return StatusOpen, nil
	case UsualStatus(said):
		return said, nil
	}
	return "", Errorf(CodeInvalid, "resolved is taken for closed, and unresolved for open; a word of your own can be a label", "status %q is none of %s",
		Clip(word, 80), strings.Join(Statuses, ", "))
}
