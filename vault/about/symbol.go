package about

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// mostLines is how many lines of a symbol are bound.
const mostLines = 400

// FindSymbol returns the lines of the symbol's definition, 1-based, both included, at most 400. "A.b" is b inside
// A; "A::b" is the same. A bare name is the outermost one of that name. The error says that there is no such
// definition, with the names that are near, or several, with their lines.
//
// No language is parsed. A table of patterns knows the lines that define something, and the block that begins there ends
// by its indentation: at the closing bracket or word that stands where the definition does, or before the next line
// that is indented no deeper. Decorators and comments above are outside.
func FindSymbol(file string, lines []string, symbol string) (from, to int, err error) {
	lang := languageOf(file, lines)
	if lang == nil {
		return 0, 0, vault.Errorf(vault.CodeInvalid, "bind its lines, as "+file+"#L10-L24", "the symbols of %s are not known: its language is none of those that are", file)
	}
	left := mostWork
	f := finder{lang, lines, &left}
	found := f.find(symbol)
	switch len(found) {
	case 0:
		return 0, 0, vault.Errorf(vault.CodeNotFound, f.nearHint(file, symbol), "'%s' is not defined in %s", symbol, file)
	case 1:
		b := found[0]
		return b.from + 1, min(b.to, b.from+mostLines), nil
	}
	var at []string
	for _, b := range found[:min(len(found), 20)] {
		at = append(at, fmt.Sprint(b.from+1))
	}
	if len(found) > len(at) {
		at = append(at, "…")
	}
	return 0, 0, vault.Errorf(vault.CodeAmbiguous, fmt.Sprintf("name what it is in, as A.%s, or bind its lines, as %s#L%s", lastName(symbol), file, at[0]),
		"'%s' is defined %d times in %s: lines %s", symbol, len(found), file, strings.Join(at, ", "))
}

// lastName returns b of A.b.
func lastName(symbol string) string { return symbol[strings.LastIndex(symbol, ".")+1:] }

// mostNames is how many names a symbol may have, each in the one before.
const mostNames = 8

// What a search may cost, so that a text which is made to take long does not: a microsecond for each line that holds a name, ten for
// one that is matched, one for each line of a block, and above one. Then what is left of the text defines nothing. openerLines is how far above
// a definition the line may stand that opens what it is in.
const (
	mostWork    = 300_000
	openerLines = 2000
)

// finder finds the symbols of one text.
type finder struct {
	lang  *language
	lines []string
	left  *int // of mostWork
}

// block is the lines [from, to) of a definition, 0-based.
type block struct {
	span
	at    int  // the line that names it
	bare  bool // it only declares: it has no body
	inner bool // it stands outside of what it belongs to
}

// find returns the definitions of a symbol. A heading may hold dots, so the whole is looked for first.
func (f finder) find(symbol string) []block {
	whole := span{0, len(f.lines)}
	if f.lang.words || !strings.Contains(strings.ReplaceAll(symbol, "::", "."), ".") {
		if found := f.findIn([]string{symbol}, whole, 0); len(found) > 0 {
			return found
		}
	}
	return f.findIn(strings.Split(strings.ReplaceAll(symbol, "::", "."), "."), whole, 0)
}

// findIn returns the definitions of names[0].names[1]… within some lines, whose own names are indented as said.
func (f finder) findIn(names []string, within span, indent int) []block {
	if slices.Contains(names, "") || len(names) > mostNames || !utf8.ValidString(names[0]) {
		return nil
	}
	if len(names) == 1 {
		return outermost(f.lines, f.findDefinitions(f.lang.named().defs, names[0], "", within, indent))
	}
	var found []block
	if len(names) == 2 {
		found = f.findDefinitions(f.lang.named().owned, names[1], names[0], within, indent)
	}
	for _, outer := range f.findDefinitions(f.lang.named().holders, names[0], "", within, indent) {
		inside := span{outer.at + 1, outer.to}
		found = append(found, f.findIn(names[1:], inside, f.indentIn(outer))...)
	}
	return distinct(found)
}

