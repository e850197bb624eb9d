package vault

import (
	"testing"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "word": 1, "four words of text": 5, "数据库": 2} {
		if got := Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}
