package prose

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/header"
)

// Relations is the heading below which a list says how a memory stands to others.
const Relations = "Relations"

// Verbs returns what stands before the links of a list under the heading [Relations], which may
// be in any case, by the targets of the links as [Links] has them: "depends on" of
// "- depends on [[Target]]". A target of several items has the verbs of all, each once.
func Verbs(prose string) map[header.Reference][]string {
	start, end, ok := relations(prose)
	if !ok {
		return nil
	}
	verbs := make(map[header.Reference][]string)
	for line := range strings.Lines(prose[start:end]) {
		item, isItem := listItem(line)
		verb, _, links := strings.Cut(item, "[")
		if verb = strings.Join(strings.Fields(verb), " "); !isItem || !links || verb == "" || len(verb) > maxVerb {
			continue
		}
		for _, l := range Links(item) {
			if !slices.Contains(verbs[l], verb) {
				verbs[l] = append(verbs[l], verb)
			}
		}
	}
	return verbs
}

// relations returns the range below the heading Relations.
func relations(prose string) (start, end int, ok bool) {
	if !mayHold(prose, Relations) {
		return 0, 0, false
	}
	for _, h := range headings(prose) {
		if strings.EqualFold(h.text, Relations) {
			return Section(prose, h.text)
		}
	}
	return 0, 0, false
}

// mayHold reports whether a text has a word of ASCII letters in any case, without a copy of it.
func mayHold(text, word string) bool {
	for rest := text; len(rest) >= len(word); {
		i := strings.IndexAny(rest, word[:1]+strings.ToLower(word[:1]))
		if i < 0 || len(rest)-i < len(word) {
			return false
		}
		if strings.EqualFold(rest[i:i+len(word)], word) {
			return true
		}
		rest = rest[i+1:]
	}
	return false
}

// maxVerb bounds a verb in bytes: what is longer is a sentence.
const maxVerb = 60

// listItem returns the text of a list's item that stands on one line.
func listItem(line string) (text string, ok bool) {
	for _, mark := range [...]string{"- ", "* ", "+ "} {
		if text, ok = strings.CutPrefix(strings.TrimLeft(line, " "), mark); ok {
			return strings.TrimSpace(text), true
		}
	}
	return "", false
}
