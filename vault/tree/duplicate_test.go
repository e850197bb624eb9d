package tree_test

import (
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault/tree"
)

// TestARepeatedAddNamesOnlyWhatIsMissing adds what is stored already. The reference to the
// memory that is alike is ours, and is not missed.
func TestARepeatedAddNamesOnlyWhatIsMissing(t *testing.T) {
	start := vaultmap.Family().With(vaultmap.Files{"gateway.md": said("pf-aa9", "Gateway")})
	vaultmap.Run(t, []vaultmap.Row[tree.Added]{
		{Name: "nothing was given", Start: start, Verb: tree.Add{Title: "Gateway", Text: "Restart it.\n", Relates: []string{"pf-aa9"}}, Says: `"duplicate":true}`},
		{Name: "a reference was given", Start: start, Verb: tree.Add{Title: "Gateway", Text: "Restart it.\n", References: []string{"pf-aa2"}}, Says: `"not_stored":["its references"]`},
		{Name: "it refers to itself", Start: start, Verb: tree.Add{Title: "Gateway", Text: "Restart it.\n", References: []string{"pf-aa9"}}, Says: `"duplicate":true}`},
	})
}
