package tier

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Adapter is a file that an agent loads every time.
type Adapter struct {
	Name    string // as a promotion names it
	Project string // its path below the top of the code repository
	User    string // its path below the person's home; empty where the agent has none
	Head    string // what a new file begins with
}

const cursorHead = "---\ndescription: What every session needs to know\nalwaysApply: true\n---\n\n"

// Adapters returns the adapters. Each call returns a list of its own.
func Adapters() []Adapter {
	return []Adapter{
		{Name: "claude_md", Project: "CLAUDE.md", User: ".claude/CLAUDE.md"},
		{Name: "agents_md", Project: "AGENTS.md", User: ".codex/AGENTS.md"},
		{Name: "gemini_md", Project: "GEMINI.md", User: ".gemini/GEMINI.md"},
		{Name: "copilot_md", Project: ".github/copilot-instructions.md", User: ".copilot/copilot-instructions.md"},
		{Name: "cursor_mdc", Project: ".cursor/rules/cp-memory.mdc", Head: cursorHead},
	}
}

// AdapterNamed returns the adapter of a name. The error lists the names there are.
func AdapterNamed(name string) (Adapter, error) {
	all := Adapters()
	i := slices.IndexFunc(all, func(a Adapter) bool { return a.Name == name })
	if i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.Name
	}
	return Adapter{}, vault.Errorf(vault.CodeInvalid, "targets are "+strings.Join(names, ", "), "'%s' is no target", vault.Clip(name, 40))
}

// OtherNames returns the names at the top of a code repository that no memory takes: the files
// that agents load, and the reports of reviews. Names of hidden folders are not among them;
// a vault passes over those anyway.
func OtherNames() []string {
	all := []string{"CODE_REVIEW.md", "REVIEW_SUMMARY.md", "REMEDIATION_TASKS.md", "REMEDIATION_REPORT.md"}
	for _, a := range Adapters() {
		if !strings.HasPrefix(a.Project, ".") {
			all = append(all, a.Project)
		}
	}
	return all
}

// preamble reports whether a text is no more than what the program begins a file with.
func preamble(text string) bool {
	return text == "" || strings.ReplaceAll(text, "\r\n", "\n") == cursorHead
}
