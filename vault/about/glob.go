package about

import (
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"golang.org/x/text/unicode/norm"
)

// A glob is compiled to a regular expression of Go's, which takes a time of pattern × path
// whatever both hold. bmatcuk/doublestar matches the rest of a pattern anew for each
// alternative of each brace: 30 braces "{a,a}" take it 2^30 steps, and patterns come from
// memories that others have written.
//
// "*" and "?" stop at "/", "**" as a whole name is any number of folders, "[a-z]" and "[!a-z]" are one byte
// or letter but "/", and braces nest. %XX is that byte and nothing else.

// Covers reports whether the binding is about the file at this path: it is the file, lies in
// the folder, or the glob matches. The path is relative to the top of the same repository.
func (b Binding) Covers(file string) bool { return b.Matcher()(file) }

// Matcher returns Covers for many paths: a glob is compiled once.
func (b Binding) Matcher() func(file string) bool {
	switch {
	case b.IsFolder():
		return func(file string) bool { return strings.HasPrefix(norm.NFC.String(file), b.Path) }
	case !b.Glob:
		return func(file string) bool { return norm.NFC.String(file) == b.Path }
	}
	pattern, err := compileGlob(b.Path)
	if err != nil {
		return func(string) bool { return false }
	}
	return func(file string) bool { return pattern.MatchString(norm.NFC.String(file)) }
}

// Literal returns the folder that holds all that the binding can be about, without a final "/": for
// a glob the names before the first one with a pattern ("src/a" for src/a/**/*.go), for a
// folder the folder, for a file its folder. It is empty for the repository's top.
func (b Binding) Literal() string {
	whole := b.Path
	if b.Glob {
		whole = unescape(whole[:strings.IndexAny(whole, "*?[{")])
	}
	return strings.TrimPrefix(path.Dir("/"+whole+"x"), "/")
}

// Check refuses a binding that would be about every file, as "**" and "*" are.
func (b Binding) Check() error {
	if !b.Glob || !b.matchesAll() {
		return nil
	}
	return vault.Errorf(vault.CodeInvalid, "name the folder or the files that the memory is about", "'%s' would bind every file", b)
}

// matchesAll reports whether a glob is made of stars alone, or matches paths that have nothing in common.
func (b Binding) matchesAll() bool {
	if strings.Trim(b.Path, "*?/") == "" {
		return true
	}
	covers := b.Matcher()
	for _, file := range []string{"a", "Zq/9.go", ".h/-_/é b/x.y.z", "0/1/2/3/4/Makefile"} {
		if !covers(file) {
			return false
		}
	}
	return true
}

// longestGlob is how many bytes a glob may have.
const longestGlob = 1000

// checkGlob refuses a pattern that cannot be read.
func (b Binding) checkGlob() error {
	if len(b.Path) > longestGlob {
		return vault.Errorf(vault.CodeInvalid, "bind a folder, or several shorter patterns", "a pattern has at most %d bytes", longestGlob)
	}
	if _, err := compileGlob(b.Path); err != nil {
		return vault.Errorf(vault.CodeInvalid, "write a literal '[' as %5B and '{' as %7B", "the pattern '%s' cannot be read: a bracket or brace is left open", b.Path)
	}
	return nil
}

// compileGlob returns the expression of a glob. The error says that a bracket or brace is left open.
func compileGlob(glob string) (*regexp.Regexp, error) {
	g := globReader{rest: glob, start: true}
	for g.rest != "" {
		g.next()
	}
	if len(g.braces) > 0 || g.bad {
		return nil, &syntax.Error{Code: syntax.ErrMissingBracket, Expr: glob}
	}
	return regexp.Compile(`(?s)^(?:` + g.out.String() + `)$`)
}

// globReader turns a glob into an expression, token by token.
type globReader struct {
	rest   string
	out    strings.Builder
	braces []bool // the open ones: whether a name begins at each
	start  bool   // a name begins here
	bad    bool
}

// next turns the next token.
func (g *globReader) next() {
	start, in := g.start, len(g.braces)-1
	g.start = false
	switch {
	case start && g.take("**/"):
		g.out.WriteString(`(?:[^/]+/)*`)
		g.start = true
	case start && g.takeLastStars():
		g.out.WriteString(`.+`)
	case g.take("*"):
		g.rest = strings.TrimLeft(g.rest, "*")
		g.out.WriteString(`[^/]*`)
	case g.take("?"):
		g.out.WriteString(`[^/]`)
	case g.take("["):
		g.class()
	case g.take("{"):
		g.braces, g.start = append(g.braces, start), start
		g.out.WriteString(`(?:`)
	case in >= 0 && g.take(","):
		g.start = g.braces[in]
		g.out.WriteString(`|`)
	case in >= 0 && g.take("}"):
		g.braces = g.braces[:in]
		g.out.WriteString(`)`)
	default:
		r := g.letter()
		g.start = r == '/'
		g.out.WriteString(quote(r))
	}
}

// take takes a token if it comes next.
func (g *globReader) take(token string) (ok bool) {
	g.rest, ok = strings.CutPrefix(g.rest, token)
	return ok
}

// takeLastStars takes a "**" that is the whole of the last name.
func (g *globReader) takeLastStars() bool {
	rest, ok := strings.CutPrefix(g.rest, "**")
	if ok = ok && (rest == "" || len(g.braces) > 0 && strings.IndexByte(",}", rest[0]) >= 0); ok {
		g.rest = rest
	}
	return ok
}

// letter takes the next letter, or byte that is escaped. A byte that is not UTF-8 is U+FFFD, as
// it is in the path that is matched.
func (g *globReader) letter() rune {
	if c, ok := escapedByte(g.rest); ok {
		g.rest = g.rest[3:]
		if c >= utf8.RuneSelf {
			return utf8.RuneError
		}
		return rune(c)
	}
	r, n := utf8.DecodeRuneInString(g.rest)
	g.rest = g.rest[n:]
	return r
}

func quote(r rune) string { return fmt.Sprintf(`\x{%x}`, r) }

// class turns [a-z] or [!a-z]; "]" may be the first of it. Neither holds "/".
func (g *globReader) class() {
	if g.take("!") || g.take("^") {
		g.out.WriteString(`[^/`)
	} else {
		g.out.WriteString(`[`)
	}
	for first := true; first || !g.take("]"); first = false {
		if g.rest == "" {
			g.bad = true
			return
		}
		g.classRange()
	}
	g.out.WriteString(`]`)
}

// classRange turns "a" or "a-z" in a class.
func (g *globReader) classRange() {
	low := g.letter()
	high := low
	if len(g.rest) > 1 && g.rest[0] == '-' && g.rest[1] != ']' {
		g.rest = g.rest[1:]
		high = g.letter()
	}
	g.bad = g.bad || low > high || low == '/' || high == '/'
	if low < '/' && '/' < high {
		g.out.WriteString(quote(low) + `-` + quote('/'-1))
		low = '/' + 1
	}
	g.out.WriteString(quote(low) + `-` + quote(high))
}