// distinct sorts the definitions, and drops those that only declare where there is a body.
func distinct(found []block) []block {
	slices.SortFunc(found, func(a, b block) int { return cmp.Compare(a.from, b.from) })
	found = slices.CompactFunc(found, func(a, b block) bool { return a.from == b.from })
	if slices.ContainsFunc(found, func(b block) bool { return !b.bare }) {
		found = slices.DeleteFunc(found, func(b block) bool { return b.bare })
	}
	return found
}

// outermost returns the definitions that are indented least; one that stands outside of what it belongs to is
// no further out than that.
func outermost(lines []string, found []block) []block {
	depth := func(b block) int {
		if b.inner {
			return 2*indentOf(lines[b.from]) + 1
		}
		return 2 * indentOf(lines[b.from])
	}
	found = distinct(found)
	least := 1 << 30
	for _, b := range found {
		least = min(least, depth(b))
	}
	return slices.DeleteFunc(found, func(b block) bool { return depth(b) > least })
}

// findDefinitions returns the definitions of a name by some patterns. owner is what it belongs to, for patterns that name it.
func (f finder) findDefinitions(patterns []matcher, name, owner string, within span, indent int) (found []block) {
	fence := fenceOf(f.lang)
	*f.left -= max(0, within.to-within.from) / 10
	for i := within.from; i < within.to && *f.left > 0; i++ {
		if fence(f.lines[i]) || !strings.Contains(f.lines[i], name) || len(f.lines[i]) > longestLine {
			continue
		}
		*f.left--
		line := markNames(f.lines[i], name, owner)
		if !strings.Contains(line, nameMark) {
			continue
		}
		*f.left -= 10
		if at := slices.IndexFunc(patterns, func(m matcher) bool { return f.isDefinition(m, line, i, indent) }); at >= 0 {
			b := f.definitionAt(patterns[at].pattern, i)
			found = append(found, b)
		}
	}
	return found
}

// longestLine is how long a line may be that defines something: longer ones are data or made by programs.
const longestLine = 1000

// isDefinition reports whether a pattern finds a definition in the line i. line is its text, with the marks of names.
func (f finder) isDefinition(m matcher, line string, i, indent int) bool {
	at := m.FindStringIndex(line)
	switch {
	case at == nil, m.outer && indentOf(line) != indent,
		m.inGroup != nil && !m.inGroup.MatchString(f.openerOf(i)),
		m.under != nil && (i+1 == len(f.lines) || !m.under.MatchString(f.lines[i+1])):
		return false
	}
	return !m.call || !statement().MatchString(line) && m.follows.MatchString(f.afterCall(line[at[1]-1:], i))
}

// definitionAt returns the block of the definition in the line i.
func (f finder) definitionAt(p pattern, i int) block {
	b := f.blockAt(p, i)
	b.at, b.inner = i, p.inner
	b.from = f.raise(p, b.from)
	return b
}

// statement is a line that begins with a word that no type is.
var statement = compileOnce(`^\s*(?:return|new|else|throw|delete|case|goto|await|yield|co_return|co_await|typeof|sizeof|in|of|not|and|or|if|for|while|switch|do|using|assert)\b`)

// afterCall returns what follows the bracket that closes the first one of a text, the end of line i, up to the next lines.
func (f finder) afterCall(text string, i int) string {
	depth := 0
	for last := min(len(f.lines), i+headerLines); ; text = f.lines[i] {
		for at := 0; at < len(text); {
			var ignored scanned
			if n := f.lang.skip(text[at:], true, &ignored); n > 0 {
				at += n
				continue
			}
			switch text[at] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if at++; depth == 0 {
				return f.joinLines(text[at:], i+1)
			}
		}
		if i++; i >= last {
			return ""
		}
	}
}

