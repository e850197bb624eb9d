package about

import (
	"strings"
)

// How a block ends is told by where its lines begin, as a formatter leaves them. Brackets are counted
// only in its first lines, until one is open at a line's end: the text of a body may hold anything.

// blockEnd is how the blocks of a kind of definition end.
type blockEnd int

const (
	byBracket  blockEnd = iota // at the closing bracket that stands where the definition does
	byIndent                   // before the next line that is indented no deeper
	byWord                     // at "end" where the definition stands
	byLine                     // with the line, or the last one that a backslash continues
	byHeading                  // before the next heading of the level or above
	byLastLine                 // it begins where the bracket was opened that the line closes
)

var (
	// what stands at the margin whatever it is in
	notIndented = compileOnce(`^\s*(?:#|[\w ]*:\s*$|[(){}\]]|/[/*]|\*)`)
	closes      = compileOnce(`^\s*[)}\]]`)
	endWord     = compileOnce(`^\s*end(?:[^\w?!:=]|$)`)
	oneLineEnd  = compileOnce(`(?:;|\s)\s*end\s*(?:#.*)?$|^\s*def\s+[^\s(]+\s*(?:\([^)]*\))?\s*=\s`)
	goesOn      = compileOnce(`^\s*(?:\{|where\b|throws\b|=>|->|[|&?:=.,>]|extends\b|implements\b|requires\b)`)
	// what may stand below a brace that closes one part of a value
	goesOnBehindBrace = compileOnce(`^\s*(?:[|&?:.]|=>)`)
	signature         = compileOnce(`^\s*(?:where|throws|extends|implements|requires)\b|^\s*(?::\s*\w|,)`)
	operator          = compileOnce(`^(?:[|&?:]\s+)*`) // what a closing bracket is indented by, beside its line
)

// headerLines is how many lines a definition may take before its body begins.
const headerLines = 80

