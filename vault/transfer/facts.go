package transfer

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
)

// exportFacts adds a memory's facts to what is exported. A file that cannot be read is not.
func (e *exporter) exportFacts(ctx context.Context, out *Exported) {
	text, err := e.v.Reading().Facts(ctx, vault.FactsPath(out.ID))
	if err != nil || text == nil {
		return
	}
	if f, err := graph.ReadFacts(out.ID, text); err == nil {
		out.RawFacts, out.Facts = text, f.LiveFacts()
	}
}

// planFacts plans the facts files that came with the sources, each for the memory that its source
// has become. Facts that a memory has already stay; with Update those of both are joined. It
// returns how many files it planned.
func (im *importer) planFacts(rows []Row) (planned int, err error) {
	if len(im.o.Facts) == 0 {
		return 0, nil
	}
	became := im.became(rows)
	for _, file := range im.o.Facts {
		f, err := fact.Parse(file.Text)
		if err != nil || became[f.ID] == "" {
			continue // of a memory that is not imported
		}
		id := became[f.ID]
		p := vault.FactsPath(id)
		was, err := im.tx.Facts(im.ctx, p)
		if err != nil {
			return planned, err
		}
		f.ID = string(id)
		now := f.Bytes()
		switch {
		case was != nil && !im.o.Update:
			continue
		case was != nil:
			now = fact.Merge(nil, was, now)
		}
		if string(now) == string(was) {
			continue
		}
		if err := im.tx.SetFacts(im.ctx, p, was, now); err != nil {
			return planned, err
		}
		planned++
	}
	return planned, nil
}

// became maps the ids that the sources bring to those that they have in the vault.
func (im *importer) became(rows []Row) map[string]vault.ID {
	is := make(map[string]vault.ID, len(rows))
	for _, row := range rows {
		if row.Action == Created || row.Action == Updated || row.Action == Unchanged {
			is[row.Source] = row.ID
		}
	}
	all := make(map[string]vault.ID, len(rows))
	for _, it := range im.o.Items {
		if id := vault.Parse(vault.Path(it.Place), it.Text).ID; id != "" && is[it.Source] != "" {
			all[string(id)] = is[it.Source]
		}
	}
	return all
}
