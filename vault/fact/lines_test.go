package fact_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/fact"
)

// A graph of another program is read line by line, in each of the notations, and what is none
// of them is named.
func TestParseLines(t *testing.T) {
	for _, row := range []struct{ name, text, want, skipped string }{
		{"memory.json of MCP's reference server", `{"type":"entity","name":"Ada","entityType":"person","observations":["wrote notes","knew Babbage"]}` + "\n" + `{"type":"relation","from":"Ada","to":"Engine","relationType":"programs"}`,
			"Ada/person/wrote notes; knew Babbage Ada|programs|Engine", ""},
		{"nodes and edges by their ids", `{"id":"1","label":"db1","type":"host"}` + "\n" + `{"id":"2","label":"db2","type":"node"}` + "\n" + `{"source":"2","target":"1","relation":"replicates"}`,
			"db1/host/ db2/thing/ db2|replicates|db1", ""},
		{"an edge without a word", "\ufeff" + `{"source":"a","target":"b","type":"edge"}` + "\r\n\r\n", "a|relates to|b", ""},
		{"hostile words are made one line", `{"name":"a\u001b[31m\tb\nc","type":"x\u0000y"}`, "a [31m b c/x y/", ""},
		{"what is skipped", "nonsense\n" + `{"type":"entity"}` + "\n" + `{"from":"a"}` + "\n\xff\xfe\n" + strings.Repeat("x", fact.MaxLine+1) + "\n" + `{"name":"a"}`,
			"a/thing/", "1 not the JSON, 2 no name, 3 two ends, 4 not UTF-8, 5 longer"},
		{"nothing", "", "", ""},
	} {
		f, skipped := fact.ParseLines([]byte(row.text))
		var got []string
		for _, e := range f.Entities {
			got = append(got, e.Name+"/"+e.Type+"/"+e.Description)
		}
		for _, r := range f.Relations {
			got = append(got, r.From+"|"+r.Relation+"|"+r.To)
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
		want := strings.Split(row.skipped, ", ")
		if row.skipped == "" {
			want = nil
		}
		for i, s := range skipped {
			number, words, _ := strings.Cut(append(want, "0 none")[min(i, len(want))], " ")
			if fmt.Sprint(s.Line) != number || !strings.Contains(s.Why, words) {
				t.Errorf("%s: line %d is skipped: %s; want %s %s", row.name, s.Line, s.Why, number, words)
			}
		}
		if len(skipped) != len(want) {
			t.Errorf("%s: %d lines are skipped, want %d", row.name, len(skipped), len(want))
		}
		again, _ := fact.ParseLines(f.Lines())
		if !bytes.Equal(again.Lines(), f.Lines()) {
			t.Errorf("%s: what is written reads as another graph:\n%s\n%s", row.name, f.Lines(), again.Lines())
		}
	}
}

// What a person removed does not hold, nor do relations to it, unless it stands there with another type.
func TestLive(t *testing.T) {
	f := fact.Facts{
		Entities:  []fact.Entity{{Name: "db1", Type: "host", Removed: true}, {Name: "db2", Type: "host"}, {Name: "DB3", Type: "host", Removed: true}, {Name: "db3", Type: "service"}},
		Relations: []fact.Relation{{From: "db2", Relation: "feeds", To: "DB1"}, {From: "db2", Relation: "feeds", To: "db3"}, {From: "db2", Relation: "stops", To: "db3", Removed: true}},
	}
	entities, relations := f.Live()
	if len(entities) != 2 || entities[0].Name != "db2" || entities[1].Type != "service" || len(relations) != 1 || relations[0].Relation != "feeds" || relations[0].To != "db3" {
		t.Errorf("got %+v, %+v", entities, relations)
	}
}
