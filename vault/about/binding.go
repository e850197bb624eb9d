package about

import (
	"path"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
	"golang.org/x/text/unicode/norm"
)

// Binding is one item under about:. Two bindings are the same if they are equal.
type Binding struct {
	Project string // the project whose code it is; empty for the vault's own code
	// Path is relative to the repository's top, NFC, with "/" between the names. A folder ends
	// in "/". The path of a glob stands as it is written, escapes included.
	Path     string
	Glob     bool
	From, To int    // the bound lines, 1-based, both included; 0 without
	Symbol   string // "Pool.acquire"; empty without
}

// longest is how many bytes a path may have, and a symbol.
const longest = 4096

const grammar = "a binding is [NAME:]PATH[#PART], as src/a.py, src/a.py#L10-L24, src/a.py#Pool.acquire, src/ or src/**/*.py"

// Parse reads a binding as a file says it. It takes one spelling of each: for every text that it takes,
// String returns that text.
func Parse(text string) (Binding, error) {
	b, err := parse(text)
	if err != nil {
		return Binding{}, err
	}
	if right := b.String(); right != text {
		return Binding{}, vault.Errorf(vault.CodeInvalid, "write it as '"+right+"'", "'%s' is not how a binding is written", text)
	}
	return b, nil
}

// parse reads a binding in any spelling.
func parse(text string) (Binding, error) {
	whole, part, hasPart := strings.Cut(text, "#")
	b := Binding{}
	if name, rest, ok := strings.Cut(whole, ":"); ok && isProject(name) {
		b.Project, whole = name, rest
	}
	b.Path, b.Glob = readPath(whole)
	if err := b.checkPath(text); err != nil {
		return Binding{}, err
	}
	if !hasPart {
		return b, nil
	}
	return b, b.readPart(text, part)
}

// isProject reports whether a text may be the NAME before a colon.
func isProject(name string) bool {
	return name != "" && name == unescape(name) && !strings.ContainsAny(name, "/*?[{ ") && escape(name, "") == name && norm.NFC.IsNormalString(name)
}

// readPath returns the path of a binding, and whether it is a glob.
func readPath(text string) (string, bool) {
	if !strings.ContainsAny(text, "*?[{") {
		return norm.NFC.String(unescape(text)), false
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c, ok := escapedByte(text[i:]); {
		case ok && isPunctuation(c):
			b.WriteString(escapeByte(c))
			i += 2
		case ok:
			b.WriteByte(c)
			i += 2
		case text[i] == '%':
			b.WriteString(escapeByte('%'))
		default:
			b.WriteByte(text[i])
		}
	}
	return escapeUnreadable(norm.NFC.String(b.String())), true
}

// isPunctuation reports whether a glob may escape the byte, to have it mean itself.
func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && c != '/' && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z')
}

// checkPath refuses what is no path within a repository.
func (b Binding) checkPath(text string) error {
	clean := path.Clean("/" + b.Path)[1:]
	if strings.HasSuffix(b.Path, "/") && !b.Glob {
		clean += "/"
	}
	switch {
	case b.Path == "" || b.Path == "/":
		return vault.Errorf(vault.CodeInvalid, grammar, "'%s' names no path", text)
	case len(b.Path) > longest:
		return vault.Errorf(vault.CodeInvalid, grammar, "a path has at most %d bytes", longest)
	case strings.Contains(unescape(b.Path), "\x00"):
		return vault.Errorf(vault.CodeInvalid, grammar, "'%s' holds a NUL byte", text)
	case clean != b.Path:
		return vault.Errorf(vault.CodeInvalid, "name it from the top of the code repository, without '.', '..' and a leading or double '/'",
			"'%s' is no path within the code repository", text)
	case b.Glob:
		return b.checkGlob()
	}
	return nil
}

var linesPart = compileOnce(`^L([0-9]+)(?:-L?([0-9]+))?$`)

// readPart reads what stands behind "#".
func (b *Binding) readPart(text, part string) error {
	if b.Glob || b.IsFolder() {
		return vault.Errorf(vault.CodeInvalid, "leave the '#' and what follows it out, or name one file", "'%s': only a file has lines and symbols", text)
	}
	if m := linesPart().FindStringSubmatch(part); m != nil {
		return b.setRange(text, m[1], m[2])
	}
	b.Symbol = norm.NFC.String(unescape(part))
	if b.Symbol == "" || len(b.Symbol) > longest || strings.Contains(b.Symbol, "\x00") {
		return vault.Errorf(vault.CodeInvalid, grammar, "'%s' names no symbol behind '#'", text)
	}
	return nil
}

// setRange sets the lines; last is empty for one line.
func (b *Binding) setRange(text, first, last string) error {
	if last == "" {
		last = first
	}
	from, err := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err != nil || err2 != nil || from < 1 || to < from || to > 1e9 {
		return vault.Errorf(vault.CodeInvalid, "lines are L10 or L10-L24, counted from 1", "'%s' names no lines", text)
	}
	b.From, b.To = from, to
	return nil
}

// String returns the binding as a file says it. It is the inverse of Parse.
func (b Binding) String() string {
	text := b.Path
	if !b.Glob {
		text = escape(text, pathBytes)
	}
	if b.Project != "" {
		text = b.Project + ":" + text
	}
	if part := b.Part(); part != "" {
		text += "#" + part
	}
	return text
}

// Part returns what stands behind "#": "L10", "L10-L24" or the symbol, escaped. It is empty without.
func (b Binding) Part() string {
	switch part := escape(b.Symbol, ""); {
	case b.HasRange() && b.From == b.To:
		return "L" + strconv.Itoa(b.From)
	case b.HasRange():
		return "L" + strconv.Itoa(b.From) + "-L" + strconv.Itoa(b.To)
	case linesPart().MatchString(part):
		return escapeByte('L') + part[1:]
	default:
		return part
	}
}

// IsFolder reports whether it binds a folder.
func (b Binding) IsFolder() bool { return !b.Glob && strings.HasSuffix(b.Path, "/") }

// IsWhole reports whether it binds a whole file.
func (b Binding) IsWhole() bool {
	return !b.Glob && !b.IsFolder() && !b.HasRange() && b.Symbol == ""
}

// HasRange reports whether it binds lines.
func (b Binding) HasRange() bool { return b.From > 0 }
