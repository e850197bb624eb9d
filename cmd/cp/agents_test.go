package main_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// agent is an agent's own program, asked one thing against a model on this machine.
type agent struct {
	name, program string
	list          string // tells which servers there are; the server is connected if it says connected
	connected     string
	ask           string            // has it ask the model; URL is the model's address
	files         map[string]string // that it needs before, below the home

	asks bool // its person before each tool, since its settings have no list of what it may do

	untrusted string // what its list says of a project's server before the person trusts it
	trust     string // has it trust the project in the working folder
}

var agents = []agent{
	{"claude-code", "claude", "claude mcp list", "cp-memory: .*Connected",
		"ANTHROPIC_BASE_URL=$URL ANTHROPIC_API_KEY=sk-x claude -p hello --model claude-sonnet-4-5", nil, false,
		"Pending approval", `printf '{"projects":{"%s":{"hasTrustDialogAccepted":true,"enabledMcpjsonServers":["cp-memory"]}}}' "$PWD" >~/.claude.json`},
	{"gemini-cli", "gemini", "GEMINI_CLI_TRUST_WORKSPACE=true gemini mcp list", "cp-memory: .*Connected",
		"GEMINI_CLI_TRUST_WORKSPACE=true GOOGLE_GEMINI_BASE_URL=$URL GEMINI_API_KEY=x gemini -p hello -m gemini-2.5-flash --skip-trust",
		map[string]string{".gemini/settings.json": "{\n  // mine\n  \"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}}\n}\n"}, false,
		"Disabled", `printf '{"%s":"TRUST_FOLDER"}' "$PWD" >~/.gemini/trustedFolders.json`},
	{"codex", "codex", "codex mcp list", "cp-memory .*enabled",
		`OPENAI_API_KEY=x codex exec --dangerously-bypass-hook-trust --skip-git-repo-check -c model_provider=mock -c 'model_providers.mock={name="mock",base_url="'$URL'/v1",wire_api="responses",env_key="OPENAI_API_KEY"}' -m mock hello`,
		map[string]string{".codex/config.toml": "# mine\r\nhide_agent_reasoning = true\r\n"}, false,
		"No MCP servers", `printf '[projects."%s"]\ntrust_level = "trusted"\n' "$PWD" >>~/.codex/config.toml`},
	{"copilot-cli", "copilot", "copilot mcp list", "cp-memory",
		"COPILOT_OFFLINE=true COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_BASE_URL=$URL/v1 COPILOT_PROVIDER_API_KEY=x COPILOT_MODEL=mock copilot -p hello --allow-tool cp-memory", nil, false,
		"No MCP servers", `mkdir -p ~/.copilot; printf '{"trusted_folders":["%s"]}' "$PWD" >~/.copilot/config.json`},
	{"qwen-code", "qwen", "qwen mcp list", "cp-memory: .*Connected",
		"OPENAI_BASE_URL=$URL/v1 OPENAI_API_KEY=x OPENAI_MODEL=mock qwen -p hello --auth-type openai", nil, false,
		"Pending approval", "qwen mcp approve cp-memory"},
	{"opencode", "opencode", "opencode mcp list", "cp-memory .*connected",
		`OPENCODE_CONFIG_CONTENT='{"provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":"'$URL'/v1","apiKey":"x"},"models":{"mock":{"name":"mock"}}}}}' opencode run -m mock/mock hello`, nil, false, "", ""},
}

