package graph_test

import (
	"context"
	"errors"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/tree"
)

// gone is where the facts of a memory lie that no file has.
var gone = vault.FactsPath("pf-gone")

// strayed is the family with facts of a memory that is gone. knows has the mirror say so.
func strayed() vaultmap.Files {
	return vaultmap.Family().With(vaultmap.Files{gone: "{\"id\": \"pf-gone\", \"of\": \"\", \"by\": \"\", \"prompt\": 0,\n\"entities\": [],\n\"relations\": []}\n"})
}

func knows(ids ...vault.ID) func(*vaultmap.World) {
	return func(w *vaultmap.World) {
		w.Mirror.Strays = func(context.Context) ([]vault.ID, error) { return ids, nil }
	}
}

func TestPlanCollect(t *testing.T) {
	and := func(more func(*vaultmap.World)) func(*vaultmap.World) {
		return func(w *vaultmap.World) { knows("pf-gone")(w); more(w) }
	}
	vaultmap.Run(t, []vaultmap.Row[graph.FactsCollected]{
		{Name: "nothing stands for them", Start: strayed(), Given: knows("pf-gone"), Verb: graph.CollectFacts{}, Says: `"facts":["pf-gone"]`, Want: "gone " + string(gone)},
		{Name: "no strays", Start: strayed(), Given: knows(), Verb: graph.CollectFacts{}, Says: `"facts":[]`},
		{Name: "a mirror that knows of none", Start: strayed(), Verb: graph.CollectFacts{}, Says: `"facts":[]`},
		{Name: "HEAD has the memory, a person took it from the disk", Start: familyFacts(drawn, ``), Given: func(w *vaultmap.World) {
			knows("pf-aa2")(w)
			delete(w.Disk, "deploy/rollback.md")
		}, Verb: graph.CollectFacts{}, Says: `"facts":[]`, Left: "gone deploy/rollback.md"},
		{Name: "what a person typed there stays", Start: strayed(), Given: and(func(w *vaultmap.World) { w.Disk[gone] += "\n" }), Verb: graph.CollectFacts{}, Says: `"facts":[]`, Left: string(gone) + "\n+"},
		{Name: "a part of the vault cannot be listed", Start: strayed(), Given: and(func(w *vaultmap.World) { w.Partly = true }), Verb: graph.CollectFacts{}, Says: `"facts":[]`},
		{Name: "the mirror fails", Start: strayed(), Given: and(vaultmap.Failing), Verb: graph.CollectFacts{}, Err: vaultmap.Failed},
		{Name: "the mirror cannot tell the strays", Start: strayed(), Given: func(w *vaultmap.World) {
			w.Mirror.Strays = func(context.Context) ([]vault.ID, error) { return nil, errors.New("no rows") }
		}, Verb: graph.CollectFacts{}, Err: "no rows"},
		{Name: "a dry run", Start: strayed(), Given: knows("pf-gone"), Do: func(ctx context.Context, w *vaultmap.World) (graph.FactsCollected, error) {
			return graph.CollectFacts{DryRun: true}.Do(ctx, w.Vault)
		}, Says: `"facts":["pf-gone"]`},
	})
}

