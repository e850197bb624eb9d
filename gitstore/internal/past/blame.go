package past

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// Blame tells of each line of a file on disk which commit wrote it, followed
// through renames. A line in no commit yet has none.
func (p Past) Blame(ctx context.Context, name string) ([]past.BlameRow, error) {
	out, err := p.git.Run(ctx, nil, "blame", "--porcelain", "--", name)
	if err != nil {
		return nil, err
	}
	rows := parseBlame(string(out))
	wrote, err := p.writers(ctx, rows)
	for i, row := range rows {
		rows[i].Revision = wrote[row.Commit]
	}
	return rows, err
}

// parseBlame parses git's porcelain: for each line a head "<commit> <was> <is> …",
// perhaps facts about the commit, and the line itself after a tab.
func parseBlame(out string) []past.BlameRow {
	var rows []past.BlameRow
	commit := ""
	for line := range strings.SplitSeq(strings.TrimSuffix(out, "\n"), "\n") {
		if text, ok := strings.CutPrefix(line, "\t"); ok {
			row := past.BlameRow{Line: len(rows) + 1, Text: strings.TrimSuffix(text, "\r")}
			if strings.Trim(commit, "0") != "" {
				row.Commit = commit
			}
			rows, commit = append(rows, row), ""
		} else if commit == "" {
			commit, _, _ = strings.Cut(line, " ")
		}
	}
	return rows
}

// writers reads the commits that rows name, each once.
func (p Past) writers(ctx context.Context, rows []past.BlameRow) (map[string]vault.Revision, error) {
	wrote := map[string]vault.Revision{}
	args := []string{"--no-walk=unsorted"}
	for _, row := range rows {
		if _, known := wrote[row.Commit]; !known && row.Commit != "" {
			wrote[row.Commit] = vault.Revision{}
			args = append(args, row.Commit)
		}
	}
	if len(wrote) == 0 {
		return wrote, nil
	}
	err := p.Revisions(ctx, args, func(rev vault.Revision) bool {
		wrote[rev.Commit] = rev
		return true
	})
	return wrote, err
}
