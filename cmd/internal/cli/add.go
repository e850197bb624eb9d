package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault/tree"
)

// add creates a root memory.
func (f face) add() *cobra.Command {
	var o tree.Add
	var file string
	var labelFlags, referenceFlags []string
	cmd := &cobra.Command{
		Use:   "add <text>",
		Short: "Create a root memory",
		Example: `  cp memory add "Deployment overview: Nomad" --label deployment,nomad
  cp memory add --title Deployment --body-file deployment.md
  git log -1 --format=%B | cp memory add --body-file -`,
		Args: takes(0, 1, "one text in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := f.addedText(cmd, args, file)
			if err != nil {
				return err
			}
			o.Text, o.Labels, o.References = text, split(labelFlags), split(referenceFlags)
			return f.write(cmd.Context(), func(s *session.Session) error {
				added, err := o.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return f.added(cmd.Context(), s, added, render.Added)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Title, "title", "", "the `title` (default: the first 200 characters of the text)")
	flags.StringVar(&file, "body-file", "", "read the text from a `file`; - is stdin")
	flags.StringArrayVar(&labelFlags, "label", nil, "`labels`, separated by commas or repeated")
	flags.StringVar(&o.Summary, "summary", "", "the trigger `phrase`: when one needs this memory")
	flags.StringArrayVar(&referenceFlags, "references", nil, "`ids` of memories this one refers to")
	flags.StringVar(&o.Type, "type", "", "the file's `type` (default memory)")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// addedText is the text to add: the argument or the file.
func (f face) addedText(cmd *cobra.Command, args []string, file string) (string, error) {
	fromFile := cmd.Flags().Changed("body-file")
	switch {
	case fromFile && len(args) > 0:
		return "", invalid(cmd, "cannot use both a text and --body-file")
	case fromFile:
		return f.readText(file)
	case len(args) == 0:
		return "", invalid(cmd, "a text or --body-file is required")
	}
	return args[0], nil
}

// added answers for add and add-sub; what waits in the outbox has its own exit code.
func (f face) added(ctx context.Context, s *session.Session, a tree.Added, text func(render.Screen, tree.Added)) error {
	if !a.Queued {
		a.Similar = f.Finder(s).Alike(ctx, a.Path)
		render.Similar(f.errs(), a)
		return f.said(a.Warnings, a, func(screen render.Screen) { text(screen, a) })
	}
	head, err := s.Store.Head(ctx)
	if err != nil {
		return err
	}
	if err := f.said(a.Warnings, a, func(screen render.Screen) { render.Queued(screen, head.Busy, a.Why) }); err != nil {
		return err
	}
	return errQueued
}
