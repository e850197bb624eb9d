package query

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// The limits of a row, see the package.
const (
	mostTexts = 64
	mostBytes = 4000
	mostLooks = 256
)

// AnchorTables are the tables of the package. anchor_terms has words as package analyse cuts them, each
// once, and forms as package tongue does.
const AnchorTables = `
CREATE TABLE anchors (
  n     INTEGER PRIMARY KEY,
  texts TEXT NOT NULL,            -- what links call the memory, and its aliases, one a line
  size  INTEGER NOT NULL,         -- the words in them, each once
  made  INTEGER NOT NULL          -- a hash of what the terms are made of
) STRICT;
CREATE VIRTUAL TABLE anchor_terms USING fts5(
  terms,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.+#'"
);
CREATE VIRTUAL TABLE anchor_rows USING fts5vocab(anchor_terms, instance);
`

// AnchorIndexes is the index of links by which texts are found.
const AnchorIndexes = `
CREATE INDEX links_text ON links(key, text, language) WHERE text <> '';
`

// anchorRow is what a memory is called.
type anchorRow struct {
	n     int64
	texts []linkText
}

// linkText is one of its names. language is that of the text it stands in, as package tongue counts.
type linkText struct {
	line     string
	language int
}

// AnchorsOf returns what memories are called, of those that are called anything.
func AnchorsOf(t *sqlite.Tx, ns []int64) (map[int64][]string, error) {
	of := make(map[int64][]string)
	err := t.Each(`SELECT n, texts FROM anchors WHERE n IN (SELECT value FROM json_each(?))`, []any{sqlite.List(ns)}, func(r *sqlite.Row) error {
		of[r.Int64()] = strings.Split(r.Text(), "\n")
		return nil
	})
	return of, err
}

// rewriteRows makes the rows of memories again where they are no longer what they should be.
func rewriteRows(t *sqlite.Tx, ns []int64) {
	var rows []anchorRow
	for _, n := range ns {
		if r := readAnchor(t, n); r.hashTexts() != readHash(t, n) {
			rows = append(rows, r)
		}
	}
	for _, r := range rows { // FTS5 gathers what nothing else comes between
		t.Exec(`DELETE FROM anchors WHERE n = ?`, r.n)
	}
	for _, r := range rows {
		t.Exec(`DELETE FROM anchor_terms WHERE rowid = ?`, r.n)
	}
	words, forms := text.NewAnalyser(), text.NewCutter()
	sizes := make([]int, len(rows))
	for i, r := range rows {
		if len(r.texts) > 0 {
			var terms []string
			terms, sizes[i] = r.terms(words, forms)
			t.Exec(`INSERT INTO anchor_terms (rowid, terms) VALUES (?, ?)`, r.n, strings.Join(terms, " "))
		}
	}
	for i, r := range rows {
		if len(r.texts) > 0 {
			t.Exec(`INSERT INTO anchors (n, texts, size, made) VALUES (?, ?, ?, ?)`, r.n, strings.Join(r.lines(), "\n"), sizes[i], r.hashTexts())
		}
	}
}

// readHash returns the hash in a row, 0 without one.
func readHash(t *sqlite.Tx, n int64) (hash int64) {
	_, _ = t.Maybe(`SELECT made FROM anchors WHERE n = ?`, []any{n}, &hash)
	return hash
}

func (r anchorRow) hashTexts() int64 {
	if len(r.texts) == 0 {
		return 0
	}
	var all []string
	for _, x := range r.texts {
		all = append(all, x.line, strconv.Itoa(x.language))
	}
	return SumOf(all) | 1
}

func (r anchorRow) lines() (all []string) {
	for _, x := range r.texts {
		all = append(all, x.line)
	}
	return all
}

// terms returns the terms of a row, each once, and how many of them are words.
func (r anchorRow) terms(words *text.Analyser, forms *text.Cutter) (terms []string, size int) {
	seen := make(map[string]bool)
	take := func(term string) {
		if !seen[term] {
			seen[term], terms = true, append(terms, term)
		}
	}
	for _, x := range r.texts {
		words.EachTerm(x.line, take)
	}
	size = len(terms)
	for _, x := range r.texts {
		for _, form := range forms.Short(x.line, x.language) {
			take(form)
		}
	}
	return terms, size
}

// readAnchor returns what a memory is called now; nothing of one that is gone.
func readAnchor(t *sqlite.Tx, n int64) anchorRow {
	r := anchorRow{n: n}
	var path vault.Path
	var id vault.ID
	var title string
	if found, _ := t.Maybe(`SELECT f.path, coalesce(m.id, ''), m.title FROM memories m JOIN files f ON f.n = m.n WHERE m.n = ?`, []any{n}, &path, &id, &title); !found {
		return r
	}
	own := map[string]bool{squash(title): true, squash(string(id)): true, squash(string(path.Stem())): true, squash(path.Stem().Base()): true}
	aliases, _ := sqlite.All(t, `SELECT name, language FROM aliases WHERE n = ? ORDER BY name`, []any{n}, readLinkText)
	for _, x := range append(aliases, linkedBy(t, n, NamesOf(path, id, title))...) {
		if plain := squash(x.line); !own[plain] && len(r.texts) < mostTexts {
			own[plain] = true
			r.texts = append(r.texts, x)
		}
	}
	size := 0
	for i, x := range r.texts {
		if size += len(x.line) + 1; size > mostBytes {
			r.texts = r.texts[:i]
			break
		}
	}
	return r
}

func readLinkText(r *sqlite.Row) linkText { return linkText{r.Text(), r.Int()} }

// linkedBy returns the texts of the links that mean the memory n, which offers names, in order.
func linkedBy(t *sqlite.Tx, n int64, names []Name) (all []linkText) {
	keys := make([]int64, 0, len(names))
	for _, k := range names {
		keys = append(keys, k.Key)
	}
	keys, _ = sqlite.All(t, `SELECT value FROM json_each(?) WHERE EXISTS (SELECT 1 FROM links WHERE key = value AND text <> '')`, []any{sqlite.List(keys)}, (*sqlite.Row).Int64)
	for _, key := range keys {
		if findMeant(t, key, func(int64) bool { return true }) != n {
			continue
		}
		found, _ := sqlite.All(t, under, []any{key, n, mostLooks}, readLinkText)
		for _, x := range found {
			for line := range strings.SplitSeq(x.line, "\n") {
				all = append(all, linkText{line, x.language})
			}
		}
	}
	slices.SortFunc(all, func(a, b linkText) int { return cmp.Or(strings.Compare(a.line, b.line), a.language-b.language) })
	return all
}

// under selects the different texts of a key's links, but for those of the memory itself. It
// looks each up in the index, so thousands of links with the same text cost no more than one.
const under = `WITH RECURSIVE d(text) AS (
		SELECT min(text) FROM links WHERE key = ?1 AND text <> ''
		UNION ALL
		SELECT (SELECT min(l.text) FROM links l WHERE l.key = ?1 AND l.text <> '' AND l.text > d.text) FROM d WHERE d.text IS NOT NULL LIMIT ?3)
	SELECT d.text, (SELECT l.language FROM links l WHERE l.key = ?1 AND l.text <> '' AND l.text = d.text AND l.n <> ?2 ORDER BY l.language LIMIT 1) AS said
	FROM d WHERE d.text IS NOT NULL AND said IS NOT NULL`
