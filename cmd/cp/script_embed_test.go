package main_test

import (
	"bytes"
	encoding "encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/cp-memory/cp/testdata/generatetest"
)

// embedder configures an embedding model for a story: a fake server that plays
// NAME, or, for the vendor static, a model of a few words that is written into
// the folder NAME. Vectors are made when the story says so, not by themselves.
func embedder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: embedder VENDOR NAME")
	}
	ts.Setenv("CP_EMBEDDING_PROVIDER", args[0])
	ts.Setenv("CP_EMBEDDING_AUTO", "false")
	if args[0] == "static" {
		dir := ts.MkAbs(args[1])
		writeStatic(ts, dir)
		ts.Setenv("CP_EMBEDDING_FOLDER", dir)
		return
	}
	server, ok := ts.Value(served{}).(**generatetest.Server)
	if !ok {
		ts.Fatalf("no place for a server")
	}
	if *server == nil {
		*server = generatetest.Start()
		ts.Defer((*server).Stop)
	}
	url := (*server).URL
	if args[0] == "openai" {
		url += "/v1"
	}
	for name, value := range map[string]string{"MODEL": args[1], "BASE_URL": url, "KEY_ENV": "MODEL_KEY"} {
		ts.Setenv("CP_EMBEDDING_"+name, value)
	}
	ts.Setenv("MODEL_KEY", modelKey)
}

// writeStatic writes a static model in which words of one line mean the same.
func writeStatic(ts *testscript.TestScript, dir string) {
	meanings := []string{"", "", "car automobile engine", "boat ship sail", "memory", "bread bake dough"}
	var vocabulary []string
	var rows bytes.Buffer
	for m, words := range meanings {
		row := make([]float32, 8)
		row[m] = 1
		for _, word := range strings.Split(words, " ") {
			if word == "" {
				word = fmt.Sprintf("[%d]", m)
			}
			vocabulary = append(vocabulary, fmt.Sprintf("%q: %d", word, len(vocabulary)))
			ts.Check(encoding.Write(&rows, encoding.LittleEndian, row))
		}
	}
	header := fmt.Sprintf(`{"embeddings": {"dtype": "F32", "shape": [%d, 8], "data_offsets": [0, %d]}}`, len(vocabulary), rows.Len())
	model := append(encoding.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	ts.Check(os.MkdirAll(dir, 0o755))
	for name, b := range map[string][]byte{
		"model.safetensors": append(model, rows.Bytes()...),
		"config.json":       []byte(`{"max_length": 512}`),
		"tokenizer.json": []byte(`{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
			"model": {"type": "WordPiece", "unk_token": "[1]", "vocab": {` + strings.Join(vocabulary, ", ") + `}}}`),
	} {
		ts.Check(os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
}
