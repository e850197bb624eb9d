package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// defaultLimit is how many rows a list has unless told otherwise.
const defaultLimit = 20

// listFlags are the filters that lists and searches share.
type listFlags struct {
	labels, status, types []string
	since, under          string
	roots                 bool
	offset                int
}

func (l *listFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&l.labels, "label", nil, "with any of these `labels`")
	flags.StringArrayVar(&l.status, "status", nil, "`words` like open,closed (default all but closed and deferred)")
	flags.StringVar(&l.since, "since", "", "created since a `time`: 30m, 24h, 7d, 2w or 2026-01-31")
	flags.StringVar(&l.under, "under", "", "only below the memory with this `id`")
	flags.BoolVar(&l.roots, "roots", false, "only memories without a parent")
	flags.IntVar(&l.offset, "offset", 0, "leave out this many `rows` at the start")
}

// options turns the flags into what the verb takes.
func (l *listFlags) options(ctx context.Context, f face, s *app.Session) (vault.ListOptions, error) {
	o := vault.ListOptions{
		Labels: split(l.labels), Status: split(l.status), Types: split(l.types), Roots: l.roots,
		Limit: f.limit(defaultLimit), Offset: l.offset,
	}
	if l.offset < 0 {
		return o, vault.Errorf(vault.CodeInvalid, "", "--offset must not be negative")
	}
	if l.since != "" {
		since, err := past.ParseSince(l.since, f.Now())
		if err != nil {
			return o, err
		}
		o.Since = since
	}
	if l.under == "" {
		return o, nil
	}
	above, err := s.Locate(ctx, l.under)
	o.Under = above.ID
	return o, err
}

// list prints memories as a flat list.
func (f face) list() *cobra.Command {
	var l listFlags
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List memories, the newest first",
		Example: `  cp memory list
  cp memory list --roots --label deployment,nomad
  cp memory list --since 7d --status closed --limit 50 -o jsonl`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.listed(cmd.Context(), &l, "No memories found.", render.List)
		},
	}
	l.bind(cmd)
	return cmd
}

// listed prints a page of what the flags ask for.
func (f face) listed(ctx context.Context, l *listFlags, none string, text func(render.Screen, []tree.ListRow)) error {
	return f.read(ctx, func(s *app.Session) error {
		o, err := l.options(ctx, f, s)
		if err != nil {
			return err
		}
		page, err := tree.List(ctx, s.Vault, o)
		if err != nil {
			return err
		}
		if err := f.page(page, o, none, text); err != nil {
			return err
		}
		return f.unlabelled(ctx, s, page, o)
	})
}

// unlabelled tells, where nothing was found, of a label that nobody has.
func (f face) unlabelled(ctx context.Context, s *app.Session, p tree.Page, o vault.ListOptions) error {
	if p.Total > 0 {
		return nil
	}
	hint, err := recall.Unlabelled(ctx, f.Finder(s).Lexicon, o.Labels)
	if hint != "" {
		f.errs().Printf("%s\n", hint)
	}
	return err
}

// page answers with the rows; what other pages hold is told on stderr.
func (f face) page(p tree.Page, o vault.ListOptions, none string, text func(render.Screen, []tree.ListRow)) error {
	err := f.answer(p.Rows, func(s render.Screen) {
		if len(p.Rows) == 0 {
			s.Println(none)
			return
		}
		text(s, p.Rows)
	})
	if next := o.Offset + len(p.Rows); next < p.Total && len(p.Rows) > 0 {
		f.errs().Printf("%d-%d of %d; the next ones: --offset %d\n", o.Offset+1, next, p.Total, next)
	} else if len(p.Rows) == 0 && p.Total > 0 {
		f.errs().Printf("there are only %d; --offset %d is beyond them\n", p.Total, o.Offset)
	}
	return err
}

// search finds memories by their words.
func (f face) search() *cobra.Command {
	var l listFlags
	cmd := &cobra.Command{
		Use:   "search <words>",
		Short: "Find memories by their words, the best first",
		Example: `  cp memory search "allocation stuck"
  cp memory search nomad restart --under pf-7k2m9qx4 --limit 5`,
		Args: takes(1, 1000, "what to search for"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.read(cmd.Context(), func(s *app.Session) error {
				o, err := l.options(cmd.Context(), f, s)
				if err != nil {
					return err
				}
				page, err := tree.Search(cmd.Context(), s.Vault, strings.Join(args, " "), o)
				if err != nil {
					return err
				}
				if err := f.page(page, o, "No matching memories found.", render.Hits); err != nil {
					return err
				}
				return f.unlabelled(cmd.Context(), s, page, o)
			})
		},
	}
	l.bind(cmd)
	return cmd
}

// hot lists the memories that are read more often than their parents.
func (f face) hot() *cobra.Command {
	var minDepth int
	cmd := &cobra.Command{
		Use:   "hot",
		Short: "List memories read more often than their parents",
		Example: `  cp memory hot
  cp memory hot --min-depth 2 --limit 10`,
		Args: takes(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if minDepth < 0 {
				return invalid(cmd, "--min-depth must not be negative")
			}
			return f.read(cmd.Context(), func(s *app.Session) error {
				rows, err := tree.Hot(cmd.Context(), s.Vault, minDepth, f.limit(defaultLimit))
				if err != nil {
					return err
				}
				return f.answer(rows, func(s render.Screen) { render.Hot(s, rows) })
			})
		},
	}
	cmd.Flags().IntVar(&minDepth, "min-depth", 1, "only memories at least this `deep`")
	return cmd
}
