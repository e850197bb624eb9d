package web

import (
	"cmp"
	"context"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// commits bounds a history.
const commits = 100

// historyBody is the body of a history.
type historyBody struct {
	Title string
	Rows  []past.LogRow
}

// history shows the commits of a memory, through its moves and beyond its end.
func history(c *call, ctx context.Context, s *app.Session) error {
	rows, err := s.History().Log(ctx, past.Log{Ref: c.id, Limit: commits})
	if err != nil {
		return err
	}
	title := c.id
	if n, err := s.Locate(ctx, c.id); err == nil {
		title, c.id = n.Title, string(n.ID)
	}
	return c.answer(rows, c.frame("History of "+title, "/"), "history", historyBody{title, rows})
}

// isInHistory reports whether a memory was in the history.
func isInHistory(ctx context.Context, s *app.Session, ref string) bool {
	rows, err := s.History().Log(ctx, past.Log{Ref: ref, Limit: 1})
	return err == nil && len(rows) > 0
}

// blame shows who wrote each line of a memory.
func blame(c *call, ctx context.Context, s *app.Session) error {
	n, rows, err := s.History().Blame(ctx, c.id)
	if err != nil {
		return err
	}
	c.id = string(n.ID)
	lines := render.BlameRows(rows)
	return c.answer(lines, c.frame("Who wrote "+n.Title, "/"), "blame", blameBody{rows})
}

// diffRow is a line of a difference.
type diffRow struct{ Kind, Sign, Text string }

// diffBody is the body of a page with a difference.
type diffBody struct {
	Line string
	Rows []diffRow
}

// diff shows how a memory's file differs from an earlier version, or two versions from each
// other.
func diff(c *call, ctx context.Context, s *app.Session) error {
	q := c.r.URL.Query()
	d, err := c.difference(ctx, s, cmp.Or(q.Get("from"), "HEAD"), q.Get("to"))
	if err != nil {
		return err
	}
	c.id = string(d.ID)
	line := "The file on disk against " + vault.Short(d.Commit)
	if to := q.Get("to"); to != "" {
		line = vault.Clip(q.Get("from"), 60) + " against " + vault.Clip(to, 60)
	}
	return c.answer(d, c.frame("What differs", "/"), "diff", diffBody{line, diffRows(d.Text)})
}

func (c *call) difference(ctx context.Context, s *app.Session, from, to string) (past.Diffed, error) {
	if to == "" {
		return s.History().Diff(ctx, past.Diff{Ref: c.id, Rev: from})
	}
	after, err := s.History().FileAt(ctx, c.id, to)
	if err != nil {
		return past.Diffed{}, err
	}
	before, err := s.History().FileAt(ctx, c.id, from)
	if vault.CodeOf(err) == vault.CodeNotFound {
		before, err = past.At{Path: after.Path}, nil // it begins here
	}
	out := past.Diffed{ID: after.ID, Path: after.Path, Commit: before.Commit, From: before.Path}
	if err == nil {
		out.Text = udiff.Unified("a/"+string(before.Path), "b/"+string(after.Path), string(before.Text), string(after.Text))
	}
	return out, err
}

// diffRows returns the lines of a difference in git's form, without those that name the file.
func diffRows(text string) (rows []diffRow) {
	_, body, found := strings.Cut("\n"+text, "\n@@")
	if !found {
		return nil
	}
	for line := range strings.Lines("@@" + body) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, `\`):
			rows = append(rows, diffRow{Kind: "hunk", Text: line})
		case strings.HasPrefix(line, "+"):
			rows = append(rows, diffRow{"add", "+", line[1:]})
		case strings.HasPrefix(line, "-"):
			rows = append(rows, diffRow{"del", "−", line[1:]})
		default:
			rows = append(rows, diffRow{Kind: "same", Text: strings.TrimPrefix(line, " ")})
		}
	}
	return rows
}

// between returns the difference of two texts as rows.
func between(before, after string) []diffRow {
	return diffRows(udiff.Unified("before", "after", before, after))
}

// changesBody is the body of the changes.
type changesBody struct {
	Since   string
	Changed past.Changed
	Log     []past.LogRow
}

// changes shows what is to be read again, and what was done.
func changes(c *call, ctx context.Context, s *app.Session, fam *ask.Family) error {
	since := cmp.Or(c.r.URL.Query().Get("since"), "7d")
	changed, err := fam.ListChanges(ctx, past.Changes{Since: since}, app.Filter{Commits: c.r.URL.Query().Get("commits")})
	if err != nil {
		return err
	}
	if c.json {
		return c.answerJSON(200, changed)
	}
	log, err := s.History().Log(ctx, past.Log{Limit: commits})
	if err != nil {
		return err
	}
	changed.Rows = changed.Rows[:min(len(changed.Rows), pageRows)]
	return c.html(200, c.frame("Changes", "/changes"), "changes", changesBody{since, changed, log})
}

// blameBody is the body of who wrote a memory.
type blameBody struct{ Rows []past.BlameRow }
