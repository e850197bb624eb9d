package recall

import (
	"strings"

	"github.com/cp-memory/cp/vault"
)

// PassageTokens is the most tokens that a passage has, by the estimate of [vault.Tokens].
const PassageTokens = 256

// MostPassages is the most passages that a memory has: some 30,000 tokens.
const MostPassages = 128

// TextPassage is a part of a memory.
type TextPassage struct {
	Hash string // vault.TextHash of Text
	Text string // what a model reads
	Own  string // the part of the memory's prose alone
}

// PassagesOf returns the passages of a memory in order, at least one. whole is false if the memory
// has more than Most, so that its end is in none.
func PassagesOf(m *vault.Memory) (all []TextPassage, whole bool) {
	content := m.Content()
	body := m.Prose + m.Record.Text()
	if measure(content) <= PassageTokens {
		return []TextPassage{{Hash: m.ContentHash(), Text: content, Own: body}}, true
	}
	c := cutter{body: body, title: m.Title, lines: linesOf(body), head: shorten(m.Type+": "+m.Title) + "\n\n"}
	if c.document(); len(c.all) == 0 {
		c.addPassage("", nil)
	}
	return c.all, !c.full
}

// NthPassage returns what the n-th passage of a memory says, counted from 1, without the headings that
// it begins with, if it says more than these. It is empty if there is no such passage.
func NthPassage(m *vault.Memory, n int) string {
	all, _ := PassagesOf(m)
	if n < 1 || n > len(all) {
		return ""
	}
	own, below := all[n-1].Own, 0
	for _, l := range linesOf(own) {
		if l.level == 0 && !l.blank() {
			return own[below:]
		}
		below = l.start + len(l.text)
	}
	return own
}

// measure returns the tokens of a text. A long run of one sign is a token or two, and no
// model's window holds a megabyte of it.
func measure(text string) int { return max(vault.Tokens(text), len(text)/32) }

// prefix bounds the tokens of the title, and of the headings above a passage.
const prefix = 40

// shorten returns the beginning of a title or a line of headings.
func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for measure(text) > prefix {
		text = text[:middle(text)]
	}
	return text
}
