package pool_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// sentences are of three languages: a memory is of one or two of them. "%s" is for a word of
// the language.
var sentences = []struct {
	forms string
	words []string
}{
	{"Die %s ist nicht schnell, und der Server wartet auf %s.", strings.Fields("Bestellung Bestellungen Lieferung Lieferungen Rechnung Rechnungen Zahlung Warteschlange Warteschlangen")},
	{"Это не %s, а %s для сервера.", strings.Fields("миграция миграции миграций заказ заказы заказов очередь очереди платёж платежи")},
	{"The %s is not fast, and the server waits for %s.", strings.Fields("order orders delivery deliveries invoice invoices payment queue queues")},
}

func sentence(r *rand.Rand, language int) string {
	s := sentences[language]
	return fmt.Sprintf(s.forms, s.words[r.IntN(len(s.words))], s.words[r.IntN(len(s.words))])
}

// The forms of words that are not English rank over a family as in one vault, too.
func TestAFamilyRanksAsOneVaultInItsLanguages(t *testing.T) {
	testlevel.Check(t)
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	files := make(map[string]string)
	for i := range 60 {
		text := ""
		for range 1 + r.IntN(6) {
			text += sentence(r, r.IntN(3)) + "\n\n" + strings.Repeat("x ", 500*r.IntN(2)) + "\n\n"
		}
		files[fmt.Sprintf("note%d.md", i)] = fmt.Sprintf("---\nid: pf-note%04d\ntitle: Note %d\n---\n%s", i, i, text)
	}
	var queries []string
	for range 8 {
		queries = append(queries, sentence(r, r.IntN(2)))
	}
	queries = append(queries, "wo ist die Bestellungsnummer", "очередями")
	compare(t, files, queries, vault.ListOptions{Limit: 10}, vault.ListOptions{Limit: 5, Labels: []string{"red"}})
}
