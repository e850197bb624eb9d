package knowledge

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/meter"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// Extract has a language model draw the facts of memories.
type Extract struct {
	graph.WhichMemories
	DryRun bool `flag:"dry-run" help:"list what would be asked and what it would cost, ask nothing"`
	AtOnce int  `flag:"concurrency" help:"how many <questions> are asked at once, 1-64"`
}

// Extract draws facts, and returns what became of each memory, also where it was stopped.
// What it will cost is told, in one line, before the first question.
func (r Room) Extract(ctx context.Context, o Extract, tell func(string)) (graph.ExtractResult, error) {
	types := r.Settings.Facts.Types
	if len(types) == 0 {
		types = graph.EntityTypes()
	}
	run := graph.Extract{Vault: r.Vault, Types: types, AtOnce: o.AtOnce}
	if !o.DryRun {
		release, err := r.drawing(&run)
		if err != nil {
			return graph.ExtractResult{}, err
		}
		defer release()
	}
	chosen, err := graph.ChooseMemories(ctx, r.Vault, o.WhichMemories, types)
	if err != nil || o.DryRun || len(chosen) == 0 {
		return graph.PlanExtract(chosen), err
	}
	tell(fmt.Sprintf("%s to %s: about %d tokens", vault.Plural(len(chosen), "memory goes", "memories go"), run.By, graph.PlanExtract(chosen).Tokens))
	if r.App.Progress != nil {
		set, end := r.App.Progress("drawing facts", len(chosen))
		defer end()
		run.Progress = set
	}
	return run.Do(ctx, chosen)
}

// drawing sets the model, and takes the clone's lock.
func (r Room) drawing(run *graph.Extract) (release func(), err error) {
	g := r.Settings.Generation
	if !g.IsConfigured() {
		return nil, errNoModel()
	}
	if run.Model, err = r.App.Drawer(g, graph.ExtractSchema(run.Types)); err != nil {
		return nil, err
	}
	run.By = g.Provider + "/" + g.Model
	m := &meter.Meter{Dir: r.State.StateDir(), Daily: r.Settings.Facts.DailyTokens, Now: r.App.Now}
	run.Spend = m.Spend
	return m.Hold()
}

// ErrUnextracted is the error to end with after an answer that tells of failures; err is the
// run's own.
func ErrUnextracted(r graph.ExtractResult, err error) error {
	if err != nil || r.Failed == 0 || r.DryRun {
		return err
	}
	return vault.Errorf(vault.CodeGeneration, "the others are written; run the command again for these", "the facts of %d of %s could not be drawn", r.Failed, vault.Plural(len(r.Rows), "memory", "memories"))
}
