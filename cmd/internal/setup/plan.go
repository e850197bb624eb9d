package setup

import (
	"bytes"
	"os"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Request says what is set up. The zero value sets up nothing.
type Request struct {
	Agents []Agent
	Scope  Scope
	Parts  []Part
	Remove bool
}

// Row is one part of one agent.
type Row struct {
	Agent   string `json:"agent"`
	Part    Part   `json:"part"`
	Scope   Scope  `json:"scope"`
	File    string `json:"file,omitempty"`
	State   State  `json:"state"`             // before the plan
	Change  string `json:"change,omitempty"`  // add, update or remove; empty where nothing is written
	Why     string `json:"why,omitempty"`     // it cannot be, or need not be
	Hint    string `json:"hint,omitempty"`    // what a person can do
	Snippet string `json:"snippet,omitempty"` // to put in by hand, where this program cannot
	Allowed Access `json:"allowed,omitempty"` // of the part allow, before the plan
}

// Plan is what a request comes to. Nothing of it is done yet.
type Plan struct {
	Scope Scope    `json:"scope"`
	Rows  []Row    `json:"parts"`
	Files []Edited `json:"files"`
	Notes []string `json:"notes,omitempty"`
	Done  bool     `json:"done"` // it has been written

	cleared []file // that do not change, and beside which a killed run left something of ours
}

// Edited is a file that changes.
type Edited struct {
	File string `json:"file"`
	Diff string `json:"diff"`

	file
}

// IsEmpty reports whether there is nothing to write.
func (p Plan) IsEmpty() bool { return len(p.Files) == 0 }

// isChoice reports whether a person has decided that the agent asks: a grant that is missing, or
// something else in its place, is no fault.
func (r Row) isChoice() bool { return r.Part == Allow && (r.State == Missing || r.State == Other) }

// Stuck returns the parts that were asked for and cannot be written.
func (p Plan) Stuck() (all []Row) {
	for _, r := range p.Rows {
		if (r.State == Broken || r.State == Other) && !r.isChoice() {
			all = append(all, r)
		}
	}
	return all
}

// Behind returns the parts that are not as they would be written now.
func (p Plan) Behind() (all []Row) {
	for _, r := range p.Rows {
		if r.State != Current && r.State != Absent && !r.isChoice() {
			all = append(all, r)
		}
	}
	return all
}

// Snippets returns what a person would put in by hand for a request, part by part.
func (p Place) Snippets(r Request) (all []Row) {
	if len(r.Parts) == 0 {
		r.Parts = UsualParts()
	}
	p.tools = slices.Contains(r.Parts, MCP)
	for _, a := range r.Agents {
		for _, part := range r.Parts {
			targets, err := p.targets(a, part, r.Scope)
			if err != nil {
				continue
			}
			for _, t := range targets {
				all = append(all, Row{Agent: a.Name, Part: part, Scope: r.Scope, File: p.shortPath(t.file), Snippet: t.snippet()})
			}
		}
	}
	return all
}

// planner makes a plan.
type planner struct {
	Place
	Request
	plan  Plan
	files []*file // by their real paths
}

// Plan returns what a request would do. It writes nothing.
func (p Place) Plan(r Request) (Plan, error) {
	if err := p.check(r); err != nil {
		return Plan{}, err
	}
	if len(r.Parts) == 0 {
		r.Parts = UsualParts()
		if r.Remove {
			r.Parts = Parts()
		}
	}
	w := &planner{Place: p, Request: r, plan: Plan{Scope: r.Scope, Rows: []Row{}, Files: []Edited{}}}
	for _, a := range r.Agents {
		w.tools = w.hasTools(a)
		for _, part := range Parts() {
			if slices.Contains(r.Parts, part) {
				w.part(a, part)
			}
		}
		w.notes(a)
	}
	w.judge()
	for _, f := range w.files {
		if !f.hasChanged() {
			continue
		}
		name := p.shortPath(f.name)
		w.plan.Files = append(w.plan.Files, Edited{name, f.diff(name), *f})
	}
	return w.plan, nil
}

// hasTools reports whether an agent has our tools in the scope, or will have them by this plan.
func (w *planner) hasTools(a Agent) bool {
	if slices.Contains(w.Parts, MCP) && !w.Remove && a.SiteFor(w.Scope).path(MCP) != "" {
		return true
	}
	all, _ := w.targets(a, MCP, w.Scope)
	return slices.ContainsFunc(all, func(t target) bool {
		text, err := os.ReadFile(t.file)
		state, _ := t.state(text)
		return err == nil && (state == Current || state == Stale)
	})
}

// part plans one part of one agent.
func (w *planner) part(a Agent, part Part) {
	row := Row{Agent: a.Name, Part: part, Scope: w.Scope}
	all, err := w.targets(a, part, w.Scope)
	switch {
	case err != nil:
		w.stuck(row, Broken, err, nil)
		return
	case len(all) == 0:
		row.State, row.Why = Absent, w.whyNone(a, part)
		w.plan.Rows = append(w.plan.Rows, row)
		return
	}
	for _, t := range all {
		row.File = w.shortPath(t.file)
		if w.Remove || part == Allow && w.Access == NoTools {
			w.planRemoval(row, t)
			for _, o := range w.otherFiles(t) {
				row.File = w.shortPath(o.file)
				w.planRemoval(row, o)
			}
			continue
		}
		w.planTarget(row, t)
	}
}

// added says what becomes of a part that is not as it would be written.
var added = map[State]string{Missing: "add", Stale: "update"}

// planTarget plans that a target is there.
func (w *planner) planTarget(row Row, t target) {
	f, err := w.loadFile(t.file)
	if err != nil {
		w.stuck(row, Broken, err, t)
		return
	}
	state, err := t.state(f.text)
	w.describe(&row, t, f.was)
	if row.State = state; state == Other || state == Broken {
		w.stuck(row, state, err, t)
		return
	}
	if state == Current {
		if row.State, _ = t.state(f.was); row.State != Current { // another agent of the plan enters it in the same file
			row.Change = added[row.State]
		}
		w.plan.Rows = append(w.plan.Rows, row)
		return
	}
	if at := w.fileInOtherScope(t); at != "" {
		row.State, row.Why = Absent, "it is set up in "+at+" already, and agents warn of two"
		row.Hint = "cp-memory setup " + t.agent.Name + " --" + string(other(w.Scope)) + " --only " + string(t.part) + " --remove"
		w.plan.Rows = append(w.plan.Rows, row)
		return
	}
	was := f.initialText(t)
	next, err := t.apply(was)
	if err == nil && bytes.Equal(next, was) {
		row.Why = "the server is not entered there by this program"
		w.plan.Rows = append(w.plan.Rows, row)
		return
	}
	if err == nil {
		err = f.writable()
	}
	if err != nil {
		w.stuck(row, Broken, err, t)
		return
	}
	row.Change = added[state]
	f.setNext(next, t)
	w.plan.Rows = append(w.plan.Rows, row)
}

// fileInOtherScope returns the file of the other scope in which a server or a hook of the agent is
// entered; empty for none. Two servers of one name are a conflict, and two hooks load
// everything twice.
func (w *planner) fileInOtherScope(t target) string {
	if t.part != MCP && t.part != Hook {
		return ""
	}
	all, err := w.targets(t.agent, t.part, other(w.Scope))
	if err != nil || w.Home == w.Dir {
		return ""
	}
	for _, o := range all {
		f, err := w.loadFile(o.file)
		if err != nil {
			continue
		}
		if s, _ := o.state(f.text); s == Current || s == Stale {
			return w.shortPath(o.file)
		}
	}
	return ""
}

func other(s Scope) Scope {
	if s == User {
		return Project
	}
	return User
}

// planRemoval plans that a target is gone. What is not ours stays.
func (w *planner) planRemoval(row Row, t target) {
	f, err := w.loadFile(t.file)
	if err != nil {
		w.stuck(row, Broken, err, nil)
		return
	}
	state, err := t.state(f.text)
	row.State = state
	switch {
	case state == Broken:
		w.stuck(row, state, err, nil)
		return
	case state == Current || state == Stale:
	case state == Missing:
		w.plan.Rows = append(w.plan.Rows, row)
		return
	default:
		row.State, row.Why, row.Hint = Other, err.Error()+"; it stays", errorHint(err)
		w.plan.Rows = append(w.plan.Rows, row)
		return
	}
	if who := w.sharedWith(t); who != "" {
		row.State, row.Why = Absent, "it stays, since "+who+" uses it too"
		w.plan.Rows = append(w.plan.Rows, row)
		return
	}
	next, err := f.removeEdit(t, w.siblings(t, f))
	if err == nil {
		err = f.writable()
	}
	if err != nil {
		w.stuck(row, Broken, err, nil)
		return
	}
	row.Change = "remove"
	f.setNext(next, t)
	w.plan.Rows = append(w.plan.Rows, row)
}

// sharedWith returns an agent that is not asked for, has the same file for the same part,
// and is set up by another file of its own; empty for none.
func (w *planner) sharedWith(t target) string {
	for _, a := range Agents() {
		if slices.ContainsFunc(w.Agents, func(asked Agent) bool { return asked.Name == a.Name }) {
			continue
		}
		same, err := w.targets(a, t.part, w.Scope)
		if err != nil || !slices.ContainsFunc(same, func(s target) bool { return s.file == t.file }) {
			continue
		}
		for _, part := range Parts() {
			own, err := w.targets(a, part, w.Scope)
			if err == nil && slices.ContainsFunc(own, func(s target) bool { return !w.hasFile(t.agent, s.file) && w.isSetUp(s) }) {
				return a.Title
			}
		}
	}
	return ""
}

// siblings returns the targets of an agent that are set up in a file as they would be written
// now, in the order in which they are set up.
func (w *planner) siblings(t target, f *file) (all []target) {
	as := w.Place
	for _, part := range Parts() {
		for _, as.tools = range []bool{true, false} { // the second takes both for its own
			of, err := as.targets(t.agent, part, w.Scope)
			if err != nil {
				continue
			}
			of = slices.DeleteFunc(of, func(s target) bool {
				state, _ := s.state(f.text)
				return s.file != t.file || state != Current
			})
			if all = append(all, of...); len(of) > 0 {
				break
			}
		}
	}
	return all
}

// hasFile reports whether an agent has a file for any of its parts.
func (w *planner) hasFile(a Agent, file string) bool {
	for _, part := range Parts() {
		all, err := w.targets(a, part, w.Scope)
		if err == nil && slices.ContainsFunc(all, func(t target) bool { return t.file == file }) {
			return true
		}
	}
	return false
}

// isSetUp reports whether a target is set up.
func (w *planner) isSetUp(t target) bool {
	f, err := w.loadFile(t.file)
	if err != nil {
		return false
	}
	s, _ := t.state(f.text)
	return s == Current || s == Stale
}

// stuck notes a part that cannot be written, with what a person would put in.
func (w *planner) stuck(row Row, state State, err error, e edit) {
	row.State, row.Why, row.Hint = state, err.Error(), errorHint(err)
	if e != nil {
		row.Snippet = e.snippet()
	}
	w.plan.Rows = append(w.plan.Rows, row)
}

func errorHint(err error) string {
	if e := (*vault.Error)(nil); asError(err, &e) {
		return e.Hint
	}
	return ""
}
