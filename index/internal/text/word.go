package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// emitWord emits the terms of a run of word characters: the stem of each part of a
// name, and the whole of it when it has several.
func (a *Analyser) emitWord(run string) {
	trimmed := strings.TrimRight(run, "_-.")
	if name := strings.TrimRight(trimmed, "+#"); len(name) != len(trimmed) {
		a.emitName(name)
		if isLanguage(trimmed[len(name):]) && !strings.ContainsAny(name, "_-.+#") {
			a.emit(clip(strings.ToLower(trimmed)))
		}
		return
	}
	a.emitName(trimmed)
}

// isLanguage reports whether what follows a name is the tail of C++ or C#.
func isLanguage(tail string) bool { return tail == "++" || tail == "#" }

func (a *Analyser) emitName(name string) {
	a.parts = splitName(a.parts[:0], name)
	several := len(a.parts) > 1
	if several {
		a.of = part
	}
	for _, p := range a.parts {
		a.emit(clip(a.stem(p)))
	}
	if several {
		a.of = whole
		a.emit(clip(a.joinName(name)))
		a.of = standsAlone
	}
}

// joinName writes a name of several parts as one term: without its dashes and
// underscores, which people leave out, and with its dots, which they do not. Without dots it has
// the stem of the word that people write for it: OpenTelemetry is opentelemetri.
func (a *Analyser) joinName(name string) string {
	if strings.IndexByte(name, '.') < 0 {
		return a.stem(strings.Join(a.parts, ""))
	}
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '+' || r == '#' {
			return -1
		}
		return r
	}, strings.ToLower(strings.TrimRight(name, ".")))
}

// splitName appends the lower-case parts of a name: cut at punctuation, where a
// small letter meets a capital, and before the last of several capitals that
// a small letter follows (HTTPRequest is http and request).
func splitName(parts []string, name string) []string {
	start := 0
	flush := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(name[start:end]))
		}
	}
	var before, last rune // the two characters before r
	lastAt := 0
	for i, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.' || r == '+' || r == '#':
			flush(i)
			start = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && unicode.IsLower(last):
			flush(i)
			start = i
		case unicode.IsLower(r) && unicode.IsUpper(last) && unicode.IsUpper(before):
			flush(lastAt)
			start = lastAt
		}
		before, last, lastAt = last, r, i
	}
	flush(len(name))
	return parts
}

// clip cuts a term to maxTerm bytes on a character.
func clip(term string) string {
	if len(term) <= maxTerm {
		return term
	}
	n := maxTerm
	for n > 0 && !utf8.RuneStart(term[n]) {
		n--
	}
	return term[:n]
}
