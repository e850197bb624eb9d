package graph_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// model answers by a word of the prompt; what it has no answer for fails.
type model map[string]string

func (m model) Generate(_ context.Context, prompt string) (string, error) {
	for word, answer := range m {
		if strings.Contains(prompt, word) {
			return answer, nil
		}
	}
	return "", vault.Errorf(vault.CodeGeneration, "try again", "the server failed (500)")
}

const (
	one     = `{"entities": [{"name": "gateway", "type": "service", "description": "a job"}], "relations": []}`
	nothing = `{"entities": [], "relations": []}`
)

// extractFacts has the model draw the facts of what w chooses.
func extractFacts(w graph.WhichMemories, m graph.Generator, more func(*graph.Extract)) func(context.Context, *vaultmap.World) (graph.ExtractResult, error) {
	return func(ctx context.Context, world *vaultmap.World) (graph.ExtractResult, error) {
		chosen, err := graph.ChooseMemories(ctx, world.Vault, w, graph.EntityTypes())
		if err != nil {
			return graph.ExtractResult{}, err
		}
		r := graph.Extract{Vault: world.Vault, Model: m, By: "test/m", Types: graph.EntityTypes()}
		if more != nil {
			more(&r)
		}
		return r.Do(ctx, chosen)
	}
}

// file is a facts file with the gateway, drawn of the Rollback of the family.
func file(of, entity string) string {
	return "{\"id\": \"pf-aa2\", \"of\": \"" + of + "\", \"by\": \"test/m\", \"prompt\": 1,\n\"entities\": [\n" + entity + "\n],\n\"relations\": []}\n"
}

func TestPlanExtract(t *testing.T) {
	at := vault.FactsPath("pf-aa2")
	w := vaultmap.New(vaultmap.Family())
	chosen, err := graph.ChooseMemories(t.Context(), w.Vault, graph.WhichMemories{Refs: []string{"pf-aa2"}}, graph.EntityTypes())
	if err != nil || len(chosen) != 1 || chosen[0].Tokens == 0 {
		t.Fatalf("chosen %+v, %v", chosen, err)
	}
	of := chosen[0].Of
	entity := `{"name": "gateway", "type": "service", "description": "a job"}`
	had := func(text string) vaultmap.Files { return vaultmap.Family().With(vaultmap.Files{at: text}) }
	named := graph.WhichMemories{Refs: []string{"pf-aa2"}}
	vaultmap.Run(t, []vaultmap.Row[graph.ExtractResult]{
		{Name: "one by name", Do: extractFacts(named, model{"Roll back": one}, nil), Says: `"drawn":1,"failed":0,"left":0,"commits":1`, Want: `
				new ` + string(at) + `
				+{"id": "pf-aa2", "of": "` + of + `", "by": "test/m", "prompt": 1,
				+"entities": [
				+` + entity + `
				+],
				+"relations": []}`},
		{Name: "the same again", Start: had(file(of, entity)), Do: extractFacts(named, model{"Roll back": one}, nil), Says: `"outcome":"unchanged"`},
		{Name: "what is by hand stays", Start: had(file("0", `{"name": "db1", "type": "host", "hand": true}`)), Do: extractFacts(named, model{"Roll back": one}, nil), Says: `"drawn":1`, Want: `
				` + string(at) + `
				-{"id": "pf-aa2", "of": "0", "by": "test/m", "prompt": 1,
				+{"id": "pf-aa2", "of": "` + of + `", "by": "test/m", "prompt": 1,
				-{"name": "db1", "type": "host", "hand": true}
				+{"name": "db1", "type": "host", "hand": true},
				+` + entity},
		{Name: "what was removed does not come back", Start: had(file("0", `{"name": "gateway", "type": "service", "removed": true}`)), Do: extractFacts(named, model{"Roll back": one}, nil), Says: `"drawn":1`, Want: `
				` + string(at) + `
				-{"id": "pf-aa2", "of": "0", "by": "test/m", "prompt": 1,
				+{"id": "pf-aa2", "of": "` + of + `", "by": "test/m", "prompt": 1,`},
		{Name: "missing ones alone, in one commit", Start: had(file(of, entity)), Do: extractFacts(graph.WhichMemories{Missing: true}, model{"How we": nothing, "Rotate": nothing, "Roll back": one}, func(r *graph.Extract) { r.AtOnce = 2 }), Says: `"drawn":2,"failed":0,"left":0,"commits":1`, Want: `
				new ` + string(vault.FactsPath("pf-aa1")) + extracted("pf-aa1", hash(t, "pf-aa1")) + `
				new ` + string(vault.FactsPath("pf-aa3")) + extracted("pf-aa3", hash(t, "pf-aa3"))},
		{Name: "stale ones alone", Start: had(file("0", entity)), Do: extractFacts(graph.WhichMemories{Stale: true}, model{"Roll back": one}, nil), Says: `"drawn":1`, Want: `
				` + string(at) + `
				-{"id": "pf-aa2", "of": "0", "by": "test/m", "prompt": 1,
				+{"id": "pf-aa2", "of": "` + of + `", "by": "test/m", "prompt": 1,`},
		{Name: "below a memory, as far as the limit", Do: extractFacts(graph.WhichMemories{Under: "pf-aa1", Limit: 1}, model{"How we": nothing}, nil), Says: `"drawn":1`, Want: `
				new ` + string(vault.FactsPath("pf-aa1")) + extracted("pf-aa1", hash(t, "pf-aa1"))},
		{Name: "the model fails for one", Do: extractFacts(graph.WhichMemories{Refs: []string{"pf-aa3", "pf-aa1"}}, model{"How we": nothing}, nil), Says: `"outcome":"failed"`, Want: `
				new ` + string(vault.FactsPath("pf-aa1")) + extracted("pf-aa1", hash(t, "pf-aa1"))},
		{Name: "an answer that is none", Do: extractFacts(named, model{"Roll back": "I think"}, nil), Says: `"failed":1`},
		{Name: "facts that cannot be read stay", Start: had("{"), Do: extractFacts(named, model{"Roll back": one}, nil), Says: `"failed":1`},
		{Name: "no such memory", Do: extractFacts(graph.WhichMemories{Refs: []string{"pf-none"}}, model{}, nil), Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "no such top", Do: extractFacts(graph.WhichMemories{Under: "pf-none"}, model{}, nil), Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "a merge is under way", Given: func(w *vaultmap.World) { w.Busy = "merge" }, Do: func(ctx context.Context, w *vaultmap.World) (graph.ExtractResult, error) {
			return extractFacts(named, model{"Roll back": one}, nil)(ctx, w)
		}, Err: vaultmap.Told(busy())},
	})
}

