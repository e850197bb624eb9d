package setup_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup"
)

// What an agent may call without asking is what was asked for, and stays so where nothing is
// asked. Other rules of the list stay.
func TestAccessIsWhatWasAskedFor(t *testing.T) {
	claude, _ := setup.FindAgent("claude")
	theirs := "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n  }\n}\n"
	h := newHome(t)
	at := filepath.Join(h.Home, ".claude/settings.json")
	h.put(at, theirs)
	r := setup.Request{Agents: []setup.Agent{claude}, Scope: setup.User, Parts: []setup.Part{setup.Allow}}
	steps := []struct {
		asked, there setup.Access
		rules        int
	}{
		{setup.Reading, setup.Reading, 4},
		{"", setup.Reading, 4},
		{setup.AllTools, setup.AllTools, 1},
		{"", setup.AllTools, 1},
		{setup.Reading, setup.Reading, 4},
		{setup.NoTools, setup.NoTools, 0},
		{"", setup.AllTools, 1},
	}
	for _, step := range steps {
		h.Access = step.asked
		h.do(r)
		h.Access = ""
		text, _ := os.ReadFile(at)
		if row := h.look(r).Rows[0]; row.Allowed != step.there || strings.Count(string(text), "mcp__cp-memory") != step.rules || !strings.Contains(string(text), "Bash(ls)") {
			t.Errorf("asked %q: got %+v, %s", step.asked, row, text)
		}
	}
	r.Remove = true
	h.do(r)
	if got, _ := os.ReadFile(at); string(got) != theirs {
		t.Errorf("removed: got %q", got)
	}
}

// Each agent with a list gets the reading tools alone where it can, and says what it asks where
// it cannot.
func TestReadingAlone(t *testing.T) {
	each(t, func(t *testing.T, h home, r setup.Request) {
		h.Access = setup.Reading
		before := h.files()
		plan := h.do(r)
		i := slices.IndexFunc(plan.Rows, func(row setup.Row) bool { return row.Part == setup.Allow && row.Change == "add" })
		asks := slices.ContainsFunc(plan.Notes, func(note string) bool { return strings.Contains(note, "asks before it calls") })
		server := r.Agents[0].SiteFor(r.Scope).Config != ""
		if server && (i >= 0) == asks {
			t.Errorf("got %+v", plan)
		}
		if again := h.look(r); !again.IsEmpty() || i >= 0 && again.Rows[i].Allowed != setup.Reading {
			t.Errorf("twice: got %+v", again)
		}
		h.Access, r.Remove = "", true
		h.do(r)
		differ(t, "removed", h.files(), before)
	})
}

// A rule that forbids the tools counts for more. It stays, and is told.
func TestWhatAPersonForbidsIsTold(t *testing.T) {
	claude, _ := setup.FindAgent("claude")
	h := newHome(t)
	at := filepath.Join(h.Home, ".claude/settings.json")
	h.put(at, `{"permissions":{"deny":["mcp__cp-memory"]}}`)
	plan := h.do(setup.Request{Agents: []setup.Agent{claude}, Scope: setup.User, Parts: []setup.Part{setup.Allow}})
	if row := plan.Rows[0]; row.State != setup.Other || !strings.Contains(row.Why, "deny forbids it") {
		t.Errorf("got %+v", row)
	}
	if got, _ := os.ReadFile(at); string(got) != `{"permissions":{"deny":["mcp__cp-memory"]}}` {
		t.Errorf("got %s", got)
	}
	h.put(at, `{"permissions":{"deny":["mcp__cp-memory__memory_show"]}}`)
	plan = h.do(setup.Request{Agents: []setup.Agent{claude}, Scope: setup.User, Parts: []setup.Part{setup.Allow}})
	if row := plan.Rows[0]; row.Change != "add" {
		t.Errorf("one tool is forbidden: got %+v", row)
	}
}

// What a person has decided for all tools stands: it is no fault of the set-up that the agent asks.
func TestAWordForAllTools(t *testing.T) {
	opencode, _ := setup.FindAgent("opencode")
	for said, want := range map[string]setup.State{`"allow"`: setup.Current, `"ask"`: setup.Other} {
		h := newHome(t)
		at := filepath.Join(h.Home, ".config/opencode/opencode.json")
		h.put(at, `{"permission":`+said+`}`)
		r := setup.Request{Agents: []setup.Agent{opencode}, Scope: setup.User, Parts: []setup.Part{setup.Allow}}
		plan := h.do(r)
		if row := plan.Rows[0]; row.State != want || len(plan.Stuck())+len(plan.Behind()) > 0 || (row.Allowed == setup.AllTools) != (want == setup.Current) {
			t.Errorf("%s: got %+v", said, plan)
		}
		r.Remove = true
		h.do(r)
		if got, _ := os.ReadFile(at); string(got) != `{"permission":`+said+`}` {
			t.Errorf("%s: got %s", said, got)
		}
	}
}

// The program may have any name. One that is gone, or another one, is told.
func TestTheProgramThatWasRun(t *testing.T) {
	each(t, func(t *testing.T, h home, r setup.Request) {
		h.Program = filepath.Join(h.Home, "bin", "my cp")
		h.put(h.Program, "")
		h.do(r)
		if again := h.look(r); !again.IsEmpty() || len(again.Behind()) > 0 {
			t.Fatalf("got %+v", again)
		}
		for path, text := range h.files() {
			if strings.Contains(text, "my cp hook") || strings.Contains(text, "my cp' hook") {
				t.Errorf("%s: it is no memory by its name: %s", path, text)
			}
		}
		old := h.Program
		h.Program = "/opt/bin/cp-memory"
		if err := os.Remove(old); err != nil {
			t.Fatal(err)
		}
		for _, row := range h.look(r).Rows {
			own := strings.HasSuffix(row.File, ".js") || strings.HasSuffix(row.File, "TaskStart") // these say stale
			if r.Scope == setup.User && row.File != "" && (row.Part == setup.MCP || row.Part == setup.Hook) && !own && !strings.Contains(row.Why, old+", which is gone") {
				t.Errorf("got %+v", row)
			}
		}
		h.do(r)
		if again := h.look(r); len(again.Behind()) > 0 {
			t.Errorf("moved: got %+v", again)
		}
	})
}

// A committed hook is silent, and is no failure, where the program is missing.
func TestColleaguesWithoutTheProgram(t *testing.T) {
	claude, _ := setup.FindAgent("claude")
	h := newHome(t)
	h.do(setup.Request{Agents: []setup.Agent{claude}, Scope: setup.Project})
	text, _ := os.ReadFile(filepath.Join(h.Dir, ".claude/settings.json"))
	if line := "! command -v cp-memory >/dev/null 2>&1 || cp-memory hook start --agent claude-code"; !strings.Contains(string(text), line) {
		t.Errorf("got %s", text)
	}
	if entry, _ := os.ReadFile(filepath.Join(h.Dir, ".mcp.json")); !strings.Contains(string(entry), `"CP_MEMORY_FROM": "go install `) {
		t.Errorf("got %s", entry)
	}
}
