package transfer

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/header"
)

// Agents' rules for parts of a repository lie in a folder, a file each. The header of a file has
// the patterns of the files for which it counts:
//
//	.claude/rules/**/*.md                      paths: a list, or one text      Claude Code
//	.cursor/rules/**/*.mdc                     globs: texts between commas     Cursor
//	.github/instructions/**/*.instructions.md  applyTo: texts between commas   GitHub Copilot
//
// They become what the memory is about, see package about. One without patterns counts everywhere
// and is about no code, like one for "**". Cursor reads its header line by line: globs: **/*.ts
// is no YAML, and is quoted.

func (r *reader) claudeRules()  { r.rules("Claude Code rules", "paths", ".md") }
func (r *reader) cursorRules()  { r.rules("Cursor rules", "globs", ".mdc") }
func (r *reader) copilotRules() { r.rules("Copilot instructions", "applyTo", ".instructions.md") }

// everywhere is Copilot's file of what counts for the whole repository.
const everywhere = "copilot-instructions.md"

// rules reads files of rules, with their patterns under a key.
func (r *reader) rules(title, key, ext string) {
	var all []*note
	for _, n := range r.notes() {
		stem, ok := strings.CutSuffix(n.Rel, ext)
		if path.Base(n.Rel) == everywhere {
			stem, ok = n.stem(), true
		}
		if !ok {
			r.noteLeftOut(n.Rel, "it is none of the rules, whose names end in %s", ext)
			continue
		}
		n.place, n.patterns = stem, key
		all = append(all, n)
	}
	if len(all) == 0 {
		return
	}
	folder := r.top(title, "When you change code that a rule of this project may be about", "")
	for _, n := range all {
		n.place = r.freePlace(join(folder, n.place))
		n.quoteValues()
		r.bindRule(n)
		r.takeNote(n)
	}
}

// bindRule says in a rule's header which code it is about, and in its phrase.
func (r *reader) bindRule(n *note) {
	if n.header.Err() != nil {
		r.noteRule("%s: its header cannot be read, so its patterns bind nothing (%v)", n.Rel, n.header.Err())
		return
	}
	code, left := bindingsOf(n.header, n.patterns)
	if len(left) > 0 {
		r.noteRule("%s: %s", n.Rel, strings.Join(left, "; "))
	}
	if len(code) > 0 {
		n.steps = append(n.steps, vault.Step{Op: vault.OpAddToList, Key: "about", List: code})
	}
	if n.get("summary") == "" && n.get("description") == "" {
		n.steps = append(n.steps, vault.Step{Op: vault.OpSetKey, Key: "summary", Value: rulePhrase(code)})
	}
}

// maxRuleNotes bounds the notes of patterns that bind nothing.
const maxRuleNotes = 100

// noteRule notes what a rule says that binds nothing.
func (r *reader) noteRule(format string, args ...any) {
	switch {
	case len(r.Notes) < maxRuleNotes:
		r.note(format, args...)
	case len(r.Notes) == maxRuleNotes:
		r.note("and more of the kind, which are not listed")
	}
}

// rulePhrase says when one needs a rule that has no description.
func rulePhrase(code []string) string {
	const most = 3
	switch {
	case len(code) == 0:
		return "When you work in this project"
	case len(code) > most:
		code = append(slices.Clone(code[:most]), fmt.Sprintf("and %d more", len(code)-most))
	}
	return cleanLine(vault.Clip("When you change "+strings.Join(code, ", "), maxPhrase))
}

// bindingsOf returns the bindings of the patterns under a key, each once, and what is said of
// those that can be none.
func bindingsOf(h *header.Header, key string) (code, left []string) {
	beyond := 0
	for _, text := range patternsOf(h, key) {
		b, err := parsePattern(text)
		switch {
		case err != nil:
			left = append(left, err.Error())
		case slices.Contains(code, b):
		case len(code) == about.Most:
			beyond++
		default:
			code = append(code, b)
		}
	}
	if beyond > 0 {
		left = append(left, fmt.Sprintf("%s beyond %d bindings", vault.Plural(beyond, "pattern", "patterns"), about.Most))
	}
	return code, left
}

// extended are the patterns that our globs do not have: @(a|b), !(a), +(a).
var extended = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[@!+?*]\(`) })

// parsePattern returns the binding of a pattern.
func parsePattern(text string) (string, error) {
	said := vault.Clip(text, 80)
	switch {
	case strings.HasPrefix(text, "!"):
		return "", fmt.Errorf("'%s' excludes files, which no binding does", said)
	case extended().MatchString(text), strings.Contains(text, `\`):
		return "", fmt.Errorf("'%s' is a pattern of a kind that bindings do not have", said)
	}
	b, err := about.ParseTyped(strings.NewReplacer("%", "%25", "#", "%23", ":", "%3A").Replace(text), "")
	if err != nil {
		return "", err
	}
	return b.String(), nil
}

// patternsOf returns the patterns under a key: of a list, or of a text with commas between them.
func patternsOf(h *header.Header, key string) (all []string) {
	items := h.List(key)
	if text, one := h.Get(key); one {
		text, _, _ = strings.Cut(text, " #") // a remark, where that is no YAML
		text = strings.TrimSpace(text)
		if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") && strings.Count(text, "[") == strings.Count(text[1:], "[")+1 {
			text = text[1 : len(text)-1]
		}
		items = []string{text}
	}
	for _, item := range items {
		for _, text := range cutAtCommas(item) {
			if text = strings.Trim(strings.TrimSpace(text), `"'`); text != "" {
				all = append(all, text)
			}
		}
	}
	return all
}

// cutAtCommas cuts a text at its commas, but for those in braces.
func cutAtCommas(text string) (all []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				all = append(all, text[from:i])
				from = i + 1
			}
		}
	}
	return append(all, text[from:])
}

var headerRow = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z][\w-]*:[ \t]+|[ \t]*-[ \t]+)(.*?)([ \t]*\r?\n?)$`)
})

// quoteValues quotes the values of a header that YAML cannot read.
func (n *note) quoteValues() {
	text := n.header.Text()
	at := strings.Index(string(n.Text), text)
	if n.header.Err() == nil || text == "" || at < 0 {
		return
	}
	var out strings.Builder
	for row := range strings.Lines(text) {
		if m := headerRow().FindStringSubmatch(row); m != nil && m[2] != "" && !isYAML(m[1]+m[2]) {
			row = m[1] + header.Scalar(m[2]) + m[3]
		}
		out.WriteString(row)
	}
	n.Text = []byte(string(n.Text[:at]) + out.String() + string(n.Text[at+len(text):]))
	n.header, n.body = header.Split(n.Text)
}

// isYAML reports whether YAML can read a line of a header.
func isYAML(row string) bool {
	if strings.HasPrefix(strings.TrimLeft(row, " \t"), "-") {
		row = "k:\n" + row
	}
	h, _ := header.Split([]byte("---\n" + row + "\n---\n"))
	return h.Err() == nil
}
