package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// observe counts that a session has seen something.
func (f face) observe() *cobra.Command {
	var o journal.Observe
	cmd := &cobra.Command{
		Use:   "observe <text|id>",
		Short: "Count that a session has seen something",
		Long: `The same text, whatever its case, space and punctuation, is one observation in every
clone. It is counted by the sessions that made it: the same session twice counts once. What
was seen often enough waits for a person: cp memory review. An id counts for that memory. What
a project below has observed already is counted there.

With --from-session a language model proposes observations from what a person said in a
session with an agent, each with a quote (cp help journal).

Without --session the name is that of CP_SESSION or CLAUDE_CODE_SESSION_ID, else one for
you, this machine, the agent and the day.`,
		Example: `  cp memory observe "The linker needs 9 GB at once"
  cp memory observe pf-7k2m9qx4 --session 2026-11-23-a
  cp memory observe --from-session latest --dry-run`,
		Args: console.Takes(1, 1, "a text in quotes, or an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Text = args[0]
			return f.Write(cmd.Context(), func(s *app.Session) error {
				t := f.targetIn(s)
				in, elsewhere := ask.Observing(cmd.Context(), t, o.Text)
				if !elsewhere {
					if err := t.Beyond(cmd.Context(), o.Text); err != nil && !s.IsID(cmd.Context(), o.Text) {
						return err
					}
					seen, err := ask.CountObservation(cmd.Context(), t, o)
					return f.answerObserve(seen, err)
				}
				return f.ForVault(in.Vault).Write(cmd.Context(), func(s *app.Session) error {
					seen, err := s.Observe(cmd.Context(), o)
					seen.Origin = in.Origin()
					return f.answerObserve(seen, err)
				})
			})
		},
	}
	console.RefsTo(cmd, 1, target.Text)
	console.Bind(cmd, &o)
	allowSecret(cmd, &o.AllowSecret)
	return console.Capturing(cmd)
}

// answerObserve answers for observe. A write that waits in the outbox has its own exit code.
func (f face) answerObserve(o app.Observed, err error) error {
	switch {
	case err != nil:
		return err
	case !o.Queued:
		return console.AnswerWith(f.Console, o, render.WriteObserved)
	}
	if err := console.AnswerWith(f.Console, o, func(s render.Screen, o app.Observed) { render.WriteQueued(s, o.Busy, o.Why) }); err != nil {
		return err
	}
	return errQueued
}

// approve says yes to a memory.
func (f face) approve() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:   "approve <id>...",
		Short: "Say that a memory may go one level up",
		Long: `An approval promotes nothing by itself: cp memory promote does. It lifts a denial. For core
a memory that has its place in the tree is approved once more.`,
		Example: `  cp memory approve pf-7k2m9qx4`,
		Args:    console.Takes(1, 1000, "an id"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, ids []string) ([]journal.Decided, error) {
			return f.decideEach(ids, func(id string) (journal.Decided, error) { return journal.Approve{Ref: id}.Do(ctx, s.Vault) })
		}, func(s render.Screen, all []journal.Decided) { render.WriteDecided(s, all, "Approved", "approved") }),
	}, console.AllRefs)
}

// deny says no to a memory.
func (f face) deny() *cobra.Command {
	var o journal.Deny
	cmd := &cobra.Command{
		Use:     "deny <id>...",
		Short:   "Say that a memory is not to be promoted",
		Long:    "A denied entry is found by no search, and stays denied when it is observed again. cp\nmemory approve lifts the denial.",
		Example: `  cp memory deny pf-7k2m9qx4 --reason "It was the old linker."`,
		Args:    console.Takes(1, 1000, "an id"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, ids []string) ([]journal.Decided, error) {
			return f.decideEach(ids, func(id string) (journal.Decided, error) {
				o.Ref = id
				return o.Do(ctx, s.Vault)
			})
		}, func(s render.Screen, all []journal.Decided) { render.WriteDecided(s, all, "Denied", "denied") }),
	}
	console.Refs(cmd, console.AllRefs)
	console.Bind(cmd, &o)
	return cmd
}

// mergeInto lets one memory stand for another one.
func (f face) mergeInto() *cobra.Command {
	return console.Refs(&cobra.Command{
		Use:   "merge-into <id> <other>",
		Short: "Let another memory stand for one that says the same",
		Long: `The other memory takes over the sessions, labels and dates of the first one, which keeps its
text, and is closed and superseded. What observes the first one again counts for the other.`,
		Example: `  cp memory merge-into pf-7k2m9qx4 pf-3hd8w2na`,
		Args:    console.Takes(2, 2, "two ids"),
		RunE: console.Runs(f.Console, f.Write, func(ctx context.Context, s *app.Session, ids []string) (journal.Merged, error) {
			return journal.Merge{ID: ids[0], Into: ids[1]}.Do(ctx, s.Vault)
		}, render.WriteMergedInto),
	}, 2)
}

