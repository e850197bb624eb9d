package recall

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// plainly cuts a text at spaces.
func plainly(text string, emit func(string)) {
	for _, w := range strings.Fields(strings.ToLower(text)) {
		emit(strings.Trim(w, ".,#"))
	}
}

// Each row says which of two memories answers the question "worker restart" better.
func TestScorePrefers(t *testing.T) {
	terms := []Term{{Text: "worker", Rarity: 3}, {Text: "restart", Rarity: 2}}
	for _, row := range []struct {
		name          string
		better, worse vault.Memory
		phrase, path  string // of the better one
	}{
		{"both words", vault.Memory{Prose: "restart the worker"}, vault.Memory{Prose: "restart the gateway"}, "", ""},
		{"the rarer word", vault.Memory{Prose: "a worker"}, vault.Memory{Prose: "a restart"}, "", ""},
		{"words near each other", vault.Memory{Prose: "the worker restart" + strings.Repeat(" x", 30)},
			vault.Memory{Prose: "the worker" + strings.Repeat(" x", 30) + " restart"}, "", ""},
		{"words in one passage", vault.Memory{Prose: "## A\nrestart a worker\n## B\nx x x"}, vault.Memory{Prose: "## A\nrestart a x\n## B\nx x worker"}, "", ""},
		{"a word in the heading", vault.Memory{Prose: "## Worker\nrestart it now"}, vault.Memory{Prose: "## Other\nrestart it now"}, "", ""},
		{"a word in the title", vault.Memory{Header: vault.Header{Title: "Worker"}, Prose: "x"}, vault.Memory{Header: vault.Header{Title: "Other"}, Prose: "## A\nx\n## B\nworker" + strings.Repeat(" x", 20)}, "", ""},
		{"a title that is asked for whole", vault.Memory{Header: vault.Header{Title: "Worker restart"}}, vault.Memory{Header: vault.Header{Title: "Worker restart in other places"}}, "", ""},
		{"a trigger phrase", vault.Memory{Prose: "x"}, vault.Memory{Prose: "x"}, "when a worker hangs", ""},
		{"a short text", vault.Memory{Prose: "restart the worker"}, vault.Memory{Prose: "restart the worker\n\n## More\n" + strings.Repeat("x ", 900)}, "", ""},
		{"a short title", vault.Memory{Header: vault.Header{Title: "Other"}, Prose: "a worker"}, vault.Memory{Header: vault.Header{Title: "Other things of a place"}, Prose: "a worker"}, "", ""},
		{"the name of a folder", vault.Memory{Prose: "x"}, vault.Memory{Prose: "x"}, "", "the worker"},
		{"words side by side", vault.Memory{Prose: "a worker restart"}, vault.Memory{Prose: "a restart worker"}, "", ""},
		{"a heading that is asked for whole", vault.Memory{Prose: "## Worker\nx x"}, vault.Memory{Prose: "## Worker pool\n"}, "", ""},
		{"a keyword", vault.Memory{Prose: "x", Keywords: "worker"}, vault.Memory{Prose: "x"}, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := newScorer(terms, plainly)
			better, worse := s.score(&row.better, about{phrase: row.phrase, path: vault.Path(row.path), document: 1}), s.score(&row.worse, about{document: 1})
			if better.sumParts() <= worse.sumParts() {
				t.Errorf("got %.3f and %.3f, want the first to be more", better.sumParts(), worse.sumParts())
			}
		})
	}
}

func TestScoreNamesThePassage(t *testing.T) {
	s := newScorer([]Term{{Text: "worker", Rarity: 3}}, plainly)
	got := s.score(&vault.Memory{Header: vault.Header{Title: "T"}, Prose: "first\n## A\nnothing\n## B\nthe worker\n"}, about{})
	if got.best != "the worker\n" || !got.in[0] {
		t.Errorf("got %q, %v", got.best, got.in)
	}
}

// What links call a memory counts: once, however many say it, and more where it is all asked for.
func TestScoreOfLinks(t *testing.T) {
	s := newScorer([]Term{{Text: "worker", Rarity: 3}, {Text: "restart", Rarity: 2}}, plainly)
	links := func(called ...string) float64 { return s.score(&vault.Memory{Prose: "x"}, about{called: called}).Links }
	none, other, some, whole := links(), links("gateway"), links("worker pool"), links("worker restart")
	if none != 0 || other != 0 || some <= 0 || whole <= some {
		t.Errorf("got %v %v %v %v, want them to rise from the third on", none, other, some, whole)
	}
	if one, many := links("worker pool"), links("worker pool", "the worker pool", "pool worker"); many > one {
		t.Errorf("three texts of the same words count %v, one %v", many, one)
	}
	got := s.score(&vault.Memory{Prose: "x"}, about{called: []string{"gateway", "the worker"}})
	if !got.in[0] || got.in[1] || got.link != "the worker" {
		t.Errorf("the words that were seen are %v, the link is %q", got.in, got.link)
	}
	if got := s.score(&vault.Memory{Prose: "a restart"}, about{called: []string{"the worker"}}); got.link != "" {
		t.Errorf("its own text has a word, and the link %q is shown", got.link)
	}
}

func TestKinLendEachOther(t *testing.T) {
	all := []candidate{
		{Node: vault.Node{ID: "root"}, parts: Parts{Document: 1}},
		{Node: vault.Node{ID: "a", Parent: "root"}, parts: Parts{Document: 10}},
		{Node: vault.Node{ID: "b", Parent: "root"}, parts: Parts{Document: 4}},
		{Node: vault.Node{ID: "far", Parent: "elsewhere"}, parts: Parts{Document: 10}},
	}
	shareFamilyScores(all)
	for i, want := range []float64{fromChild * 10, fromSibling*4 + fromParent, fromSibling*10 + fromParent, 0} {
		if got := all[i].parts.Family; got != want {
			t.Errorf("%s got %v of its relatives, want %v", all[i].ID, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"deployment", "Nomad", "networking", "x"}
	for word, want := range map[string]string{"deploymnt": "deployment", "deploy": "deployment", "nomads": "Nomad", "zzz": "", "NOMAD": "Nomad"} {
		if got := strings.Join(nearest(word, known), " "); got != want {
			t.Errorf("nearest(%q) is %q, want %q", word, got, want)
		}
	}
}

func TestDemoteEndsOnACircle(t *testing.T) {
	r := run{all: []candidate{
		{Node: vault.Node{ID: "a", Superseded: "b"}, similarity: 0.9},
		{Node: vault.Node{ID: "b", Superseded: "a"}, similarity: 0.8},
		{Node: vault.Node{ID: "old", Superseded: "new"}, similarity: 0.9},
		{Node: vault.Node{ID: "new"}, similarity: 0.1},
	}}
	r.demote()
	at := map[vault.ID]int{}
	for i, c := range r.all {
		at[c.ID] = i
	}
	if len(at) != 4 || at["old"] < at["new"] {
		t.Errorf("got the order %v", at)
	}
}
