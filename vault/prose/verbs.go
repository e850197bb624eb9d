package prose

import (
	"strings"

	"github.com/cp-memory/cp/vault/field"
)

// Relations is the heading below which a list says how a memory stands to others.
const Relations = "Relations"

// Verbs returns what stands before the links of a list under the heading [Relations], by the
// targets of the links as [Links] has them: "depends on" of "- depends on [[Target]]".
func Verbs(prose string) map[field.Reference]string {
	if !strings.Contains(prose, Relations) {
		return nil
	}
	start, end, ok := Section(prose, Relations)
	if !ok {
		return nil
	}
	verbs := make(map[field.Reference]string)
	for line := range strings.Lines(prose[start:end]) {
		item, isItem := listItem(line)
		verb, _, links := strings.Cut(item, "[")
		if verb = strings.Join(strings.Fields(verb), " "); !isItem || !links || verb == "" || len(verb) > maxVerb {
			continue
		}
		for _, l := range Links(item) {
			if verbs[l] == "" {
				verbs[l] = verb
			}
		}
	}
	return verbs
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