// blockAt returns the block of the definition at line i.
func (f finder) blockAt(p pattern, i int) block {
	b := block{span: span{i, i + 1}}
	switch p.end {
	case byBracket:
		b.to, b.bare = f.bracketEnd(i)
	case byIndent:
		b.to = f.indentEnd(i)
	case byWord:
		b.to = f.wordEnd(i)
	case byLine:
		for b.to < len(f.lines) && f.pays() && strings.HasSuffix(f.lines[b.to-1], `\`) {
			b.to++
		}
	case byHeading:
		b.to = f.headingEnd(i)
	case byLastLine:
		b.from = f.bracketStart(i)
	}
	return b
}

// bracketEnd returns the end of a block in brackets, and whether it is a declaration without braces.
func (f finder) bracketEnd(start int) (end int, bare bool) {
	w := header{finder: f, start: start, i: start, text: f.lines[start], left: headerLines, indent: indentOf(f.lines[start]), signature: f.lang.lists}
	for w.i < len(f.lines) {
		s := f.lang.scan(w.text)
		w.depth, w.braced, w.left, w.last = max(0, w.depth+s.net), w.braced || s.braces, w.left-1, s.last
		switch {
		case s.open != "":
			w.i, w.text = f.closeString(w.i+1, s.open)
		case w.depth > 0 && strings.IndexByte("([{", s.last) >= 0 || w.left == 0:
			if w.skipBody() {
				return w.i, !w.braced
			}
		case w.depth == 0 && w.endsHere():
			return w.i + 1, !w.braced
		default:
			w.nextLine()
		}
	}
	return len(f.lines), !w.braced
}

// header reads the lines of a definition whose brackets are counted.
type header struct {
	finder
	start     int    // the first line of the definition
	i         int    // the line that is read
	text      string // what of it is still to be read
	left      int    // how many lines may be read
	depth     int    // of the open brackets
	last      byte   // the last byte of the line before
	braced    bool   // there was a brace
	signature bool   // the line belongs to a signature, whose body closes where the definition begins; else it is a value of its own
	indent    int    // where the closing bracket of what is open stands
}

// endsHere reports whether a definition ends with a line that leaves no bracket open.
func (w *header) endsHere() bool {
	switch w.last {
	case ';':
		return true
	case '}':
		return w.i+1 >= len(w.lines) || !goesOnBehindBrace().MatchString(w.lines[w.i+1])
	}
	return !w.isContinued(w.i+1, indentOf(w.lines[w.start]))
}

// nextLine goes to the next line.
func (w *header) nextLine() {
	before := strings.TrimSpace(withoutComment(w.text, w.lang.comment))
	if w.i++; w.i >= len(w.lines) {
		return
	}
	w.text = w.lines[w.i]
	if w.depth > 0 {
		return
	}
	isValue := strings.HasSuffix(before, "=") || strings.HasSuffix(before, "=>")
	w.signature = w.signature || strings.IndexByte(",:<", w.last) >= 0 || signature().MatchString(w.text)
	w.indent = indentOf(w.lines[w.start])
	if isValue || !w.signature {
		w.indent = indentOf(w.text) + len(operator().FindString(strings.TrimSpace(w.text)))
	}
}

// skipBody goes to the line that closes what is open, and reports whether the definition ends there; then i is behind it.
func (w *header) skipBody() bool {
	at := w.closingLine(w.i+1, w.indent)
	if at == len(w.lines) {
		w.i = w.bodyEnd(w.start, w.start+1)
		return true
	}
	w.i, w.depth, w.left, w.last = at, 0, headerLines, 0
	line := strings.TrimSpace(w.lines[at])
	w.text = strings.TrimLeft(line, " \t)]}")
	w.braced = w.braced || line[0] == '}'
	ends := strings.TrimRight(w.text, ";, ") == "" && !w.goesOnBehind(at, line)
	if ends || indentOf(w.lines[at]) < w.indent {
		w.i++
		return true
	}
	return false
}

// goesOnBehind reports whether a definition goes on in the line behind one that only closes brackets.
func (w *header) goesOnBehind(at int, line string) bool {
	if line == "}" {
		return at+1 < len(w.lines) && goesOnBehindBrace().MatchString(w.lines[at+1])
	}
	return !w.braced && w.text == "" && w.isContinued(at+1, indentOf(w.lines[w.start]))
}

// stringEnd returns the line on which the strings close that a line begins, itself if there is none.
func (f finder) stringEnd(i int) int {
	for text := f.lines[i]; ; {
		open := f.lang.scan(text).open
		if open == "" {
			return i
		}
		if i, text = f.closeString(i+1, open); i == len(f.lines) {
			return i
		}
	}
}

// closeString returns the line on which a string of several lines closes, and what stands behind it.
func (f finder) closeString(i int, quote string) (int, string) {
	for ; i < len(f.lines) && f.pays(); i++ {
		if _, rest, ok := strings.Cut(f.lines[i], quote); ok {
			return i, rest
		}
	}
	return len(f.lines), ""
}

// closingLine returns the next line that begins with a closing bracket and is indented no deeper.
func (f finder) closingLine(i, indent int) int {
	for ; i < len(f.lines) && f.pays(); i++ {
		line := f.lines[i]
		if closes().MatchString(line) && indentOf(line) <= indent {
			return i
		}
		if f.lang.raw && strings.Contains(line, "`") && !notIndented().MatchString(line) {
			i = f.stringEnd(i)
		}
	}
	return len(f.lines)
}

// isContinued reports whether a definition goes on with the line i, when no bracket is open.
func (f finder) isContinued(i, indent int) bool {
	if i >= len(f.lines) || strings.TrimSpace(f.lines[i]) == "" {
		return false
	}
	at := indentOf(f.lines[i])
	if f.lang.comment == "//" && f.lines[i][0] == '#' { // of the preprocessor
		return true
	}
	return at > indent || at == indent && goesOn().MatchString(f.lines[i])
}

// indentEnd returns the end of a block that is indented below a line which ends in a colon.
func (f finder) indentEnd(start int) int {
	depth := 0
	for i := start; i < min(len(f.lines), start+headerLines); i++ {
		s := f.lang.scan(f.lines[i])
		if depth += s.net; depth > 0 {
			continue
		}
		if s.last != ':' {
			return i + 1
		}
		return f.bodyEnd(start, i+1)
	}
	return f.bodyEnd(start, start+1)
}

