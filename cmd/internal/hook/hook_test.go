package hook_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cp-memory/cp/cmd/internal/hook"
)

// What agents send, as it was observed (Claude Code, Codex, Gemini CLI, Copilot CLI) or is
// documented (Cursor, Cline), and what each is answered.
func TestShapes(t *testing.T) {
	const said = "<cp-memory>\n# Memory & <more> \"quoted\"\n</cp-memory>"
	for _, test := range []struct {
		agent, event, input string
		want                hook.Input
		golden              string
	}{
		{"claude-code", "start", `{"session_id":"s","transcript_path":"/t.jsonl","cwd":"/code","hook_event_name":"SessionStart","source":"compact"}`,
			hook.Input{Event: "SessionStart", Session: "s", Transcript: "/t.jsonl", Dir: "/code", Source: "compact"}, "start-claude-code.json"},
		{"claude-code", "prompt", `{"session_id":"s","cwd":"/code","hook_event_name":"UserPromptSubmit","prompt":"why"}`,
			hook.Input{Event: "UserPromptSubmit", Session: "s", Dir: "/code", Prompt: "why"}, "prompt-claude-code.json"},
		{"codex", "start", `{"session_id":"s","transcript_path":null,"cwd":"/code","hook_event_name":"SessionStart","source":"startup","model":"m"}`,
			hook.Input{Event: "SessionStart", Session: "s", Dir: "/code", Source: "startup"}, "start-codex.json"},
		{"qwen-code", "start", `{"session_id":"s","cwd":"/code","hook_event_name":"SessionStart"}`,
			hook.Input{Event: "SessionStart", Session: "s", Dir: "/code"}, "start-qwen-code.json"},
		{"gemini-cli", "prompt", `{"session_id":"s","cwd":"/code","hook_event_name":"BeforeAgent","prompt":"why","timestamp":"2026-11-22T10:00:00Z"}`,
			hook.Input{Event: "BeforeAgent", Session: "s", Dir: "/code", Prompt: "why"}, "prompt-gemini-cli.json"},
		{"gemini-cli", "end", `{"session_id":"s","hook_event_name":"AfterAgent","prompt_response":"done"}`,
			hook.Input{Event: "AfterAgent", Session: "s", Last: "done"}, ""},
		{"copilot-cli", "start", `{"sessionId":"s","timestamp":1,"cwd":"/code","source":"new","initialPrompt":"x","transcriptPath":"/t"}`,
			hook.Input{Session: "s", Dir: "/code", Source: "new", Transcript: "/t"}, "start-copilot-cli.json"},
		{"cursor", "start", `{"conversation_id":"s","workspace_roots":["relative","/code"]}`, hook.Input{Session: "s", Dir: "/code"}, "start-cursor.json"},
		{"cline", "start", `{"taskId":"s","workspaceRoots":["/code"]}`, hook.Input{Session: "s", Dir: "/code"}, "start-cline.json"},
		{"opencode", "start", `{"session_id":"s","cwd":"/code","source":"compact"}`, hook.Input{Session: "s", Dir: "/code", Source: "compact"}, "start-opencode.txt"},
		{"claude-code", "end", `{"session_id":"s","last_assistant_message":"done","stop_hook_active":false}`, hook.Input{Session: "s", Last: "done"}, ""},
		{"another", "start", `{"session_id":7,"cwd":["/x"],"source":{}}`, hook.Input{}, "start-another.txt"},
	} {
		in := hook.Read(strings.NewReader(test.input + "\nand more"))
		if in != test.want {
			t.Errorf("%s %s: got %+v, want %+v", test.agent, test.event, in, test.want)
		}
		if test.golden == "" {
			continue
		}
		file := filepath.Join("testdata", test.golden)
		got := string(hook.Answer(test.agent, test.event, in, said))
		if os.Getenv("CP_GOLDEN") == "write" {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s %s: got %s, want %s (%v)", test.agent, test.event, got, want, err)
		}
		if nothing := hook.Answer(test.agent, test.event, in, ""); nothing != nil {
			t.Errorf("%s %s: of nothing it says %s", test.agent, test.event, nothing)
		}
	}
}

func TestWhatIsNoInput(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "null", `"x"`, "\xff\xfe", strings.Repeat("[", 100000), `{"cwd":"relative"}`} {
		if in := hook.Read(strings.NewReader(text)); in != (hook.Input{}) {
			t.Errorf("%.20q: got %+v", text, in)
		}
	}
	if in := hook.Read(iotest.ErrReader(os.ErrClosed)); in != (hook.Input{}) {
		t.Errorf("got %+v", in)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","cwd":"/code"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := hook.Read(strings.NewReader(string(b)))
		if in.Dir != "" && !filepath.IsAbs(in.Dir) {
			t.Errorf("%q: %q is not absolute", b, in.Dir)
		}
	})
}
