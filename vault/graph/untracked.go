package graph

import (
	"bytes"
	"context"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/filename"
)

// ImportFacts brings facts of no memory into the vault, and so into the graph: those of another
// program's graph. They stay until a file of the same name is imported.
type ImportFacts struct {
	File   string // the name of the file they come from; an import of the same name replaces
	Text   []byte // an entity or a relation a line, see [fact.ParseLines]
	DryRun bool   // only say what would be brought in

	AllowSecret bool
}

// FactsImported is the outcome of [ImportFacts].
type FactsImported struct {
	Path      vault.Path     `json:"path"`
	Entities  int            `json:"entities"`
	Relations int            `json:"relations"`
	Skipped   []fact.Skipped `json:"skipped"` // lines of which nothing is used
	Unchanged bool           `json:"unchanged,omitempty"`
	DryRun    bool           `json:"dry_run"`
	vault.Warned
}

// Do brings the facts in, in one commit. The error is CodeInvalid for a text that holds none.
func (o ImportFacts) Do(ctx context.Context, v *vault.Vault) (FactsImported, error) {
	if o.DryRun {
		return vault.Preview(ctx, v, o)
	}
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o ImportFacts) Name() string { return "import" }

// Plan plans the file, with the lines in one form and order.
func (o ImportFacts) Plan(ctx context.Context, tx *vault.Tx) (out FactsImported, err error) {
	f, skipped := fact.ParseLines(o.Text)
	out = FactsImported{Path: untrackedPath(o.File), Entities: len(f.Entities), Relations: len(f.Relations), DryRun: o.DryRun}
	out.Skipped = append([]fact.Skipped{}, skipped...)
	text := f.Lines()
	switch {
	case len(text) == 0:
		return out, vault.Errorf(vault.CodeInvalid, `give JSON Lines, as {"type": "entity", "name": "db1", "entityType": "host"}`, "nothing in the file is an entity or a relation%s", describeFirst(skipped))
	case len(text) > vault.MaxFile:
		return out, vault.Errorf(vault.CodeInvalid, "import it in parts", "the facts are larger than %d MiB", vault.MaxFile>>20)
	}
	was, err := tx.Facts(ctx, out.Path)
	if err != nil {
		return out, err
	}
	if o.AllowSecret {
		tx.AllowSecret()
	}
	tx.About("", "graph "+o.File)
	out.Unchanged = bytes.Equal(was, text)
	return out, tx.SetFacts(ctx, out.Path, was, text)
}

// describeFirst tells of the first line of which nothing is used.
func describeFirst(skipped []fact.Skipped) string {
	if len(skipped) == 0 {
		return ""
	}
	return "; the first line: " + skipped[0].Why
}

// untrackedPath returns the place of the facts from a file of that name.
func untrackedPath(name string) vault.Path {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		name = name[:at]
	}
	return vault.Path(fact.UntrackedDir + "/" + filename.Slug(name, "graph") + ".jsonl")
}
