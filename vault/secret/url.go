package secret

import "bytes"

// login is a name and a password in a URL. Poor passwords count too, since they open
// doors; only a placeholder does not.
type login struct{}

// maxLogin bounds how far behind its :// a login reaches, in bytes.
const maxLogin = 512

func (login) try(text []byte, i int) (Finding, bool) {
	start := i + len("://")
	if !bytes.HasPrefix(text[i:], []byte("://")) {
		return Finding{}, false
	}
	url := text[start:min(len(text), start+maxLogin)]
	if end := bytes.IndexAny(url, " \t\r\n\"'`<>\\|"); end >= 0 {
		url = url[:end]
	}
	user, password, host, ok := splitLogin(url)
	if !ok || bytes.EqualFold(user, password) || isPlaceholder(password) || loopback(host) || bytes.HasPrefix(host, []byte("sha")) { // an image's digest
		return Finding{}, false
	}
	return Finding{Rule: "a password in a URL", Start: i, End: start + len(url) - len(host)}, true
}

// splitLogin takes user:password@host apart. A password may hold @ and :. An unescaped
// one may hold /, ? and # too; the text before them is no port then.
func splitLogin(url []byte) (user, password, host []byte, ok bool) {
	authority := url
	if end := bytes.IndexAny(url, "/?#"); end >= 0 {
		authority = url[:end]
	}
	if bytes.IndexByte(authority, '@') < 0 {
		_, port, found := bytes.Cut(authority, []byte(":"))
		if !found || len(bytes.Trim(port, "0123456789")) == 0 || variable().Match(port) || wordsOnly(bytes.ToLower(port)) {
			return nil, nil, nil, false
		}
		authority = url
	}
	at := bytes.LastIndexByte(authority, '@')
	user, password, ok = bytes.Cut(authority[:max(at, 0)], []byte(":"))
	return user, password, url[at+1:], ok
}

// loopback reports whether a URL's host is this machine.
func loopback(host []byte) bool {
	return local().Match(host)
}

var local = form(`\A(?i:(?:[\w.-]*\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\])(?:[:/?#,)\]}]|\.?\z)`)

// shortest is the least length of a password in a URL: y, pw and xxx are placeholders.
const shortest = 4

// isPlaceholder reports whether b is a placeholder for a password: a variable, a form's field, or
// nothing but words that say so.
func isPlaceholder(b []byte) bool {
	if len(b) < shortest || variable().Match(b) || bytes.Contains(b, []byte("...")) || bytes.Contains(b, []byte("…")) {
		return true
	}
	if len(bytes.TrimLeft(bytes.ToLower(b), string(bytes.ToLower(b[:1])))) == 0 {
		return true // xxxx, ****
	}
	letters := bytes.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == '[' || r == ']' || r == '(' || r == ')' {
			return -1
		}
		return r
	}, bytes.ToLower(b))
	return len(letters) <= 40 && wordsOnly(letters)
}

var variable = form(`\A(?:\$[{(].*|\$[A-Za-z_]\w*|\{.*\}|%[a-z]|%\w+%|%\(\w+\)s|%(?:3C|7B|24%7B|5B).*)\z`)

// wordsOnly reports whether b consists of placeholder words.
func wordsOnly(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	for _, w := range standWords {
		if rest, ok := bytes.CutPrefix(b, []byte(w)); ok && wordsOnly(rest) {
			return true
		}
	}
	return false
}

var standWords = [...]string{
	"password", "passwort", "passwd", "passphrase", "pass", "pwd", "psw", "pw", "secret", "token", "apikey", "key", "api", "auth", "access",
	"change", "me", "this", "your", "my", "the", "some", "user", "name", "db", "database", "host", "port",
	"example", "sample", "dummy", "fake", "foo", "bar", "baz", "placeholder", "redacted", "removed", "hidden", "masked", "here",
	"value", "string", "test", "insert", "replace", "with", "todo", "none", "null", "empty", "xxx",
}
