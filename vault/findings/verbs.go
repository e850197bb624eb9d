package findings

import (
	"context"
	"encoding/json"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// Verbs is the table of the room's verbs. analyser returns what takes the words out of texts;
// it is called only for a verb that is planned.
func Verbs(analyser func() recall.Analyse) []tree.Verb {
	return []tree.Verb{
		{Name: Add{}.Name(), Options: Add{}, Line: lineParser(analyser), Waits: func() vault.Verb[vault.Delivered] { return &queued{Add{Analyse: analyser()}} }},
	}
}

// lineParser reads the findings of a line as strictly as Parse does.
func lineParser(analyser func() recall.Analyse) func([]byte) (tree.Line, error) {
	return func(options []byte) (tree.Line, error) {
		var o struct {
			Add
			Findings json.RawMessage `json:"findings"`
		}
		err := json.Unmarshal(options, &o)
		if err != nil {
			return nil, err
		}
		if o.Add.Findings, err = Parse(o.Findings); err != nil {
			return nil, err
		}
		o.Analyse = analyser()
		return tree.LineOf(o.Add), Check(o.Add.Findings)
	}
}

// queued is an Add that waited.
type queued struct{ Add }

// Plan plans the Add as it was queued.
func (o *queued) Plan(ctx context.Context, tx *vault.Tx) (vault.Delivered, error) {
	out, err := o.Add.Plan(ctx, tx)
	return vault.Delivered{ID: out.ID, Title: out.Title, Path: out.Path, Warned: out.Warned}, err
}

// Row is the outcome in a batch.
func (a Added) Row() tree.BatchRow {
	return tree.BatchRow{ID: a.ID, Title: a.Title, Path: a.Path, Unchanged: a.Unchanged, Warnings: a.Warnings}
}