// joinLines returns the text with the lines from i behind it, four at the most, without comments.
func (f finder) joinLines(text string, i int) string {
	for end := min(len(f.lines), i+4); i < end; i++ {
		text = withoutComment(text, f.lang.comment) + " " + strings.TrimSpace(f.lines[i])
	}
	return strings.TrimSpace(text)
}

func withoutComment(text, mark string) string {
	text, _, _ = strings.Cut(text, mark)
	return text
}

// pays takes one line of what a search may cost, and reports whether there was one left.
func (f finder) pays() bool {
	*f.left--
	return *f.left > 0
}

// openerOf returns the nearest line above that is indented less.
func (f finder) openerOf(i int) string {
	for at := i - 1; at >= max(0, i-openerLines) && f.pays(); at-- {
		if line := f.lines[at]; line != "" && indentOf(line) < indentOf(f.lines[i]) {
			return line
		}
	}
	return ""
}

// raise returns where a definition begins whose name stands at the beginning of a line: the type may stand above.
func (f finder) raise(p pattern, i int) int {
	if !p.typeAbove || i == 0 || !typeLine().MatchString(f.lines[i-1]) {
		return i
	}
	return i - 1
}

// indentIn returns how deep the names are indented that stand directly in a block.
func (f finder) indentIn(b block) int {
	least, own := 1<<30, indentOf(f.lines[b.at])
	inner := f.lines[b.at+1 : max(b.at+1, b.to-1)]
	*f.left -= len(inner)
	for _, line := range inner {
		if at := indentOf(line); at > own && at < least && strings.TrimSpace(line) != "" && !notIndented().MatchString(line) {
			least = at
		}
	}
	return least
}

// nearHint returns what may have been meant.
func (f finder) nearHint(file, symbol string) string {
	names, at := f.allNames()
	var near []string
	for _, n := range filename.NearWords(lastName(symbol), names) {
		if len(near) < 5 {
			near = append(near, fmt.Sprintf("%s (line %d)", n, at[n]))
		}
	}
	if len(near) == 0 {
		return "bind its lines, as " + file + "#L10-L24"
	}
	return "did you mean " + strings.Join(near, ", ") + "?"
}

// nearLines is how many lines are searched for what may have been meant.
const nearLines = 2000

// allNames returns the names that are defined, each with its first line.
func (f finder) allNames() (names []string, at map[string]int) {
	at = make(map[string]int)
	fence := fenceOf(f.lang)
	*f.left = mostWork
	for i, line := range f.lines[:min(len(f.lines), nearLines)] {
		if fence(line) || len(line) > longestLine {
			continue
		}
		for _, m := range f.lang.anyOne() {
			name := m.nameIn(line)
			if name == "" || !f.isDefinition(m, line, i, 0) {
				continue
			}
			if at[name] == 0 {
				names, at[name] = append(names, name), i+1
			}
			break
		}
	}
	return names, at
}

// languageOf returns the language of a file by its name, or by the program that its first line names. It returns nil
// for another one.
func languageOf(file string, lines []string) *language {
	base := path.Base(file)
	kind := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	if kind == "" && len(lines) > 0 {
		if m := runner().FindStringSubmatch(lines[0]); m != nil {
			kind = runners[m[1]]
		}
	}
	for i := range languages {
		if files := strings.Fields(languages[i].files); slices.Contains(files, kind) || slices.Contains(files, base) {
			return &languages[i]
		}
	}
	return nil
}

// runner is a first line that names a program, and runners the extension that its files have.
var (
	runner  = compileOnce(`^#!.*\b(bash|sh|zsh|ksh|dash|bats|python|node|ruby|php)[\d.]*\b`)
	runners = map[string]string{"bash": "sh", "sh": "sh", "zsh": "sh", "ksh": "sh", "dash": "sh", "bats": "sh", "python": "py", "node": "js", "ruby": "rb", "php": "php"}
)