// decideEach makes one decision for each id, each in a commit of its own.
func (f face) decideEach(ids []string, one func(id string) (journal.Decided, error)) (all []journal.Decided, err error) {
	for _, id := range ids {
		d, err := one(id)
		if err != nil {
			return all, err
		}
		f.Warn(d.Warnings...)
		all = append(all, d)
	}
	return all, nil
}

// promote moves a memory up one level in the tree, or nearer to the agents.
func (f face) promote() *cobra.Command {
	var o journal.Promotion
	var targets []string
	var own, yes bool
	cmd := &cobra.Command{
		Use:   "promote <id>",
		Short: "Move a memory up one level, or an entry into the tree",
		Long: `Without --to the memory goes to its grandparent. With --to long-term an entry of the journal
gets a place in the tree: below --under, else below the root Learned. That asks for
an approval and, of an observation, for enough sessions (cp help journal). With --to core a
long-term memory is written into the files that agents load every time: --target claude_md,
agents_md, gemini_md, copilot_md or cursor_mdc, at the top of the code repository, or with
--user in your own folder. Your own files are told of in no commit; cp memory demote --user
takes a memory out of them. A memory about code that has changed goes there after a yes.`,
		Example: `  cp memory promote pf-7k2m9qx4
  cp memory promote pf-7k2m9qx4 --to long-term --under pf-3hd8w2na --summary "When the linker dies"`,
		Args: console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Ref = args[0]
			if err := journal.CheckTo(o.To, o.Parent != "", o.Summary != "", o.Approve, len(targets) > 0 || own || yes); err != nil {
				return err
			}
			switch o.To {
			case "":
				return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (tree.Moved, error) {
					return s.PromoteUp(ctx, o.Up())
				}, render.WritePromoted)
			case journal.LongTermWord:
				return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (journal.Promoted, error) {
					return s.Promote(ctx, o.Promote)
				}, render.LongTerm)
			case journal.CoreWord:
				return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (journal.CoreDone, error) {
					if err := f.agreeToStale(ctx, s, args[0], yes); err != nil {
						return journal.CoreDone{}, err
					}
					if own {
						return s.PromoteUser(ctx, args[0], targetNames(targets), o.Approve)
					}
					return s.PromoteCore(ctx, args[0], targetNames(targets), o.Approve)
				}, render.Core)
			}
			return vault.Errorf(vault.CodeInvalid, "use --to "+journal.LongTermWord+" or --to "+journal.CoreWord, "'%s' is no level to promote to", vault.Clip(strings.TrimSpace(o.To), 40))
		},
	}
	console.Refs(cmd, 1)
	console.Bind(cmd, &o)
	cmd.Flags().StringArrayVar(&targets, "target", nil, "with --to core: the agents' `files`, such as claude_md,agents_md")
	cmd.Flags().BoolVar(&own, "user", false, "with --to core: your own files, as ~/.claude/CLAUDE.md is")
	cmd.Flags().BoolVar(&yes, "yes", false, "with --to core: also when the code has changed that it is about")
	return cmd
}

// agreeToStale asks before agents load a memory every time whose code has changed, unless yes is set.
func (f face) agreeToStale(ctx context.Context, s *app.Session, ref string, yes bool) error {
	if yes {
		return nil
	}
	if _, err := s.CatchUp(ctx, vault.Scope{}); err != nil {
		return err
	}
	n, err := s.Locate(ctx, ref)
	if err != nil {
		return nil // the verb says what is wrong
	}
	mark := s.Vault.CodeStates(ctx, []vault.ID{n.ID}, nil)[n.ID].Mark()
	if mark == "" {
		return nil
	}
	return f.Ask(ctx, func(s render.Screen) {
		s.Printf("%s %q [%s]\nWrite it into the agents' files? (y/n) ", n.ID, render.Line(n.Title), render.Line(mark))
	}, "--yes", "nothing was promoted")
}

// demote takes an entry back out of the tree.
func (f face) demote() *cobra.Command {
	var own bool
	cmd := &cobra.Command{
		Use:     "demote <id>",
		Short:   "Take a memory one level down: out of the agents' files, or back into the journal",
		Example: `  cp memory demote pf-7k2m9qx4`,
		Args:    console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.Write(cmd.Context(), func(s *app.Session) error {
				if own {
					out, err := s.DemoteUser(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					return console.AnswerWith(f.Console, out, render.WriteTakenOut)
				}
				if out, ok, err := s.DemoteCore(cmd.Context(), args[0]); ok || err != nil {
					if err != nil {
						return err
					}
					return console.AnswerWith(f.Console, out, render.WriteCoreDemoted)
				}
				out, err := journal.Demote{Ref: args[0]}.Do(cmd.Context(), s.Vault)
				if err != nil {
					return err
				}
				return console.AnswerWith(f.Console, out, render.WriteDemoted)
			})
		},
	}
	console.Refs(cmd, 1)
	cmd.Flags().BoolVar(&own, "user", false, "out of your own files, as ~/.claude/CLAUDE.md is")
	return cmd
}

// targetNames returns the names of targets that are given in lists with commas.
func targetNames(lists []string) (all []string) {
	for word := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}
