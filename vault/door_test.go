package vault

import (
	"cmp"
	"strings"
	"testing"
)

func TestDoor(t *testing.T) {
	for name, err := range map[string]error{
		"an empty title":          CheckTitle(" "),
		"a title of 501":          CheckTitle(strings.Repeat("ü", 501)),
		"a title on two lines":    CheckTitle("a\nb"),
		"a label with an escape":  CheckLine("label", "ok", "\x1b[31m"),
		"a status not UTF-8":      CheckLine("status", "\xff"),
		"a body with NUL":         CheckText("body", "a\x00b"),
		"a body not UTF-8":        CheckText("body", "caf\xe9"),
		"a body over the limit":   CheckText("body", strings.Repeat("x", MaxFile+1)),
		"the first of two errors": cmp.Or(nil, CheckLine("x", "\t")),
	} {
		if CodeOf(err) != CodeInvalid {
			t.Errorf("%s: want a refusal, got %v", name, err)
		}
	}
	if err := cmp.Or(CheckTitle("Déjà vu 📌"), CheckText("body", "a\tb\r\n"), CheckLine("label")); err != nil {
		t.Error(err)
	}
}

// A status is one of the known words, however it is written.
func TestParseStatus(t *testing.T) {
	for word, want := range map[string]string{
		"open": StatusOpen, "OPEN": StatusOpen, " Closed ": StatusClosed, "in-progress": StatusInProgress, "In Progress": StatusInProgress,
		"deferred": StatusDeferred, "resolved": StatusClosed, "Unresolved": StatusOpen, "banana": "", "": "", "waiting": "", "opened": "", "*": "",
	} {
		got, err := ParseStatus(word)
		if got != want || (err == nil) != (want != "") || err != nil && CodeOf(err) != CodeInvalid {
			t.Errorf("%q: got %q, %v; want %q", word, got, err, want)
		}
	}
}
