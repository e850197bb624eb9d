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
	form
	words
	whole     *resident // the words, where all of them were read
	normalise normaliser
	split     splitter
	model     interface {
		tokens(piece string, ids []int32) []int32
	}
}

// form is what a tokenizer.json says but for its tokens.
type form struct {
	Normalizer   *part `json:"-"`
	PreTokenizer *part `json:"-"`

	Kind    string // WordPiece or Unigram
	Unknown int32  // the unknown token, which encode drops; -1 if there is none
	Size    int    // tokens in all
	Median  int    // characters of a token

	Prefix      string // WordPiece: of a token within a word
	LongestWord int    // WordPiece: characters of a word that is split

	Bytes   bool    // Unigram: a character that is in no token is spelt in bytes
	Longest int     // Unigram: bytes of a token
	Rare    float64 // Unigram: the score of a character that is in no token
}

// words finds tokens.
type words interface {
	// find returns the number of a token, and its score where tokens have one.
	find(token string) (number int32, score float64, found bool)

	// inside returns the number of a token within a word, which is named without its prefix.
	inside(rest string) (number int32, found bool)
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
	t := tokenizer{form: form{Normalizer: file.Normalizer, PreTokenizer: file.PreTokenizer, Kind: file.Model.Type}}
	err := t.prepare()
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case "WordPiece":
		err = t.readWordPiece(file.Model.raw)
	case "Unigram":
		err = t.readUnigram(file.Model.raw)
	default:
		err = fmt.Errorf("its tokens are made by %s, and this reader knows WordPiece and Unigram", kindName(t.Kind))
	}
	t.useWords(t.whole)
	return &t, err
}

// prepare builds what the form says of a text before it is split into tokens.
func (t *tokenizer) prepare() (err error) {
	if t.normalise, err = readNormaliser(t.Normalizer); err != nil {
		return err
	}
	t.split, err = readSplitter(t.PreTokenizer)
	return err
}

// useWords makes the tokenizer look for its tokens among w.
func (t *tokenizer) useWords(w words) {
	if t.words = w; t.Kind == "WordPiece" {
		t.model = &wordPiece{words: w, unknown: t.Unknown, longest: t.LongestWord}
		return
	}
	t.model = &unigram{words: w, unknown: t.Unknown, longest: t.Longest, rare: t.Rare, bytes: t.Bytes}
}

// kindName returns the name of a kind for a sentence.
func kindName(kind string) string {
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
	t.Prefix, t.LongestWord, t.Unknown = "##", m.Longest, -1
	if m.Prefix != nil {
		t.Prefix = *m.Prefix
	}
	if t.LongestWord <= 0 {
		t.LongestWord = 100
	}
	w := &resident{numbers: make(map[string]int32, len(m.Vocab)/20), rests: make(map[string]int32)}
	t.whole = w
	err := t.vocabulary(m.Vocab, func(token string, id float64) {
		t.Size = max(t.Size, int(id)+1)
		w.numbers[token] = int32(id)
		if rest, ok := strings.CutPrefix(token, t.Prefix); ok {
			w.rests[rest] = int32(id)
		}
	})
	if id, ok := w.numbers[m.Unknown]; ok {
		t.Unknown = id
	}
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
	t.Bytes, t.Unknown = m.Bytes, -1
	w := &resident{numbers: make(map[string]int32, len(m.Vocab)/30)}
	t.whole = w
	least := 0.0
	err := t.vocabulary(m.Vocab, func(token string, score float64) {
		w.numbers[token] = int32(len(w.scores))
		w.scores = append(w.scores, score)
		t.Longest = max(t.Longest, len(token))
		least = min(least, score)
	})
	if m.Unknown != nil {
		t.Unknown = *m.Unknown
	}
	t.Rare, t.Size = least-rareBelow, len(w.scores)
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
		t.Median = (lengths[(n-1)/2] + lengths[n/2]) / 2
	}
	return err
}

// encode returns the tokens of text without the unknown ones. If most is above 0 it returns
// at most so many, and reads only the beginning of a long text.
func (t *tokenizer) encode(text string, most int) []int32 {
	if most > 0 {
		text = firstRunes(text, most*t.Median)
	}
	var ids []int32
	for _, p := range t.split([]piece{{text: t.normalise(text), first: true}}) {
		ids = t.model.tokens(p.text, ids)
		if most > 0 && len(ids) >= most {
			ids = ids[:most]
			break
		}
	}
	return slices.DeleteFunc(ids, func(id int32) bool { return id < 0 || id == t.Unknown })
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
