package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/agentmodel"
	"github.com/cp-memory/cp/vault"
)

// editor is how an agent reads and changes a file by its own tools.
type editor struct {
	agent      string
	ask        string // with the permission to do so
	read, edit agentmodel.Call
}

// editors are the agents whose file hook reaches the model. AUTH stands for the file.
var editors = []editor{
	{"claude-code", "ANTHROPIC_BASE_URL=$URL ANTHROPIC_API_KEY=sk-x claude -p \"$PROMPT\" --model claude-sonnet-4-5 --allowedTools Read,Edit",
		agentmodel.Call{Tool: "Read", Arguments: `{"file_path":"AUTH"}`},
		agentmodel.Call{Tool: "Edit", Arguments: `{"file_path":"AUTH","old_string":"TOKEN = 1","new_string":"TOKEN = 2"}`}},
	{"gemini-cli", "GEMINI_CLI_TRUST_WORKSPACE=true GOOGLE_GEMINI_BASE_URL=$URL GEMINI_API_KEY=x gemini -p \"$PROMPT\" -m gemini-2.5-flash --skip-trust --approval-mode auto_edit",
		agentmodel.Call{Tool: "read_file", Arguments: `{"file_path":"AUTH"}`},
		agentmodel.Call{Tool: "replace", Arguments: `{"file_path":"AUTH","instruction":"change it","old_string":"TOKEN = 1","new_string":"TOKEN = 2"}`}},
	{"copilot-cli", "COPILOT_OFFLINE=true COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_BASE_URL=$URL/v1 COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=mock copilot -p \"$PROMPT\" --allow-all-tools",
		agentmodel.Call{Tool: "view", Arguments: `{"path":"AUTH"}`},
		agentmodel.Call{Tool: "edit", Arguments: `{"path":"AUTH","old_str":"TOKEN = 1","new_str":"TOKEN = 2"}`}},
	{"opencode", "",
		agentmodel.Call{Tool: "read", Arguments: `{"filePath":"AUTH"}`},
		agentmodel.Call{Tool: "edit", Arguments: `{"filePath":"AUTH","oldString":"TOKEN = 1","newString":"TOKEN = 2"}`}},
	{"codex", `OPENAI_API_KEY=x codex exec --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --skip-git-repo-check -c model_provider=mock -c 'model_providers.mock={name="mock",base_url="'$URL'/v1",wire_api="responses",env_key="OPENAI_API_KEY"}' -m gpt-5.5 "$PROMPT"`,
		agentmodel.Call{Tool: "exec_command", Arguments: `{"cmd":"cat AUTH"}`},
		agentmodel.Call{Tool: "apply_patch", Arguments: "*** Begin Patch\n*** Update File: src/auth.py\n@@\n-TOKEN = 1\n+TOKEN = 2\n*** End Patch"}},
}

// In each agent whose program is there the model reads a file twice and then changes lines that a
// memory is bound to. It hears of the memory once, with what the first reading says, and of what
// its edit did.
func TestAgentsFile(t *testing.T) {
	bin := clients(t)
	for _, e := range editors {
		t.Run(e.agent, func(t *testing.T) {
			var c agent
			for _, a := range agents {
				if a.name == e.agent {
					c = a
				}
			}
			if _, err := os.Stat(filepath.Join(bin, c.program)); err != nil {
				t.Skipf("NOT RUN: there is no %s in %s", c.program, bin)
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			if e.ask != "" {
				c.ask = e.ask
			}
			e.works(t, c)
		})
	}
}

func (e editor) works(t *testing.T, c agent) {
	p := c.begin(t)
	p.must(`mkdir src; printf 'import os\n\nTOKEN = 1\nUSER = 2\nHOST = 3\n' >src/auth.py; git add src; git commit -qm code
cp memory add --title Logins --summary "When you change how a login is checked" --about src/auth.py:3-4 x; cp memory setup --yes ` + c.name)
	at := func(call agentmodel.Call) *agentmodel.Call {
		call.Arguments = strings.ReplaceAll(call.Arguments, "AUTH", filepath.Join(p.dir, "src/auth.py"))
		return &call
	}
	steps := []*agentmodel.Call{at(e.read), at(e.read), at(e.edit)}
	var heard []string // what the model was asked after each step
	said := c.asksModel(p, &agentmodel.Model{Think: func(r agentmodel.Request) agentmodel.Answer {
		if !strings.Contains(r.Body, `"`+e.read.Tool+`"`) { // a title, or the like
			return agentmodel.Answer{Text: "done"}
		}
		heard = append(heard, r.Body)
		if len(heard) > len(steps) {
			return agentmodel.Answer{Text: "done"}
		}
		return agentmodel.Answer{Call: steps[len(heard)-1]}
	}}, "change the login")
	if len(heard) != len(steps)+1 {
		t.Fatalf("the model was asked %d times; the agent says\n%s", len(heard), said.out)
	}
	const head = "The memory knows of this file"
	if told := between(heard[1], head, "/cp-memory"); !strings.Contains(told, "Logins: When you change how a login is checked") || vault.Tokens(told) > 300 {
		t.Errorf("it is told, in %d tokens, %s", vault.Tokens(told), told)
	}
	for i, want := range []struct{ told, broken int }{{0, 0}, {1, 0}, {1, 0}, {1, 1}} {
		told, broken := strings.Count(heard[i], head), strings.Count(heard[i], "your edit changed lines that ")
		if told != want.told || broken != want.broken {
			t.Errorf("request %d: told %d times and of the edit %d times, want %+v; the model heard\n%s\nthe agent says\n%s", i, told, broken, want, lastOf(heard[i]), said.out)
		}
	}
}

// between is what stands in a text from one word up to another.
func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	said, _, _ := strings.Cut(rest, to)
	return said
}