// bodyEnd returns the end of the lines from i that are indented deeper than the definition at start.
func (f finder) bodyEnd(start, i int) int {
	end := i
	for ; i < len(f.lines) && f.pays(); i++ {
		line := strings.TrimSpace(f.lines[i])
		if line == "" || strings.HasPrefix(line, f.lang.comment) {
			continue
		}
		if indentOf(f.lines[i]) <= indentOf(f.lines[start]) && !closes().MatchString(line) {
			break
		}
		i = f.stringEnd(i)
		end = min(i+1, len(f.lines))
	}
	return end
}

// wordEnd returns the end of a block that "end" closes.
func (f finder) wordEnd(start int) int {
	if oneLineEnd().MatchString(f.lines[start]) {
		return start + 1
	}
	for i := start + 1; i < len(f.lines) && f.pays(); i++ {
		if endWord().MatchString(f.lines[i]) && indentOf(f.lines[i]) <= indentOf(f.lines[start]) {
			return i + 1
		}
	}
	return f.bodyEnd(start, start+1)
}

var (
	heading   = compileOnce(`^(#{1,6})(?:\s|$)`)
	underline = compileOnce(underlineRE)
)

// underlineRE is the line below a heading that has no "#".
const underlineRE = `^(?:=+|--+)\s*$`

// headingEnd returns the end of a section of Markdown, without the empty lines below it.
func (f finder) headingEnd(start int) int {
	fence, level, end := fenceOf(f.lang), f.headingLevel(start), start+1
	for i := start + 1; i < len(f.lines) && f.pays(); i++ {
		fenced := fence(f.lines[i])
		if l := f.headingLevel(i); l > 0 && l <= level && !fenced {
			break
		}
		if strings.TrimSpace(f.lines[i]) != "" {
			end = i + 1
		}
	}
	return end
}

// headingLevel returns 1 to 6 for a heading, else 0.
func (f finder) headingLevel(i int) int {
	if m := heading().FindStringSubmatch(f.lines[i]); m != nil {
		return len(m[1])
	}
	if i+1 == len(f.lines) || strings.TrimSpace(f.lines[i]) == "" || !underline().MatchString(f.lines[i+1]) {
		return 0
	}
	return 1 + strings.IndexByte("=-", f.lines[i+1][0])
}

// bracketStart returns where the statement begins whose closing bracket stands on a line.
func (f finder) bracketStart(i int) int {
	for at := i - 1; at >= 0 && f.pays(); at-- {
		if line := f.lines[at]; line != "" && indentOf(line) <= indentOf(f.lines[i]) && !closes().MatchString(line) && line[0] != '#' {
			if strings.TrimSpace(line) == "{" && at > 0 {
				continue
			}
			return at
		}
	}
	return i
}

// fenceOf returns a function that is to be called for each line of a text, and reports whether the line is in a fenced block of
// Markdown, or in a string of several lines in a language where these hold much text. Nothing is defined there.
func fenceOf(l *language) func(line string) bool {
	switch {
	case l.words:
		return fenceOfMarkdown()
	case l.texts:
		return stringOf(l)
	}
	return func(string) bool { return false }
}

func fenceOfMarkdown() func(line string) bool {
	open := ""
	return func(line string) bool {
		mark := strings.TrimSpace(fenceMark().FindString(line))
		switch {
		case open == "":
			open = mark
			return mark != ""
		case strings.HasPrefix(mark, open) && strings.TrimSpace(line) == mark:
			open = ""
		}
		return true
	}
}

func stringOf(l *language) func(line string) bool {
	open := ""
	return func(line string) bool {
		within := open != ""
		if within {
			_, rest, ok := strings.Cut(line, open)
			if !ok {
				return true
			}
			line = rest
		}
		open = l.scan(line).open
		return within
	}
}

var fenceMark = compileOnce("^ {0,3}(?:```+|~~~+)")
