package pointer

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// IsAlike reports whether two strings differ at most in what a program that formats Markdown
// changes in a paragraph: the signs of emphasis, escapes, entities, typographic quotes,
// dashes and dots, angle brackets around an address, and white space.
//
//	Alike("Use __init__  here", "Use **init** here") // true
//	Alike("snake_case", "snake case")                // false: inside of a word _ is a letter
func IsAlike(a, b string) bool { return a == b || stripSigns(a) == stripSigns(b) }

// address is an address in angle brackets.
var address = regexp.MustCompile(`<((?:https?://|mailto:)[^<>\s]*)>`)

// typographic are the signs that programs write for others.
var typographic = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'", "…", "...", "–", "--", "—", "--", `\`, "")

// stripSigns returns s without the signs that a formatter changes. A run of white space and signs
// of emphasis is one space.
func stripSigns(s string) string {
	s = typographic.Replace(html.UnescapeString(address.ReplaceAllString(s, "$1")))
	var out []rune
	all := []rune(s)
	for i, r := range all {
		inWord := i > 0 && i+1 < len(all) && isWord(all[i-1]) && isWord(all[i+1])
		switch {
		case r == '-' && i > 0 && all[i-1] == '-': // a dash is two or three of them
		case unicode.IsSpace(r), r == '*', r == '~', r == '_' && !inWord:
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
		default:
			out = append(out, r)
		}
	}
	return strings.TrimRight(string(out), " ")
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
