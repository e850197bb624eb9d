package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// Warnings are within the budget: rows give way to them, the last of both first.
func TestWarningsAreWithinTheBudget(t *testing.T) {
	for _, warnings := range []int{0, 1, 3, 200} {
		for _, budget := range []int{100, 200, 1000} {
			var a recall.Answer
			for i := range 30 {
				row := recall.Row{Title: fmt.Sprint("Gateway ", i), Summary: "When the gateway fails"}
				row.ID = vault.ID(fmt.Sprintf("pf-gate%03d", i))
				a.Rows = append(a.Rows, row)
			}
			for i := range warnings {
				a.Warnings = append(a.Warnings, fmt.Sprintf("the project %d could not be read: its disk does not answer", i))
			}
			a = fitAnswer("gateway", a, budget, false)
			var got text
			got.writeAnswer("gateway", a, false)
			if n := vault.Tokens(got.String()); n > budget || len(a.Rows) == 0 || a.Rows[0].ID != "pf-gate000" || warnings > 0 && budget == 1000 && !strings.Contains(got.String(), "Warning: the project 0") {
				t.Errorf("%d warnings, budget %d: %d tokens, %d rows", warnings, budget, n, len(a.Rows))
			}
		}
	}
}
