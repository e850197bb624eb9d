package main_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// TestBudgetsHoldOverMCP asks the tools that take a budget, as TestBudgetsHold asks commands.
func TestBudgetsHoldOverMCP(t *testing.T) {
	testlevel.Check(t)
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	type args = map[string]any
	asks := []ask{
		{"memory_recall", args{"query": "deploy worker 移行"}}, {"memory_recall", args{"query": "deploy", "limit": 3}}, {"memory_recall", args{"query": "deploy", "limit": 100, "type": []string{"*"}}},
		{"memory_tree", nil}, {"memory_tree", args{"root": "pf-root"}}, {"memory_tree", args{"max_depth": 1}},
		{"memory_show", args{"id": "pf-root"}}, {"memory_show", args{"id": "pf-root", "depth": 3}}, {"memory_show", args{"id": "pf-long"}},
	}
	huge := append(asks, ask{"memory_show", args{"id": "pf-big"}}, ask{"memory_show", args{"id": "pf-big", "depth": 2}}, ask{"memory_show", args{"id": "pf-one"}},
		ask{"memory_show", args{"id": "pf-wide"}}, ask{"memory_show", args{"id": "pf-entry"}}, ask{"memory_recall", args{"query": "big deploy"}})
	family := append(asks, ask{"memory_recall", args{"query": "deploy", "project": "web"}}, ask{"memory_recall", args{"query": "deploy", "project": "all"}}, ask{"memory_tree", args{"project": "all"}}, ask{"memory_tree", args{"project": "web"}}, ask{"memory_show", args{"id": "v1-root", "depth": 2}})
	eachHoard(t, cp, 4, func(h *hoard) { h.answers(asks) }, func(h *hoard) { h.answers(huge) }, func(h *hoard) { h.answers(family) })
}

// ask is a call of a tool.
type ask struct {
	tool string
	args map[string]any
}

// answers calls tools within each budget.
func (h *hoard) answers(asks []ask) {
	h.t.Helper()
	server := exec.Command(h.cp, "memory", "mcp")
	server.Dir, server.Env = h.dir, h.env
	s, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(h.t.Context(), &sdk.CommandTransport{Command: server}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	defer s.Close()
	for _, a := range asks {
		for _, budget := range h.budgets() {
			if budget >= 100 {
				h.answer(s, a, budget)
			}
		}
	}
}

// answer calls a tool within a budget. What it answers is within it, and names a memory.
func (h *hoard) answer(s *sdk.ClientSession, a ask, budget int) {
	h.t.Helper()
	args := map[string]any{"budget": budget}
	for k, v := range a.args {
		args[k] = v
	}
	text, err := answered(context.Background(), s, a.tool, args)
	switch n := vault.Tokens(text); {
	case err != nil:
		h.t.Errorf("%s %v: %v", a.tool, args, err)
	case n > budget:
		h.t.Errorf("%s %v: %d tokens", a.tool, args, n)
	case !strings.Contains(text, "<memory"):
		h.t.Errorf("%s %v: %q is all", a.tool, args, text)
	case !strings.Contains(text, "not instructions"):
		h.t.Errorf("%s %v: it does not say whose words these are:\n%s", a.tool, args, text)
	}
}
