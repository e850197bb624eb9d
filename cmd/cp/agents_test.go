package main_test

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/agentmodel"
)

// agent is an agent's own program, asked one thing against a model on this machine.
type agent struct {
	name, program string
	list          string // tells which servers there are; the server is connected if it says connected
	connected     string
	ask           string            // has it ask the model; URL is the model's address
	files         map[string]string // that it needs before, below the home

	forgets bool // at its end: it tells the hook nothing of what was said, and has it in no file yet

	untrusted string // what its list says of a project's server before the person trusts it
	trust     string // has it trust the project in the working folder
}

var agents = []agent{
	{"claude-code", "claude", "claude mcp list", "cp-memory: .*Connected",
		"ANTHROPIC_BASE_URL=$URL ANTHROPIC_API_KEY=sk-x claude -p \"$PROMPT\" --model claude-sonnet-4-5", nil, false,
		"Pending approval", `printf '{"projects":{"%s":{"hasTrustDialogAccepted":true,"enabledMcpjsonServers":["cp-memory"]}}}' "$PWD" >~/.claude.json`},
	{"gemini-cli", "gemini", "GEMINI_CLI_TRUST_WORKSPACE=true gemini mcp list", "cp-memory: .*Connected",
		"GEMINI_CLI_TRUST_WORKSPACE=true GOOGLE_GEMINI_BASE_URL=$URL GEMINI_API_KEY=x gemini -p \"$PROMPT\" -m gemini-2.5-flash --skip-trust",
		map[string]string{".gemini/settings.json": "{\n  // mine\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}\n}\n"}, false,
		"Disabled", `printf '{"%s":"TRUST_FOLDER"}' "$PWD" >~/.gemini/trustedFolders.json`},
	{"codex", "codex", "codex mcp list", "cp-memory .*enabled",
		`OPENAI_API_KEY=x codex exec --dangerously-bypass-hook-trust --skip-git-repo-check -c model_provider=mock -c 'model_providers.mock={name="mock",base_url="'$URL'/v1",wire_api="responses",env_key="OPENAI_API_KEY"}' -m mock "$PROMPT"`,
		map[string]string{".codex/config.toml": "# mine\r\nhide_agent_reasoning = true\r\n"}, false,
		"No MCP servers", `printf '[projects."%s"]\ntrust_level = "trusted"\n' "$PWD" >>~/.codex/config.toml`},
	{"copilot-cli", "copilot", "copilot mcp list", "cp-memory",
		"COPILOT_OFFLINE=true COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_BASE_URL=$URL/v1 COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=mock copilot -p \"$PROMPT\" --allow-tool cp-memory", nil, true,
		"No MCP servers", `mkdir -p ~/.copilot; printf '{"trusted_folders":["%s"]}' "$PWD" >~/.copilot/config.json`},
	{"qwen-code", "qwen", "qwen mcp list", "cp-memory: .*Connected",
		"OPENAI_BASE_URL=$URL/v1 OPENAI_API_KEY=x OPENAI_MODEL=mock qwen -p \"$PROMPT\" --auth-type openai", nil, false,
		"Pending approval", "qwen mcp approve cp-memory"},
	{"opencode", "opencode", "opencode mcp list", "cp-memory .*connected",
		`OPENCODE_CONFIG_CONTENT='{"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":"'$URL'/v1","apiKey":"x"},"models":{"mock":{"name":"mock"}}}}}' opencode run -m mock/mock "$PROMPT"`, nil, false, "", ""},
}

// Each agent whose program is there is set up in a home of its own, offline: for the person,
// and in a project, where nothing is started before the person trusts it. It then lists the
// server as connected, tells its model what the hooks of the start and of the prompt said, keeps
// what the session ended with, and lets the model write without a person who allows it; and a
// removal gives every file back. "make clients" installs two of the programs.
func TestAgents(t *testing.T) {
	bin := clients(t)
	for _, a := range agents {
		t.Run(a.name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(bin, a.program)); err != nil {
				t.Skipf("NOT RUN: there is no %s in %s", a.program, bin)
			}
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			t.Run("user", a.user)
			t.Run("project", a.project)
		})
	}
}

// alone keeps the programs from asking their makers.
const alone = "export DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 OPENCODE_DISABLE_AUTOUPDATE=1 NO_COLOR=1; "

// everything lists the files of the home and of the project with their digests.
const everything = `cd; find . "$OLDPWD" -type f -not -path './.cache/*' -not -path './.npm/*' -not -path '*/.git/*' -not -path '*/.cp/*' -exec sha256sum {} + | sort -k 2`

