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
	mapping *tensor // the row of each token; nil if the token's number is its row
	weights *tensor // nil where all are 1
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
	if r.mapping, err = column(all, "mapping"); err == nil {
		r.weights, err = column(all, "weights")
	}
	return r, true, err
}

// column returns the tensor of that name, which has a number for each token; nil if there is none.
func column(all map[string]tensor, name string) (*tensor, error) {
	t, ok := all[name]
	if !ok {
		return nil, nil
	}
	_, err := t.kind()
	return &t, err
}

// tokens returns how many tokens have numbers.
func (r rows) tokens() int {
	n := int(r.table.Shape[0])
	if r.mapping != nil {
		n = r.mapping.count()
	}
	if r.weights != nil {
		n = min(n, r.weights.count())
	}
	return n
}

// rowOf returns the row of a token, and by what it is multiplied.
func (r rows) rowOf(f io.ReaderAt, id int32) (row int64, weight float32, err error) {
	row, weight = int64(id), 1
	if r.mapping != nil {
		var v float32
		v, err = r.mapping.readNumber(f, id)
		row = int64(v)
	}
	if r.weights != nil && err == nil {
		weight, err = r.weights.readNumber(f, id)
	}
	if err == nil && (row < 0 || row >= r.table.Shape[0]) {
		err = fmt.Errorf("its token %d is in row %d, which is not there", id, row)
	}
	return row, weight, err
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
