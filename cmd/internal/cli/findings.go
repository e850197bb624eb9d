package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/codereview"
	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/findings"
)

// findings is the group of what reviews of code have found.
func (f face) findings() *cobra.Command {
	cmd := console.Group("findings", "Remember what reviews of code have found",
		f.findingsPlan(), f.findingsAdd(), f.findingsList(), f.findingsReport(), f.findingsResolve(), f.findingsPatterns(), f.findingsFix())
	cmd.Long = `The program runs no agents: it remembers what they found. A review is one commit, a batch
in the journal with a memory for each finding. cp help journal tells more.`
	return cmd
}

// codeReview is the use cases of the group, in an open vault.
func (f face) codeReview(s *app.Session) codereview.Room {
	return codereview.Room{App: f.App, Session: s}
}

// findingsPlan tells a host what it needs for a review.
func (f face) findingsPlan() *cobra.Command {
	var o codereview.Scope
	cmd := &cobra.Command{
		Use:   "plan [path]",
		Short: "Tell a host what it needs for a review of code",
		Long: `The files (those below the path, else what is in no commit, else what the newest commit
of work changed), the specialists by category, what was found in these files before, and
the JSON that "findings add" takes.`,
		Example: `  cp memory findings plan -o json
  cp memory findings plan src --focus security --spec user-auth -o json`,
		Args: console.Takes(0, 1, "a path"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Path = firstArgument(args)
			return console.AskAndAnswer(f.Console, cmd, f.Read, func(ctx context.Context, s *app.Session) (codereview.Plan, error) {
				return f.codeReview(s).Plan(ctx, o)
			}, render.ReviewPlan)
		},
	}
	console.Bind(cmd, &o)
	return cmd
}

// findingsAdd remembers the findings of a review.
func (f face) findingsAdd() *cobra.Command {
	var o codereview.Review
	var revision string
	cmd := &cobra.Command{
		Use:   "add [file]",
		Short: "Remember the findings of a review, in one commit",
		Long: `Reads a JSON array or JSON lines from the file, or from stdin. Each finding has severity
(critical, high, medium, low), category (security, performance, architecture, quality,
tests, documentation), summary, and if you like file, line, details, remediation and tags.
Findings that overlap become one. An open finding of an earlier review is not made again,
also where the code above it has moved its lines: it keeps the worse severity, gets the
texts and tags that it lacks, and relates to this review, too. The same review again writes
nothing.`,
		Example: `  cp memory findings add review.json --spec user-auth
  echo '{"severity": "high", "category": "security", "file": "src/user.py", "line": 42,
         "summary": "SQL injection in user_query()"}' | cp memory findings add -`,
		Args: console.Takes(0, 1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("commit") {
				o.Revision = &revision
			}
			return f.Write(cmd.Context(), func(s *app.Session) error {
				in, err := f.source(cmd, firstArgument(args))
				if err != nil {
					return err
				}
				defer in.Close()
				return f.foundAdded(f.codeReview(s).Add(cmd.Context(), o, in))
			})
		},
	}
	console.Bind(cmd, &o)
	cmd.Flags().StringVar(&revision, "commit", "", "the `revision` that was reviewed (default: the newest commit of work)")
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// source opens a file, or stdin for none and for "-".
func (f face) source(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == "" && f.InTTY {
		return nil, console.Invalid(cmd, "a file is required, or JSON on stdin")
	}
	if name == "" || name == "-" {
		return io.NopCloser(f.Stdin(cmd.Context())), nil
	}
	file, err := os.Open(f.Abs(name))
	if err != nil {
		return nil, vault.Errorf(vault.CodeIO, "", "cannot read %s: %w", name, disk.Cause(err))
	}
	return file, nil
}

// foundAdded answers for add. Findings that wait in the outbox have their own exit code.
func (f face) foundAdded(a codereview.Added, err error) error {
	switch {
	case err != nil:
		return err
	case !a.Queued:
		return console.AnswerWith(f.Console, a.Added, render.WriteFindingsAdded)
	}
	if err := console.AnswerWith(f.Console, a.Added, func(s render.Screen, _ findings.Added) { render.WriteQueued(s, a.Busy, a.Why) }); err != nil {
		return err
	}
	return errQueued
}

// findingFlags binds the flags that choose findings.
func findingFlags(cmd *cobra.Command, o *findings.Filter, quick *bool) {
	console.Bind(cmd, o)
	cmd.Flags().BoolVar(quick, "quick", false, "only critical and high ones")
	cmd.MarkFlagsMutuallyExclusive("quick", "severity")
}

// addQuick adds what --quick means.
func addQuick(o *findings.Filter, quick bool) {
	if quick {
		o.Severities = findings.Quick()
	}
}

// findingsList lists findings.
func (f face) findingsList() *cobra.Command {
	var o findings.Filter
	var quick bool
	var offset int
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List findings, the worst first",
		Example: `  cp memory findings list --open --quick
  cp memory findings list --category security,tests -o json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if offset < 0 {
				return console.Invalid(cmd, "--offset must not be negative")
			}
			addQuick(&o, quick)
			return f.Read(cmd.Context(), func(s *app.Session) error {
				all, err := f.codeReview(s).Findings(cmd.Context(), o)
				if err != nil {
					return err
				}
				total := len(all)
				all = all[min(offset, total):]
				if n := f.Page(); n > 0 {
					all = all[:min(n, len(all))]
				}
				if next := offset + len(all); next < total {
					f.Errs().Printf("%d-%d of %d; the next ones: --offset %d\n", offset+1, next, total, next)
				}
				return f.Answer(all, func(s render.Screen) { render.FindingList(s, all) })
			})
		},
	}
	findingFlags(cmd, &o, &quick)
	cmd.Flags().BoolVar(&o.Open, "open", false, "only those that are not resolved")
	cmd.Flags().IntVar(&offset, "offset", 0, "leave out this many `findings` at the start")
	return cmd
}

// findingsReport writes the artefacts.
func (f face) findingsReport() *cobra.Command {
	var o codereview.Reports
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write CODE_REVIEW.md, REVIEW_SUMMARY.md and REMEDIATION_TASKS.md",
		Long: `Written at the top of the code repository, anew from the findings each time. They are no
memories and in no commit of ours. A file of that name that a person wrote is kept.`,
		Example: `  cp memory findings report
  cp memory findings report --out ../reviews`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return console.AskAndAnswer(f.Console, cmd, f.Read, func(ctx context.Context, s *app.Session) (codereview.Reported, error) {
				return f.codeReview(s).Report(ctx, o)
			}, render.WriteFindingsReported)
		},
	}
	console.Bind(cmd, &o)
	return cmd
}

// findingsResolve closes a finding.
func (f face) findingsResolve() *cobra.Command {
	var o findings.Resolve
	cmd := &cobra.Command{
		Use:     "resolve <id>",
		Short:   "Close a finding, with a note on how it was fixed",
		Example: `  cp memory findings resolve pf-7k2m9qx4 --resolution "The name is bound as a parameter."`,
		Args:    console.Takes(1, 1, "an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Ref = args[0]; o.Resolution == "" {
				return console.Invalid(cmd, "--resolution is required")
			}
			return console.AskAndAnswer(f.Console, cmd, f.Write, console.InVault(o.Do), render.WriteResolved)
		},
	}
	console.Refs(cmd, 1)
	cmd.Flags().StringVar(&o.Resolution, "resolution", "", "`text` on how it was fixed")
	console.Bind(cmd, &o)
	allowSecret(cmd, &o.AllowSecret)
	return cmd
}

// findingsPatterns tells what was found more than once.
func (f face) findingsPatterns() *cobra.Command {
	var o findings.Filter
	var quick bool
	cmd := &cobra.Command{
		Use:   "patterns [path]...",
		Short: "Tell what reviews have found more than once",
		Long: `Findings of one category whose summaries say nearly the same count together, wherever they
are; resolved ones count, too. Paths choose the files and folders.`,
		Example: `  cp memory findings patterns
  cp memory findings patterns src/api --category security -o json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			addQuick(&o, quick)
			return f.Read(cmd.Context(), func(s *app.Session) error {
				for _, arg := range args {
					p, err := f.codeReview(s).FromTop(arg)
					if err != nil {
						return err
					}
					if p != "." {
						o.Paths = append(o.Paths, p)
					}
				}
				all, err := f.codeReview(s).Patterns(cmd.Context(), o)
				if err != nil {
					return err
				}
				return f.Answer(all, func(s render.Screen) { render.Patterns(s, all) })
			})
		},
	}
	findingFlags(cmd, &o, &quick)
	return cmd
}

