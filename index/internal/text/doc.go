// Package text turns text into the terms of the full-text index, and
// queries into the same terms.
//
// SQLite's own tokenizers see a run of Chinese, Japanese or Thai as one word
// and a camelCase name as another, so neither is found by its parts. Here:
//
//	Deployments           deploy                      English stem
//	Café, ＡＢＣ           cafe, abc                   NFKC, lower case, no accents on letters
//	parseHTTPRequest      pars http request parsehttprequest
//	OpenTelemetry         open telemetri opentelemetri  as of opentelemetry
//	snake_case, go-git    snake case snakecase; go git gogit
//	sqlite.go, 1.2.3      sqlite go sqlite.go; 1 2 3 1.2.3
//	C++, F#               c c++; f f#
//	移行計画               移 行 計 画 移行 行計 計画       a query asks for the pairs only
//	เชียงใหม่               every 2 and 3 letters of the run; a query asks for the threes
//	🚀                    🚀
//
// A term holds letters, marks, digits and '.', '+', '#'; never a space, a quote
// or NUL. So terms joined by spaces are what the index stores, and a quoted term
// is always a valid FTS5 string.
//
//	terms := text.NewAnalyser()
//	indexed := terms.Text("Deployments of go-git") // "deploy of go git gogit"
//	asked := terms.Query("deploying", 32)          // ["deploy"]
//
// # Tongue
//
// This part cuts the texts that are not English into the terms by which words are found
// in another form than the one that was asked for: stems, and sequences of three letters.
// Package analyse cuts all texts into words, and has English stems alone.
//
//	Die Bestellungen   #bestell +.be +bes +est +ste +tel +ell +llu +lun +ung +nge +gen +en.
//	миграции           #миграц  +.ми +миг …
//
// A stem begins with #, a sequence with +; the dot is the beginning or the end of a word.
// So they are never taken for the words of package analyse, which begin with a letter. Each
// stands once, however often the text has it.
//
// Vietnamese has its syllables with their accents, and their pairs:
//
//	thủ đô          #thủ #đô #thủ.đô
//
// The language is told of each passage by its own stop words, and by the script of each word:
// a note may be of several languages. English passages have no such terms, nor have scripts
// without spaces, of which package analyse takes all pairs and threes. What no stemmer knows
// (Hindi, Greek, Polish) has the sequences alone.
//
//	c := text.NewCutter()
//	terms := c.Text("Die Bestellungen", "…") // what the index stores of a memory
//	asked := c.Query("Bestellung")           // what a question looks for
package text
