package render

import "github.com/cp-memory/cp/vault"

// Brief is what is told of a memory where a budget has no room for its text.
type Brief struct {
	ID      vault.ID `json:"id"`
	Title   string   `json:"title"`
	Summary string   `json:"summary,omitempty"`
	Tokens  int      `json:"tokens"` // of its text
	More    string   `json:"more"`   // the command that gives it
}

// WriteLine writes it as one line.
func (b Brief) WriteLine(s Screen) {
	line := string(b.ID) + " " + b.Title
	if b.Summary != "" {
		line += ": " + b.Summary
	}
	s.Printf("%s (~%d tokens: %s)\n", Line(line), b.Tokens, RenameCommands(s.Name, b.More))
}

// BriefWork is what is told of a piece of work where a budget has no room for its entries.
type BriefWork struct {
	Spec     string `json:"spec"`
	Total    int    `json:"total"`
	Blockers int    `json:"unresolved_blockers"`
	LeftOut  int    `json:"left_out"`
}

// WriteLine writes it as one line.
func (b BriefWork) WriteLine(s Screen) {
	s.Printf("%s: %s, %s; all left out to keep to the budget\n", Line(b.Spec), tellEntries(b.Total, 0), vault.Plural(b.Blockers, "unresolved blocker", "unresolved blockers"))
}