// busy is the refusal while a merge is under way.
func busy() error {
	e := vault.Standstill("merge")
	e.Msg += "; nothing was asked"
	return e
}

// extracted is a new facts file without entries, as a table has it.
func extracted(id, of string) string {
	return `
				+{"id": "` + id + `", "of": "` + of + `", "by": "test/m", "prompt": 1,
				+"entities": [],
				+"relations": []}`
}

// hash is what facts of a memory of the family say they were drawn from.
func hash(t *testing.T, id string) string {
	t.Helper()
	chosen, err := graph.ChooseMemories(t.Context(), vaultmap.New(vaultmap.Family()).Vault, graph.WhichMemories{Refs: []string{id}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return chosen[0].Of
}

// The day's tokens end the run: what was answered is committed, the rest is left.
func TestTheTokensAreSpent(t *testing.T) {
	w, asked := vaultmap.New(vaultmap.Family()), 0
	spent := errors.New("spent")
	out, err := extractFacts(graph.WhichMemories{}, model{"e": nothing}, func(r *graph.Extract) {
		r.Spend = func(int) error {
			if asked++; asked > 1 {
				return spent
			}
			return nil
		}
	})(t.Context(), w)
	if !errors.Is(err, spent) || out.Drawn != 1 || out.Left != 2 || out.Commits != 1 {
		t.Errorf("got %+v, %v", out, err)
	}
}

// A model that is down is not asked for each memory of a large vault.
func TestAModelThatIsDown(t *testing.T) {
	files := vaultmap.Files{}
	for _, name := range strings.Fields("a b c d e f g h") {
		files[vault.Path(name+".md")] = vaultmap.File("pf-"+name+name, "Note "+name, "", "Text.\n")
	}
	out, err := extractFacts(graph.WhichMemories{}, model{}, nil)(t.Context(), vaultmap.New(files))
	if vault.CodeOf(err) != vault.CodeGeneration || out.Failed != 5 || out.Left != 3 || out.Commits != 0 {
		t.Errorf("got %+v, %v", out, err)
	}
}

// A dry run tells what it would cost, and asks nothing.
func TestPlanTellsTheCost(t *testing.T) {
	w := vaultmap.New(vaultmap.Family())
	w.Disk["typed.md"] = "# Typed\n\nBy hand.\n"
	chosen, err := graph.ChooseMemories(t.Context(), w.Vault, graph.WhichMemories{Refs: []string{"pf-aa1", "typed.md"}}, graph.EntityTypes())
	if err != nil {
		t.Fatal(err)
	}
	r := graph.PlanExtract(chosen)
	if !r.DryRun || len(r.Rows) != 2 || r.Rows[0].Outcome != graph.ExtractPlanned || r.Rows[1].Outcome != graph.Failed || r.Tokens != r.Rows[0].Tokens {
		t.Errorf("got %+v", r)
	}
	if !strings.Contains(string(graph.ExtractSchema([]string{"host"})), `"enum":["host"]`) {
		t.Error("the schema has no list of types")
	}
}
