package files

import "strings"

// match is git's wildmatch. With paths a star stops at a slash, two stars between slashes
// do not; without, a star takes everything. With fold letters of ASCII are the same in
// both cases.
func match(pattern, name string, paths, fold bool) bool {
	return wild{paths, fold, pattern}.match(0, name) == yes
}

// wild is a pattern that is compared.
type wild struct {
	paths, fold bool
	pattern     string
}

// The outcomes of a comparison. After none no more of the name need be tried for an earlier
// star, after noneBelow not before the next slash.
const (
	yes = iota
	no
	none
	noneBelow
)

func (w wild) at(i int) byte {
	if i < len(w.pattern) {
		return w.pattern[i]
	}
	return 0
}

func (w wild) foldByte(c byte) byte {
	if w.fold && c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// match compares the pattern from p on with the text.
func (w wild) match(p int, text string) int {
	for ; p < len(w.pattern); p++ {
		c := w.pattern[p]
		if text == "" && c != '*' {
			return none
		}
		switch c {
		case '*':
			return w.star(p, text)
		case '?':
			if w.paths && text[0] == '/' {
				return no
			}
		case '[':
			end, in := w.class(p+1, text[0])
			if end < 0 {
				return none
			}
			if !in || w.paths && text[0] == '/' {
				return no
			}
			p = end
		case '\\':
			p++
			if p == len(w.pattern) || w.pattern[p] != w.foldByte(text[0]) {
				return no
			}
		default:
			if w.foldByte(c) != w.foldByte(text[0]) {
				return no
			}
		}
		text = text[1:]
	}
	if text != "" {
		return no
	}
	return yes
}

// star compares from the star at p on.
func (w wild) star(p int, text string) int {
	begin, slashes := p, true // whether the star takes slashes
	for w.at(p) == '*' {
		p++
	}
	two := p-begin > 1
	switch {
	case !w.paths:
	case two && (begin == 0 || w.pattern[begin-1] == '/') && (p == len(w.pattern) || w.at(p) == '/' || w.at(p) == '\\' && w.at(p+1) == '/'):
		// "**/" also fits no folder at all.
		if w.at(p) == '/' && w.match(p+1, text) == yes {
			return yes
		}
	default:
		slashes = false
	}
	if p == len(w.pattern) {
		if !slashes && strings.Contains(text, "/") {
			return noneBelow
		}
		return yes
	}
	if !slashes && w.at(p) == '/' {
		i := strings.IndexByte(text, '/')
		if i < 0 {
			return none
		}
		return w.match(p+1, text[i+1:])
	}
	for ; text != ""; text = text[1:] {
		switch got := w.match(p, text); {
		case got != no && (!slashes || got != noneBelow):
			return got
		case !slashes && text[0] == '/':
			return noneBelow
		}
	}
	return none
}

// class compares c with the class that begins at p, behind its bracket. It returns the
// place of the closing bracket, or -1 where there is none.
func (w wild) class(p int, c byte) (end int, in bool) {
	not := w.at(p) == '!' || w.at(p) == '^'
	if not {
		p++
	}
	c = w.foldByte(c)
	var last byte // where a range may begin
	for first := true; first || w.at(p) != ']'; first = false {
		at := w.at(p)
		switch {
		case p >= len(w.pattern):
			return -1, false
		case at == '-' && last != 0 && p+1 < len(w.pattern) && w.at(p+1) != ']':
			p++
			high := w.at(p)
			if high == '\\' {
				p++
				if high = w.at(p); p >= len(w.pattern) {
					return -1, false
				}
			}
			in = in || c >= last && c <= high || w.fold && c >= 'a' && c <= 'z' && c-32 >= last && c-32 <= high
			last = 0
			p++
			continue
		case at == '[' && w.at(p+1) == ':':
			length := strings.IndexByte(w.pattern[p+2:], ']')
			if length < 0 {
				return -1, false
			}
			if name := w.pattern[p+2 : p+2+length]; strings.HasSuffix(name, ":") {
				belongs, known := w.matchClass(name[:len(name)-1], c)
				if !known {
					return -1, false
				}
				in, last = in || belongs, 0
				p += 2 + length + 1
				continue
			}
		case at == '\\':
			p++
			if at = w.at(p); p >= len(w.pattern) {
				return -1, false
			}
		}
		in = in || at == c
		last = at
		p++
	}
	return p, in != not
}

// matchClass reports whether c belongs to the class of that name.
func (w wild) matchClass(name string, c byte) (in, known bool) {
	upper, lower, digit := c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9'
	graph := c > ' ' && c < 0x7f
	switch name {
	case "alnum":
		return upper || lower || digit, true
	case "alpha":
		return upper || lower, true
	case "blank":
		return c == ' ' || c == '\t', true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	case "digit":
		return digit, true
	case "graph":
		return graph, true
	case "lower":
		return lower, true
	case "print":
		return graph || c == ' ', true
	case "punct":
		return graph && !upper && !lower && !digit, true
	case "space":
		return c == ' ' || c >= '\t' && c <= '\r', true
	case "upper":
		return upper || w.fold && lower, true
	case "xdigit":
		return digit || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F', true
	}
	return false, false
}
