package static

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault/embed"
)

// Vocabularies that a reader of its own could take for others: escapes, a token twice, keys in
// an odd order and twice.
var oddFiles = map[string]string{
	"WordPiece": wordPieceFile,
	"escapes": `{"model": {"vocab": {"a\"b": 1, "\u0063\u0061r": 2, "##\\": 3, "\ud83d\ude80": 4, "##\u002f\/": 5, "\ud800": 6, "": 7, "##": 8},
		"type": "WordPiece", "unk_token": "none"}}`,
	"twice": `{"model": {"type": "Unigram", "vocab": []}, "normalizer": {"type": "Lowercase"}, "normalizer": null,
		"model": {"vocab": [["a", -1], ["b", -2], ["a", -0.5], ["ab", -3.25e0], ["ab", -9]], "unk_id": 1, "type": "Unigram", "unk_id": 0}}`,
	"twice in pieces": `{"model": {"type": "WordPiece", "vocab": {"a": 1, "##a": 2, "a": 3, "##a": 4, "b": -1}, "continuing_subword_prefix": "##", "VOCAB": {"c": 9, "##c": 8}}}`,
	"no prefix":       `{"model": {"type": "WordPiece", "vocab": {"a": 1, "b": 2, "ab": 3}, "continuing_subword_prefix": ""}, "pre_tokenizer": {"type": "WhitespaceSplit"}}`,
	"bytes":           `{"model": {"type": "Unigram", "byte_fallback": true, "unk_id": 0, "vocab": [["<unk>", 0], ["<0xC3>", -1.5], ["<0xA9>", -2], ["car", -3]]}}`,
	"empty":           `{"model": {"type": "Unigram", "vocab": []}}`,
}

// onAShelf returns the tokenizer with its tokens on a shelf, and the shelf.
func onAShelf(t testing.TB, tok *tokenizer) (*tokenizer, *shelved) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shelf")
	b := makeShelf(tok, "key")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	s, err := readShelf(f, int64(len(b)), "key")
	if err != nil {
		t.Fatal(err)
	}
	return s.openTokenizer(f)
}

// same fails unless both know the same tokens, and none of the others.
func same(t *testing.T, whole, other *tokenizer, w *shelved, others ...string) {
	t.Helper()
	type answer struct {
		number, inside int32
		score          float64
		found, within  bool
	}
	of := func(t *tokenizer, token string) (a answer) {
		a.number, a.score, a.found = t.find(token)
		if t.Kind == "WordPiece" {
			a.inside, a.within = t.inside(token)
		}
		return a
	}
	all := others
	for token := range whole.whole.numbers {
		all = append(all, token, token+"x", strings.TrimPrefix(token, whole.Prefix))
	}
	for _, token := range all {
		if want, got := of(whole, token), of(other, token); want != got {
			t.Errorf("%q: %+v, on the shelf %+v", token, want, got)
		}
	}
	if w.err != nil {
		t.Error(w.err)
	}
	whole.form.Normalizer, whole.form.PreTokenizer, other.form.Normalizer, other.form.PreTokenizer = nil, nil, nil, nil
	if diff := cmp.Diff(whole.form, other.form); diff != "" {
		t.Error(diff)
	}
}

func TestAShelfHoldsTheTokenizer(t *testing.T) {
	for name, file := range oddFiles {
		t.Run(name, func(t *testing.T) {
			whole, err := readTokenizer([]byte(file))
			if err != nil {
				t.Fatal(err)
			}
			other, w := onAShelf(t, whole)
			letters := []rune(`ab cé"\/#🚀A<>!` + "\ufffd")
			r := rand.New(rand.NewPCG(1, 2))
			for range 300 {
				var text strings.Builder
				for range r.IntN(12) {
					text.WriteRune(letters[r.IntN(len(letters))])
				}
				if diff := cmp.Diff(whole.encode(text.String(), 5), other.encode(text.String(), 5)); diff != "" {
					t.Errorf("%q: %s", text.String(), diff)
				}
			}
			same(t, whole, other, w, "", "#", "##", "never")
		})
	}
}

