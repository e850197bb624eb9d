package static

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
)

// The tiny model: nine tokens, two numbers each. "car" and "##s" make "cars".
const wordPieceFile = `{"version": "1.0", "truncation": null, "padding": null,
  "added_tokens": [{"id": 0, "content": "[PAD]", "special": true}, {"id": 1, "content": "[UNK]", "special": true}],
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
  "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": null, "decoder": {"type": "WordPiece"},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 20,
    "vocab": {"[PAD]": 0, "[UNK]": 1, "car": 2, "##s": 3, "boat": 4, "!": 5, "cafe": 6, "車": 7, "\u0062\u006fa": 8}}}`

var wordPieceRows = [][]float32{{9, 9}, {7, 7}, {1, 0}, {0, 1}, {0, 2}, {-1, 0}, {3, 4}, {0, -1}, {1, 1}}

// safetensors writes tensors of floats as the format has it.
func safetensors(t testing.TB, tensors map[string][][]float32) []byte {
	t.Helper()
	var data bytes.Buffer
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	for name, rows := range tensors {
		start := data.Len()
		shape := []int{len(rows), len(rows[0])}
		if len(rows[0]) == 1 && name != "embeddings" {
			shape = shape[:1]
		}
		for _, row := range rows {
			if err := binary.Write(&data, binary.LittleEndian, row); err != nil {
				t.Fatal(err)
			}
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{start, data.Len()}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data.Bytes()...)
}

// folder writes a model's files.
func folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tiny")
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func tiny(t testing.TB) map[string][]byte {
	return map[string][]byte{
		"model.safetensors": safetensors(t, map[string][][]float32{"embeddings": wordPieceRows}),
		"tokenizer.json":    []byte(wordPieceFile),
		"config.json":       []byte(`{"model_type": "model2vec", "normalize": true, "max_length": 4}`),
	}
}

var near = cmpopts.EquateApprox(0, 1e-6)

func TestTextsBecomeTheMeanOfTheirTokens(t *testing.T) {
	m := New(folder(t, tiny(t)))
	half := float32(math.Sqrt(0.5))
	for _, row := range []struct {
		text string
		want []float32
	}{
		{"car", []float32{1, 0}},
		{"Cars", []float32{half, half}},
		{"BOAT car", []float32{1 / float32(math.Sqrt(5)), 2 / float32(math.Sqrt(5))}},
		{"Café", []float32{0.6, 0.8}},
		{"boa", []float32{half, half}},
		{"car unheard-of", []float32{1, 0}},
		{"boat 車!", []float32{-half, half}},
		{"car car car car boat boat boat", []float32{1, 0}}, // max_length
		{"", nil},
		{"nothing known", nil},
		{"car!", nil}, // they cancel each other
	} {
		for name, p := range map[string]embed.Purpose{"document": embed.Document, "query": embed.Query} {
			got, err := m.Embed(context.Background(), p, []string{row.text})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([][]float32{row.want}, got, near); diff != "" {
				t.Errorf("%s %q: %s", name, row.text, diff)
			}
		}
	}
}

// Each way to store the numbers gives the same vectors.
func TestFormsOfTheTable(t *testing.T) {
	rows := wordPieceRows
	quantised := [][]float32{{1, 0}, {0, 1}, {3, 4}}
	mapping := [][]float32{{0}, {0}, {0}, {1}, {1}, {0}, {2}, {1}, {0}}
	weights := [][]float32{{1}, {1}, {1}, {1}, {2}, {-1}, {1}, {-1}, {1}}
	want := []float32{1 / float32(math.Sqrt(5)), 2 / float32(math.Sqrt(5))}
	for name, change := range map[string]func(files map[string][]byte){
		"model2vec":      func(map[string][]byte) {},
		"without config": func(f map[string][]byte) { delete(f, "config.json") },
		"quantised": func(f map[string][]byte) {
			f["model.safetensors"] = safetensors(t, map[string][][]float32{"embeddings": quantised, "mapping": mapping, "weights": weights})
		},
		"sentence-transformers": func(f map[string][]byte) {
			f["model.safetensors"] = safetensors(t, map[string][][]float32{"embedding.weight": rows})
		},
		"sentence-transformers, a folder below": func(f map[string][]byte) {
			delete(f, "model.safetensors")
			f["0_StaticEmbedding/model.safetensors"] = safetensors(t, map[string][][]float32{"embedding.weight": rows})
			f["0_StaticEmbedding/tokenizer.json"] = f["tokenizer.json"]
			delete(f, "tokenizer.json")
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := tiny(t)
			change(files)
			got, err := New(folder(t, files)).Embed(context.Background(), embed.Document, []string{"boat car"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([][]float32{want}, got, near); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNumbersOfEachType(t *testing.T) {
	for _, row := range []struct {
		kind string
		b    []byte
		want float32
	}{
		{"F64", binary.LittleEndian.AppendUint64(nil, math.Float64bits(-1.5)), -1.5},
		{"F32", binary.LittleEndian.AppendUint32(nil, math.Float32bits(-1.5)), -1.5},
		{"F16", []byte{0x00, 0xbe}, -1.5},
		{"F16", []byte{0x01, 0x00}, 1.0 / (1 << 24)},
		{"F16", []byte{0x00, 0xfc}, float32(math.Inf(-1))},
		{"BF16", []byte{0xc0, 0xbf}, -1.5},
		{"I64", binary.LittleEndian.AppendUint64(nil, math.MaxUint64-1), -2},
		{"I32", binary.LittleEndian.AppendUint32(nil, math.MaxUint32-1), -2},
		{"I8", []byte{0xfe}, -2},
	} {
		if got := kinds[row.kind].read(row.b); got != row.want {
			t.Errorf("%s %x: got %v, want %v", row.kind, row.b, got, row.want)
		}
	}
}

func TestSpace(t *testing.T) {
	dir := folder(t, tiny(t))
	one, err := New(dir).Space()
	if err != nil || !strings.HasPrefix(one.Model, "static/tiny-") || one.Dimension != 2 || one.Scheme != "none" {
		t.Fatalf("got %+v, %v", one, err)
	}
	again, _ := New(dir).Space()
	if again != one {
		t.Errorf("the same files are %v and %v", one, again)
	}
	files := tiny(t)
	rows := append([][]float32{}, wordPieceRows...)
	rows[4] = []float32{0, 2.5}
	files["model.safetensors"] = safetensors(t, map[string][][]float32{"embeddings": rows})
	other, err := New(folder(t, files)).Space()
	if err != nil || other.Model == one.Model {
		t.Errorf("another model in the folder is %v, %v", other, err)
	}
}

// What is wrong with a model's files is one sentence that names the file.
func TestWhatIsNoModel(t *testing.T) {
	tokenizer := func(old, new string) func(map[string][]byte) {
		return func(f map[string][]byte) {
			if !strings.Contains(wordPieceFile, old) {
				t.Fatalf("%q is not in the tokenizer", old)
			}
			f["tokenizer.json"] = []byte(strings.Replace(wordPieceFile, old, new, 1))
		}
	}
	header := func(s string) func(map[string][]byte) {
		return func(f map[string][]byte) {
			f["model.safetensors"] = append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...)
		}
	}
	for _, row := range []struct {
		name   string
		change func(f map[string][]byte)
		want   string
	}{
		{"no folder", func(f map[string][]byte) { clear(f) }, "model.safetensors cannot be used: no such file or directory"},
		{"no tokenizer", func(f map[string][]byte) { delete(f, "tokenizer.json") }, "tokenizer.json cannot be used: no such file"},
		{"cut off", func(f map[string][]byte) {
			f["model.safetensors"] = f["model.safetensors"][:len(f["model.safetensors"])-8]
		}, "model.safetensors: its tensor \"embeddings\" is cut off"},
		{"cut in the header", func(f map[string][]byte) { f["model.safetensors"] = f["model.safetensors"][:20] }, "model.safetensors: it is cut off"},
		{"empty", func(f map[string][]byte) { f["model.safetensors"] = nil }, "model.safetensors: it is cut off"},
		{"noise", func(f map[string][]byte) { f["model.safetensors"] = bytes.Repeat([]byte("noise"), 99) }, "it does not begin like a safetensors file"},
		{"a header that is none", header(`[1, 2]`), "it does not begin like a safetensors file"},
		{"no embeddings", header(`{"other": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}`), "it holds no table called embeddings"},
		{"a lie about the shape", header(`{"embeddings": {"dtype": "F32", "shape": [9, 9], "data_offsets": [0, 8]}}`), "is not as long as its shape says"},
		{"a huge shape", header(`{"embeddings": {"dtype": "F32", "shape": [1099511627776, 1099511627776], "data_offsets": [0, 8]}}`), "has no real shape"},
		{"an odd type", header(`{"embeddings": {"dtype": "F4", "shape": [2, 2], "data_offsets": [0, 2]}}`), "its numbers are of the type F4, which this reader does not know"},
		{"one dimension", header(`{"embeddings": {"dtype": "I8", "shape": [0], "data_offsets": [0, 0]}}`), "its embeddings have the shape [0]"},
		{"no JSON", func(f map[string][]byte) { f["tokenizer.json"] = []byte("<html>") }, "tokenizer.json: it is no tokenizer"},
		{"BPE", tokenizer(`{"type": "WordPiece"`+`, "unk_token"`, `{"type": "BPE", "unk_token"`), "its tokens are made by BPE, and this reader knows WordPiece and Unigram"},
		{"an odd normalizer", tokenizer("BertNormalizer", "Nmt"), "its normalizer is Nmt, which this reader does not know"},
		{"an odd splitter", tokenizer("BertPreTokenizer", "ByteLevel"), "its pre_tokenizer is ByteLevel, which this reader does not know"},
		{"a vocabulary that is none", tokenizer(`{"[PAD]": 0,`, `{"[PAD]": "x",`), "its vocabulary is not one"},
		{"more tokens than rows", tokenizer(`"car": 2`, `"car": 99`), "it has 100 tokens, and the embeddings are of 9"},
		{"an odd config", func(f map[string][]byte) { f["config.json"] = []byte("no") }, "config.json: it is not JSON"},
	} {
		t.Run(row.name, func(t *testing.T) {
			files := tiny(t)
			row.change(files)
			_, err := New(folder(t, files)).Embed(context.Background(), embed.Query, []string{"car"})
			if vault.CodeOf(err) != vault.CodeEmbedding || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A pipe in the place of a file is refused and not waited for.
func TestAFolderInPlaceOfAFile(t *testing.T) {
	dir := folder(t, tiny(t))
	if err := os.Remove(filepath.Join(dir, "tokenizer.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "tokenizer.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := New(dir).Embed(context.Background(), embed.Query, []string{"car"})
	if err == nil || !strings.HasSuffix(err.Error(), "cannot be used: it is not a regular file") {
		t.Errorf("got %v", err)
	}
}

func FuzzTokenizer(f *testing.F) {
	f.Add([]byte(wordPieceFile), "Cars, boats & 車")
	f.Add([]byte(unigramFile("null", `{"type": "Metaspace"}`)), "hello  wörld")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		tok, err := readTokenizer(file)
		if err != nil {
			return
		}
		for _, id := range tok.encode(text, 50) {
			if int(id) >= tok.Size && tok.Size > 0 {
				t.Errorf("%q: token %d of %d", text, id, tok.Size)
			}
		}
	})
}

// FuzzTensors: whatever a file says of itself, its tensors lie within it.
func FuzzTensors(f *testing.F) {
	f.Add(safetensors(f, map[string][][]float32{"embeddings": wordPieceRows}))
	f.Fuzz(func(t *testing.T, file []byte) {
		r, ok, err := readRows(bytes.NewReader(file), int64(len(file)), "embeddings")
		if err != nil || !ok {
			return
		}
		for _, one := range []*tensor{&r.table, r.mapping, r.weights} {
			if one == nil || one.count() == 0 {
				continue
			}
			if _, err := one.readNumber(bytes.NewReader(file), int32(one.count()-1)); err != nil {
				t.Errorf("%+v: %v", one, err)
			}
		}
	})
}
