package static

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/embed"
)

// Bounds of the small files, in bytes; the tokenizers of multilingual models
// take 20 MB.
const (
	maxTokenizer = 128 << 20
	maxConfig    = 1 << 20
)

// defaultLength is the number of tokens of a text that model2vec looks at by default.
const defaultLength = 512

// Model is a static embedding model in a folder. It reads a file when it first needs it. It
// is safe for concurrent use.
type Model struct {
	// Shelves is a folder for what makes a question quick: the tokens of tokenizer.json, laid
	// so that a few are found without reading all. It may be deleted at any moment. Where it is
	// empty, or nothing can be written there, the first question of a process reads them all.
	Shelves string

	folder string

	mu       sync.Mutex
	space    *embed.Space
	tokens   *tokenizer
	shelf    *shelf // in place of tokens, until they are read
	rows     rows
	length   int           // tokens of a text that are looked at; 0 means all
	resident *bytes.Reader // the tensors' file, once documents were asked for
}

// New returns the model in a folder.
func New(folder string) *Model { return &Model{folder: folder} }

// fault words an error about one of the files.
func (m *Model) fault(name string, err error) error {
	switch file := filepath.Join(m.folder, name); {
	case sysfile.IsOutOfMemory(err):
		return vault.Errorf(vault.CodeEmbedding, "Close other applications or use smaller model", "Insufficient memory to load embedding model: %s: %w", file, disk.Cause(err))
	case errors.As(err, new(damaged)):
		return vault.Errorf(vault.CodeEmbedding, "Delete "+file+" and retry: cp help vectors tells where models come from", "Embedding model cache corrupted: %s: %w", file, err)
	}
	return vault.Errorf(vault.CodeEmbedding, "embedding.folder names a folder with model.safetensors, tokenizer.json and config.json of a model2vec model: cp help vectors",
		"the static model's %s cannot be used: %w", filepath.Join(m.folder, name), disk.Cause(err))
}

// Space returns a space named by the folder and a fingerprint of its files. Another model
// put in the same folder has another space.
func (m *Model) Space() (embed.Space, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.space != nil {
		return *m.space, nil
	}
	if err := m.findTable(); err != nil {
		return embed.Space{}, err
	}
	sum := sha256.New()
	for _, name := range []string{filepath.Base(m.rows.path), "tokenizer.json", "config.json"} {
		if err := sample(sum, m.siblingPath(name)); err != nil && !(name == "config.json" && errors.Is(err, fs.ErrNotExist)) {
			return embed.Space{}, m.fault(name, err)
		}
	}
	name := filepath.Base(m.folder) + "-" + hex.EncodeToString(sum.Sum(nil)[:4])
	m.space = &embed.Space{Model: "static/" + name, Dimension: m.rows.dimension(), Scheme: "none"}
	return *m.space, nil
}

// sample hashes a file's size and pieces from all over it: a model of 500 MB
// takes no longer than one of 5.
func sample(sum io.Writer, path string) error {
	const pieces, size = 64, 4096
	f, total, err := openRegular(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(sum, "%d\n", total)
	b := make([]byte, size)
	for i := range int64(pieces) {
		n, err := f.ReadAt(b, i*max(total-size, 0)/(pieces-1))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		_, _ = sum.Write(b[:n])
	}
	return nil
}

// loadTokenizer reads the tokenizer whole, and leaves a shelf of it.
func (m *Model) loadTokenizer(p embed.Purpose) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tokens != nil {
		return nil
	}
	key, _ := m.shelfKey()
	b, err := readSmall(m.siblingPath("tokenizer.json"), maxTokenizer)
	if err != nil {
		return m.fault("tokenizer.json", err)
	}
	t, err := readTokenizer(b)
	if err != nil {
		return m.fault("tokenizer.json", err)
	}
	if err := m.checkTokenizer(t); err != nil {
		return err
	}
	m.tokens = t
	m.writeShelf(t, key, p)
	return nil
}

// siblingPath returns the path of a file beside the tensors.
func (m *Model) siblingPath(name string) string {
	return filepath.Join(filepath.Dir(m.rows.path), name)
}

// checkTokenizer checks that the tokens have numbers, and reads how many of a text are looked at.
func (m *Model) checkTokenizer(t *tokenizer) (err error) {
	if known := m.rows.tokens(); known < t.Size {
		return m.fault("tokenizer.json", fmt.Errorf("it has %d tokens, and the embeddings are of %d", t.Size, known))
	}
	if m.length, err = readLength(m.siblingPath("config.json")); err != nil {
		return m.fault("config.json", err)
	}
	return nil
}

// Embed returns the mean of each text's tokens at unit length.
func (m *Model) Embed(ctx context.Context, p embed.Purpose, texts []string) ([][]float32, error) {
	if _, err := m.Space(); err != nil {
		return nil, err
	}
	f, done, err := m.openTensors(p)
	if err != nil {
		return nil, m.fault(filepath.Base(m.rows.path), err)
	}
	defer done()
	if p == embed.Query {
		if all, served, err := m.quickly(ctx, f, texts); served || err != nil {
			return all, err
		}
	}
	if err := m.loadTokenizer(p); err != nil {
		return nil, err
	}
	return m.means(ctx, f, m.tokens, texts)
}

// means embeds the texts by the tokens of t.
func (m *Model) means(ctx context.Context, f io.ReaderAt, t *tokenizer, texts []string) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for i, text := range texts {
		err := ctx.Err()
		if err != nil {
			return nil, err
		}
		if all[i], err = m.mean(f, t.encode(text, m.length)); err != nil {
			return nil, m.fault(filepath.Base(m.rows.path), err)
		}
	}
	return all, nil
}

// openTensors returns the tensors' file. A question needs a few rows, which are read from the file;
// for documents the whole file is read into memory.
func (m *Model) openTensors(p embed.Purpose) (r io.ReaderAt, done func(), err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.resident != nil {
		return m.resident, func() {}, nil
	}
	f, size, err := openRegular(m.rows.path)
	if err != nil {
		return nil, nil, err
	}
	if p == embed.Query {
		return f, func() { _ = f.Close() }, nil
	}
	defer f.Close()
	b := make([]byte, size)
	if _, err := f.ReadAt(b, 0); err != nil {
		return nil, nil, err
	}
	m.resident = bytes.NewReader(b)
	return m.resident, func() {}, nil
}

// mean returns the mean of the tokens' rows at unit length, or nil if it has no direction.
func (m *Model) mean(f io.ReaderAt, ids []int32) ([]float32, error) {
	table := m.rows.table
	number, err := table.kind()
	if err != nil {
		return nil, err
	}
	width := number.width * table.Shape[1]
	b := make([]byte, width)
	sum := make([]float32, table.Shape[1])
	for _, id := range ids {
		row, weight, err := m.rows.rowOf(f, id)
		if err != nil {
			return nil, err
		}
		if _, err := f.ReadAt(b, table.start+row*width); err != nil {
			return nil, err
		}
		for i := range sum {
			sum[i] += weight * number.read(b[int64(i)*number.width:])
		}
	}
	unit, _ := embed.Unit(sum)
	return unit, nil
}
