package vault

import (
	"cmp"
	"strings"
	"testing"
)

func TestDoor(t *testing.T) {
	for name, err := range map[string]error{
		"an empty title":          checkTitle(" "),
		"a title of 501":          checkTitle(strings.Repeat("ü", 501)),
		"a title on two lines":    checkTitle("a\nb"),
		"a label with an escape":  checkLines("label", "ok", "\x1b[31m"),
		"a status not UTF-8":      checkLine("status", "\xff"),
		"a body with NUL":         checkText("body", "a\x00b"),
		"a body not UTF-8":        checkText("body", "caf\xe9"),
		"a body over the limit":   checkText("body", strings.Repeat("x", MaxFile+1)),
		"the first of two errors": cmp.Or(nil, checkLine("x", "\t")),
	} {
		if CodeOf(err) != CodeInvalid {
			t.Errorf("%s: want a refusal, got %v", name, err)
		}
	}
	if err := cmp.Or(checkTitle("Déjà vu 📌"), checkText("body", "a\tb\r\n"), checkLines("label")); err != nil {
		t.Error(err)
	}
}

func TestWordyPhrase(t *testing.T) {
	if got := wordy(strings.Repeat("ü", TriggerLimit)); got != nil {
		t.Errorf("120 characters: %v", got)
	}
	if got := wordy(strings.Repeat("ü", TriggerLimit+1)); len(got) != 1 {
		t.Errorf("121 characters: %v", got)
	}
}

func TestUnusualStatus(t *testing.T) {
	if unusual(StatusClosed) != nil || len(unusual("colsed")) != 1 {
		t.Error("want a warning for a word that is not ours, and only for that")
	}
}
