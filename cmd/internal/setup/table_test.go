package setup_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup"
)

// line is a row of the table as people read it.
func line(a setup.Agent) string {
	list := func(s setup.Site) string {
		var names []string
		for _, p := range s.Has() {
			names = append(names, string(p))
		}
		if len(names) == 0 {
			return "–"
		}
		return strings.Join(names, ", ")
	}
	tried := "no"
	if a.Tried {
		tried = "yes"
	}
	return fmt.Sprintf("| %s | `%s` | %s | %s | %s |", a.Title, a.Name, list(a.User), list(a.Project), tried)
}

// The table in the help says what the table in the code says.
func TestTheTableThatPeopleRead(t *testing.T) {
	b, err := os.ReadFile("../topics/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for text := range strings.Lines(string(b)) {
		if cells := strings.Split(text, "|"); len(cells) == 7 && strings.HasPrefix(cells[2], " `") {
			rows++
		}
	}
	for _, a := range setup.Agents() {
		if !strings.Contains(string(b), line(a)+"\n") {
			t.Errorf("the help lacks\n%s", line(a))
		}
	}
	if want := len(setup.Agents()); rows != want {
		t.Errorf("the help has %d rows of agents, want %d", rows, want)
	}
}

// A row is complete and names no file twice.
func TestTheTable(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range setup.Agents() {
		for _, name := range append([]string{a.Name}, a.Also...) {
			if seen[name] || name != strings.ToLower(name) {
				t.Errorf("%s: the name %q is used twice, or not in lower case", a.Name, name)
			}
			seen[name] = true
			if got, err := setup.FindAgent(strings.ToUpper(name)); err != nil || got.Name != a.Name {
				t.Errorf("%s: got %s, %v", name, got.Name, err)
			}
		}
		if a.Title == "" || len(a.Signs)+len(a.Programs) == 0 || len(a.User.Has())+len(a.Project.Has()) == 0 {
			t.Errorf("%s: the row is not complete", a.Name)
		}
		for _, s := range []setup.Site{a.User, a.Project} {
			if (s.Config == "") != (s.Shape == 0) {
				t.Errorf("%s: a file of settings and its shape go together", a.Name)
			}
		}
	}
	if _, err := setup.FindAgent("nobody"); err == nil {
		t.Error("an agent that nobody knows has a row")
	}
}
