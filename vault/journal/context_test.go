package journal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// The tokens of a piece of work are those of the titles, which always stand, and of the texts
// that are given; what the budget leaves out is counted beside them.
func TestTheTokensOfAPieceOfWork(t *testing.T) {
	texts := map[vault.Path]string{"a.md": strings.Repeat("word ", 40), "b.md": "A short one.", "c.md": ""}
	var all []journal.Entry
	titles, given := 0, map[vault.Path]int{}
	for _, p := range []vault.Path{"a.md", "b.md", "c.md"} {
		e := journal.Entry{Path: p, Title: "The title of " + string(p), Kind: header.Decision, Tokens: vault.Tokens(texts[p])}
		all, titles, given[p] = append(all, e), titles+vault.Tokens(e.Title), e.Tokens
	}
	read := func(e *journal.Entry) ([]byte, error) {
		if e.Path == "b.md" && e.Status == "gone" {
			return nil, vault.NotFound("b.md")
		}
		return []byte("# " + e.Title + "\n\n" + texts[e.Path]), nil
	}
	long, short := given["a.md"], given["b.md"]
	for _, row := range []struct {
		name   string
		budget int
		gone   bool
		want   string // tokens, texts left out, and their tokens
	}{
		{"no budget", 0, false, fmt.Sprint(titles+long+short, " 0 0")},
		{"room for all", long + short, false, fmt.Sprint(titles+long+short, " 0 0")},
		{"room for the short one", short, false, fmt.Sprint(titles+short, " 1 ", long)},
		{"room for none", 1, false, fmt.Sprint(titles, " 2 ", long+short)},
		{"one that went meanwhile", 0, true, fmt.Sprint(titles+long, " 1 ", short)},
	} {
		asked := append([]journal.Entry{}, all...)
		if row.gone {
			asked[1].Status = "gone"
		}
		w, err := journal.Context{Spec: "s", Budget: row.budget}.GatherWork(t.Context(), asked, read)
		if got := fmt.Sprint(w.Tokens, w.LeftOut, w.Lacking); got != row.want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", row.name, got, err, row.want)
		}
	}
}
