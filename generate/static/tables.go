package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault/embed"
)

// rows says where the numbers of each token lie.
type rows struct {
	path    string
	table   tensor
	mapping []float32 // the row of each token; nil if the token's number is its row
	weights []float32 // nil where all are 1
}

func (r rows) dimension() int { return int(r.table.Shape[1]) }

// tables are the files that may hold the embeddings, and the tensor's name in each.
var tables = []struct{ file, name string }{
	{"model.safetensors", "embeddings"},
	{"model.safetensors", "embedding.weight"},
	{"0_StaticEmbedding/model.safetensors", "embedding.weight"},
}

// findTable finds the tensors.
func (m *Model) findTable() error {
	if m.rows.path != "" {
		return nil
	}
	for _, t := range tables {
		path := filepath.Join(m.folder, filepath.FromSlash(t.file))
		f, size, err := openRegular(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return m.fault(t.file, err)
		}
		r, ok, err := readRows(f, size, t.name)
		_ = f.Close()
		if err != nil {
			return m.fault(t.file, err)
		}
		if ok {
			r.path = path
			m.rows = r
			return nil
		}
	}
	if _, err := os.Stat(filepath.Join(m.folder, "model.safetensors")); err != nil {
		return m.fault("model.safetensors", err)
	}
	return m.fault("model.safetensors", errors.New("it holds no table called embeddings"))
}

func readRows(f io.ReaderAt, size int64, name string) (rows, bool, error) {
	all, err := readTensors(f, size)
	if err != nil {
		return rows{}, false, err
	}
	table, ok := all[name]
	if !ok {
		return rows{}, false, nil
	}
	if len(table.Shape) != 2 || table.Shape[0] < 1 || table.Shape[1] < 1 || table.Shape[1] > embed.MaxDimension {
		return rows{}, false, fmt.Errorf("its embeddings have the shape %v", table.Shape)
	}
	if _, err := table.kind(); err != nil {
		return rows{}, false, err
	}
	r := rows{table: table}
	if r.mapping, err = column(f, all, "mapping"); err == nil {
		r.weights, err = column(f, all, "weights")
	}
	return r, true, err
}

// column reads a tensor of one dimension. It returns nil if the file has none of that name.
func column(f io.ReaderAt, all map[string]tensor, name string) ([]float32, error) {
	t, ok := all[name]
	if !ok {
		return nil, nil
	}
	return t.numbers(f)
}

// tokens returns how many tokens have numbers.
func (r rows) tokens() int {
	n := int(r.table.Shape[0])
	if r.mapping != nil {
		n = len(r.mapping)
	}
	if r.weights != nil {
		n = min(n, len(r.weights))
	}
	return n
}

func readSmall(path string, most int64) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > most {
		return nil, fmt.Errorf("it has %d bytes, of %d at the most", size, most)
	}
	return io.ReadAll(io.LimitReader(f, most))
}

// readLength reads max_length of a config.json, which may be missing.
func readLength(path string) (int, error) {
	b, err := readSmall(path, maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultLength, nil
	}
	if err != nil {
		return 0, err
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return 0, damaged("it is not JSON")
	}
	length := defaultLength
	if v, ok := raw["max_length"]; ok && json.Unmarshal(v, &length) != nil {
		return 0, errors.New("its max_length is no number")
	}
	if string(raw["max_length"]) == "null" {
		length = 0
	}
	return length, nil
}