// findingsFix prints the work, and tells of it when it is done.
func (f face) findingsFix() *cobra.Command {
	var o codereview.Fix
	var quick, done bool
	cmd := &cobra.Command{
		Use:   "fix [CODE_REVIEW.md]",
		Short: "Print the open findings by the specialists who fix them; --done reports",
		Long: `The findings are those that a report names, else all open ones. With --done it writes
REMEDIATION_REPORT.md and captures, for each category, how its findings were fixed as a
learning, in one commit; a second time nothing is captured twice.`,
		Example: `  cp memory findings fix --quick -o json
  cp memory findings fix CODE_REVIEW.md --category security
  cp memory findings fix CODE_REVIEW.md --done --learning "Queries are built in three places"`,
		Args: console.Takes(0, 1, "a CODE_REVIEW.md"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.File = firstArgument(args)
			addQuick(&o.Filter, quick)
			if done {
				return console.AskAndAnswer(f.Console, cmd, f.Write, func(ctx context.Context, s *app.Session) (codereview.Remedied, error) {
					return f.codeReview(s).Done(ctx, o)
				}, render.WriteRemedied)
			}
			for _, flag := range []string{"learning", "out", "force"} {
				if cmd.Flags().Changed(flag) {
					return console.Invalid(cmd, "--%s is for --done", flag)
				}
			}
			return console.AskAndAnswer(f.Console, cmd, f.Read, func(ctx context.Context, s *app.Session) (codereview.Assigned, error) {
				return f.codeReview(s).Work(ctx, o)
			}, render.FindingsWork)
		},
	}
	findingFlags(cmd, &o.Filter, &quick)
	cmd.Flags().BoolVar(&done, "done", false, "write REMEDIATION_REPORT.md and capture what was learned")
	cmd.Flags().StringArrayVar(&o.Learnings, "learning", nil, "with --done: a `text` that was learned; can be repeated")
	cmd.Flags().StringVar(&o.Dir, "out", "", "with --done: write into this `folder`")
	cmd.Flags().BoolVar(&o.Force, "force", false, "with --done: replace a report that a person wrote")
	return cmd
}
