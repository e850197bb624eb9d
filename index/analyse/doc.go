// Package analyse turns text into the terms of the full-text index, and
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
//	terms := analyse.New()
//	indexed := terms.Text("Deployments of go-git") // "deploy of go git gogit"
//	asked := terms.Query("deploying", 32)          // ["deploy"]
package analyse
