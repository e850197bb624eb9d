package about

import (
	"regexp"
	"strings"
	"time"
)

// A stamp is one item of about_at:, five words with one space between them:
//
//	BINDING COMMIT BLOB TEXT TIME
//	src/auth.py#L10-L24 4aa8efb… 5d41402a… 9f86d081884c7d65 2026-11-26T15:30:00Z
//
// Spaces in the binding are written %20, which no binding holds by itself. COMMIT, BLOB and TEXT are "-" where there is none.

// Stamp says what a binding's code was when somebody last confirmed the memory.
type Stamp struct {
	Binding string    // as Binding.String writes it
	Commit  string    // HEAD of the code repository, in hex; empty for none
	Blob    string    // git's id of the work tree's text, in hex; empty for none
	Text    string    // SumLines of the bound lines; empty for none
	At      time.Time // to the second, UTC
}

var (
	objectID = compileOnce(`^[0-9a-f]{40}(?:[0-9a-f]{24})?$`)
	textSum  = compileOnce(`^[0-9a-f]{16}$`)
)

// ParseStamp reads one item of about_at:, and reports whether it is one. It takes one spelling of each:
// String returns the line.
func ParseStamp(line string) (Stamp, bool) {
	words := strings.Split(line, " ")
	if len(words) != 5 {
		return Stamp{}, false
	}
	s := Stamp{Binding: strings.ReplaceAll(words[0], "%20", " ")}
	at, err := time.Parse(time.RFC3339, words[4])
	if _, bad := Parse(s.Binding); bad != nil || err != nil {
		return Stamp{}, false
	}
	s.At = at.UTC()
	ok := setWord(&s.Commit, words[1], objectID()) && setWord(&s.Blob, words[2], objectID()) && setWord(&s.Text, words[3], textSum())
	return s, ok && s.String() == line
}

// setWord sets a word of a stamp, if it is "-" or of the form.
func setWord(to *string, word string, form *regexp.Regexp) bool {
	if word == "-" {
		return true
	}
	*to = word
	return form.MatchString(word)
}

// String returns the item as the file has it.
func (s Stamp) String() string {
	words := []string{strings.ReplaceAll(s.Binding, " ", "%20"), s.Commit, s.Blob, s.Text, s.At.UTC().Format(time.RFC3339)}
	for i, w := range words {
		if w == "" {
			words[i] = "-"
		}
	}
	return strings.Join(words, " ")
}

// StampsFor returns the stamps of each binding, by its text, in the order of the lines. What is no stamp is left out.
// A binding has two where two clones confirmed different lines.
func StampsFor(lines []string) map[string][]Stamp {
	all := make(map[string][]Stamp)
	for _, line := range lines {
		if s, ok := ParseStamp(line); ok {
			all[s.Binding] = append(all[s.Binding], s)
		}
	}
	return all
}
