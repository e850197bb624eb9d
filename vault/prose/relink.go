package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// written is a destination in its parts: open + path + rest + close.
type written struct {
	open, path, rest, close string
}

// splitDestination parts a destination. The rest begins with the fragment or the query.
func splitDestination(raw string) written {
	switch {
	case strings.HasPrefix(raw, "[["):
		path := strings.TrimLeft(raw[2:], " \t")
		return written{raw[:len(raw)-len(path)], path, "", ""}
	case strings.HasPrefix(raw, "<"):
		at := 1 + pathEnd(raw[1:len(raw)-1])
		return written{"<", raw[1:at], raw[at : len(raw)-1], ">"}
	}
	at := pathEnd(raw)
	return written{"", raw[:at], raw[at:], ""}
}

// pathEnd returns where the fragment or query begins. The # of &#40; is neither.
func pathEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '#' && i > 0 && s[i-1] == '&', s[i] != '#' && s[i] != '?':
		default:
			return i
		}
	}
	return len(s)
}

// wiki reports whether it is that of a wikilink.
func (w written) wiki() bool { return strings.HasPrefix(w.open, "[[") }

// unescapedPath returns the path that is meant, unescaped.
func (w written) unescapedPath(p string) string {
	if w.wiki() {
		return p
	}
	return unescape(string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations([]byte(p))))))
}

// Relative returns the relative path to which a destination leads, unescaped, and whether
// it is a wikilink's, which leaves out .md. ok is false for one that is absolute, a URL, a
// mere fragment, or that no path in a vault can be. A wikilink is relative where it begins
// with ./ or ../.
func Relative(raw string) (target string, wiki, ok bool) {
	w := splitDestination(raw)
	target = w.unescapedPath(w.path)
	switch {
	case !isPath(target), strings.HasPrefix(target, "/"):
		return "", false, false
	case w.wiki():
		return target, true, strings.HasPrefix(target, "./") || strings.HasPrefix(target, "../")
	}
	scheme, _, colon := strings.Cut(target, ":")
	return target, false, !colon || strings.ContainsAny(scheme, "/.")
}

// Absolute returns the path from the vault's top to which a destination like /a/b.md or
// [[/a/b leads, without the slash, and whether it is a wikilink's.
func Absolute(raw string) (target string, wiki, ok bool) {
	w := splitDestination(raw)
	target, ok = strings.CutPrefix(w.unescapedPath(w.path), "/")
	return target, w.wiki(), ok && isPath(target) && !strings.HasPrefix(target, "/")
}

// WikilinkName returns the name by which a wikilink's destination leads to a memory: its id, its
// title, or its path or the end of that. ok is false for a path that is relative or begins
// with a slash.
func WikilinkName(raw string) (name string, ok bool) {
	w := splitDestination(raw)
	name = w.unescapedPath(w.path)
	relative := strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/")
	return name, w.wiki() && isPath(name) && !relative
}

// Call returns the wikilink's destination raw with another name, a path without .md, which
// is added where the present one has it. ok is false where the form has no way to write it.
func Call(raw, name string) (to string, ok bool) {
	w := splitDestination(raw)
	if is := w.unescapedPath(w.path); len(is) > 3 && strings.EqualFold(is[len(is)-3:], ".md") {
		name += is[len(is)-3:]
	}
	return w.open + name, w.fits(name)
}

func isPath(target string) bool {
	return target != "" && !strings.ContainsFunc(target, unicode.IsControl) && utf8.ValidString(target)
}

// WithoutBrackets returns a destination without the brackets of its form.
func WithoutBrackets(raw string) string {
	w := splitDestination(raw)
	return w.path + w.rest
}

// Lead returns the destination raw with another target, in the same form: brackets,
// escapes and what follows the path stay, and so do the names that both have. ok is false
// where the form has no way to write it.
func Lead(raw, target string) (to string, ok bool) {
	w := splitDestination(raw)
	target = w.like(target)
	for _, p := range [...]string{w.keeping(target), w.anew(target)} {
		to := w.open + p + w.rest + w.close
		if w.fits(p) && leads(to, target) {
			return to, true
		}
	}
	return "", false
}

// leads reports whether a destination leads to a target, relative or absolute.
func leads(raw, target string) bool {
	got, _, ok := Relative(raw)
	if from, absolute := strings.CutPrefix(target, "/"); absolute {
		got, _, ok = Absolute(raw)
		target = from
	}
	return ok && got == target
}

// like returns the target with the ./, the final slash and the missing .md of the present one.
func (w written) like(target string) string {
	was := w.unescapedPath(w.path)
	if w.wiki() && !markdown(was) && markdown(target) {
		target = target[:len(target)-3]
	}
	scheme, _, colon := strings.Cut(target, ":")
	dotted := strings.HasPrefix(was, "./") || w.wiki() || colon && !strings.ContainsAny(scheme, "/.")
	dotted = dotted && !strings.HasPrefix(target, "/")
	if dotted && target != ".." && !strings.HasPrefix(target, "../") {
		target = "./" + target
	}
	if strings.HasSuffix(was, "/") {
		target += "/"
	}
	return target
}

// fits reports whether the form takes the path as it is written.
func (w written) fits(p string) bool {
	switch {
	case w.wiki():
		return !strings.ContainsAny(p, "[]|#\n") && strings.TrimSpace(p) == p
	case w.open == "<":
		return !strings.ContainsAny(p, "<>\n")
	}
	return !strings.ContainsAny(p, " \t<") && hasBalancedParens(p)
}

// hasBalancedParens reports whether every parenthesis that is not escaped has its other one.
func hasBalancedParens(p string) bool {
	open := 0
	for i := 0; i < len(p) && open >= 0; i++ {
		switch p[i] {
		case '\\':
			i++
		case '(':
			open++
		case ')':
			open--
		}
	}
	return open == 0
}

// keeping writes the target with the names that the present one has as they are written there.
func (w written) keeping(target string) string {
	is := make(map[string]string)
	for name := range strings.SplitSeq(w.path, "/") {
		is[w.unescapedPath(name)] = name
	}
	names := strings.Split(target, "/")
	for i, name := range names {
		if raw, ok := is[name]; ok {
			names[i] = raw
		} else {
			names[i] = w.writeName(name)
		}
	}
	return strings.Join(names, "/")
}

// anew writes the target without a look at the present one's names.
func (w written) anew(target string) string {
	names := strings.Split(target, "/")
	for i, name := range names {
		names[i] = w.writeName(name)
	}
	return strings.Join(names, "/")
}

// writeName writes one name of a path.
func (w written) writeName(name string) string {
	if w.wiki() {
		return name
	}
	const hex = "0123456789ABCDEF"
	percent := strings.Contains(w.path, "%")
	var out strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if strings.IndexByte("%#?&\\<>()`[]", c) >= 0 || c == ' ' && (w.open == "" || percent) || c >= utf8.RuneSelf && percent {
			out.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}
