package about

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// language is a family of languages with one syntax of definitions.
type language struct {
	files   string    // extensions without the dot, or names
	comment string    // begins a comment that ends with the line
	chars   bool      // '…' is one letter
	texts   bool      // strings of several lines are common, and hold what looks like definitions
	raw     bool      // a string in backquotes may have several lines
	lists   bool      // a signature may go on with a list of values, as that of a constructor in C++
	words   bool      // a name may hold spaces and dots: it is a heading
	defs    []pattern // what defines a name
	owned   []pattern // what defines a name, and says what it belongs to
	owners  []pattern // what holds definitions of a name that is defined elsewhere

	named  func() compiled
	anyOne func() []matcher
}

// pattern is what a line looks like that defines something. In its expression NAME is the name, and OWNER the name of what it
// belongs to; END is behind a name.
type pattern struct {
	re    string
	end   blockEnd
	outer bool   // only where the names stand that the text or the block defines, since it is what statements look like too
	group string // the nearest line above that is indented less
	below string // the line below
	// The pattern ends in the "(" behind a name, and after is what follows the ")": only this tells a definition from a call.
	call  bool
	after string

	inner     bool // what it defines stands outside of what it belongs to: a method of Go
	typeAbove bool // the line above belongs to it if it is a typeLine
}

// typeLine is a line above a name of C that is its type, or its template.
var typeLine = compileOnce(`^\s*template\s*<.*>\s*$|^[A-Za-z_][\w\s:<>,*&]*[\w>*&]\s*$`)

// matcher is a pattern that is compiled. It is matched with lines in which the name that is looked for, and that of what
// it belongs to, are replaced by marks: so it is compiled once, which takes longer than all else.
type matcher struct {
	pattern
	*regexp.Regexp
	inGroup, under, follows *regexp.Regexp // of group, below and after; nil without
}

// compiled are the patterns of a language.
type compiled struct {
	defs    []matcher // of NAME
	holders []matcher // of NAME, and what holds definitions that belong to it
	owned   []matcher // of OWNER.NAME
}

const (
	nameMark  = "qZnameZq"
	ownerMark = "qZownerZq"

	// A name is of letters, digits, "_", "$" and all beyond ASCII: the classes of Unicode make an expression ten times as dear.
	aName = `[A-Za-z_$\x{80}-\x{10FFFF}][\w$\x{80}-\x{10FFFF}]*`
)

// ready returns the language with its patterns to be compiled when they are first asked for.
func ready(l language) language {
	l.named = sync.OnceValue(func() compiled {
		return compiled{
			defs:    compilePatterns(l.defs, nameMark),
			holders: compilePatterns(append(slices.Clip(l.defs), l.owners...), nameMark),
			owned:   compilePatterns(l.owned, nameMark),
		}
	})
	l.anyOne = sync.OnceValue(func() []matcher { return compilePatterns(l.defs, aName) })
	return l
}

// compilePatterns returns the patterns for what a name looks like.
func compilePatterns(patterns []pattern, name string) []matcher {
	all := make([]matcher, len(patterns))
	words := strings.NewReplacer("NAME", "(?P<name>"+name+")", "OWNER", ownerMark, "END", `(?:[^\w$\x{80}-\x{10FFFF}]|$)`)
	for i, p := range patterns {
		all[i] = matcher{p, regexp.MustCompile(words.Replace(p.re)), compileIf(p.group), compileIf(p.below), compileIf(p.after)}
	}
	return all
}

// markNames returns the line with marks in the place of a name and of what it belongs to, which may be empty.
func markNames(line, name, owner string) string {
	if owner == name {
		line = strings.ReplaceAll(line, owner+"::"+name, ownerMark+"::"+nameMark)
	}
	line = replaceWord(line, name, nameMark)
	if owner == "" {
		return line
	}
	return replaceWord(line, owner, ownerMark)
}

// replaceWord replaces a word where it is not part of a longer one.
func replaceWord(line, word, by string) string {
	var b strings.Builder
	for {
		at := strings.Index(line, word)
		if at < 0 {
			b.WriteString(line)
			return b.String()
		}
		end := at + len(word)
		isPart := at > 0 && isWordByte(line[at-1]) && isWordByte(word[0]) || end < len(line) && isWordByte(line[end]) && isWordByte(word[len(word)-1])
		b.WriteString(line[:at])
		if isPart {
			b.WriteString(word)
		} else {
			b.WriteString(by)
		}
		line = line[end:]
		if isPart && line != "" { // what follows a part may not begin a word
			b.WriteByte(line[0])
			line = line[1:]
		}
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func compileIf(expr string) *regexp.Regexp {
	if expr == "" {
		return nil
	}
	return regexp.MustCompile(expr)
}

// compileOnce compiles an expression when it is first asked for: most runs of the program need none of them.
func compileOnce(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// nameIn returns the name that a line defines.
func (m matcher) nameIn(line string) string {
	found := m.FindStringSubmatch(line)
	if found == nil {
		return ""
	}
	return found[m.SubexpIndex("name")]
}
