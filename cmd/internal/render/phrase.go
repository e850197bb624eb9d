package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/prose"
)

// Propose writes the approval screen, with the cursor behind the choices.
func Propose(s Screen, p app.Proposal) {
	if p.ParentID != "" {
		s.Printf("Sub-memory: %s → parent %s (%s)\n\n", quoteTitle(p.Title), quoteTitle(p.ParentTitle), p.ParentID)
	} else {
		s.Printf("Memory: %s (%s), at the top of the tree\n\n", quoteTitle(p.Title), p.ID)
	}
	if p.Now != "" {
		s.Printf("Now:     %s\n", p.Now)
	}
	s.Printf("Summary: %s\n\n", p.Summary)
	if p.Suggestion != "" {
		s.Printf("Parent update suggested (review only — not auto-applied):\n")
		for line := range strings.Lines(strings.TrimSpace(prose.Visible(p.Suggestion))) {
			s.Printf("  %s\n", line)
		}
		s.Printf("\n")
	}
	s.Printf("[A]pprove summary  [E]dit summary  [C]ancel")
	if p.Many {
		s.Printf("  [Q]uit")
	}
	s.Printf(" ")
}

// WriteSummarized writes what was written and what failed, then the sums.
func WriteSummarized(s Screen, r phrase.Result) {
	var rows [][]string
	for _, row := range r.Rows {
		switch row.Outcome {
		case phrase.Written, phrase.Chosen:
			rows = append(rows, []string{string(row.ID), row.Title, cmp.Or(row.Summary, "-")})
		case phrase.Failed:
			rows = append(rows, []string{string(row.ID), row.Title, "failed: " + row.Reason})
		}
	}
	if len(r.Rows) == 0 {
		s.Printf("Nothing to summarize.\n")
		return
	}
	if len(rows) > 0 {
		s.Table([]Column{{Title: "ID"}, {Title: "TITLE", Min: 12, Flex: true}, {Title: "SUMMARY", Min: 20, Flex: true}}, rows)
	}
	if r.DryRun {
		s.Printf("Would ask for %s\n", vault.Plural(len(rows), "summary", "summaries"))
		return
	}
	s.Printf("Wrote %s in %s%s\n", vault.Plural(r.Written, "summary", "summaries"), vault.Plural(r.Commits, "commit", "commits"), unwritten(r))
}

// unwritten lists how many were not written, and why.
func unwritten(r phrase.Result) styled {
	var b strings.Builder
	for _, c := range []struct {
		n    int
		word string
	}{{r.Unchanged, "as it was"}, {r.Skipped, "skipped"}, {r.Failed, "failed"}, {r.Left, "left"}} {
		if c.n > 0 {
			b.WriteString("; " + vault.Plural(c.n, c.word, c.word))
		}
	}
	return styled(b.String())
}

// WriteEmbedded writes what a backfill did, or with dryRun would do.
func WriteEmbedded(s Screen, d embed.Done, dryRun bool) {
	if dryRun {
		s.Printf("%s would be embedded by %s, %d skipped\n", vault.Plural(d.Missing, "text", "texts"), Line(d.Model), d.Skipped)
		if d.Passages != d.Missing {
			s.Printf("%s would go to the model\n", vault.Plural(d.Passages, "passage", "passages"))
		}
		if d.Pruned > 0 {
			s.Printf("%s would be dropped whose texts no file holds any more\n", vault.Plural(d.Pruned, "vector", "vectors"))
		}
		return
	}
	s.Printf("%d embedded, %d failed, %d skipped\n", d.Embedded, d.Failed, d.Skipped)
	if d.Passages != d.Embedded {
		s.Printf("%s went to the model\n", vault.Plural(d.Passages, "passage", "passages"))
	}
	if d.Cut > 0 {
		s.Printf("%s longer than is embedded: the rest is found by its words\n", vault.Plural(d.Cut, "text is", "texts are"))
	}
	if d.Pruned > 0 {
		s.Printf("%s dropped whose texts no file holds any more\n", vault.Plural(d.Pruned, "vector", "vectors"))
	}
	if d.Missing > d.Failed {
		s.Printf("%s left: run it again\n", vault.Plural(d.Missing-d.Failed, "text is", "texts are"))
	}
	if d.Unweighed && d.Missing == 0 {
		s.Printf("how much they count is the default: cp admin embed-calibrate measures it\n")
	}
	failures, more := some(s, d.Failures)
	for _, f := range failures {
		s.Printf("  %s: %s\n", Line(string(f.Path)), Line(f.Message))
	}
	s.More("  ", more)
}

// vectors tells in a line how far the vectors are.
func vectors(v app.VectorState) string {
	switch {
	case v.Problem != "":
		return v.Problem
	case v.Missing == 0:
		return fmt.Sprintf("%d by %s", v.Have, v.Model)
	case v.Have == 0:
		return fmt.Sprintf("none yet by %s; %d missing: cp admin embed-backfill", v.Model, v.Missing)
	}
	return fmt.Sprintf("%d by %s; %d missing: cp admin embed-backfill", v.Have, v.Model, v.Missing)
}