// Each agent whose program is there is set up in a home of its own, offline: for the person,
// and in a project, where nothing is started before the person trusts it. It then lists the
// server as connected, tells its model what the start hook said, and lets it write without a
// person who allows it; and a removal gives every file back. "make clients" installs two of the programs.
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
git init -q; git commit -q --allow-empty -m first; cp init --prefix pf; cp memory add --title Gateway --summary "When the zebra hangs" x`)
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
	model := new(listener)
	server := httptest.NewServer(model)
	defer server.Close()
	asked := p.sh(alone + "export URL=" + server.URL + "; timeout 120 env " + c.ask + " 2>&1 </dev/null")
	if !strings.Contains(model.heard(), "When the zebra hangs") {
		t.Errorf("what the start hook said did not reach the model, which was asked %d bytes; the agent says\n%s", len(model.heard()), asked.out)
	}
	if c.asks {
		return
	}
	if written := p.must("cp memory tree"); !strings.Contains(written, writtenTitle) {
		t.Errorf("the model called memory_add, and nothing was written; the agent says\n%s\nand the model heard\n%s", asked.out, model.tail(3000))
	}
}

// writtenTitle is what the model writes with our tool, which no person is there to allow.
const writtenTitle = "Written by the model"

// listener is a model that keeps what it is asked, calls memory_add once, and says "done", in the
// form of each of the vendors.
type listener struct {
	mu     sync.Mutex
	said   strings.Builder
	called bool
}

func (l *listener) heard() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.said.String()
}

// tail is the end of what it was asked.
func (l *listener) tail(n int) string {
	all := l.heard()
	return all[max(0, len(all)-n):]
}

// ourTool finds our tools among those that a model may call, with what an agent puts before
// their names.
var ourTool = regexp.MustCompile(`"name": ?"([A-Za-z0-9_.:-]*?)memory_recall"`)

// toolToCall is the name of memory_add as the agent has it, the first time that it has it.
func (l *listener) toolToCall(body string) (name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.said.WriteString(body)
	if m := ourTool.FindStringSubmatch(body); m != nil && !l.called {
		l.called = true
		return m[1] + "memory_add"
	}
	return ""
}

// newText is the arguments of the call.
const newText = `{"title":"` + writtenTitle + `","summary":"When a model has written","body":"It was allowed to."}`

func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, _ := io.ReadAll(r.Body)
	body := string(asked)
	tool := l.toolToCall(body)
	streams := strings.Contains(body, `"stream":true`) || strings.Contains(r.URL.Path, ":stream")
	answer := func(whole string, events ...string) {
		if !streams {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, whole)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			name, data, _ := strings.Cut(e, "|")
			if name != "" {
				fmt.Fprintf(w, "event: %s\n", name)
			}
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}
	switch path := r.URL.Path; {
	case r.Method == http.MethodGet:
		fmt.Fprint(w, `{"data":[{"id":"mock","object":"model"}],"models":[]}`)
	case strings.Contains(path, "ount"):
		fmt.Fprint(w, `{"input_tokens":1,"totalTokens":1}`)
	case strings.Contains(path, "/messages"):
		answerMessages(answer, tool)
	case strings.Contains(path, "/responses"):
		answerResponses(answer, tool, body)
	case strings.Contains(path, "enerateContent"):
		part := `{"text":"done"}`
		if tool != "" {
			part = `{"functionCall":{"name":"` + tool + `","args":` + newText + `}}`
		}
		said := `{"candidates":[{"content":{"role":"model","parts":[` + part + `]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2}}`
		answer(said, "|"+said)
	default:
		answerChat(answer, tool)
	}
}

// answering sends an answer whole, or as events.
type answering func(whole string, events ...string)

const tokens = `"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}`

func answerMessages(answer answering, tool string) {
	message := func(content, stop string) string {
		return `{"id":"m","type":"message","role":"assistant","model":"mock","content":` + content + `,"stop_reason":` + stop + `,"stop_sequence":null,` + tokens + `}`
	}
	block, empty, delta, stop := `{"type":"text","text":"done"}`, `{"type":"text","text":""}`, `{"type":"text_delta","text":"done"}`, `"end_turn"`
	if tool != "" {
		call := func(input string) string {
			return `{"type":"tool_use","id":"toolu_1","name":"` + tool + `","input":` + input + `}`
		}
		block, empty, delta, stop = call(newText), call("{}"), `{"type":"input_json_delta","partial_json":`+strconv.Quote(newText)+`}`, `"tool_use"`
	}
	answer(message("["+block+"]", stop),
		`message_start|{"type":"message_start","message":`+message("[]", "null")+`}`,
		`content_block_start|{"type":"content_block_start","index":0,"content_block":`+empty+`}`,
		`content_block_delta|{"type":"content_block_delta","index":0,"delta":`+delta+`}`,
		`content_block_stop|{"type":"content_block_stop","index":0}`,
		`message_delta|{"type":"message_delta","delta":{"stop_reason":`+stop+`,"stop_sequence":null},"usage":{"output_tokens":1}}`,
		`message_stop|{"type":"message_stop"}`)
}

// answerResponses answers as the responses API. There the tools of a server stand in a namespace.
func answerResponses(answer answering, tool, body string) {
	item := `{"type":"message","id":"i","role":"assistant","status":"completed","content":[{"type":"output_text","text":"done","annotations":[]}]}`
	if tool != "" {
		space := ""
		if m := regexp.MustCompile(`"name": ?"(mcp__cp[-_]memory(?:__)?)"`).FindStringSubmatch(body); m != nil {
			space = `"namespace":"` + m[1] + `",`
		}
		item = `{"type":"function_call","id":"f","call_id":"c",` + space + `"name":"` + tool + `","arguments":` + strconv.Quote(newText) + `,"status":"completed"}`
	}
	done := `{"id":"r","object":"response","status":"completed","output":[` + item + `],` + tokens + `}`
	answer(done, `response.created|{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}`,
		`response.output_item.done|{"type":"response.output_item.done","output_index":0,"item":`+item+`}`,
		`response.completed|{"type":"response.completed","response":`+done+`}`)
}

func answerChat(answer answering, tool string) {
	chat := func(object, choice string) string {
		return `{"id":"c","object":"` + object + `","created":1,"model":"mock","choices":[{"index":0,` + choice + `}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`
	}
	said, stop := `"content":"done"`, "stop"
	if tool != "" {
		said, stop = `"content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"`+tool+`","arguments":`+strconv.Quote(newText)+`}}]`, "tool_calls"
	}
	answer(chat("chat.completion", `"message":{"role":"assistant",`+said+`},"finish_reason":"`+stop+`"`),
		"|"+chat("chat.completion.chunk", `"delta":{"role":"assistant",`+said+`},"finish_reason":null`),
		"|"+chat("chat.completion.chunk", `"delta":{},"finish_reason":"`+stop+`"`), "|[DONE]")
}
