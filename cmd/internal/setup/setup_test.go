package setup_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// home is a home with a project in it, as no agent has seen it.
type home struct {
	t *testing.T
	setup.Place
}

func newHome(t *testing.T) home {
	dir := t.TempDir()
	p := setup.Place{Home: filepath.Join(dir, "home"), Dir: filepath.Join(dir, "code"), Vault: "/vault", Program: "/opt/bin/cp-memory", System: "linux", Env: func(string) string { return "" }}
	for _, d := range []string{p.Home, p.Dir} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return home{t, p}
}

func (h home) put(path, text string) {
	h.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
		h.t.Fatal(err)
	}
}

// files are all files below the home and the project, and where links lead.
func (h home) files() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(h.Home), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if to, err := os.Readlink(path); err == nil {
			all[path] = "-> " + to
			return nil
		}
		b, err := os.ReadFile(path)
		info, _ := d.Info()
		all[path] = info.Mode().String() + " " + string(b)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return all
}

// do carries a request out and returns its plan.
func (h home) do(r setup.Request) setup.Plan {
	h.t.Helper()
	plan := h.look(r)
	if err := h.ApplyPlan(&plan); err != nil {
		h.t.Fatal(err)
	}
	return plan
}

func (h home) look(r setup.Request) setup.Plan {
	h.t.Helper()
	plan, err := h.Plan(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return plan
}

func differ(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, path := range slices.Sorted(maps.Keys(got)) {
		if was, ok := want[path]; !ok {
			t.Errorf("%s: %s was not there: %q", what, path, got[path])
		} else if was != got[path] {
			t.Errorf("%s: %s: got %q, want %q", what, path, got[path], was)
		}
	}
	for path := range want {
		if _, ok := got[path]; !ok {
			t.Errorf("%s: %s is gone", what, path)
		}
	}
}

// each calls fn for every agent of the table in each scope that it has.
func each(t *testing.T, fn func(t *testing.T, h home, r setup.Request)) {
	for _, a := range setup.Agents() {
		for _, scope := range []setup.Scope{setup.User, setup.Project} {
			if len(a.SiteFor(scope).Has()) == 0 {
				continue
			}
			t.Run(a.Name+"/"+string(scope), func(t *testing.T) {
				t.Parallel()
				fn(t, newHome(t), setup.Request{Agents: []setup.Agent{a}, Scope: scope})
			})
		}
	}
}

// written are the files that a set-up of an untouched home writes, with the parts in each.
func written(t *testing.T, r setup.Request) map[string][]setup.Part {
	h := newHome(t)
	files := map[string][]setup.Part{}
	for _, row := range h.look(r).Rows {
		switch rest, inHome := strings.CutPrefix(row.File, "~/"); {
		case inHome:
			files["home/"+rest] = append(files["home/"+rest], row.Part)
		case row.File != "":
			files["code/"+rest] = append(files["code/"+rest], row.Part)
		}
	}
	return files
}

func TestEveryAgentFromNothing(t *testing.T) {
	each(t, func(t *testing.T, h home, r setup.Request) {
		before := h.files()
		plan := h.look(r)
		differ(t, "a plan", h.files(), before)
		if plan.IsEmpty() || len(plan.Stuck()) > 0 {
			t.Fatalf("got %+v", plan)
		}
		h.do(r)
		after := h.files()
		for path, text := range after {
			if strings.Contains(text, `"command": "cp"`) || strings.Contains(text, `"CP_VAULT":`) {
				t.Errorf("%s: %s", path, text)
			}
			if r.Scope == setup.Project && strings.Contains(text, "/opt/bin") {
				t.Errorf("%s is to be committed and names a path of this machine: %s", path, text)
			}
		}
		again := h.look(r)
		if !again.IsEmpty() || len(again.Behind()) > 0 {
			t.Errorf("twice: got %+v", again)
		}
		r.Remove = true
		h.do(r)
		differ(t, "removed", h.files(), before)
		if dirs, _ := os.ReadDir(h.Dir); len(dirs) > 0 {
			t.Errorf("a folder is left: %v", dirs)
		}
	})
}

// layouts are files as people and programs leave them, by the end of their names.
var layouts = map[string][]string{
	".json": {
		"", "{}", "{ }\n", "{\n}\n", `{"theirs":{"a":[1,2]}}`, "{\n\t\"theirs\": 1\n}\n", "{\r\n  \"theirs\": {},\r\n  \"mcpServers\": {\r\n    \"x\": {\r\n      \"command\": \"y\"\r\n    }\r\n  }\r\n}\r\n", "\ufeff{\n  \"theirs\": 1\n}",
		"{\n  // mine\n  \"theirs\": 1, // one\n  \"mcpServers\": {\n    \"x\": {\"command\": \"y\"}, // y\n  },\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"date\"}]}, // now\n    ],\n  },\n}\n",
		`{"version":1,"hooks":{"sessionStart":[]}}`,
	},
	".toml": {"", "# mine\n", "model = \"x\"", "a = 1\r\n\r\n[mcp_servers.x]\r\ncommand = \"y\"\r\n", "\ufeffa = 1\n\n\n"},
	".yaml": {"", "# mine\n", "a: 1", "a: 1\r\nextensions:\r\n  x:\r\n    enabled: true\r\n", "extensions: {x: {enabled: true}} # mine\n", "extensions:\n", "\ufeffa: 1\n"},
	".yml":  {"", "# mine\n", "model: x", "model: x\r\n"},
	".md":   {"", "# Rules\n", "# Rules", "# Rules\r\n\r\nBe kind.\r\n", "\ufeff# Rules\n\n\n"},
}

func TestEveryLayoutComesBackByteForByte(t *testing.T) {
	each(t, func(t *testing.T, _ home, r setup.Request) {
		for name, parts := range written(t, r) {
			for i, text := range layouts[filepath.Ext(name)] {
				if filepath.Base(name) == "SKILL.md" || filepath.Base(name) == "cp-memory.json" {
					continue // ours from beginning to end
				}
				for _, link := range testlevel.Share(2, []bool{false, true}) {
					h, r := newHome(t), r
					r.Parts = parts
					at := filepath.Join(filepath.Dir(h.Home), name)
					h.put(at, text)
					if link {
						real := filepath.Join(h.Home, "dotfiles", filepath.Base(name))
						h.put(real, text)
						if err := os.Remove(at); err != nil {
							t.Fatal(err)
						}
						if err := os.Symlink(real, at); err != nil {
							t.Fatal(err)
						}
					}
					before := h.files()
					plan := h.do(r)
					if len(plan.Stuck()) > 0 {
						t.Fatalf("%s, layout %d: got %+v", name, i, plan.Stuck())
					}
					if again := h.look(r); !again.IsEmpty() || len(again.Behind()) > 0 {
						t.Errorf("%s, layout %d: twice: got %+v", name, i, again)
					}
					now, _ := os.ReadFile(at)
					if strings.Contains(text, "\r\n") && bytes.Count(now, []byte("\n")) != bytes.Count(now, []byte("\r\n")) {
						t.Errorf("%s, layout %d: a line ends otherwise: %q", name, i, now)
					}
					r.Remove = true
					h.do(r)
					differ(t, name+" with "+text, h.files(), before)
				}
			}
		}
	})
}

func TestWhatCannotBeReadStaysAndIsShown(t *testing.T) {
	broken := map[string]string{".json": "{\"a\": ", ".toml": "a = ", ".yaml": "a: [", ".yml": "a: [", ".md": "<!-- cp:core -->\n"}
	each(t, func(t *testing.T, _ home, r setup.Request) {
		for name, parts := range written(t, r) {
			h, r := newHome(t), r
			r.Parts = parts
			at := filepath.Join(filepath.Dir(h.Home), name)
			h.put(at, broken[filepath.Ext(name)])
			if ext := filepath.Ext(name); ext == "" || ext == ".js" || filepath.Base(name) == "SKILL.md" || filepath.Base(name) == "cp-memory.json" {
				h.put(at, "theirs\n")
			}
			before := h.files()[at]
			stuck := h.do(r).Stuck()
			if len(stuck) == 0 || stuck[0].Why == "" || stuck[0].Snippet == "" {
				t.Errorf("%s: got %+v", name, stuck)
			}
			if got := h.files()[at]; got != before {
				t.Errorf("%s: got %q, want %q", name, got, before)
			}
			r.Remove = true
			h.do(r)
			if got := h.files()[at]; got != before {
				t.Errorf("%s, removed: got %q, want %q", name, got, before)
			}
		}
	})
}

func TestReadOnlyIsLeftAlone(t *testing.T) {
	each(t, func(t *testing.T, _ home, r setup.Request) {
		for name, parts := range written(t, r) {
			h, r := newHome(t), r
			r.Parts = parts
			at := filepath.Join(filepath.Dir(h.Home), name)
			h.put(at, "")
			if err := os.Chmod(at, 0o440); err != nil {
				t.Fatal(err)
			}
			before := h.files()[at]
			if stuck := h.do(r).Stuck(); len(stuck) == 0 || !strings.Contains(stuck[0].Why, "read-only") {
				t.Errorf("%s: got %+v", name, stuck)
			}
			if got := h.files()[at]; got != before {
				t.Errorf("%s: got %q, want %q", name, got, before)
			}
		}
	})
}

func TestAnotherServerOfTheNameStays(t *testing.T) {
	other := map[setup.Shape]string{
		setup.Servers: `{"mcpServers":{"cp-memory":{"command":"npx","args":["-y","other"]}}}`, setup.Copilot: `{"mcpServers":{"cp-memory":{"command":"npx"}}}`,
		setup.VSCode: `{"servers":{"cp-memory":{"command":"npx"}}}`, setup.Zed: `{"context_servers":{"cp-memory":{"command":"npx"}}}`,
		setup.Opencode: `{"mcp":{"cp-memory":{"type":"remote","url":"http://localhost"}}}`, setup.TOML: "[mcp_servers.cp-memory]\ncommand = \"npx\"\n",
		setup.Goose: "extensions:\n  cp-memory:\n    cmd: npx\n", setup.Amp: `{"amp.mcpServers":{"cp-memory":{"command":"npx"}}}`,
	}
	older := map[setup.Shape]string{
		setup.Servers: `{"mcpServers":{"cp-memory":{"command":"cp","args":["memory","mcp"],"env":{"CP_AGENT":"me"},"trust":true}}}`, setup.Copilot: `{"mcpServers":{"cp-memory":{"command":"/old/cp-memory","args":["mcp"]}}}`,
		setup.VSCode: `{"servers":{"cp-memory":{"command":"cp-memory","args":["mcp"]}}}`, setup.Zed: `{"context_servers":{"cp-memory":{"command":"cp-memory","args":["mcp"]}}}`,
		setup.Opencode: `{"mcp":{"cp-memory":{"type":"local","command":["cp-memory","mcp"],"enabled":false}}}`, setup.TOML: "a = 1\n# >>> cp-memory\n[mcp_servers.cp-memory]\ncommand = \"cp-memory\"\nargs = [\"mcp\"]\n# <<< cp-memory\n[other]\nb = 1\n",
		setup.Goose: "extensions:\n  # >>> cp-memory\n  cp-memory:\n    cmd: cp-memory\n    args: [mcp]\n  # <<< cp-memory\n", setup.Amp: `{"amp.mcpServers":{"cp-memory":{"command":"cp-memory","args":["mcp"]}}}`,
	}
	each(t, func(t *testing.T, h home, r setup.Request) {
		r.Parts = []setup.Part{setup.MCP}
		site := r.Agents[0].SiteFor(r.Scope)
		if site.Config == "" {
			t.Skip("no server in this scope")
		}
		at := ""
		for name := range written(t, r) {
			at = filepath.Join(filepath.Dir(h.Home), name)
		}
		h.put(at, other[site.Shape])
		if plan := h.do(r); len(plan.Stuck()) != 1 || plan.Stuck()[0].State != setup.Other {
			t.Errorf("another: got %+v", plan)
		}
		r.Remove = true
		h.do(r)
		if got, _ := os.ReadFile(at); string(got) != other[site.Shape] {
			t.Errorf("another: got %s", got)
		}
		r.Remove = false
		h.put(at, older[site.Shape])
		if plan := h.look(r); len(plan.Rows) != 1 || plan.Rows[0].State != setup.Stale || plan.Rows[0].Change != "update" {
			t.Errorf("older: got %+v", plan)
		}
		h.do(r)
		got, _ := os.ReadFile(at)
		if plan := h.look(r); len(plan.Behind()) != 0 || bytes.Contains(got, []byte(`"cp"`)) {
			t.Errorf("older: got %+v, %s", plan, got)
		}
		for _, kept := range []string{`"CP_AGENT": "me"`, `"trust":true`, `"enabled":false`, "a = 1", "b = 1"} {
			if strings.Contains(strings.ReplaceAll(older[site.Shape], " ", ""), strings.ReplaceAll(kept, " ", "")) && !strings.Contains(strings.ReplaceAll(string(got), " ", ""), strings.ReplaceAll(kept, " ", "")) {
				t.Errorf("older: %s is gone: %s", kept, got)
			}
		}
	})
}

// In a plan for all agents, a part says how it is on disk, though another agent of the plan
// has its part in the same file. Nothing is connected where nothing was set up.
func TestNothingIsThereInAnEmptyHome(t *testing.T) {
	for _, scope := range []setup.Scope{setup.User, setup.Project} {
		h := newHome(t)
		plan := h.look(setup.Request{Agents: setup.Agents(), Scope: scope})
		if len(plan.Rows) < len(setup.Agents()) {
			t.Errorf("%s: only %d rows", scope, len(plan.Rows))
		}
		for _, row := range plan.Rows {
			if want := "add"; row.State == setup.Missing && row.Change != want || row.State != setup.Missing && row.State != setup.Absent {
				t.Errorf("%s: the %s of %s is %s (%q) in %s", scope, row.Part, row.Agent, row.State, row.Change, row.File)
			}
		}
		h.do(setup.Request{Agents: setup.Agents(), Scope: scope})
		if behind := h.look(setup.Request{Agents: setup.Agents(), Scope: scope}).Behind(); len(behind) > 0 {
			t.Errorf("%s: set up, and yet %+v", scope, behind)
		}
	}
}

func TestOneScopeAtATime(t *testing.T) {
	for _, a := range setup.Agents() {
		if a.User.Config == "" || a.Project.Config == "" {
			continue
		}
		h := newHome(t)
		h.do(setup.Request{Agents: []setup.Agent{a}, Scope: setup.User})
		before := h.files()
		plan := h.do(setup.Request{Agents: []setup.Agent{a}, Scope: setup.Project, Parts: []setup.Part{setup.MCP, setup.Hook}})
		differ(t, a.Name, h.files(), before)
		if row := plan.Rows[0]; !strings.Contains(row.Why, "already") || !strings.Contains(row.Hint, "--user --only mcp --remove") {
			t.Errorf("%s: got %+v", a.Name, row)
		}
	}
}

// A file that we made stays where somebody put something into it, and what they put in.
func TestWhatOthersAddStays(t *testing.T) {
	h := newHome(t)
	claude, _ := setup.FindAgent("claude")
	r := setup.Request{Agents: []setup.Agent{claude}, Scope: setup.Project}
	h.do(r)
	rules, config := filepath.Join(h.Dir, "CLAUDE.md"), filepath.Join(h.Dir, ".mcp.json")
	text, _ := os.ReadFile(rules)
	h.put(rules, string(text)+"\nBe kind.\n")
	text, _ = os.ReadFile(config)
	h.put(config, strings.Replace(string(text), `"mcpServers": {`, `"mcpServers": {`+"\n    \"x\": {},", 1))
	r.Remove = true
	h.do(r)
	if got, _ := os.ReadFile(rules); string(got) != "\nBe kind.\n" {
		t.Errorf("got %q", got)
	}
	if got, _ := os.ReadFile(config); string(got) != "{\n  \"mcpServers\": {\n    \"x\": {}\n  }\n}\n" {
		t.Errorf("got %q", got)
	}
}

func TestOnlyAnAgentsFile(t *testing.T) {
	h := newHome(t)
	h.put(filepath.Join(h.Dir, "AGENTS.md"), "# Rules\n")
	claude, _ := setup.FindAgent("claude-code")
	codex, _ := setup.FindAgent("codex")
	h.do(setup.Request{Agents: []setup.Agent{claude, codex}, Scope: setup.Project})
	if _, err := os.Stat(filepath.Join(h.Dir, "CLAUDE.md")); err == nil {
		t.Error("a CLAUDE.md hides the AGENTS.md that is there")
	}
	text, _ := os.ReadFile(filepath.Join(h.Dir, "AGENTS.md"))
	if strings.Count(string(text), "## cp memory") != 1 {
		t.Errorf("got %s", text)
	}
	plan := h.do(setup.Request{Agents: []setup.Agent{codex}, Scope: setup.Project, Remove: true})
	if now, _ := os.ReadFile(filepath.Join(h.Dir, "AGENTS.md")); string(now) != string(text) {
		t.Errorf("Claude Code still uses it: got %s, %+v", now, plan.Rows)
	}
}

func TestAFileThatChangesMeanwhileStays(t *testing.T) {
	h := newHome(t)
	gemini, _ := setup.FindAgent("gemini")
	at := filepath.Join(h.Home, ".gemini/settings.json")
	h.put(at, "{}\n")
	plan := h.look(setup.Request{Agents: []setup.Agent{gemini}, Scope: setup.User, Parts: []setup.Part{setup.MCP}})
	h.put(at, `{"theirs":1}`)
	if err := h.ApplyPlan(&plan); err == nil || plan.Done {
		t.Errorf("got %v, want an error", err)
	}
	if got, _ := os.ReadFile(at); string(got) != `{"theirs":1}` {
		t.Errorf("got %s", got)
	}
}

func TestPartsComeAndGoAlone(t *testing.T) {
	h := newHome(t)
	gemini, _ := setup.FindAgent("gemini")
	at := filepath.Join(h.Home, ".gemini/settings.json")
	h.put(at, "{ }\n")
	r := setup.Request{Agents: []setup.Agent{gemini}, Scope: setup.User}
	h.do(r)
	r.Parts, r.Remove = []setup.Part{setup.MCP}, true
	h.do(r)
	if got, _ := os.ReadFile(at); strings.Contains(string(got), "mcpServers") || !strings.Contains(string(got), "hook start --agent gemini-cli") {
		t.Errorf("got %s", got)
	}
	r.Parts = nil
	h.do(r)
	if got, _ := os.ReadFile(at); string(got) != "{ }\n" {
		t.Errorf("got %q", got)
	}
}

// A person may switch the events of prompts and of the end on later, and that of files off; each
// is entered once.
func TestHooksFollowTheSettings(t *testing.T) {
	for _, row := range []struct {
		agent, file, text string
		once              []string
		files             []string // likewise, unless files are switched off
	}{
		{"claude-code", ".claude/settings.json", "{}\n", []string{"SessionStart", "UserPromptSubmit", "SessionEnd"}, []string{"PostToolUse", "hook file --agent claude-code", "|NotebookEdit"}},
		{"codex", ".codex/hooks.json", "{}\n", []string{"SessionStart", "UserPromptSubmit", "SessionEnd"}, []string{"PostToolUse", "hook file --agent codex", "apply_patch|Bash"}},
		{"gemini-cli", ".gemini/settings.json", "{}\n", []string{"SessionStart", "BeforeAgent", "SessionEnd"}, []string{"AfterTool", "hook file --agent gemini-cli", "read_file|replace"}},
		{"qwen-code", ".qwen/settings.json", "{}\n", []string{"SessionStart", "UserPromptSubmit", "SessionEnd"}, []string{"PostToolUse", "hook file --agent qwen-code", "(read_file|edit"}},
		{"copilot-cli", ".copilot/hooks/cp-memory.json", "", []string{"sessionStart", "userPromptSubmitted", "sessionEnd"}, []string{"postToolUse", "preCompact", "hook file --agent copilot-cli"}},
		{"cursor", ".cursor/hooks.json", "{}\n", []string{"sessionStart", "sessionEnd"}, []string{"postToolUse", "preCompact", "Read|Write"}},
		{"factory", ".factory/settings.json", "{}\n", []string{"SessionStart", "UserPromptSubmit", "SessionEnd"}, nil},
		{"opencode", ".config/opencode/plugins/cp-memory.js", "", []string{`const events = ["start","prompt","end"`}, []string{`,"file"`}},
	} {
		t.Run(row.agent, func(t *testing.T) {
			h := newHome(t)
			agent, _ := setup.FindAgent(row.agent)
			r := setup.Request{Agents: []setup.Agent{agent}, Scope: setup.User, Parts: []setup.Part{setup.Hook}}
			file := filepath.Join(h.Home, row.file)
			if row.text != "" {
				h.put(file, row.text)
			}
			h.do(r)
			h.Prompts, h.Captures = true, true
			if plan := h.look(r); plan.Rows[0].State != setup.Stale {
				t.Errorf("got %+v", plan.Rows)
			}
			h.do(r)
			text, _ := os.ReadFile(file)
			for _, said := range slices.Concat(row.once, row.files) {
				if strings.Count(string(text), said) != 1 {
					t.Errorf("%s: got %s", said, text)
				}
			}
			if strings.Contains(string(text), "PreComp") {
				t.Errorf("got %s", text)
			}
			h.NoFiles = true
			if plan := h.do(r); plan.Rows[0].State != map[bool]setup.State{true: setup.Current, false: setup.Stale}[row.files == nil] {
				t.Errorf("got %+v", plan.Rows)
			}
			text, _ = os.ReadFile(file)
			for _, said := range row.files {
				if strings.Contains(string(text), said) {
					t.Errorf("%s: got %s", said, text)
				}
			}
			r.Remove = true
			h.do(r)
			if got, _ := os.ReadFile(file); string(got) != row.text {
				t.Errorf("got %q", got)
			}
		})
	}
}
