package tree

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// cut returns the beginning of text that costs at most budget tokens. It ends at a line, and
// where the first one is too long at a word.
func cut(text string, budget int) string {
	end, left := 0, budget
	for line := range strings.SplitAfterSeq(text, "\n") {
		if left -= vault.Tokens(line); left < 0 {
			if strings.TrimSpace(text[:end]) == "" {
				return text[:end] + cutLine(line, budget)
			}
			break
		}
		end += len(line)
	}
	return text[:end]
}

// longWord bounds the bytes of a line for each token that it may cost: few texts have more.
const longWord = 8

// cutLine returns the beginning of a line that costs at most budget tokens. It ends before a
// blank if there is one.
func cutLine(line string, budget int) string {
	end := sort.Search(min(len(line), budget*longWord), func(n int) bool { return vault.Tokens(line[:n+1]) > budget })
	if end == len(line) {
		return line
	}
	line = line[:runeStart(line, end)]
	if blank := strings.LastIndexByte(line, ' '); blank > 0 {
		line = line[:blank]
	}
	return line
}

// Snippet returns the line of prose on which most of the terms begin a word, on
// one line and at most width characters long. Terms are as the analyser leaves
// them, so a term matches a word that it is a prefix of. Without a match it is
// the first line that says something; a code fence or a rule never is.
func Snippet(prose string, terms []string, width int) string {
	best, score := "", -1
	for line := range strings.SplitSeq(prose, "\n") {
		line = strings.TrimSpace(line)
		if !isContentLine(line) {
			continue
		}
		if s := lineScore(line, terms); s > score {
			best, score = line, s
		}
		if len(terms) > 0 && score == len(terms) {
			break
		}
	}
	return window(strings.Join(strings.Fields(best), " "), terms, width)
}

// isContentLine reports whether a line is more than a code fence, a rule or blank.
func isContentLine(line string) bool {
	return !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") &&
		strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r) })
}

// lineScore counts the terms that occur in a line.
func lineScore(line string, terms []string) int {
	n, lower := 0, strings.ToLower(line)
	for _, term := range terms {
		if at := findTerm(lower, term); at >= 0 {
			n++
		}
	}
	return n
}

// findTerm returns where term begins a word in s, or, for scripts without spaces,
// where it occurs at all; -1 when nowhere.
func findTerm(s, term string) int {
	for from := 0; ; {
		at := strings.Index(s[from:], term)
		if at < 0 || term == "" {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		first, size := utf8.DecodeRuneInString(term)
		if at == 0 || first >= 0x0e00 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return at
		}
		from = at + size
	}
}

// window cuts line to width characters around the first term in it.
func window(line string, terms []string, width int) string {
	runes := []rune(line)
	if len(runes) <= width {
		return line
	}
	at := 0
	for _, term := range terms {
		if i := findTerm(strings.ToLower(line), term); i >= 0 && i <= len(line) {
			at = utf8.RuneCountInString(line[:runeStart(line, i)])
			break
		}
	}
	from := wordStart(runes, max(0, min(at-width/4, len(runes)-width)), at)
	out := string(runes[from:min(from+width, len(runes))])
	if from > 0 {
		out = "…" + out
	}
	if from+width < len(runes) {
		out += "…"
	}
	return out
}

// wordStart moves i forward to the beginning of a word, unless that would pass
// the place at which something is to be seen.
func wordStart(line []rune, i, at int) int {
	for j := i; j > 0 && j < at; j++ {
		if line[j-1] == ' ' {
			return j
		}
	}
	return i
}

// runeStart moves i back to the start of a rune: lower-casing may shift bytes.
func runeStart(s string, i int) int {
	for i = min(i, len(s)); i > 0 && i < len(s) && !utf8.RuneStart(s[i]); i-- {
	}
	return i
}
