package query

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/recall"
)

// formsTaken is the number of forms that are looked for, the rarest ones. With all of them
// (60 to 100 in a question) recall at 5 is the same within .003 in four languages.
const formsTaken = 24

// leastShare is the share of the forms' weight that a row needs which has no word of the
// question: any two texts of a language share some threes of letters.
const leastShare = 0.3

// A row scores by its words, and then by what is added up with that. A form is there or not, so
// it counts as a word does that is there once in a text of the same length (BM25 with k1 = 1.2,
// b = 0.5, and 300 tokens for the usual length). So does a term of what links call the row, of
// whose words six are the usual number.
const (
	together = `FROM (SELECT n AS rowid, -sum(score) AS rank FROM (
		SELECT rowid AS n, -rank AS score, TRUE AS enough FROM WORDS`

	byForms = `
		UNION ALL
		SELECT h.n, h.weight * 2.2 / (1.6 + 0.6 * m.tokens / 300.0), h.weight >= ? FROM (
			SELECT v.doc AS n, sum(j.weight) AS weight
			FROM (SELECT value ->> 0 AS term, value ->> 1 AS weight FROM json_each(?)) j CROSS JOIN form_rows v ON v.term = j.term GROUP BY v.doc
		) h JOIN memories m ON m.n = h.n`

	byAnchors = `
		UNION ALL
		SELECT h.n, ? * h.weight * 2.2 / (1.6 + 0.6 * a.size / 6.0), h.words OR h.weight >= ? FROM (
			SELECT v.doc AS n, sum(j.weight) AS weight, max(j.word) AS words
			FROM (SELECT value ->> 0 AS term, value ->> 1 AS weight, value ->> 2 AS word FROM json_each(?)) j CROSS JOIN anchor_rows v ON v.term = j.term GROUP BY v.doc
		) h JOIN anchors a ON a.n = h.n`

	added = `) GROUP BY n HAVING max(enough)) docs WHERE TRUE`
)

// weightAnchors is the weight of what links call a memory beside its own words.
const weightAnchors = 0.2

// AskedQuestion is what a question looks for.
type AskedQuestion struct {
	Words   []text.Term
	Forms   []string // other forms of them
	doubted []doubt  // of which words they are, where the question may be English
}

// doubt is a word of a question that may be English.
type doubt struct {
	word  string
	forms []string
}

// IndexWords returns the words as they are in the index.
func (q AskedQuestion) IndexWords() (all []string) {
	for _, w := range q.Words {
		all = append(all, w.Text)
	}
	return all
}

// Terms returns the words and the forms.
func (q AskedQuestion) Terms() []string { return append(q.IndexWords(), q.Forms...) }

// ParseQuestion returns what a question looks for: at most limit words, and other forms of them. The
// stop words of its language are left out, unless it has no other words.
func ParseQuestion(question string, limit int) AskedQuestion {
	t, words := text.NewCutter().Query(question), text.NewAnalyser()
	q := AskedQuestion{Words: words.Terms(t.Rest, limit), Forms: t.Terms}
	if len(q.Words) == 0 {
		return AskedQuestion{Words: words.Terms(question, limit)}
	}
	q.Forms = q.Forms[:min(len(q.Forms), 4*limit)]
	if t.Certain {
		return q
	}
	for _, w := range t.Words[:min(len(t.Words), limit)] {
		if as := words.Query(w.Written, 1); len(as) > 0 {
			q.doubted = append(q.doubted, doubt{as[0], w.Terms})
		}
	}
	return q
}

// weighForms returns the rarest forms with their weights, and the least weight. It returns none
// where no row has any, or none can be in another language. Forms that no row has count as much as the others for what the least is
// a share of.
func (q AskedQuestion) weighForms(s *family.Sums) (rows [][3]any, least float64) {
	all := slices.DeleteFunc(RaritiesOf(q.Forms, s), func(f recall.Term) bool { return f.Rarity == 0 })
	likely := q.likely(s)
	if len(all) == 0 || likely == 0 {
		return nil, 0
	}
	slices.SortStableFunc(all, func(a, b recall.Term) int { return cmp.Compare(b.Rarity, a.Rarity) })
	share := leastShare * float64(len(q.Forms)) / float64(len(all))
	for _, f := range all[:min(len(all), formsTaken)] {
		rows = append(rows, [3]any{f.Text, likely * f.Rarity, 0})
		least += share * likely * f.Rarity
	}
	return rows, least
}

// likely tells how much the forms count, from 0 to 1: wholly, but where the question may be
// English. Then it is the mean of its words: of each the share of the rows with it that can be in
// another language, since only these have all its forms. In a vault that is all English but for
// five pages these would else stand before all others, since what is rare there weighs most.
func (q AskedQuestion) likely(s *family.Sums) float64 {
	sum, n := 0.0, 0.0
	for _, d := range q.doubted {
		with, least := s.With[d.word], s.With[d.forms[0]]
		for _, f := range d.forms {
			least = min(least, s.With[f])
		}
		if with+least > 0 {
			sum, n = sum+min(1, float64(least)/float64(max(with, 1))), n+1
		}
	}
	if n == 0 {
		return 1
	}
	return sum / n
}

// bindTerms binds weighed terms; "" is none.
func bindTerms(rows [][3]any) string {
	if len(rows) == 0 {
		return ""
	}
	b, _ := json.Marshal(rows) // texts and finite numbers
	return string(b)
}

// weighNameTerms returns the words and forms that some memory is called by, with their weights.
func weighNameTerms(words []string, forms [][3]any, s *family.Sums) (rows [][3]any) {
	for _, w := range RaritiesOf(words, s) {
		if w.Rarity > 0 {
			rows = append(rows, [3]any{w.Text, w.Rarity, 1})
		}
	}
	return append(rows, forms...)
}

// HasAnchors reports whether any memory is called by one of the terms.
func HasAnchors(t *sqlite.Tx, terms []string) (some bool, err error) {
	err = t.One(`SELECT EXISTS (SELECT 1 FROM json_each(?) j CROSS JOIN anchor_rows v ON v.term = j.value)`, []any{sqlite.List(terms)}, &some)
	return some, err
}
