package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// aboutFile prints what is known of a file of the code.
func (f face) aboutFile() *cobra.Command {
	var q bindings.Question
	cmd := &cobra.Command{
		Use:   "about <path>",
		Short: "What is known of a file of the code",
		Long: `Memories that are bound to the lines, a symbol, the file, a folder or a glob, in this order;
with lines given those that meet them first. Then entries of the journal whose commit changed the
file, and findings. Where these are fewer than three, memories follow that name it (cp help code).`,
		Example: `  cp memory about src/auth.py
  cp memory about src/auth.py:10-24
  cp memory about src/auth.py --explain`,
		Args: console.Takes(1, 1, "the path of a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Path, q.Limit = args[0], f.Limit()
			return throughFamily(f, cmd, f.Read, func(ctx context.Context, fam *ask.Family) (bindings.Answer, error) {
				return bindings.AboutInFamily(ctx, fam, q, f.Abs(args[0]))
			}, render.WriteKnown)
		},
	}
	cmd.Flags().BoolVar(&q.Explain, "explain", false, "also say what matched, what did not, and why")
	cmd.Flags().IntVar(&q.Budget, "budget", 1500, "`tokens` of the answer at the most")
	return cmd
}

// stale lists the memories whose code has changed.
func (f face) stale() *cobra.Command {
	var o bindings.Stale
	var check bool
	cmd := &cobra.Command{
		Use:   "stale",
		Short: "Memories about code that has changed, the most read first",
		Example: `  cp memory stale --diff
  cp memory stale --check
  cp memory stale --at v1.2
  cp memory stale --state moved`,
		Args: console.Takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Limit = f.Form.Rows()
			return f.Read(cmd.Context(), func(s *app.Session) error {
				a, err := bindings.Room{Session: s}.Stale(cmd.Context(), o)
				if err == nil {
					err = console.AnswerWith(f.Console, a, render.Stale)
				}
				if err == nil && check && a.IsLoud() {
					err = vault.Errorf(vault.CodeDamaged, "look at them with `cp memory stale --diff`, then correct the text, or `cp memory confirm` it", "%s about code that has changed", vault.Plural(len(a.Memories)+a.More, "memory is", "memories are"))
				}
				return err
			})
		},
	}
	cmd.Flags().StringVar(&o.Under, "under", "", "only below the memory with this `id`, or in this folder")
	cmd.Flags().StringVar(&o.State, "state", "", "those with a binding in this `state`: current, unchecked, touched, moved, ahead, unknown, gone or changed")
	cmd.Flags().StringVar(&o.At, "at", "", "judge by this `revision` of the code, and not by the work tree")
	cmd.Flags().BoolVar(&o.Diff, "diff", false, "show what has changed, at most 12 lines of each")
	cmd.Flags().BoolVar(&check, "check", false, "exit with 1 if there is any")
	_ = cmd.RegisterFlagCompletionFunc("under", f.Places)
	return cmd
}

// bind says which code a memory is about.
func (f face) bind() *cobra.Command {
	return f.changeBindings(&cobra.Command{
		Use:   "bind <id> <code>...",
		Short: "Say which code a memory is about",
		Long: `Bind the lines or the symbol, not the file: the memory is marked when these lines have changed,
and not when the rest has. A path counts from the working directory (cp help code).`,
		Example: `  cp memory bind pf-7k2m9qx4 src/auth.py#L10-L24
  cp memory bind pf-7k2m9qx4 src/db.py#Pool.acquire 'src/**/*_test.py'`,
	}, func(ref string, code []string) bindings.Bind { return bindings.Bind{Ref: ref, About: code} })
}

// unbind takes bindings off a memory.
func (f face) unbind() *cobra.Command {
	return f.changeBindings(&cobra.Command{
		Use:     "unbind <id> <code>...",
		Short:   "Say that a memory is about this code no more",
		Example: `  cp memory unbind pf-7k2m9qx4 src/auth.py#L10-L24`,
	}, func(ref string, code []string) bindings.Bind { return bindings.Bind{Ref: ref, About: code, Off: true} })
}

func (f face) changeBindings(cmd *cobra.Command, made func(ref string, code []string) bindings.Bind) *cobra.Command {
	var dry bool
	cmd.Args = console.Takes(2, 51, "an id and the code")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o := made(args[0], args[1:])
		o.DryRun = dry
		return console.AskAndAnswer(f.Console, cmd, f.ReadIfDry(dry, f.Write), func(ctx context.Context, s *app.Session) (bindings.Bound, error) {
			return bindings.Room{Session: s}.Bind(ctx, o)
		}, render.WriteBound)
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only say what would be written")
	return console.Refs(cmd, 1)
}

// confirm says that memories are right about the code as it is now.
func (f face) confirm() *cobra.Command {
	var o bindings.Confirm
	cmd := &cobra.Command{
		Use:   "confirm <id>...",
		Short: "Say that a memory is right about its code as it is now",
		Long: `Remembers what the code is now, and writes down where it has gone, in one commit. With --moved
or --unchecked, and no id, it does so for all memories whose code is only elsewhere, or that
nobody has confirmed yet.`,
		Example: `  cp memory confirm pf-7k2m9qx4
  cp memory confirm pf-7k2m9qx4 --about src/auth.py#L10-L24
  cp memory confirm --moved`,
		Args: console.Takes(0, 1000, "ids"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Refs = args; len(args) == 0 && !o.Moved && !o.Unchecked {
				return console.Invalid(cmd, "name the memories, or give --moved or --unchecked")
			}
			return console.AskAndAnswer(f.Console, cmd, f.ReadIfDry(o.DryRun, f.Write), func(ctx context.Context, s *app.Session) (bindings.Bound, error) {
				return bindings.Room{Session: s}.Confirm(ctx, o)
			}, render.WriteBound)
		},
	}
	cmd.Flags().Var((*console.Words)(&o.About), "about", "only this `binding`; may be repeated")
	cmd.Flags().BoolVar(&o.Moved, "moved", false, "those whose code is elsewhere")
	cmd.Flags().BoolVar(&o.Unchecked, "unchecked", false, "those that nobody has confirmed")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only say what would be written")
	return console.Refs(cmd, 0)
}
