package static

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a part of a text. No token crosses its borders.
type piece struct {
	text  string
	first bool // it stands at the text's beginning
}

// splitter splits pieces further.
type splitter func([]piece) []piece

// newPieceSplitter returns a splitter that calls a function for each piece.
func newPieceSplitter(split func(p piece, out []piece) []piece) splitter {
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
		return newCharSplitter(unicode.IsSpace, punctuation), nil
	case "WhitespaceSplit":
		return newCharSplitter(unicode.IsSpace, never), nil
	case "Punctuation":
		return newCharSplitter(never, punctuation), nil
	case "Whitespace":
		return newPieceSplitter(byExpression(regexp.MustCompile(`[\p{L}\p{M}\p{N}\p{Pc}]+|[^\p{L}\p{M}\p{N}\p{Pc}\s]+`), "Removed", true)), nil
	case "Digits":
		return readDigits(p.raw)
	case "Metaspace":
		return readMetaspace(p.raw)
	case "Split":
		return readSplit(p.raw)
	case "Sequence":
		return sequence(p, readSplitter)
	}
	return nil, fmt.Errorf("its pre_tokenizer is %s, which this reader does not know", kindName(p.Type))
}

func never(rune) bool { return false }

// punctuation reports whether BERT takes r for punctuation: Unicode's, and every ASCII sign.
func punctuation(r rune) bool {
	return unicode.IsPunct(r) || r > 32 && r < 127 && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// newCharSplitter returns a splitter that drops the characters picked by drop, makes a piece of each
// character picked by alone, and keeps the others together.
func newCharSplitter(drop, alone func(rune) bool) splitter {
	return newPieceSplitter(func(p piece, out []piece) []piece {
		start := 0
		add := func(from, to int) {
			if from < to {
				out = append(out, piece{p.text[from:to], p.first && from == 0})
			}
		}
		for i, r := range p.text {
			single := alone(r)
			if !drop(r) && !single {
				continue
			}
			_, size := utf8.DecodeRuneInString(p.text[i:])
			add(start, i)
			start = i + size
			if single {
				add(i, start)
			}
		}
		add(start, len(p.text))
		return out
	})
}

func readDigits(b []byte) (splitter, error) {
	var o struct {
		Individual bool `json:"individual_digits"`
	}
	err := json.Unmarshal(b, &o)
	if o.Individual {
		return newCharSplitter(never, unicode.IsNumber), err
	}
	return newPieceSplitter(byExpression(regexp.MustCompile(`\p{N}+`), "Isolated", false)), err
}

// readMetaspace builds SentencePiece's splitter: spaces become a visible sign, and each word
// begins with it.
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
	return newPieceSplitter(func(p piece, out []piece) []piece {
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
	if !slices.Contains([]string{"Removed", "Isolated", "MergedWithPrevious", "MergedWithNext"}, o.Behavior) {
		return nil, fmt.Errorf("its pre_tokenizer splits in the way %s, which this reader does not know", kindName(o.Behavior))
	}
	return newPieceSplitter(byExpression(re, o.Behavior, o.Invert)), nil
}

// span is a stretch of a text that an expression matches, or one between two.
type span struct {
	from, to int
	match    bool
}

// byExpression splits at the matches of an expression: a match is removed, is a piece of its
// own, or goes with the piece before or after it. Inverted, the text between two matches
// counts as the match.
func byExpression(re *regexp.Regexp, behaviour string, invert bool) func(piece, []piece) []piece {
	return func(p piece, out []piece) []piece {
		all := spans(re, p.text, invert)
		switch behaviour {
		case "Removed":
			all = slices.DeleteFunc(all, func(s span) bool { return s.match })
		case "MergedWithPrevious":
			all = joinSpans(all, func(i int) bool { return i > 0 && all[i].match && !all[i-1].match })
		case "MergedWithNext":
			all = joinSpans(all, func(i int) bool { return i > 0 && all[i-1].match && !all[i].match })
		}
		for _, s := range all {
			out = append(out, piece{p.text[s.from:s.to], p.first && s.from == 0})
		}
		return out
	}
}

// spans cuts a text into matches and the texts between them. Empty matches do not count.
func spans(re *regexp.Regexp, s string, invert bool) []span {
	var all []span
	end := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		if m[0] == m[1] {
			continue
		}
		if end < m[0] {
			all = append(all, span{end, m[0], invert})
		}
		all = append(all, span{m[0], m[1], !invert})
		end = m[1]
	}
	if end < len(s) {
		all = append(all, span{end, len(s), invert})
	}
	return all
}

// joinSpans joins each span that joins picks with the span before it.
func joinSpans(all []span, joins func(i int) bool) []span {
	var out []span
	for i, s := range all {
		if joins(i) {
			out[len(out)-1].to = s.to
			continue
		}
		out = append(out, s)
	}
	return out
}
