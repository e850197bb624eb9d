package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normaliser makes one spelling of many.
type normaliser func(string) string

// readNormaliser builds what the normalizer of a tokenizer.json says.
func readNormaliser(p *part) (normaliser, error) {
	if p == nil {
		return func(s string) string { return s }, nil
	}
	switch p.Type {
	case "BertNormalizer":
		return readBert(p.raw)
	case "Sequence":
		return sequence(p, readNormaliser)
	case "Lowercase":
		return strings.ToLower, nil
	case "StripAccents":
		return func(s string) string { return dropClass(s, unicode.Mn) }, nil
	case "NFC":
		return norm.NFC.String, nil
	case "NFD":
		return norm.NFD.String, nil
	case "NFKC":
		return norm.NFKC.String, nil
	case "NFKD":
		return norm.NFKD.String, nil
	case "Strip":
		return readStrip(p.raw)
	case "Prepend":
		return readPrepend(p.raw)
	case "Replace":
		return readReplace(p.raw)
	case "Precompiled":
		return readPrecompiled(p.raw)
	}
	return nil, fmt.Errorf("its normalizer is %s, which this reader does not know", kindName(p.Type))
}

// sequence chains what read builds of the parts of a sequence.
func sequence[T any, F ~func(T) T](p *part, read func(*part) (F, error)) (F, error) {
	var o struct{ Normalizers, Pretokenizers []*part } // it has one of the two
	if err := json.Unmarshal(p.raw, &o); err != nil {
		return nil, err
	}
	var all []F
	for _, p := range append(o.Normalizers, o.Pretokenizers...) {
		f, err := read(p)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return func(x T) T {
		for _, f := range all {
			x = f(x)
		}
		return x
	}, nil
}

func readPrepend(b []byte) (normaliser, error) {
	var o struct{ Prepend string }
	err := json.Unmarshal(b, &o)
	return func(s string) string {
		if s == "" {
			return s
		}
		return o.Prepend + s
	}, err
}

func readStrip(b []byte) (normaliser, error) {
	var o struct {
		Left  bool `json:"strip_left"`
		Right bool `json:"strip_right"`
	}
	err := json.Unmarshal(b, &o)
	return func(s string) string {
		if o.Left {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if o.Right {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s
	}, err
}

// pattern is a text or a regular expression.
type pattern struct{ String, Regex *string }

func (p pattern) compile() (*regexp.Regexp, error) {
	switch {
	case p.String != nil:
		return regexp.Compile(regexp.QuoteMeta(*p.String))
	case p.Regex == nil:
		return nil, errors.New("it has a pattern that is neither a text nor an expression")
	}
	re, err := regexp.Compile(*p.Regex)
	if err != nil {
		return nil, fmt.Errorf("its expression %q is one that Go does not know", *p.Regex)
	}
	return re, nil
}

func readReplace(b []byte) (normaliser, error) {
	var o struct {
		Pattern pattern
		Content string
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, err
	}
	re, err := o.Pattern.compile()
	return func(s string) string { return re.ReplaceAllLiteralString(s, o.Content) }, err
}

// readBert builds the normaliser of BERT.
func readBert(b []byte) (normaliser, error) {
	o := struct {
		Clean   bool  `json:"clean_text"`
		Chinese bool  `json:"handle_chinese_chars"`
		Accents *bool `json:"strip_accents"`
		Lower   bool  `json:"lowercase"`
	}{Clean: true, Chinese: true, Lower: true}
	err := json.Unmarshal(b, &o)
	strip := o.Lower
	if o.Accents != nil {
		strip = *o.Accents
	}
	return func(s string) string {
		if o.Clean {
			s = strings.Map(cleanRune, s)
		}
		if o.Chinese {
			s = spaceChinese(s)
		}
		if strip {
			s = dropClass(norm.NFD.String(s), unicode.Mn)
		}
		if o.Lower {
			s = strings.ToLower(s)
		}
		return s
	}, err
}

// cleanRune drops control characters and makes every white space a space.
func cleanRune(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return ' '
	case r == 0, r == unicode.ReplacementChar, unicode.Is(unicode.C, r):
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// spaceChinese puts spaces around each Chinese character.
func spaceChinese(s string) string {
	if !strings.ContainsFunc(s, chinese) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if chinese(r) {
			b.WriteString(" " + string(r) + " ")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// chinese reports whether r lies in the blocks that BERT takes for Chinese.
func chinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// dropClass returns s without the characters of a class.
func dropClass(s string, class *unicode.RangeTable) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(class, r) {
			return -1
		}
		return r
	}, s)
}
