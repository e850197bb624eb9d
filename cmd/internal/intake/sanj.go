package intake

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/sanj"
)

// maxSanj bounds a file of the program sanj, in bytes.
const maxSanj = 64 << 20

// ImportSanj brings in what the program sanj has observed: from one of its files, or from the
// folder in which both lie.
func (r Room) ImportSanj(ctx context.Context, o sanj.Import, name string) (sanj.Outcome, error) {
	path := r.App.Abs(name)
	info, err := os.Stat(path)
	if err != nil {
		return sanj.Outcome{}, unopened(path, err)
	}
	files := []string{path}
	if info.IsDir() {
		files = []string{filepath.Join(path, sanj.ObservationsName), filepath.Join(path, sanj.LongTermName)}
	}
	for _, file := range files {
		text, err := readSanj(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			o.Sources = append(o.Sources, sanj.Source{Name: filepath.Base(file), Err: err})
		default:
			o.Sources = append(o.Sources, sanj.Read(filepath.Base(file), text, r.App.Now()))
		}
	}
	if len(o.Sources) == 0 {
		return sanj.Outcome{}, vault.Errorf(vault.CodeNotFound, "name the folder, often ~/.sanj, or one of the files", "neither %s nor %s lies in '%s'", sanj.ObservationsName, sanj.LongTermName, name)
	}
	return o.Do(ctx, r.Vault)
}

// readSanj reads one file. The error tells the cause alone.
func readSanj(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, disk.Cause(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, disk.Cause(err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxSanj+1))
	switch {
	case err != nil:
		return nil, disk.Cause(err)
	case len(text) > maxSanj:
		return nil, errors.New("it is larger than 64 MB")
	}
	return text, nil
}

// unobserved is the error to end with after an answer that tells of nothing but what could
// not be imported.
func unobserved(o sanj.Outcome) error {
	if o.Skipped == 0 || o.Skipped < len(o.Rows) {
		return nil
	}
	return vault.Errorf(vault.CodeDamaged, "mend the file, and import it again", "nothing could be imported: %s", o.Rows[0].Reason)
}
