package secret

import (
	"bytes"
	_ "embed" // for the rules
	"strconv"
	"strings"
)

// shape is a credential that its form alone gives away.
type shape struct {
	name    string
	literal string  // what it begins with
	rest    pattern // what follows the literal
	minimum float64 // bits per character that a true one has at least
	before  pattern // what stands before the literal, where that is not the beginning; or nil
}

//go:embed services.tsv
var services string

// shapes reads the rules, when a run first looks for secrets and not at its start.
func shapes() []shape {
	var all []shape
	for line := range strings.Lines(services) {
		if line[0] == '#' {
			continue
		}
		f := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "", "")
		s := shape{name: f[0], rest: form(`\A(?:` + f[2] + `)`)}
		s.minimum, _ = strconv.ParseFloat(f[3], 64)
		if f[4] != "" {
			s.before = form(`(` + f[4] + `)\z`)
		}
		for _, s.literal = range strings.Fields(f[1]) {
			all = append(all, s)
		}
	}
	return all
}

func (s shape) try(text []byte, i int) (Finding, bool) {
	start, after := i, i+len(s.literal)
	if !bytes.HasPrefix(text[i:], []byte(s.literal)) || s.before == nil && wordBefore(text, i) {
		return Finding{}, false
	}
	if s.before != nil {
		if start = s.begins(text, i); start < 0 {
			return Finding{}, false
		}
	}
	m := s.rest().FindIndex(text[after:min(len(text), after+maxToken)])
	if m == nil {
		return Finding{}, false
	}
	end := after + m[1]
	if end < len(text) && isAlnum(text[end]) || s.standIn(text[after:end]) {
		return Finding{}, false // longer than the service makes them, or none
	}
	f := Finding{Rule: s.name, Start: start, End: end}
	if s.before == nil {
		f.shown = len(s.literal)
	}
	return f, true
}

const (
	maxToken  = 8 << 10 // how far a rule looks, in bytes
	maxBefore = 64      // and how far back
)

// begins returns where the credential with the literal at i begins, or -1.
func (s shape) begins(text []byte, i int) int {
	from := max(0, i-maxBefore)
	m := s.before().FindIndex(text[from:i])
	if m == nil {
		return -1
	}
	return from + m[0]
}

// standIn reports whether the text has the form of a credential and is an example. Poor
// tokens (ghp_aaaa…, AKIA1234…) count as true ones: no service draws them, and a person
// who types one wants to see what happens.
func (s shape) standIn(body []byte) bool {
	return s.minimum > 0 && entropy(body) < s.minimum || blank(body)
}