func TestPlanImport(t *testing.T) {
	const name = ".cp/facts/untracked/memory.jsonl"
	two := `{"type":"entity","name":"db2","entityType":"host","observations":["a replica"]}` + "\n" +
		`{"type":"relation","from":"db2","to":"db1","relationType":"replicates"}` + "\n"
	vaultmap.Run(t, []vaultmap.Row[graph.FactsImported]{
		{Name: "a graph", Verb: graph.ImportFacts{File: "memory.json", Text: []byte(two)}, Says: `"entities":1,"relations":1,"skipped":[]`, Want: `
				new ` + name + `
				+{"name": "db2", "type": "host", "description": "a replica"}
				+{"from": "db2", "relation": "replicates", "to": "db1"}`},
		{Name: "a broken line is named", Verb: graph.ImportFacts{File: "memory.json", Text: []byte("{\n" + two)}, Says: `"skipped":[{"line":1,`, Want: `
				new ` + name + `
				+{"name": "db2", "type": "host", "description": "a replica"}
				+{"from": "db2", "relation": "replicates", "to": "db1"}`},
		{Name: "the same name replaces", Start: vaultmap.Family().With(vaultmap.Files{name: `{"type": "entity", "name": "old", "entityType": "host"}` + "\n"}), Verb: graph.ImportFacts{File: "memory.json", Text: []byte(two)}, Want: `
				` + name + `
				-{"type": "entity", "name": "old", "entityType": "host"}
				+{"from": "db2", "relation": "replicates", "to": "db1"}
				+{"name": "db2", "type": "host", "description": "a replica"}`},
		{Name: "a dry run", Do: func(ctx context.Context, w *vaultmap.World) (graph.FactsImported, error) {
			return graph.ImportFacts{File: "memory.json", Text: []byte(two), DryRun: true}.Do(ctx, w.Vault)
		}, Says: `"dry_run":true`},
		{Name: "a name from outside", Verb: graph.ImportFacts{File: "../../etc/passwd", Text: []byte(two)}, Says: `"path":".cp/facts/untracked/graph.jsonl"`, Want: `
				new .cp/facts/untracked/graph.jsonl
				+{"name": "db2", "type": "host", "description": "a replica"}
				+{"from": "db2", "relation": "replicates", "to": "db1"}`},
	})
	w := vaultmap.New(nil)
	for _, text := range []string{"", "{}\n", "no JSON\n"} {
		if _, err := (graph.ImportFacts{File: "m.json", Text: []byte(text)}).Do(t.Context(), w.Vault); vault.CodeOf(err) != vault.CodeInvalid {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

func TestPlanRemoveRelations(t *testing.T) {
	hand := `{"from": "db1", "relation": "is", "to": "x", "hand": true}`
	vaultmap.Run(t, []vaultmap.Row[graph.FactsChanged]{
		{Name: "one by hand goes", Start: familyFacts(drawn, hand), Verb: graph.RemoveFacts{Ref: "pf-aa2", Relations: []string{"db1|is|x"}}, Says: `"relations":0`, Want: `
				` + string(at) + `
				-"relations": [
				-{"from": "db1", "relation": "is", "to": "x", "hand": true}
				-]}
				+"relations": []}`},
		{Name: "a drawn one is marked", Start: familyFacts(drawn, `{"from": "db1", "relation": "runs on", "to": "x"}`), Verb: graph.RemoveFacts{Ref: "pf-aa2", Relations: []string{"DB1|runs  on|X"}}, Says: `"relations":0`, Want: `
				` + string(at) + `
				-{"from": "db1", "relation": "runs on", "to": "x"}
				+{"from": "db1", "relation": "runs on", "to": "x", "removed": true}`},
		{Name: "one that is not there", Start: familyFacts(drawn, hand), Verb: graph.RemoveFacts{Ref: "pf-aa2", Relations: []string{"db1|eats|x"}}, Err: "no relation \"db1|eats|x\" among the facts of pf-aa2 | it has db1; `cp memory fact list pf-aa2` shows them"},
		{Name: "none at all", Verb: graph.RemoveFacts{Ref: "pf-aa2", Entity: "x"}, Err: "no entity x among the facts of pf-aa2 | `cp memory fact list pf-aa2` shows them"},
	})
}

func TestPlanLines(t *testing.T) {
	var b tree.Batch
	for i, l := range []string{`{"id":"pf-aa2","entity":"db3","type":"host"}`, `{"id":"pf-aa2","entity":"db1"}`} {
		made, err := graph.FactVerbs()[i].Line([]byte(l))
		if err != nil {
			t.Fatal(err)
		}
		b.Lines = append(b.Lines, tree.BatchLine{Number: i + 1, Verb: made})
	}
	vaultmap.Run(t, []vaultmap.Row[tree.Batched]{{Name: "added and removed", Start: familyFacts(drawn, ``), Do: func(ctx context.Context, w *vaultmap.World) (tree.Batched, error) {
		return b.Do(ctx, w.Vault)
	}, Says: `"verb":"fact remove","id":"pf-aa2"`, Want: `
				` + string(at) + `
				-{"name": "db1", "type": "host"}
				+{"name": "db1", "type": "host", "removed": true},
				+{"name": "db3", "type": "host", "hand": true}
				-"relations": [
				-
				-]}
				+"relations": []}`}})
}

func TestAsk(t *testing.T) {
	for _, row := range []struct {
		name  string
		files vaultmap.Files
		auto  bool
		want  graph.FactStatus
		told  bool
	}{
		{"none", vaultmap.Family(), false, "", false},
		{"none, and they are wanted", vaultmap.Family(), true, graph.Pending, false},
		{"of another text", familyFacts(drawn, ``), true, graph.Pending, true},
		{"and nobody cares", familyFacts(drawn, ``), false, graph.FactsComplete, true},
		{"broken", vaultmap.Family().With(vaultmap.Files{at: "{"}), true, "", false},
	} {
		told, got, err := graph.AskFacts(t.Context(), vaultmap.New(row.files).Vault, "pf-aa2", "deploy/rollback.md", row.auto)
		if err != nil || got != row.want || (told != nil) != row.told {
			t.Errorf("%s: got %q and %+v, %v; want %q", row.name, got, told, err, row.want)
		}
	}
}

// succeed is a verb that hands the facts of a memory on.
type succeed struct {
	from, to vault.ID
	keep     bool
}

func (s succeed) Name() string { return "sync" }

func (s succeed) Plan(ctx context.Context, tx *vault.Tx) (bool, error) {
	tx.About(s.to, "")
	return graph.SucceedFacts(ctx, tx, s.from, s.to, s.keep)
}

func TestPlanSucceed(t *testing.T) {
	to := vault.FactsPath("pf-new")
	moved := func(id string) string {
		return `
				+{"id": "` + id + `", "of": "0", "by": "m", "prompt": 1,
				+"entities": [
				+{"name": "db1", "type": "host"}
				+],
				+"relations": []}`
	}
	both := familyFacts(drawn, ``).With(vaultmap.Files{to: "{\"id\": \"pf-new\", \"of\": \"\", \"by\": \"\", \"prompt\": 0,\n\"entities\": [],\n\"relations\": []}\n"})
	vaultmap.Run(t, []vaultmap.Row[bool]{
		{Name: "to a copy", Start: familyFacts(drawn, ``), Verb: succeed{"pf-aa2", "pf-new", true}, Says: "true", Want: "new " + string(to) + moved("pf-new")},
		{Name: "from one that has none", Verb: succeed{"pf-aa2", "pf-new", false}, Says: "false"},
		{Name: "to itself", Start: familyFacts(drawn, ``), Verb: succeed{"pf-aa2", "pf-aa2", false}, Says: "false"},
		{Name: "to one that has its own", Start: both, Verb: succeed{"pf-aa2", "pf-new", false}, Says: "false"},
		{Name: "that cannot be read", Start: vaultmap.Family().With(vaultmap.Files{at: "{"}), Verb: succeed{"pf-aa2", "pf-new", false}, Says: "false"},
	})
}
