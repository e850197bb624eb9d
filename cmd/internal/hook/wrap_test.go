package hook

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault/transcript"
)

// What a hook says is taken out of what is kept, wherever it stands.
func TestWhatIsSaidIsTakenOut(t *testing.T) {
	ours := markAsOurs("# Memory\n\nsays </cp-memory> and <cp-memory> too\n")
	for _, test := range []struct{ name, text, want string }{
		{"alone", ours, ""},
		{"before", ours + "\n\nfix it", "fix it"},
		{"behind", "fix it\n" + ours, "fix it"},
		{"in what the agent adds", "<system-reminder>\nSessionStart hook additional context: " + ours + "\n</system-reminder>\nhello", "hello"},
	} {
		if got := strings.TrimSpace(transcript.Clean(test.text)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestALongTextIsCutAtALine(t *testing.T) {
	h := hooked{App: new(app.App)}
	got := h.cutAtLineEnd(strings.Repeat("- a pointer\n", 2000))
	if n := len([]rune(got)); n > maxText+100 || !strings.HasSuffix(got, "- a pointer\n(cut here: cp-memory prime shows it all)") {
		t.Errorf("got %d characters, which end with %q", n, got[len(got)-80:])
	}
	if got := h.cutAtLineEnd("short"); got != "short" {
		t.Errorf("got %q", got)
	}
}

func TestTheLastAnswerOfATranscript(t *testing.T) {
	for _, test := range []struct{ name, line, want string }{
		{"Claude Code", `{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"done"}]}}`, "done"},
		{"a side chain", `{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"done"}]}}`, ""},
		{"Qwen Code", `{"type":"assistant","message":{"parts":[{"text":"hm","thought":true},{"text":"done"}]}}`, "done"},
		{"Codex", `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}}`, "done"},
		{"Copilot CLI", `{"type":"assistant.message","data":{"content":"done"}}`, "done"},
		{"a person", `{"type":"user","message":{"role":"user","content":"hello"}}`, ""},
		{"half a line", `{"type":"assistant","mess`, ""},
	} {
		if got := agentText([]byte(test.line)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
