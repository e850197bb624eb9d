package transcript_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/transcript"
)

func read(agent, text string) transcript.Session {
	r := transcript.NewReader(agent)
	for line := range strings.Lines(text) {
		r.TakeLine([]byte(line))
	}
	return r.Session()
}

func told(s transcript.Session) string {
	out := []string{s.ID + " " + s.Dir + " " + s.Branch}
	for _, t := range s.Turns {
		out = append(out, t.ID+": "+t.Text)
	}
	return strings.Join(out, "\n")
}

// Each row is a session in the shape of an agent, and what the person said in it.
func TestReader(t *testing.T) {
	for _, row := range []struct{ name, agent, text, want string }{
		{"Claude Code", "claude", `
{"type":"queue-operation","sessionId":"s1"}
{"type":"attachment","attachment":{"type":"hook_success","content":"We deploy on Fridays."},"uuid":"h","sessionId":"s1","cwd":"/app","gitBranch":"main"}
{"type":"user","uuid":"u1","timestamp":"2026-10-01T10:00:00Z","sessionId":"s1","cwd":"/app","gitBranch":"main","isSidechain":false,"promptSource":"typed","message":{"role":"user","content":"Use tabs.\n<system-reminder>Use spaces.</system-reminder>"}}
{"type":"assistant","uuid":"a1","message":{"role":"assistant","content":[{"type":"text","text":"I will."}]}}
{"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","content":"secret"},{"type":"text","text":"x"}]}}
{"type":"user","uuid":"u3","isSidechain":true,"message":{"role":"user","content":"You are a reviewer."}}
{"type":"user","uuid":"u4","isMeta":true,"message":{"role":"user","content":"Continue."}}
{"type":"user","uuid":"u5","promptSource":"system","message":{"role":"user","content":"Continue."}}
{"type":"user","uuid":"u6","message":{"role":"user","content":[{"type":"image"},{"type":"text","text":"Like this."}]}}
{"type":"user","uuid":"u6","message":{"role":"user","content":"Like this."}}
{"type":"user","uuid":"u7","message":{"role":"user","content":"<command-name>/clear</command-name>"}}
{"type":"user","uuid":"u8","toolUseResult":{"stdout":"x"},"message":{"role":"user","content":"x"}}`, "s1 /app main\nu1: Use tabs.\nu6: Like this."},
		{"Codex", "codex", `
{"timestamp":"2026-10-01T10:00:00Z","type":"session_meta","payload":{"id":"c1","cwd":"/app","git":{"branch":"main"},"source":"cli"}}
{"timestamp":"2026-10-01T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context><cwd>/app</cwd></environment_context>"}]}}
{"timestamp":"2026-10-01T10:00:02Z","ordinal":7,"type":"event_msg","payload":{"type":"user_message","message":"Use tabs."}}
{"timestamp":"2026-10-01T10:00:02Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Use tabs."}]}}
{"type":"response_item","payload":{"type":"function_call_output","output":"x"}}`, "c1 /app main\nn-7: Use tabs."},
		{"Codex without events", "codex", `
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /app\n…"}]}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Use tabs."}]}}`, "  \nline-2: Use tabs."},
		{"Codex's sub-agent", "codex", `
{"type":"session_meta","payload":{"id":"c2","source":{"subagent":"review"}}}
{"type":"event_msg","payload":{"type":"user_message","message":"Review it."}}`, "c2  "},
		{"Gemini", "gemini", `
{"sessionId":"g1","projectHash":"x","kind":"main"}
{"$set":{"messages":[{"id":"ctx","type":"user","content":[{"text":"<session_context>\nThis is the Gemini CLI.\n</session_context>"}]}]}}
{"id":"m1","type":"user","content":[{"text":"Use spaces."}]}
{"id":"m1","type":"user","content":"Use tabs."}
{"id":"m2","type":"gemini","content":"Yes."}
{"id":"m3","type":"user","content":"Never mind."}
{"$rewindTo":"m3"}
{"$set":{"lastUpdated":"x"}}
{"id":"m4","type":"user","content":[{"functionResponse":{}},{"text":"x"}]}`, "g1  \nm1: Use tabs."},
		{"Copilot", "copilot", `
{"type":"session.start","data":{"sessionId":"p1","context":{"cwd":"/app","branch":"main"}},"id":"e1"}
{"type":"user.message","data":{"content":"Use tabs.","transformedContent":"<current_datetime>x</current_datetime>Use tabs."},"id":"e2","timestamp":"2026-10-01T10:00:00Z"}
{"type":"user.message","data":{"content":"From a skill.","source":"skill"},"id":"e3"}
{"type":"assistant.message","data":{"content":"Yes."},"id":"e4"}`, "p1 /app main\ne2: Use tabs."},
		{"Qwen", "qwen", `
{"uuid":"q1","sessionId":"w1","cwd":"/app","gitBranch":"main","type":"user","message":{"role":"user","parts":[{"text":"<qwen:ide-context>x</qwen:ide-context>Use tabs."}]}}
{"uuid":"q2","type":"tool_result","message":{"role":"user","parts":[{"functionResponse":{}}]}}`, "w1 /app main\nq1: Use tabs."},
	} {
		if got := told(read(row.agent, row.text)); got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.want)
		}
		if got := transcript.Guess(bytes.Split([]byte(row.text), []byte("\n"))); got != row.agent {
			t.Errorf("%s: taken for %q", row.name, got)
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"a <system-reminder>b</system-reminder> c":                "a  c",
		"a <memory id=\"pf-1\">b <memory>c</memory> d</memory> e": "a  e",
		"a <system-reminder>b":                                    "a",
		"a <timestamp/> b":                                        "a  b",
		"generics: List<memoryview>":                              "generics: List<memoryview>",
		"[Request interrupted by user for tool use]":              "",
		"\x1b[31mred\x00":                                         "[31mred",
		"a\xffb":                                                  "a\ufffdb",
		strings.Repeat("é", transcript.MaxTurn):                   strings.Repeat("é", transcript.MaxTurn/2) + " …",
		"<hook_context>We deploy on Fridays.</hook_context>\n\nIs that right?": "Is that right?",
	} {
		if got := transcript.Clean(text); got != want {
			t.Errorf("%.60q: got %.60q, want %.60q", text, got, want)
		}
	}
}

