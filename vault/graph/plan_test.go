package graph_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/graph"
)

// at is where the facts of a memory of the family lie.
var at = vault.FactsPath("pf-aa2")

// familyFacts is the family with facts of one memory, some of them drawn and some by hand.
func familyFacts(entities, relations string) vaultmap.Files {
	return vaultmap.Family().With(vaultmap.Files{at: `{"id": "pf-aa2", "of": "0", "by": "m", "prompt": 1,
"entities": [
` + entities + `
],
"relations": [
` + relations + `
]}
`})
}

const drawn, byHand = `{"name": "db1", "type": "host"}`, `{"name": "db2", "type": "host", "hand": true}`

func TestPlan(t *testing.T) {
	empty := `{"id": "pf-aa2", "of": "", "by": "", "prompt": 0,`
	vaultmap.Run(t, []vaultmap.Row[graph.FactsChanged]{
		{Name: "the first entity", Start: vaultmap.Family(), Verb: graph.AddFacts{Ref: "pf-aa2", Entity: " Postgre  SQL ", Type: "technology", Description: "the database"}, Says: `"entities":1,"relations":0`, Want: `
				new ` + string(at) + `
				+` + empty + `
				+"entities": [
				+{"name": "Postgre SQL", "type": "technology", "description": "the database", "hand": true}
				+],
				+"relations": []}`},
		{Name: "a relation makes its ends", Start: vaultmap.Family(), Verb: graph.AddFacts{Ref: "pf-aa2", Relations: []string{"db2| runs  on |db1"}}, Says: `"entities":2,"relations":1`, Want: `
				new ` + string(at) + `
				+` + empty + `
				+"entities": [
				+{"name": "db1", "type": "thing", "hand": true},
				+{"name": "db2", "type": "thing", "hand": true}
				+],
				+"relations": [
				+{"from": "db2", "relation": "runs on", "to": "db1", "hand": true}
				+]}`},
		{Name: "what is drawn becomes one by hand", Start: familyFacts(drawn, ``), Verb: graph.AddFacts{Ref: "pf-aa2", Entity: "DB1", Description: "the primary"}, Says: `"entities":1`, Want: `
				` + string(at) + `
				-{"name": "db1", "type": "host"}
				+{"name": "db1", "type": "host", "description": "the primary", "hand": true}
				-"relations": [
				-
				-]}
				+"relations": []}`},
		{Name: "one by hand is deleted", Start: familyFacts(byHand, ``), Verb: graph.RemoveFacts{Ref: "pf-aa2", Entity: "db2"}, Says: `"entities":0`, Want: `
				` + string(at) + `
				-"entities": [
				-{"name": "db2", "type": "host", "hand": true}
				-],
				-"relations": [
				-
				-]}
				+"entities": [],
				+"relations": []}`},
		{Name: "a drawn one is marked, and its relations go", Start: familyFacts(drawn, `{"from": "db1", "relation": "runs", "to": "x"}`), Verb: graph.RemoveFacts{Ref: "pf-aa2", Entity: "db1"}, Says: `"entities":0,"relations":0`, Want: `
				` + string(at) + `
				-{"name": "db1", "type": "host"}
				+{"name": "db1", "type": "host", "removed": true}
				-{"from": "db1", "relation": "runs", "to": "x"}
				+{"from": "db1", "relation": "runs", "to": "x", "removed": true}`},
		{Name: "nothing", Start: vaultmap.Family(), Verb: graph.AddFacts{Ref: "pf-aa2"}, Err: `there is nothing to add: give an entity or a relation | --entity NAME --type TYPE, or --relation "A|verb|B"`},
		{Name: "two lines", Start: vaultmap.Family(), Verb: graph.AddFacts{Ref: "pf-aa2", Entity: "a\nb"}, Err: "the entity holds a control character | put it on one line, without tabs or escapes"},
		{Name: "no such memory", Start: vaultmap.Family(), Verb: graph.AddFacts{Ref: "pf-none", Entity: "x"}, Err: "Shard pf-none not found | `cp memory list` and `cp memory search` show the ids"},
		{Name: "no such type", Start: familyFacts(drawn, ``), Verb: graph.RemoveFacts{Ref: "pf-aa2", Entity: "db1", Type: "person"}, Err: "no person db1 among the facts of pf-aa2 | it has db1; `cp memory fact list pf-aa2` shows them"},
		{Name: "too many", Start: vaultmap.Family(), Verb: graph.AddFacts{Ref: "pf-aa2", Relations: many()}, Err: "the facts cannot be kept: 1101 entries, more than the 1000 that facts may have | name what the memory is about, and not all that it says"},
		{Name: "another memory's", Start: vaultmap.Family().With(vaultmap.Files{at: `{"id": "pf-x"}`}), Verb: graph.AddFacts{Ref: "pf-aa2", Entity: "x"}, Err: string(at) + ": these are the facts of pf-x, in the place of those of pf-aa2 | put the right id into the file, or give it a name that begins with a dot"},
	})
}

// many are 550 relations from one entity to 551.
func many() (all []string) {
	for i := range 550 {
		all = append(all, "hub|leads to|n"+strings.Repeat("x", i+1))
	}
	return all
}

func TestListAndStatus(t *testing.T) {
	w := vaultmap.New(familyFacts(drawn+",\n"+`{"name": "old", "type": "host", "removed": true}`, `{"from": "old", "relation": "runs", "to": "db1"}`))
	got, err := graph.ListFacts(t.Context(), w.Vault, "pf-aa2", true)
	if err != nil || len(got.Entities) != 1 || len(got.Relations) != 0 || got.By != "m" || !got.Stale || got.Status != graph.Pending {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, row := range []struct {
		name  string
		f     *fact.Facts
		auto  bool
		want  graph.FactStatus
		stale bool
	}{
		{"none, and nobody wants any", nil, false, graph.FactsComplete, false},
		{"none", nil, true, graph.Pending, false},
		{"by hand alone", &fact.Facts{ID: "a"}, true, graph.Pending, false},
		{"drawn of this text", &fact.Facts{ID: "a", By: "m", Of: "1"}, true, graph.FactsComplete, false},
		{"drawn of another one", &fact.Facts{ID: "a", By: "m", Of: "2"}, true, graph.Pending, true},
		{"drawn of another one, and nobody wants any", &fact.Facts{ID: "a", By: "m", Of: "2"}, false, graph.FactsComplete, true},
	} {
		if got := graph.FactStatusOf(row.f, "1", row.auto); got != row.want {
			t.Errorf("%s: %s", row.name, got)
		}
		if _, stale := graph.IsDrawn(row.f, "1"); stale != row.stale {
			t.Errorf("%s: stale is %t", row.name, stale)
		}
	}
}
