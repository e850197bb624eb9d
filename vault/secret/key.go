package secret

import "bytes"

// key is a private key. The line that every tool writes above a key gives it away. A line
// of base64 below it is enough: its characters are not judged, since the first line of
// an OpenSSH key without a passphrase is mostly zeros.
type key struct {
	literal string
	line    pattern // what follows the literal
}

var keys = []key{
	{"-----BEGIN ", form(`\A(?:[A-Za-z0-9_-]+ ){0,4}(?:(?:PRIVATE|SECRET) KEY(?: BLOCK)?|Static key V\d|tls-crypt-v2 (?:client|server) key)-----`)},
	{"---- BEGIN ", form(`\A(?:[A-Z0-9_-]+ ){0,4}PRIVATE KEY ----`)},
	{"PuTTY-User-Key-File-", form(`\A\d: [^\n\\]*`)},
	{"untrusted comment: ", form(`\A[^\n\\]*secret key`)}, // minisign, signify
}

func (k key) try(text []byte, i int) (Finding, bool) {
	if !bytes.HasPrefix(text[i:], []byte(k.literal)) {
		return Finding{}, false
	}
	after := i + len(k.literal)
	m := k.line().FindIndex(text[after:min(len(text), after+256)])
	if m == nil {
		return Finding{}, false
	}
	end, ok := keyEnds(text, after+m[1])
	return Finding{Rule: "a private key", Start: i, End: end}, ok
}

const (
	keyBody = 40       // characters of base64 that no prose has
	maxKey  = 64 << 10 // how far a key's text is followed
	maxLine = 512      // and a line of it at a time
)

var (
	// lineEnd ends a line of a key, as it is or as JSON, code or a table has it.
	lineEnd = form(`\A(?:\n|(?:\\+r)?\\+n|<br ?/?>)`)
	// keyLine is a line of a key: nothing but base64, or much of it, between what
	// quotes, indents or numbers the line.
	keyLine = form(`\A[^A-Za-z]*?(?:([A-Za-z0-9+/=]{40,})|([A-Za-z0-9+/=]+)[^A-Za-z0-9+/=]*(?:\z|-----END))`)
	// keyHeader is a header of a key, such as Proc-Type or Comment, or an empty line.
	keyHeader = form(`\A[^A-Za-z0-9]*(?:[A-Za-z][A-Za-z0-9-]*: .*)?\z`)
)

// keyEnds returns where the text of the key that begins at start ends, and whether there
// is one. Only headers may stand before it.
func keyEnds(text []byte, start int) (end int, ok bool) {
	size, goesOn := 0, true
	limit := min(len(text), start+maxKey)
	for at := start; at < limit && goesOn; {
		line, after := cutLine(text[at:min(limit, at+maxLine)])
		next := at + len(line) + after
		var n, last int
		n, last, goesOn = keyText(line)
		if n > 0 {
			size, end = size+n, at+last
		}
		at = next
	}
	return end, size >= keyBody
}

// cutLine returns the first line of b, and the length of its end.
func cutLine(b []byte) (line []byte, after int) {
	for i := 0; i < len(b); i++ {
		n := bytes.IndexAny(b[i:], "\n\\<")
		if n < 0 {
			break
		}
		i += n
		if m := lineEnd().FindIndex(b[i:]); m != nil {
			return b[:i], m[1]
		}
	}
	return b, 0
}

// keyText returns how much of a key's text is in a line, where that ends, and whether the
// key may go on below. One line holds the whole key if its line ends became spaces.
func keyText(line []byte) (size, end int, goesOn bool) {
	for {
		m := keyLine().FindSubmatchIndex(line[end:])
		if m == nil {
			return size, end, keyHeader().Match(line[end:])
		}
		from, to := max(m[2], m[4]), max(m[3], m[5]) // one of the two is -1
		size, end = size+to-from, end+to
	}
}