// begin returns a repository with a memory, and the home that the agent finds.
func (c agent) begin(t *testing.T) *program {
	p := build(t, "cp")
	if err := os.Link(filepath.Join(p.bin, "cp"), filepath.Join(p.bin, "cp-memory")); err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
	p = p.in(t, nil)
	p.must(`git config --global user.name Ada; git config --global user.email ada@example.com; git config --global init.defaultBranch main
git init -q; git commit -q --allow-empty -m first; cp init --prefix pf; cp memory add --title Gateway --summary "When the zebra hangs" x
mkdir -p ~/.cp; printf 'hooks: {prompt: true}\nauto_capture: true\n' >~/.cp/config.yaml`)
	for name, text := range c.files {
		p.must("mkdir -p ~/" + filepath.Dir(name))
		if err := os.WriteFile(filepath.Join(filepath.Dir(p.dir), "home", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (c agent) user(t *testing.T) {
	p := c.begin(t)
	before := p.must(everything)
	p.must("cp memory setup --yes " + c.name)
	p.must("cp memory setup --yes --remove " + c.name)
	if after := p.must(everything); after != before {
		t.Errorf("after the removal the home holds\n%s\nwant\n%s", after, before)
	}
	p.must("cp memory setup --yes " + c.name)
	c.works(t, p, c.list)
}

func (c agent) project(t *testing.T) {
	p := c.begin(t)
	before := p.must("git status --porcelain -uall")
	p.must("cp memory setup --project --yes " + c.name)
	if c.trust != "" {
		c.lists(t, p, c.program+" mcp list", c.untrusted)
		p.must(alone + c.trust)
	}
	c.works(t, p, c.program+" mcp list")
	p.must("cp memory setup --project --yes --remove " + c.name)
	p.must("! grep -qs cp-memory opencode.json && rm -f opencode.json || true") // opencode writes its schema into ours
	p.must("! grep -q cp-memory .qwen/settings.json && rm -rf .qwen || true")   // Qwen Code writes a version into ours
	if after := p.must("git status --porcelain -uall"); after != before {
		t.Errorf("after the removal the project holds\n%s\nwant\n%s", after, before)
	}
}

// lists has the program list its servers.
func (c agent) lists(t *testing.T, p *program, list, want string) {
	t.Helper()
	listed := p.sh(alone + "timeout 120 env " + list + " 2>&1 </dev/null")
	if !regexp.MustCompile(want).MatchString(listed.out) {
		t.Errorf("%s says, without %s,\n%s", list, want, listed.out)
	}
}

// works holds that the server is connected, and that the model hears what the hook says.
func (c agent) works(t *testing.T, p *program, list string) {
	t.Helper()
	c.lists(t, p, list, c.connected)
	model := addsOnce(newText)
	asked := c.asksModel(p, model, "why does the zebra hang on Gateway")
	if !strings.Contains(model.Heard(), "When the zebra hangs") {
		t.Errorf("what the start hook said did not reach the model, which was asked %d bytes; the agent says\n%s", len(model.Heard()), asked.out)
	}
	if !strings.Contains(model.Heard(), "The memory has this on it") {
		t.Errorf("what the prompt's hook said did not reach the model, which was asked %d bytes; the agent says\n%s", len(model.Heard()), asked.out)
	}
	if kept := p.must("cp memory list --type progress"); !c.forgets && !strings.Contains(kept, "done") {
		t.Errorf("the answer that the session ended with is not kept; the agent says\n%s", asked.out)
	}
	if written := p.must("cp memory tree"); !strings.Contains(written, writtenTitle) {
		t.Errorf("the model called memory_add, and nothing was written; the agent says\n%s\nand the model heard\n%s", asked.out, lastOf(model.Heard()))
	}
}

// asksModel begins a session of the agent, which asks a model one thing.
func (c agent) asksModel(p *program, model *agentmodel.Model, prompt string) result {
	server := httptest.NewServer(model)
	defer server.Close()
	return p.sh(alone + "export URL=" + server.URL + " PROMPT='" + prompt + "'; timeout 120 env " + c.ask + " 2>&1 </dev/null")
}

// writtenTitle is what the model writes with our tool, which no person is there to allow.
const writtenTitle = "Written by the model"

// addsOnce is a model that calls memory_add once, and says "done".
func addsOnce(arguments string) *agentmodel.Model {
	called := false
	return &agentmodel.Model{Think: func(r agentmodel.Request) agentmodel.Answer {
		if tool, ok := r.OurTool("memory_add"); ok && !called {
			called = true
			return agentmodel.Answer{Call: &agentmodel.Call{Tool: tool, Arguments: arguments}}
		}
		return agentmodel.Answer{Text: "done"}
	}}
}

// newText is the arguments of the call.
const newText = `{"title":"` + writtenTitle + `","summary":"When a model has written","body":"It was allowed to."}`

// lastOf is the end of what was heard.
func lastOf(heard string) string { return heard[max(0, len(heard)-3000):] }
