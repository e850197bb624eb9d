package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
)

// deep is the deepest place below which add-sub asks: every level costs an
// agent another read.
const deep = 5

// addSub creates a memory below another one.
func (f face) addSub() *cobra.Command {
	var o vault.AddSub
	var body bodyFlags
	var labelFlags []string
	var noAI, approve bool
	cmd := &cobra.Command{
		Use:   "add-sub <parent-id>",
		Short: "Create a memory below another",
		Long: `The parent's file gets a pointer to the new memory: its title and the summary, a
phrase that tells an agent when it needs to read on.`,
		Example: `  cp memory add-sub pf-7k2m9qx4 --title Troubleshooting --body-file troubleshoot.md \
      --summary "If deploy succeeds but service unchanged"
  cp memory add-sub pf-7k2m9qx4 --title Rollback --body "nomad job revert …" \
      --label deployment,nomad --summary "Steps to revert a bad deploy" --no-ai`,
		Args:              takes(1, 1, "a parent's id"),
		ValidArgsFunction: f.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Parent, o.Labels = args[0], split(labelFlags)
			if err := checkAddSub(cmd, o, &body, noAI); err != nil {
				return err
			}
			text, err := body.read(f, cmd)
			if err != nil {
				return err
			}
			o.Body = text
			return f.write(cmd.Context(), func(s *session.Session) error {
				return f.runAddSub(cmd.Context(), s, o, approve)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Title, "title", "", "the `title` (required)")
	body.bind(cmd)
	flags.StringArrayVar(&labelFlags, "label", nil, "`labels`, separated by commas or repeated")
	flags.StringVar(&o.Summary, "summary", "", "the trigger `phrase`: when one needs this memory")
	flags.BoolVar(&noAI, "no-ai", false, "do not generate a summary; needs --summary")
	flags.BoolVar(&approve, "auto-approve", false, "ask nothing")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// checkAddSub checks the command line, before anything is opened.
func checkAddSub(cmd *cobra.Command, o vault.AddSub, body *bodyFlags, noAI bool) error {
	given, err := body.given(cmd)
	switch {
	case strings.TrimSpace(o.Title) == "":
		return invalid(cmd, "--title is required")
	case err != nil:
		return err
	case !given:
		return invalid(cmd, "--body or --body-file is required")
	case noAI && strings.TrimSpace(o.Summary) == "":
		return invalid(cmd, "--summary required when using --no-ai.")
	}
	return nil
}

// runAddSub checks the parent, asks where the place is deep, and writes.
func (f face) runAddSub(ctx context.Context, s *session.Session, o vault.AddSub, approve bool) error {
	parent, err := s.AddSubParent(ctx, o.Parent)
	if err != nil {
		return err
	}
	if strings.TrimSpace(o.Summary) == "" {
		return vault.Errorf(vault.CodeConfig, "add --summary \"when one needs this memory\"",
			`AI summary generation requires generation config. Use --no-ai --summary "..." to bypass`)
	}
	if depth := parent.Depth + 1; depth > deep && !approve {
		err := f.ask(ctx, func(s render.Screen) {
			s.Printf("This memory will be at depth %d. Deep hierarchies increase access latency. Continue? (y/n) ", depth)
		}, "--auto-approve", "nothing was created")
		if err != nil {
			return err
		}
	}
	added, err := s.AddSub(ctx, o)
	if err != nil {
		return err
	}
	return f.added(ctx, s, added, render.AddedSub)
}
