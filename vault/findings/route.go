package findings

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Specialist is the agent that a category of findings is for. The program runs none: a host
// may use the name.
type Specialist struct {
	Category string `json:"category"`
	Agent    string `json:"agent"`
	Looks    string `json:"looks_for"`
}

// specialists are the agents by category, in the order in which categories are listed.
var specialists = [...]Specialist{
	{"security", "security-engineer", "injection, authentication, secrets, unsafe input"},
	{"performance", "performance-engineer", "needless work, queries in loops, memory, blocking calls"},
	{"architecture", "refactoring-specialist", "coupling, layering, duplication, what is hard to change"},
	{"quality", "code-reviewer", "errors that are swallowed, naming, dead code, edge cases"},
	{"tests", "test-automator", "what no test covers, tests that cannot fail, flaky ones"},
	{"documentation", "documentation-engineer", "what is missing, wrong or out of date"},
}

// verifiers are the agents that look at a remediation.
var verifiers = [...]Specialist{
	{"errors", "silent-failure-hunter", "errors that the fix swallows"},
	{"simplicity", "code-simplifier", "more than the fix needs"},
	{"tests", "pr-test-analyzer", "what of the fix no test covers"},
}

// Specialists returns the agents by category.
func Specialists() []Specialist { return slices.Clone(specialists[:]) }

// Verifiers returns the agents that a host has look at a remediation.
func Verifiers() []Specialist { return slices.Clone(verifiers[:]) }

// Categories lists the categories.
func Categories() (all []string) {
	for _, s := range specialists {
		all = append(all, s.Category)
	}
	return all
}

// Agent returns the agent of a category; empty for no category.
func Agent(category string) string {
	if i := categoryRank(category); i < len(specialists) {
		return specialists[i].Agent
	}
	return ""
}

func categoryRank(category string) int {
	for i, s := range specialists {
		if s.Category == category {
			return i
		}
	}
	return len(specialists)
}

// categoryOf returns the category that a word means: its own name in any case, or a short one.
func categoryOf(s string) string {
	switch s = foldWord(s); s {
	case "docs", "doc":
		return "documentation"
	case "test":
		return "tests"
	}
	return s
}

// Focus returns the specialists for a focus: a category, or maintainability for architecture
// and quality. An empty one means all.
func Focus(focus string) ([]Specialist, error) {
	focus = categoryOf(focus)
	keep := []string{focus}
	switch focus {
	case "":
		return Specialists(), nil
	case "maintainability":
		keep = []string{"architecture", "quality"}
	}
	if focus != "maintainability" && !slices.Contains(Categories(), focus) {
		return nil, vault.Errorf(vault.CodeInvalid, "a focus is "+strings.Join(Categories(), ", ")+" or maintainability", "'%s' is no focus", vault.Clip(focus, 40))
	}
	return slices.DeleteFunc(Specialists(), func(s Specialist) bool { return !slices.Contains(keep, s.Category) }), nil
}