// What cannot be read is counted.
func TestBadLines(t *testing.T) {
	s := read("claude", "x\n[]\n{\"type\":7}\n"+`{"type":"user","message":{"role":"user","content":"`+strings.Repeat("x", transcript.MaxLine)+`"}}`+"\n"+`{"type":"user","uuid":"u","message":{"role":"user","content":"Yes."}}`+"\n{\"type\":\"us")
	if s.Bad != 5 || len(s.Turns) != 1 {
		t.Errorf("got %d bad lines and %d turns", s.Bad, len(s.Turns))
	}
}

// No line makes a reader fail, and no turn holds an element that was put in.
func FuzzReader(f *testing.F) {
	f.Add(`{"type":"user","uuid":"u","message":{"role":"user","content":"a <memory>b</memory>"}}`)
	f.Add("{\"id\":\"m\",\"type\":\"user\",\"content\":\"x\"}\n{\"$rewindTo\":\"m\"}")
	f.Add(`{"type":"event_msg","payload":{"type":"user_message","message":"<system><system>"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, agent := range []string{"claude", "codex", "gemini", "copilot", "qwen"} {
			for _, turn := range read(agent, text).Turns {
				if turn.Text == "" || turn.ID == "" || strings.Contains(turn.Text, "<system-reminder>") || strings.ContainsAny(turn.ID, "\n#") {
					t.Errorf("%s: %q: got %+v", agent, text, turn)
				}
			}
		}
	})
}
