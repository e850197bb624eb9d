package secret

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// assigned is a random-looking value given to a word that names a secret.
type assigned struct {
	word string // lower case
	name string
	min  int // characters that a value has at least
}

// orderWords returns the words in the order in which they are tried at the place where
// each begins.
func orderWords() (all []assigned) {
	for _, w := range []struct {
		name  string
		min   int
		words string // separated by commas: one holds a space
	}{
		{"a password", 8, "password,passwd,passphrase,passwort,pwd,basic"},
		{"a secret", 16, "client_secret,clientsecret,secret"},
		{"a token", 20, "token,bearer"},
		{"an API key", 16, "api_key,api-key,apikey,api key"},
		{"an access key", 16, "access_key,accesskey,access key"},
		{"a private key", 16, "private_key,privatekey"},
		{"a key", 16, "auth_key,authkey,signing_key,encryption_key"},
	} {
		for word := range strings.SplitSeq(w.words, ",") {
			all = append(all, assigned{word, w.name, w.min})
		}
	}
	return all
}

// given matches the text between the word and the value, and the value. The identifier
// may go on (secret_access_key, TOKEN_V2), and the value may be quoted.
var given = form("\\A(?i:(?:s|_key|_access_key|_value|_v\\d|\\d)?)[\"'`*]{0,3}(?:(?:[ \\t]+string)?[ \\t]*(?::{1,3}=|[?.+]=|=>|==?|:)\\*{0,2}[ \\t]*|[\"'],[ \\t]*|>\\s*|[ \\t]+(?:is|was|lautet|ist)[ \\t]*:?[ \\t]+)(?:\"|'|`|\\\\\")?([^\\s\"'`|;\\\\]+)")

// nearby bounds the distance of a value from its word, in bytes.
const nearby = 24

// assigns reports whether given or header may match b. It is cheaper than they are.
func assigns(b []byte) bool {
	return bytes.ContainsAny(b, ":=") || bytes.IndexAny(b, " \"'>") == 0
}

// header matches the value after a scheme of HTTP's Authorization.
var header = form(`\A[ \t]+([A-Za-z0-9+/_.~=-]{16,})`)

func (w assigned) try(text []byte, i int) (Finding, bool) {
	after := i + len(w.word)
	if after >= len(text) || !bytes.EqualFold(text[i:after], []byte(w.word)) || middle(text, i) {
		return Finding{}, false
	}
	rest := text[after:min(len(text), after+256)]
	if !assigns(rest[:min(len(rest), nearby)]) {
		return Finding{}, false
	}
	follows := given
	if w.word == "bearer" || w.word == "basic" {
		follows = header
	}
	m := follows().FindSubmatchIndex(rest)
	if m == nil {
		return Finding{}, false
	}
	start, end := after+m[2], after+m[3]
	end = start + len(trimValue(text[start:end]))
	value := text[start:end]
	switch {
	case !plausible(value), w.word == "pwd" && i > 0 && (text[i-1] == '?' || text[i-1] == '&'): // a link to a meeting
		return Finding{}, false
	case w.word == "basic":
		value = afterColon(value)
	}
	if start+1 < len(text) {
		if f, ok := tryRulesAt(text, start); ok && f.Start == start {
			return f, true // it has a name of its own
		}
	}
	if !random(value, w.min) {
		return Finding{}, false
	}
	return Finding{Rule: w.name, Start: start, End: end}, true
}

// afterColon returns the password in the value of HTTP's Basic scheme, or nil.
func afterColon(value []byte) []byte {
	said, err := base64.StdEncoding.DecodeString(string(value))
	if err != nil {
		return nil
	}
	_, password, _ := bytes.Cut(bytes.TrimSpace(said), []byte(":"))
	return password
}

// middle reports whether the word at i is the tail of a longer one, as token in
// tokentoken: a letter of the same case precedes it. DB_PASSWORD and dbPassword hold the
// word as such.
func middle(text []byte, i int) bool {
	if i == 0 || !isLetter(text[i-1]) {
		return false
	}
	return kindOf(text[i-1]) == kindOf(text[i]) || kindOf(text[i-1]) == upper
}

// trimValue returns a value without the marks that end a sentence or a statement.
func trimValue(value []byte) []byte {
	for len(value) > 0 {
		switch value[len(value)-1] {
		case ',', ';', '.', ')', ']', '}', '*', ':':
			value = value[:len(value)-1]
			continue
		}
		break
	}
	return value
}

// computed matches values that a program works out or looks up: a variable, a call, a URL,
// a reference to a store of secrets, another assignment.
var computed = form(`\A(?:\$|%[A-Z]|&[a-z]|[<{\[(:]|eyJ[^.]*$|@[a-z]+$|https?:|file:|[a-z]+://|vault:|sm:|op:|env[:.(]|ENC\[|\.\.?/|[a-z_]+=)|\w\(|\$\{|\{\{|\]\(|process\.env|os\.environ|getenv|::|->|=>`)

func plausible(value []byte) bool { return !computed().Match(value) }
