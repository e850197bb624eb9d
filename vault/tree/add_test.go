package tree

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

func TestLabels(t *testing.T) {
	got := strings.Join(Labels([]string{"a, b", "b", " ", "c,,a"}), "|")
	if got != "a|b|c" {
		t.Errorf("got %s", got)
	}
}

func TestTitleOfText(t *testing.T) {
	if got := titleOf("# Heading\n\nand text"); got != "Heading and text" {
		t.Errorf("got %q", got)
	}
	if got := titleOf(strings.Repeat("ü", 300)); utf8.RuneCountInString(got) != 203 || !strings.HasSuffix(got, "...") {
		t.Errorf("got %q", got)
	}
}

func TestWordyPhrase(t *testing.T) {
	if got := wordy(strings.Repeat("ü", vault.TriggerLimit)); got != nil {
		t.Errorf("120 characters: %v", got)
	}
	if got := wordy(strings.Repeat("ü", vault.TriggerLimit+1)); len(got) != 1 {
		t.Errorf("121 characters: %v", got)
	}
}
