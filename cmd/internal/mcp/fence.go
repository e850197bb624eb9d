package mcp

import (
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// The fence. What a memory says stands between two lines of ours:
//
//	<memory id="pf-aa4" path="deployment/rollback.md" author="agent-penfold" date="2026-02-07">
//	Rollback
//	when: Steps to revert a bad deploy
//	…
//	</memory>
//
// A text could hold such a line itself, and so end its fence before its end or begin another
// author's. So in all that is not ours the bracket of each look-alike becomes &lt;, however
// the look-alike is written: in capitals, with spaces, with characters that are not seen, or in
// the wide forms of Unicode. In a title or a phrase no other tag stays one, either
// ([prose.Harmless]); a text may be about tags, and keeps them.

// fenceWord is what both lines of the fence begin with, behind the bracket.
const fenceWord = "memory"

// label says whose text a fence holds.
type label struct {
	id, project, path, author, status, hash string
	date                                    time.Time
}

// openFence writes the first line of a fence.
func (t *text) openFence(l label) {
	t.WriteString("<" + fenceWord)
	for _, a := range [...][2]string{{"id", l.id}, {"project", l.project}, {"path", l.path}, {"author", l.author}, {"date", header.FormatDay(l.date)}, {"status", l.status}, {"hash", l.hash}} {
		if a[1] != "" {
			t.WriteString(" " + a[0] + `="` + attribute(a[1]) + `"`)
		}
	}
	t.WriteString(">\n")
}

// closeFence writes its last line.
func (t *text) closeFence() { t.WriteString("</" + fenceWord + ">\n") }

// block writes a text of many lines inside a fence.
func (t *text) block(body string) {
	if body = strings.Trim(prose.Visible(body), "\n"); body != "" {
		t.WriteString(inert(body) + "\n")
	}
}

// attribute returns a value that stays between its quotes.
func attribute(value string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(render.Line(vault.Clip(value, 200)))
}

// inert returns a text of somebody else in which nothing looks like a line of a fence.
func inert(text string) string {
	var b strings.Builder
	from := 0
	for at, r := range text {
		if !bracket(r) || !looksAlike(text[at+len(string(r)):]) {
			continue
		}
		b.WriteString(text[from:at] + "&lt;")
		from = at + len(string(r))
	}
	if from == 0 {
		return text
	}
	return b.String() + text[from:]
}

// harmless returns words around which no fence stands, or a line in one, such as a title:
// nothing in them looks like a line of a fence, nor like any other tag.
func harmless(text string) string { return prose.Harmless(inert(text)) }

// bracket reports whether r is, or is easily taken for, the bracket of a fence.
func bracket(r rune) bool {
	switch r {
	case '<', '＜', '﹤', '‹', '〈', '⟨', '❮', '˂', 'ᐸ':
		return true
	}
	return false
}

// alikeBytes bounds how far behind a bracket the word is looked for.
const alikeBytes = 160

// looksAlike reports whether what follows a bracket is the fence's word, maybe behind a slash.
func looksAlike(rest string) bool {
	if len(rest) > alikeBytes {
		rest = rest[:alikeBytes]
	}
	word := 0
	for _, r := range norm.NFKD.String(rest) {
		switch r = unicode.ToLower(lookalike(r)); {
		case word == len(fenceWord):
			return true
		case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cc, r):
		case word == 0 && (r == '/' || r == '\\' || r == '∕' || r == '⁄'):
		case r != rune(fenceWord[word]):
			return false
		default:
			word++
		}
	}
	return word == len(fenceWord)
}

// lookalike returns the Latin letter that a Cyrillic or Greek one looks like.
func lookalike(r rune) rune {
	switch r {
	case 'м', 'М', 'Μ':
		return 'm'
	case 'е', 'Е', 'Ε', 'ε':
		return 'e'
	case 'о', 'О', 'ο', 'Ο':
		return 'o'
	case 'г', 'г' + 0x20:
		return 'r'
	case 'у', 'У', 'Υ', 'γ':
		return 'y'
	}
	return r
}
