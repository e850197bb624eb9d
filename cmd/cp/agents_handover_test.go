package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/agentmodel"
)

const handedOver = "The parser is done. Next: its tests for quaggas."

// Two agents work in one work tree, each as its own program: what the model of the first one hands
// over, the model of the second one hears before everything else that the memory tells it. A third
// session, of either agent, hears nothing of it any more.
func TestHandoverBetweenAgents(t *testing.T) {
	bin := clients(t)
	var there []agent
	for _, a := range agents {
		if _, err := os.Stat(filepath.Join(bin, a.program)); err == nil && (a.name == "claude-code" || a.name == "opencode" || a.name == "gemini-cli") {
			there = append(there, a)
		}
	}
	if len(there) < 2 {
		t.Skipf("NOT RUN: of Claude Code, opencode and Gemini CLI fewer than two are in %s", bin)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	first, second := there[0], there[len(there)-1]
	t.Run(first.name+" to "+second.name, func(t *testing.T) { handsOver(t, first, second) })
	t.Run(second.name+" to "+first.name, func(t *testing.T) { handsOver(t, second, first) })
}

func handsOver(t *testing.T, from, to agent) {
	p := from.begin(t)
	for name, text := range to.files {
		p.must("mkdir -p ~/" + filepath.Dir(name))
		if err := os.WriteFile(filepath.Join(filepath.Dir(p.dir), "home", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.must("cp memory setup --yes " + from.name + " " + to.name)

	said := from.asksModel(p, addsOnce(`{"title":"Quaggas","type":"handoff","body":"`+handedOver+`"}`), "hand over")
	if open := p.must("cp memory list --type handoff"); !strings.Contains(open, "Quaggas") {
		t.Fatalf("nothing is handed over: %s\n%s says\n%s", open, from.name, said.out)
	}
	hears := func(by agent) string {
		model := &agentmodel.Model{Think: func(agentmodel.Request) agentmodel.Answer { return agentmodel.Answer{Text: "heard"} }}
		if said := by.asksModel(p, model, "go on"); !strings.Contains(said.out, "heard") {
			t.Fatalf("%s says\n%s", by.name, said.out)
		}
		return model.Heard()
	}
	heard := hears(to)
	over, tree := strings.Index(heard, "HANDED OVER"), strings.Index(heard, "# Memory of")
	switch {
	case over < 0 || !strings.Contains(heard, handedOver):
		t.Errorf("the model of %s does not hear what %s left", to.name, from.name)
	case tree < over:
		t.Errorf("the model of %s hears of the tree at %d, of the hand-over at %d", to.name, tree, over)
	}
	for _, later := range []agent{from, to} {
		if heard := hears(later); strings.Contains(heard, "quaggas") {
			t.Errorf("a later session with %s hears it again", later.name)
		}
	}
}
