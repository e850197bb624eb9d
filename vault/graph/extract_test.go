package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/fact"
)

// scripted gives one answer after the other, the last one for good.
type scripted struct {
	answers []string
	asked   int
}

func (s *scripted) Generate(context.Context, string) (string, error) {
	i := min(s.asked, len(s.answers)-1)
	s.asked++
	return s.answers[i], nil
}

func TestAskModel(t *testing.T) {
	good := `{"entities": [{"name": " db1 ", "type": "host", "description": "the\nprimary"}], "relations": [{"from": "DB1", "relation": "is", "to": "db1"}]}`
	other := `{"entities": [{"name": "x", "type": "ship"}, {"name": "", "type": "host"}, {"name": "db2", "type": "host"}], "relations": [{"from": "db2", "relation": "is", "to": "nobody"}]}`
	for _, row := range []struct {
		name    string
		answers []string
		asked   int
		want    string // names of entities and relations
		skipped string
		err     bool
	}{
		{"as it should be", []string{good}, 1, "db1; db1 is db1", "", false},
		{"in a fence", []string{"```json\n" + good + "\n```"}, 1, "db1; db1 is db1", "", false},
		{"nothing", []string{`{"entities": [], "relations": []}`}, 1, "; ", "", false},
		{"right the second time", []string{"I think", good}, 2, "db1; db1 is db1", "", false},
		{"in part, twice", []string{other}, 2, "db2; ", "'ship' is none of the list", false},
		{"no JSON, twice", []string{"I think"}, 2, "", "", true},
		{"JSON of another form", []string{`{"entities": "none"}`}, 2, "", "", true},
	} {
		g := &scripted{answers: row.answers}
		a, skipped, err := askParts(t.Context(), g, &ChosenMemory{Parts: []string{"p"}}, []string{"host"})
		if (err != nil) != row.err || g.asked != row.asked {
			t.Errorf("%s: asked %d times, %v", row.name, g.asked, err)
			continue
		}
		if err == nil && (said(a) != row.want || !strings.Contains(strings.Join(skipped, "; "), row.skipped)) {
			t.Errorf("%s: got %q, left out %q", row.name, said(a), skipped)
		}
	}
}

func said(a answer) string {
	var names, relations []string
	for _, e := range a.Entities {
		names = append(names, e.Name)
	}
	for _, r := range a.Relations {
		relations = append(relations, r.From+" "+r.Relation+" "+r.To)
	}
	return strings.Join(names, ", ") + "; " + strings.Join(relations, ", ")
}

// What parts say is joined by name, and the limits hold for all of them together.
func TestPartsAreJoined(t *testing.T) {
	var many answer
	for i := range 30 {
		many.Entities = append(many.Entities, fact.Entity{Name: fmt.Sprintf("n%d", i), Type: "host"})
	}
	first, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	g := &scripted{answers: []string{string(first), strings.ReplaceAll(string(first), `:"n`, `:"N1`)}}
	a, skipped, err := askParts(t.Context(), g, &ChosenMemory{Parts: []string{"a", "b"}}, []string{"host"})
	if err != nil || len(a.Entities) != MaxEntities || len(skipped) != 1 {
		t.Errorf("%d entities, left out %q, %v", len(a.Entities), skipped, err)
	}
}

// A person's decisions stand, and what is by hand is not doubled.
func TestDrawnAnew(t *testing.T) {
	was := &fact.Facts{ID: "a", By: "old", Entities: []fact.Entity{{Name: "hand", Type: "t", Hand: true}, {Name: "gone", Type: "t", Removed: true}, {Name: "old", Type: "t"}}}
	a := answer{Entities: []fact.Entity{{Name: "Hand", Type: "t", Description: "drawn"}, {Name: "gone", Type: "t"}, {Name: "new", Type: "t"}}}
	f, left := a.redrawFacts(was, "123", "google/m")
	var got []string
	for _, e := range f.Entities {
		got = append(got, fmt.Sprint(e.Name, e.Hand, e.Removed))
	}
	if strings.Join(got, " ") != "gonefalse true handtrue false newfalse false" || f.Of != "123" || f.By != "google/m" || f.Prompt != PromptVersion || left != "" {
		t.Errorf("got %v, %+v", got, f)
	}
}

// What people wrote stays, whole, and what a model draws beside it fills the room that is left.
func TestDrawnBesideWhatFillsTheFile(t *testing.T) {
	for _, row := range []struct{ hand, kept int }{{0, 43}, {957, 43}, {960, 40}, {999, 1}, {1000, 0}, {1200, 0}} {
		was := &fact.Facts{ID: "a"}
		for i := range row.hand {
			was.Entities = append(was.Entities, fact.Entity{Name: fmt.Sprintf("h%d", i), Type: "t", Hand: i%2 == 0, Removed: i%2 == 1})
		}
		var a answer
		for i := range 40 {
			a.Entities = append(a.Entities, fact.Entity{Name: fmt.Sprintf("d%d", i), Type: "t"})
		}
		a.Relations = []fact.Relation{{From: "d0", Relation: "r", To: "d1"}, {From: "d1", Relation: "r", To: "d2"}, {From: "d2", Relation: "r", To: "d3"}}
		f, left := a.redrawFacts(was, "0", "m")
		again, err := fact.Parse(f.Bytes())
		if err != nil || again.Len() != row.hand+row.kept || (left == "") != (row.kept == 43) {
			t.Errorf("%d by hand: %v, left %q", row.hand, err, left)
		}
	}
}

func TestParts(t *testing.T) {
	long := strings.Repeat("word ", 1000) + "\n"
	for name, row := range map[string]struct {
		text string
		want int
	}{
		"empty":                    {"", 1},
		"short":                    {"# A\ntext\n# B\nmore", 1},
		"two sections":             {"# A\n" + long + "# B\n" + long, 2},
		"a long section":           {"# A\n" + long + long + long, 3},
		"a line without end":       {strings.Repeat("ä", 10000), 3},
		"no heading inside a code": {"```\n# no heading\n```\n", 1},
	} {
		all := cutParts(row.text)
		if len(all) != row.want || strings.Join(all, "") != row.text {
			t.Errorf("%s: %d parts of %d bytes", name, len(all), len(strings.Join(all, "")))
		}
		for _, p := range all {
			if len(p) > maxPart {
				t.Errorf("%s: a part of %d bytes", name, len(p))
			}
		}
	}
}

// Whatever a model says, what is kept of it is a facts file.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"entities": [{"name": "a\u0000b", "type": "host", "description": "x"}], "relations": [{"from": "a b", "relation": "\u0007is", "to": "A B"}]}`)
	f.Add("```json\n{}\n```")
	f.Fuzz(func(t *testing.T, text string) {
		a, _, err := askOnce(context.Background(), &scripted{answers: []string{text}}, "p", []string{"host"})
		if err != nil {
			return
		}
		a.applyLimits()
		drawn, _ := a.redrawFacts(&fact.Facts{ID: "a"}, "0", "m")
		if _, err := fact.Parse(drawn.Bytes()); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
