package setup

import (
	"path/filepath"
	"slices"
)

// whyNone says why an agent has nothing to write for a part.
func (w *planner) whyNone(a Agent, part Part) string {
	if part == Allow && a.SiteFor(w.Scope).Allow.File != "" {
		return "it knows no list of single tools: --allow all, or it asks for each"
	}
	return "it has none in the scope " + string(w.Scope)
}

// describe notes what a part says of itself: what it allows, and what keeps it from working.
func (w *planner) describe(row *Row, t target, text []byte) {
	s := t.says(text)
	row.Allowed = s.access
	switch {
	case filepath.IsAbs(s.program) && !exists(s.program):
		row.Why = "it starts " + s.program + ", which is gone"
	case filepath.IsAbs(s.program) && s.program != w.Program:
		row.Why = "it starts " + s.program
	case s.program == Name && w.Look != nil && !w.finds(Name):
		row.Why = Name + " is not on the PATH"
	case s.off != "":
		row.Why = s.off + " is set there, so that no hook runs"
	}
}

// notes says what a person has to do beside it.
func (w *planner) notes(a Agent) {
	touched := func(parts ...Part) bool {
		return slices.ContainsFunc(w.plan.Rows, func(r Row) bool {
			return r.Agent == a.Name && slices.Contains(parts, r.Part) && r.Change != "" && r.Change != "remove"
		})
	}
	if touched(Rules) {
		w.plan.Notes = append(w.plan.Notes, w.ownMemory(a, w.Scope)...)
	}
	if a.Needs != "" && touched(MCP, Hook) {
		w.plan.Notes = append(w.plan.Notes, a.Needs)
	}
	if note := a.questions(w.Scope, w.Access); note != "" && touched(MCP) {
		w.plan.Notes = append(w.plan.Notes, note)
	}
	if a.Trust != "" && w.Scope == Project && touched(MCP, Hook) {
		w.plan.Notes = append(w.plan.Notes, a.Trust)
	}
}
