package render

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// Brief is what is told of a memory where a budget has no room for its text.
type Brief struct {
	ID      vault.ID `json:"id"`
	Title   string   `json:"title"`
	Summary string   `json:"summary,omitempty"`
	Tokens  int      `json:"tokens"` // of its text
	More    string   `json:"more"`   // the command that gives it
}

// BriefOf returns what is told of a memory; phrase says whether there is room for its phrase.
func BriefOf(m tree.Shown, phrase bool) Brief {
	b := Brief{ID: m.ID, Title: m.Title, Tokens: m.Tokens, More: "cp memory show " + string(m.ID)}
	if phrase {
		b.Summary = m.Summary
	}
	return b
}

// Text writes it as one line.
func (b Brief) Text(s Screen) {
	line := string(b.ID) + " " + b.Title
	if b.Summary != "" {
		line += ": " + b.Summary
	}
	s.Printf("%s (~%d tokens: %s)\n", Line(line), b.Tokens, Typed(s.Name, b.More))
}

// BriefWork is what is told of a piece of work where a budget has no room for its entries.
type BriefWork struct {
	Spec     string `json:"spec"`
	Total    int    `json:"total"`
	Blockers int    `json:"unresolved_blockers"`
	LeftOut  int    `json:"left_out"`
}

// BriefWorkOf counts a piece of work.
func BriefWorkOf(w journal.Work) BriefWork {
	return BriefWork{w.Spec, w.Total, len(w.Blockers), w.Total}
}

// Text writes it as one line.
func (b BriefWork) Text(s Screen) {
	s.Printf("%s: %s, %s; all left out to keep to the budget\n", Line(b.Spec), entries(b.Total, 0), vault.Plural(b.Blockers, "unresolved blocker", "unresolved blockers"))
}
