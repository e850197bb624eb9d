package knowledge

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/graph"
)

// maxGraph bounds the file of an import, in bytes.
const maxGraph = 64 << 20

// ImportGraph brings the graph of another program in, from the file path.
func (r Room) ImportGraph(ctx context.Context, o graph.ImportFacts, path string) (graph.FactsImported, error) {
	text, err := readGraph(r.App.Abs(path))
	if err != nil {
		return graph.FactsImported{}, err
	}
	o.File, o.Text = filepath.Base(path), text
	return o.Do(ctx, r.Vault)
}

// readGraph reads a file, which may be a pipe.
func readGraph(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, vault.Errorf(vault.CodeNotFound, "check the path", "cannot read '%s': %w", path, disk.Cause(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxGraph+1))
	switch {
	case err != nil:
		return nil, vault.Errorf(vault.CodeIO, "give a file of JSON Lines", "cannot read '%s': %w", path, disk.Cause(err))
	case len(text) > maxGraph:
		return nil, vault.Errorf(vault.CodeInvalid, "import it in parts", "'%s' is larger than %d MiB", path, maxGraph>>20)
	}
	return text, nil
}
