package static

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unigramFile is a tokenizer.json of eight pieces.
func unigramFile(normalizer, splitter string) string {
	return fmt.Sprintf(`{"normalizer": %s, "pre_tokenizer": %s, "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab":
		[["<unk>", 0.0], ["▁hello", -2.5], ["▁", -1.0], ["h", -3], ["ello", -3e0], ["▁hel", -3.5], ["lo", -3.5], ["w\u00f6", -4.25]]}}`, normalizer, splitter)
}

func tokens(t *testing.T, file, text string) []int32 {
	t.Helper()
	tok, err := readTokenizer([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return tok.encode(text, 0)
}

// The best split by the sum of the pieces' scores; what no piece has is unknown
// and left out.
func TestUnigram(t *testing.T) {
	file := unigramFile("null", `{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}]}`)
	for _, row := range []struct {
		text string
		want []int32
	}{
		{"hello", []int32{1}},
		{"hello hello", []int32{1, 1}},
		{"hhello", []int32{2, 3, 3, 4}},
		{"wö", []int32{2, 7}},
		{"wx", []int32{2}},
		{"", nil},
	} {
		if diff := cmp.Diff(row.want, tokens(t, file, row.text)); diff != "" {
			t.Errorf("%q: %s", row.text, diff)
		}
	}
}

func TestBytesForWhatIsUnknown(t *testing.T) {
	file := `{"model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true, "vocab": [["<unk>", 0], ["a", -1], ["<0xC3>", -5], ["<0xB6>", -5]]}}`
	if diff := cmp.Diff([]int32{1, 2, 3, 1}, tokens(t, file, "aöa")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{1, 1}, tokens(t, file, "aüa")); diff != "" {
		t.Error(diff)
	}
}

func TestWordPieceIsGreedy(t *testing.T) {
	file := `{"model": {"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 8,
		"vocab": {"[UNK]": 0, "un": 1, "una": 2, "##able": 3, "##ble": 4, "a\"b": 5}}}`
	for text, want := range map[string][]int32{"unable": {2, 4}, "unaable": {2, 3}, "unx": {}, "a\"b": {5}, "unablexxxxxx": {}} {
		if diff := cmp.Diff(want, append([]int32{}, tokens(t, file, text)...)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestNormalisers(t *testing.T) {
	for _, row := range []struct{ file, text, want string }{
		{`{"type": "BertNormalizer", "lowercase": true}`, "É\u00a0x\x00\u200b\t中y", "e x  中 y"},
		{`{"type": "BertNormalizer", "lowercase": false}`, "É中", "É 中 "},
		{`{"type": "BertNormalizer", "lowercase": false, "strip_accents": true, "handle_chinese_chars": false}`, "É中", "E中"},
		{`{"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}, {"type": "Lowercase"}]}`, "Ünï", "uni"},
		{`{"type": "NFKC"}`, "ﬁ①", "fi1"},
		{`{"type": "NFC"}`, "e\u0301", "é"},
		{`{"type": "NFKD"}`, "é", "e\u0301"},
		{`{"type": "Strip", "strip_left": true, "strip_right": false}`, "  x  ", "x  "},
		{`{"type": "Strip", "strip_left": false, "strip_right": true}`, "  x  ", "  x"},
		{`{"type": "Prepend", "prepend": "▁"}`, "x", "▁x"},
		{`{"type": "Replace", "pattern": {"String": "."}, "content": " . "}`, "a.b$1", "a . b$1"},
		{`{"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "$1"}`, "a   b", "a$1b"},
	} {
		n, err := readNormaliser(&part{Type: kindOf(row.file), raw: []byte(row.file)})
		if err != nil {
			t.Errorf("%s: %v", row.file, err)
			continue
		}
		if got := n(row.text); got != row.want {
			t.Errorf("%s %q: got %q, want %q", row.file, row.text, got, row.want)
		}
	}
}

func kindOf(file string) string {
	_, after, _ := strings.Cut(file, `"type": "`)
	kind, _, _ := strings.Cut(after, `"`)
	return kind
}

func TestSplitters(t *testing.T) {
	for _, row := range []struct {
		file, text string
		want       []string
	}{
		{`{"type": "BertPreTokenizer"}`, "it's 5$ – ok", []string{"it", "'", "s", "5", "$", "–", "ok"}},
		{`{"type": "WhitespaceSplit"}`, " a,b  c ", []string{"a,b", "c"}},
		{`{"type": "Whitespace"}`, "a_b,c++ d", []string{"a_b", ",", "c", "++", "d"}},
		{`{"type": "Punctuation"}`, "a, b", []string{"a", ",", " b"}},
		{`{"type": "Digits", "individual_digits": true}`, "a12b", []string{"a", "1", "2", "b"}},
		{`{"type": "Digits", "individual_digits": false}`, "a12b", []string{"a", "12", "b"}},
		{`{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"}`, "a b", []string{"▁a", "▁b"}},
		{`{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"}`, "a b", []string{"a", "▁b"}},
		{`{"type": "Metaspace", "replacement": "▁", "add_prefix_space": false}`, "a b", []string{"a", "▁b"}},
		{`{"type": "Metaspace", "replacement": "▁", "split": false}`, "a b", []string{"▁a▁b"}},
		{`{"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "prepend_scheme": "first"}]}`, "a b", []string{"▁a", "b"}},
		{`{"type": "Split", "pattern": {"String": " "}, "behavior": "Removed", "invert": false}`, "a b c", []string{"a", "b", "c"}},
		{`{"type": "Split", "pattern": {"String": " "}, "behavior": "Isolated", "invert": false}`, "a b", []string{"a", " ", "b"}},
		{`{"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": false}`, "a b", []string{"a ", "b"}},
		{`{"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithNext", "invert": false}`, "a b", []string{"a", " b"}},
		{`{"type": "Split", "pattern": {"Regex": "[a-z]+"}, "behavior": "Removed", "invert": true}`, "a1b", []string{"a", "b"}},
	} {
		s, err := readSplitter(&part{Type: kindOf(row.file), raw: []byte(row.file)})
		if err != nil {
			t.Errorf("%s: %v", row.file, err)
			continue
		}
		var got []string
		for _, p := range s([]piece{{text: row.text, first: true}}) {
			got = append(got, p.text)
		}
		if diff := cmp.Diff(row.want, got); diff != "" {
			t.Errorf("%s %q: %s", row.file, row.text, diff)
		}
	}
}

// A trie by hand: "ﬁ" (EF AC 81) becomes "fi". The root's children lie where its
// offset says, each at the offset xor its byte.
func TestPrecompiled(t *testing.T) {
	trie := make([]uint32, 2048)
	unit := func(label byte, offset uint32, value bool) uint32 {
		u := uint32(label) | offset<<10
		if value {
			u |= 1 << 8
		}
		return u
	}
	at := uint32(0)
	trie[0] = unit(0, 256, false)
	at ^= 256
	for i, b := range []byte("ﬁ") {
		at ^= uint32(b)
		to := uint32(512 * (i + 1))
		trie[at] = unit(b, to, i == 2)
		at ^= to
	}
	trie[at] = 1<<31 | 3 // where its text begins
	raw := binary.LittleEndian.AppendUint32(nil, uint32(4*len(trie)))
	for _, u := range trie {
		raw = binary.LittleEndian.AppendUint32(raw, u)
	}
	raw = append(raw, "no\x00fi\x00"...)
	n, err := readPrecompiled([]byte(`{"precompiled_charsmap": "` + base64.StdEncoding.EncodeToString(raw) + `"}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"ﬁnd a ﬁ": "find a fi", "plain ﬂ": "plain ﬂ", "": "", "\xff\x00": "\xff\x00", "👩‍👩‍👧": "👩‍👩‍👧"} {
		if got := n(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for _, broken := range []string{"", "AAA", "////", "BAAAAA"} {
		if _, err := readPrecompiled([]byte(`{"precompiled_charsmap": "` + broken + `"}`)); err == nil {
			t.Errorf("%q was taken", broken)
		}
	}
}