// The real model of the package tokenlearn-static-model, or any other: STATIC names its folder.
func TestAShelfHoldsARealTokenizer(t *testing.T) {
	folder := os.Getenv("STATIC")
	if folder == "" {
		t.Skip("STATIC names no folder of a static model")
	}
	b, err := os.ReadFile(filepath.Join(folder, "tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := readTokenizer(b)
	if err != nil {
		t.Fatal(err)
	}
	other, w := onAShelf(t, whole)
	for text := range strings.FieldsSeq(string(b)[:min(len(b), 1<<20)]) {
		text = text[:min(len(text), 300)]
		if diff := cmp.Diff(whole.encode(text, 512), other.encode(text, 512)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	same(t, whole, other, w)
}

// asked asks a new model a question, and reports whether it needed the whole tokenizer.json.
func asked(t *testing.T, folder, shelves string) (vector []float32, whole bool) {
	t.Helper()
	m := New(folder)
	m.Shelves = shelves
	all, err := m.Embed(context.Background(), embed.Query, []string{"Café boats!"})
	if err != nil {
		t.Fatal(err)
	}
	return all[0], m.tokens != nil
}

func TestAQuestionReadsNoMoreThanTheShelf(t *testing.T) {
	dir, shelves := folder(t, tiny(t)), filepath.Join(t.TempDir(), "not", "there")
	want, _ := asked(t, dir, "")
	check := func(why string, read bool) {
		t.Helper()
		got, whole := asked(t, dir, shelves)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", why, diff)
		}
		if whole != read {
			t.Errorf("%s: read whole: %v", why, whole)
		}
	}
	check("the first question", true)
	check("the second", false)

	name, err := filepath.Glob(filepath.Join(shelves, "*"))
	if err != nil || len(name) != 1 {
		t.Fatal(name, err)
	}
	shelf, err := os.ReadFile(name[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(shelves); err != nil {
		t.Fatal(err)
	}
	check("after it was deleted", true)
	check("and made again", false)

	// In the same process it is deleted behind its back.
	m := New(dir)
	m.Shelves = shelves
	for range 2 {
		got, err := m.Embed(context.Background(), embed.Query, []string{"Café boats!"})
		if err != nil || cmp.Diff(want, got[0]) != "" {
			t.Error(got, err)
		}
		if err := os.RemoveAll(shelves); err != nil {
			t.Fatal(err)
		}
	}
	check("after that", true)

	// Whatever is changed in it, the answer is the same.
	for at := range shelf {
		b := bytes.Clone(shelf)
		b[at] ^= 0x55
		if err := os.WriteFile(name[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := asked(t, dir, shelves); cmp.Diff(want, got) != "" {
			t.Errorf("byte %d of %d: %v", at, len(shelf), got)
		}
	}
	for size := range shelf {
		if err := os.WriteFile(name[0], shelf[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if got, _ := asked(t, dir, shelves); cmp.Diff(want, got) != "" {
			t.Errorf("cut to %d: %v", size, got)
		}
	}
	if err := os.WriteFile(name[0], shelf[:len(shelf)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	asked(t, dir, shelves)
	check("a damaged one is made again", false)

	// Another tokenizer.json is another one's shelf.
	other := strings.Replace(wordPieceFile, `"boat": 4`, `"boats": 4`, 1)
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	want, _ = asked(t, dir, "")
	check("another tokenizer", true)
	check("it again", false)
}

func TestWithoutAPlaceForTheShelf(t *testing.T) {
	dir := folder(t, tiny(t))
	want, _ := asked(t, dir, "")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, whole := asked(t, dir, file); cmp.Diff(want, got) != "" || !whole {
			t.Error(got, whole)
		}
	}
}

func TestNothingIsLeftBesideAFolder(t *testing.T) {
	dir, shelves := folder(t, tiny(t)), t.TempDir()
	m := New(dir)
	m.Shelves = shelves
	if err := os.Mkdir(m.shelfPath(), 0o700); err != nil {
		t.Fatal(err)
	}
	asked(t, dir, shelves)
	if names, _ := filepath.Glob(filepath.Join(shelves, "*")); len(names) != 1 {
		t.Error(names)
	}
}

func TestManyAskAtOnce(t *testing.T) {
	dir, shelves := folder(t, tiny(t)), t.TempDir()
	want, _ := asked(t, dir, "")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 5 {
				if got, _ := asked(t, dir, shelves); cmp.Diff(want, got) != "" {
					t.Error(got)
				}
			}
		})
	}
	all.Wait()
	names, _ := filepath.Glob(filepath.Join(shelves, "*"))
	if len(names) != 1 {
		t.Error(names)
	}
	if _, whole := asked(t, dir, shelves); whole {
		t.Error("it was not left")
	}
}
