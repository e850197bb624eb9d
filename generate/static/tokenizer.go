package static

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// tokenizer turns a text into the numbers of its tokens.
type tokenizer struct {
	normalise normaliser
	split     splitter
	model     interface {
		tokens(piece string, ids []int32) []int32
	}
	unknown int32 // the unknown token, which encode drops; -1 if there is none
	size    int   // tokens in all
	median  int   // characters of a token
}

// part is a piece of tokenizer.json that names its kind.
type part struct {
	Type string
	raw  json.RawMessage
}

func (p *part) UnmarshalJSON(b []byte) error {
	p.raw = slices.Clone(b)
	return json.Unmarshal(b, &struct{ Type *string }{&p.Type})
}

// readTokenizer reads a tokenizer.json.
func readTokenizer(b []byte) (*tokenizer, error) {
	var file struct {
		Normalizer   *part `json:"normalizer"`
		PreTokenizer *part `json:"pre_tokenizer"`
		Model        *part `json:"model"`
	}
	if err := json.Unmarshal(b, &file); err != nil || file.Model == nil {
		return nil, damaged("it is no tokenizer")
	}
	var t tokenizer
	var err error
	if t.normalise, err = readNormaliser(file.Normalizer); err != nil {
		return nil, err
	}
	if t.split, err = readSplitter(file.PreTokenizer); err != nil {
		return nil, err
	}
	switch file.Model.Type {
	case "WordPiece":
		err = t.readWordPiece(file.Model.raw)
	case "Unigram":
		err = t.readUnigram(file.Model.raw)
	default:
		err = fmt.Errorf("its tokens are made by %s, and this reader knows WordPiece and Unigram", named(file.Model.Type))
	}
	return &t, err
}

// named returns the name of a kind for a sentence.
func named(kind string) string {
	if kind == "" {
		return "a way that it does not name"
	}
	return kind
}

func (t *tokenizer) readWordPiece(b []byte) error {
	var m struct {
		Unknown string          `json:"unk_token"`
		Prefix  *string         `json:"continuing_subword_prefix"`
		Longest int             `json:"max_input_chars_per_word"`
		Vocab   json.RawMessage `json:"vocab"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	prefix := "##"
	if m.Prefix != nil {
		prefix = *m.Prefix
	}
	w := &wordPiece{begin: make(map[string]int32, len(m.Vocab)/20), inside: make(map[string]int32), longest: m.Longest, unknown: -1}
	if w.longest <= 0 {
		w.longest = 100
	}
	err := t.vocabulary(m.Vocab, func(token string, id float64) {
		t.size = max(t.size, int(id)+1)
		w.begin[token] = int32(id)
		if rest, ok := strings.CutPrefix(token, prefix); ok {
			w.inside[rest] = int32(id)
		}
	})
	if id, ok := w.begin[m.Unknown]; ok {
		w.unknown = id
	}
	t.model, t.unknown = w, w.unknown
	return err
}

func (t *tokenizer) readUnigram(b []byte) error {
	var m struct {
		Unknown *int32          `json:"unk_id"`
		Bytes   bool            `json:"byte_fallback"`
		Vocab   json.RawMessage `json:"vocab"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	u := &unigram{ids: make(map[string]int32, len(m.Vocab)/30), unknown: -1, bytes: m.Bytes}
	least := 0.0
	err := t.vocabulary(m.Vocab, func(token string, score float64) {
		u.ids[token] = int32(len(u.scores))
		u.scores = append(u.scores, score)
		u.longest = max(u.longest, len(token))
		least = min(least, score)
	})
	if m.Unknown != nil {
		u.unknown = *m.Unknown
	}
	u.rare = least - rareBelow
	t.model, t.unknown, t.size = u, u.unknown, len(u.scores)
	return err
}

// vocabulary calls add with each token and its number, and notes the median of their lengths.
func (t *tokenizer) vocabulary(b []byte, add func(token string, number float64)) error {
	var lengths []int
	err := pairs(b, func(token string, number float64) {
		lengths = append(lengths, utf8.RuneCountInString(token))
		add(token, number)
	})
	if n := len(lengths); n > 0 {
		slices.Sort(lengths)
		t.median = (lengths[(n-1)/2] + lengths[n/2]) / 2
	}
	return err
}

// encode returns the tokens of text without the unknown ones. If most is above 0 it returns
// at most so many, and reads only the beginning of a long text.
func (t *tokenizer) encode(text string, most int) []int32 {
	if most > 0 {
		text = firstRunes(text, most*t.median)
	}
	var ids []int32
	for _, p := range t.split([]piece{{text: t.normalise(text), first: true}}) {
		ids = t.model.tokens(p.text, ids)
		if most > 0 && len(ids) >= most {
			ids = ids[:most]
			break
		}
	}
	return slices.DeleteFunc(ids, func(id int32) bool { return id < 0 || id == t.unknown })
}

// firstRunes returns the first n characters of s.
func firstRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for at := range s {
		if n--; n < 0 {
			return s[:at]
		}
	}
	return s
}
