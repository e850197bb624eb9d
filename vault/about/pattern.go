package about

import (
	"regexp"
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
}

// pattern is what a line looks like that defines something. In its expression NAME is the name, and OWNER the name of what it belongs
// to; END is behind a name; MODS and TYPE are the words that the language has before it.
type pattern struct {
	re    string
	end   blockEnd
	outer bool   // only where the names stand that the text or the block defines, since it is what statements look like too
	group string // the nearest line above that is indented less
	below string // the line below
	// The pattern ends in the "(" behind a name, and after is what follows the ")": only this tells a definition from a call.
	call  bool
	after string

	maker     bool // it fits a constructor outside of its class, which is not what the bare name means
	typeAbove bool // the line above belongs to it if it is a typeLine
}

// typeLine is a line above a name of C that is its type, or its template.
var typeLine = compileOnce(`^\s*template\s*<.*>\s*$|^[A-Za-z_][\w\s:<>,*&]*[\w>*&]\s*$`)

// matcher is a pattern for one name.
type matcher struct {
	pattern
	name string
	*regexp.Regexp
	inGroup, above, follows *regexp.Regexp // of group, below and after; nil without
}

// A name is of letters, digits, "_", "$" and all beyond ASCII: the classes of Unicode make an expression ten times as dear.
const aName = `[A-Za-z_$\x{80}-\x{10FFFF}][\w$\x{80}-\x{10FFFF}]*`

// compilePatterns returns the patterns for a name, or for all of them if it is empty.
func compilePatterns(patterns []pattern, name, owner string) []matcher {
	bare := name
	name, owner = regexp.QuoteMeta(name), regexp.QuoteMeta(owner)
	if name == "" {
		name = aName
	}
	all := make([]matcher, len(patterns))
	for i, p := range patterns {
		re := strings.NewReplacer("NAME", "(?P<name>"+name+")", "OWNER", owner, "END", `(?:[^\w$\x{80}-\x{10FFFF}]|$)`).Replace(p.re)
		all[i] = matcher{p, bare, regexp.MustCompile(re), compileIf(p.group), compileIf(p.below), compileIf(p.after)}
	}
	return all
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
