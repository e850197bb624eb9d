package agents

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/setup"
)

// row is an agent in the list.
type row struct {
	Name    string       `json:"name"`
	Title   string       `json:"title"`
	Found   bool         `json:"found"` // on this machine
	Tried   bool         `json:"tried"` // in the program itself
	User    []setup.Part `json:"user"`
	Project []setup.Part `json:"project"`
}

func listAgents(at setup.Place) []row {
	all := []row{}
	for _, a := range setup.Agents() {
		all = append(all, row{a.Name, a.Title, at.HasAgent(a), a.Tried, append([]setup.Part{}, a.User.Has()...), append([]setup.Part{}, a.Project.Has()...)})
	}
	return all
}

func showList(s render.Screen, all []row) {
	s.Printf("%-15s %-6s %-6s %-27s %-27s\n", "AGENT", "HERE", "TRIED", "USER", "PROJECT")
	for _, r := range all {
		s.Printf("%-15s %-6s %-6s %-27s %-27s\n", r.Name, yesOrNo(r.Found), yesOrNo(r.Tried), joinParts(r.User), joinParts(r.Project))
	}
	s.Printf("\nTRIED says that what is set up was run in the program itself; the others follow its documentation.\n")
}

func yesOrNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
}

func joinParts(all []setup.Part) string {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = string(p)
	}
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ",")
}

// showRows shows each part with its state.
func showRows(s render.Screen, plan setup.Plan) {
	for _, r := range plan.Rows {
		if r.State == setup.Absent && r.File == "" {
			continue
		}
		word := string(r.State)
		if r.Part == setup.Allow && r.Allowed != "" {
			word = "allowed: " + string(r.Allowed)
		}
		if r.Change != "" && !plan.Done {
			word += ", " + r.Change
		}
		s.Printf("  %-15s %-6s %-16s %s\n", r.Agent, string(r.Part), word, r.File)
		if r.Why != "" {
			s.Printf("  %-15s %-6s %s\n", "", "", r.Why)
		}
		if r.Hint != "" {
			s.Printf("  %-15s %-6s hint: %s\n", "", "", r.Hint)
		}
	}
}

// showPlan shows what would be written.
func showPlan(s render.Screen, plan setup.Plan) {
	showRows(s, plan)
	showChanges(s, plan.Files)
	showStuck(s, plan)
	if plan.IsEmpty() {
		s.Printf("Nothing to change.\n")
	}
	s.Printf("\n")
}

// showChanges shows each distinct change once, with the files that it is made in.
func showChanges(s render.Screen, files []setup.Edited) {
	var changes []string
	names := map[string][]string{}
	first := map[string]string{}
	for _, f := range files {
		change := changedLines(f.Diff)
		if first[change] == "" {
			changes, first[change] = append(changes, change), f.Diff
		}
		names[change] = append(names[change], f.File)
	}
	for _, change := range changes {
		s.Printf("\n")
		s.WriteText(first[change])
		if also := names[change][1:]; len(also) > 0 {
			s.Printf("the same in %s\n", strings.Join(also, ", "))
		}
	}
}

// changedLines are the lines that a diff adds and takes out.
func changedLines(diff string) string {
	var b strings.Builder
	for line := range strings.Lines(diff) {
		if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") {
			continue
		}
		if line[0] == '+' || line[0] == '-' {
			b.WriteString(line)
		}
	}
	return b.String()
}

// showStuck shows what a person can put in where the program cannot.
func showStuck(s render.Screen, plan setup.Plan) {
	for _, r := range plan.Stuck() {
		if r.Snippet != "" {
			s.Printf("\nPut this into %s by hand:\n", r.File)
			s.WriteText(r.Snippet)
		}
	}
}

// showDone says what was done.
func showDone(s render.Screen, plan setup.Plan, removed bool) {
	done := 0
	for _, r := range plan.Rows {
		if r.Change == "" {
			continue
		}
		done++
		s.Printf("  %-15s %-6s %-8s %s\n", r.Agent, string(r.Part), map[string]string{"add": "added", "update": "updated", "remove": "removed"}[r.Change], r.File)
	}
	for _, r := range plan.Rows {
		if r.Change == "" && r.Why != "" && r.File != "" {
			s.Printf("  %-15s %-6s left     %s: %s\n", r.Agent, string(r.Part), r.File, r.Why)
		}
	}
	if done == 0 {
		s.Printf("Nothing to change.\n")
		showAbsent(s, plan)
	}
	showStuck(s, plan)
	for _, note := range plan.Notes {
		s.Printf("Note: %s\n", note)
	}
	if done > 0 && !removed {
		s.Printf("Start the agent anew. It loads what there is to know at its start; cp memory prime shows it.\n")
	}
}

// showAbsent says why, where an agent has none of the parts that were asked for.
func showAbsent(s render.Screen, plan setup.Plan) {
	if slices.ContainsFunc(plan.Rows, func(r setup.Row) bool { return r.State != setup.Absent }) {
		return
	}
	for _, r := range plan.Rows {
		s.Printf("  %-15s %-6s %s\n", r.Agent, string(r.Part), r.Why)
	}
}

// snippet is what to put in by hand.
type snippet struct {
	Agent string     `json:"agent"`
	Part  setup.Part `json:"part"`
	File  string     `json:"file"`
	Text  string     `json:"text"`
}

func snippets(at setup.Place, r setup.Request) []snippet {
	all := []snippet{}
	for _, s := range at.Snippets(r) {
		all = append(all, snippet{s.Agent, s.Part, s.File, s.Snippet})
	}
	return all
}

func showSnippets(s render.Screen, all []snippet) {
	for i, one := range all {
		if i > 0 {
			s.Printf("\n")
		}
		s.Printf("# %s, %s: %s\n", one.Agent, string(one.Part), one.File)
		s.WriteText(one.Text)
	}
}

// plugin is the outcome of --plugin.
type plugin struct {
	Folder string   `json:"folder"`
	Files  []string `json:"files"`
}

func showPlugin(s render.Screen, dir string, files []string) {
	for _, name := range files {
		s.Printf("  %s\n", name)
	}
	dir = setup.QuotePath(dir)
	s.Printf("Install it:\n")
	for _, line := range [...]string{
		"claude plugin marketplace add " + dir + " && claude plugin install cp-memory@cp-memory",
		"codex plugin marketplace add " + dir + " && codex plugin add cp-memory@cp-memory",
		"copilot plugin marketplace add " + dir + " && copilot plugin install cp-memory@cp-memory",
		"gemini extensions link " + dir + "/cp-memory",
	} {
		s.Printf("  %s\n", line)
	}
}
