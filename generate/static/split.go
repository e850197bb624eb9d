package static

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a text that tokens do not reach across.
type piece struct {
	text  string
	first bool // it stands at the text's beginning
}

// splitter splits pieces further.
type splitter func([]piece) []piece

// each makes a splitter of a function for one piece.
func each(split func(p piece, out []piece) []piece) splitter {
	return func(in []piece) []piece {
		var out []piece
		for _, p := range in {
			out = split(p, out)
		}
		return out
	}
}

// readSplitter builds what the pre_tokenizer of a tokenizer.json says.
func readSplitter(p *part) (splitter, error) {
	if p == nil {
		return func(in []piece) []piece { return in }, nil
	}
	switch p.Type {
	case "BertPreTokenizer":
		return each(func(p piece, out []piece) []piece { return cut(p, unicode.IsSpace, punctuation, out) }), nil
	case "WhitespaceSplit":
		return each(func(p piece, out []piece) []piece { return cut(p, unicode.IsSpace, never, out) }), nil
	case "Punctuation":
		return each(func(p piece, out []piece) []piece { return cut(p, never, punctuation, out) }), nil
	case "Whitespace":
		return each(byExpression(regexp.MustCompile(`[\p{L}\p{M}\p{N}\p{Pc}]+|[^\p{L}\p{M}\p{N}\p{Pc}\s]+`), "Removed", true)), nil
	case "Digits":
		return readDigits(p.raw)
	case "Metaspace":
		return readMetaspace(p.raw)
	case "Split":
		return readSplit(p.raw)
	case "Sequence":
		return readSplitters(p.raw)
	}
	return nil, fmt.Errorf("its pre_tokenizer is %s, which this reader does not know", named(p.Type))
}

func readSplitters(b []byte) (splitter, error) {
	var o struct{ Pretokenizers []*part }
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, err
	}
	var all []splitter
	for _, p := range o.Pretokenizers {
		s, err := readSplitter(p)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return func(in []piece) []piece {
		for _, s := range all {
			in = s(in)
		}
		return in
	}, nil
}

func never(rune) bool { return false }

// punctuation is what BERT takes for it: Unicode's, and every ASCII sign.
func punctuation(r rune) bool {
	return unicode.IsPunct(r) || r > 32 && r < 127 && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// cut drops the characters that drop picks, makes each that alone picks a piece
// of its own, and keeps the others together.
func cut(p piece, drop, alone func(rune) bool, out []piece) []piece {
	start := 0
	add := func(from, to int) {
		if from < to {
			out = append(out, piece{p.text[from:to], p.first && from == 0})
		}
	}
	for i, r := range p.text {
		if !drop(r) && !alone(r) {
			continue
		}
		_, size := utf8.DecodeRuneInString(p.text[i:])
		add(start, i)
		start = i + size
		if alone(r) {
			add(i, start)
		}
	}
	add(start, len(p.text))
	return out
}

func readDigits(b []byte) (splitter, error) {
	var o struct {
		Individual bool `json:"individual_digits"`
	}
	err := json.Unmarshal(b, &o)
	if o.Individual {
		return each(func(p piece, out []piece) []piece { return cut(p, never, unicode.IsNumber, out) }), err
	}
	return each(byExpression(regexp.MustCompile(`\p{N}+`), "Isolated", false)), err
}

// readMetaspace builds SentencePiece's: spaces become a visible sign, and each
// word begins with it.
func readMetaspace(b []byte) (splitter, error) {
	o := struct {
		Replacement string
		Scheme      string `json:"prepend_scheme"`
		Prefix      *bool  `json:"add_prefix_space"`
		Split       *bool
	}{Replacement: "▁", Scheme: "always"}
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, err
	}
	if o.Prefix != nil && !*o.Prefix {
		o.Scheme = "never"
	}
	words := byExpression(regexp.MustCompile(regexp.QuoteMeta(o.Replacement)), "MergedWithNext", false)
	return each(func(p piece, out []piece) []piece {
		p.text = strings.ReplaceAll(p.text, " ", o.Replacement)
		if (o.Scheme == "always" || o.Scheme == "first" && p.first) && !strings.HasPrefix(p.text, o.Replacement) {
			p.text = o.Replacement + p.text
		}
		if o.Split != nil && !*o.Split {
			return append(out, p)
		}
		return words(p, out)
	}), nil
}

func readSplit(b []byte) (splitter, error) {
	var o struct {
		Pattern  pattern
		Behavior string
		Invert   bool
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, err
	}
	re, err := o.Pattern.compile()
	if err != nil {
		return nil, err
	}
	switch o.Behavior {
	case "Removed", "Isolated", "MergedWithPrevious", "MergedWithNext":
		return each(byExpression(re, o.Behavior, o.Invert)), nil
	}
	return nil, fmt.Errorf("its pre_tokenizer splits in the way %s, which this reader does not know", named(o.Behavior))
}

// byExpression splits at what the expression matches: a match is removed, is a
// piece of its own, or goes with the piece before or after it. Inverted, what
// lies between the matches counts as the match.
func byExpression(re *regexp.Regexp, behaviour string, invert bool) func(piece, []piece) []piece {
	return func(p piece, out []piece) []piece {
		start := 0 // of the piece that is being gathered
		add := func(from, to int) {
			if from < to {
				out = append(out, piece{p.text[from:to], p.first && from == 0})
			}
		}
		for _, m := range matches(re, p.text, invert) {
			switch behaviour {
			case "Removed":
				add(start, m[0])
				start = m[1]
			case "Isolated":
				add(start, m[0])
				add(m[0], m[1])
				start = m[1]
			case "MergedWithPrevious":
				add(start, m[1])
				start = m[1]
			case "MergedWithNext":
				add(start, m[0])
				start = m[0]
			}
		}
		add(start, len(p.text))
		return out
	}
}

// matches returns where the expression matches, or, inverted, where it does not.
// Empty matches are none.
func matches(re *regexp.Regexp, s string, invert bool) [][]int {
	var found [][]int
	end := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		if m[0] == m[1] {
			continue
		}
		if !invert {
			found = append(found, m)
		} else if end < m[0] {
			found = append(found, []int{end, m[0]})
		}
		end = m[1]
	}
	if invert && end < len(s) {
		found = append(found, []int{end, len(s)})
	}
	return found
}
