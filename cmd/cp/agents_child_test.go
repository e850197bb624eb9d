package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/agentmodel"
)

// What a sub-agent of opencode says last is not what the session ended with, and its task is no
// prompt of a person.
func TestSubAgentOfOpencode(t *testing.T) {
	bin := clients(t)
	opencode := agents[len(agents)-1]
	if _, err := os.Stat(filepath.Join(bin, opencode.program)); err != nil {
		t.Skipf("NOT RUN: there is no %s in %s", opencode.program, bin)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	p := opencode.begin(t)
	p.must("cp memory setup --yes opencode")
	var child string // what its model was asked
	model := &agentmodel.Model{Think: func(r agentmodel.Request) agentmodel.Answer {
		c := r.Conversation()
		switch {
		case len(c.Tools) == 0:
			return agentmodel.Answer{Text: "A title"}
		case strings.Contains(c.Turns[0].Text, "Look at the Gateway"):
			child = r.Body
			return agentmodel.Answer{Text: "said below"}
		case len(c.Turns) == 1:
			return agentmodel.Answer{Call: &agentmodel.Call{Tool: "task", Arguments: `{"description":"look","prompt":"Look at the Gateway that hangs like a zebra","subagent_type":"general"}`}}
		}
		return agentmodel.Answer{Text: "said above"}
	}}
	said := opencode.asksModel(p, model, "begin")
	kept := p.must("cp memory list --type progress")
	if child == "" || !strings.Contains(kept, "said above") || strings.Contains(kept, "said below") || strings.Contains(child, "The memory has this on it") {
		t.Errorf("asked below: %d bytes; kept:\n%s\nit says\n%s", len(child), kept, said.out)
	}
}
