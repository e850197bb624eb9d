package console

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// completionTime bounds how long a person waits for a list of ids.
const completionTime = 300 * time.Millisecond

// Complete returns what offers ids for the first arguments, up to most of them,
// from the mirror as it stands.
func (f Console) Complete(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return f.ids(cmd, typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompletePlace offers the folders that have no memory of their own, and ids.
func (f Console) CompletePlace(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return f.Places(cmd, nil, typed)
}

// Places is CompletePlace for a flag, whatever stands before it.
func (f Console) Places(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	return append(f.completeFolders(cmd, typed), f.ids(cmd, typed)...), cobra.ShellCompDirectiveNoFileComp
}

// CompleteFolder offers the folders that have no memory of their own.
func (f Console) CompleteFolder(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return f.completeFolders(cmd, typed), cobra.ShellCompDirectiveNoFileComp
}

func (f Console) completeFolders(cmd *cobra.Command, typed string) (out []string) {
	f.glance(cmd, func(ctx context.Context, t vault.Tree) error {
		all, err := tree.Folders(ctx, t)
		for _, one := range all {
			if name := string(one.Path) + "/"; strings.HasPrefix(name, typed) && render.Line(name) == name {
				out = append(out, name+"\t"+vault.Plural(one.Count, "memory", "memories"))
			}
		}
		return err
	})
	return out
}

// glance hands fn the tree of the mirror as it stands. It gives up where that fails or
// takes long.
func (f Console) glance(cmd *cobra.Command, fn func(context.Context, vault.Tree) error) {
	ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
	defer cancel()
	_ = f.App.With(ctx, *f.Flags, func(s *app.Session) error {
		return s.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error { return fn(ctx, t) })
	})
}

// ids returns the ids that begin with typed, each with its title. It looks at
// the mirror as it stands, and offers nothing where that fails or takes long.
func (f Console) ids(cmd *cobra.Command, typed string) (out []string) {
	f.glance(cmd, func(ctx context.Context, t vault.Tree) error {
		rows, _, err := t.List(ctx, vault.ListOptions{Now: f.Now(), Limit: MaxLimit})
		for _, n := range rows {
			if strings.HasPrefix(string(n.ID), typed) {
				out = append(out, string(n.ID)+"\t"+render.Line(n.Title+nameFolder(n)))
			}
		}
		return err
	})
	return out
}

// nameFolder names the folder of a memory if that has no memory of its own.
func nameFolder(n vault.Node) string {
	if n.In == "" {
		return ""
	}
	return " (in " + string(n.In) + "/)"
}
