package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// completionTime is how long a person waits for a list of ids before it annoys.
const completionTime = 300 * time.Millisecond

// complete offers ids for the first argument, from the mirror as it stands.
func (f face) complete(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return f.ids(cmd, typed), cobra.ShellCompDirectiveNoFileComp
}

// completeBoth offers ids for the first two arguments.
func (f face) completeBoth(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return f.ids(cmd, typed), cobra.ShellCompDirectiveNoFileComp
}

// ids returns the ids that begin with typed, each with its title. It looks at
// the mirror as it stands, and offers nothing where that fails or takes long.
func (f face) ids(cmd *cobra.Command, typed string) []string {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	s, err := f.Open(ctx)
	if err != nil {
		return nil
	}
	defer f.close(s)
	var out []string
	_ = s.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
		rows, _, err := t.List(ctx, vault.ListOptions{Now: f.Now(), Limit: maxLimit})
		for _, n := range rows {
			if strings.HasPrefix(string(n.ID), typed) {
				out = append(out, string(n.ID)+"\t"+render.Line(n.Title))
			}
		}
		return err
	})
	return out
}
