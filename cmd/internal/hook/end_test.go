package hook

import (
	"os"
	"path/filepath"
	"testing"
)

// The last answer is found in what each agent writes of a conversation, as it was observed.
func TestLastAnswer(t *testing.T) {
	for _, row := range []struct{ name, lines, want string }{
		{"Claude Code", `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"It is mended."}]}}` + "\n" +
			`{"type":"assistant","isSidechain":true,"message":{"role":"assistant","content":[{"type":"text","text":"of a helper"}]}}`, "It is mended."},
		{"Codex", `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is mended."}]}}` + "\n" +
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"thanks"}]}}`, "It is mended."},
		{"Gemini CLI", `{"id":"1","type":"user","content":[{"text":"why"}]}` + "\n" + `{"id":"2","type":"gemini","content":"It is mended.","thoughts":[]}` + "\n" +
			`{"id":"3","type":"gemini","content":"","toolCalls":[{"name":"x"}]}` + "\n" + `{"$set":{"lastUpdated":"2026-11-27T21:25:51.006Z"}}`, "It is mended."},
		{"Copilot CLI", `{"type":"assistant.message","data":{"content":"It is mended.","toolRequests":[]}}` + "\n" + `{"type":"session.shutdown","data":{}}`, "It is mended."},
		{"nothing was said", `{"type":"user","message":{"role":"user","content":"hello"}}`, ""},
		{"no lines", "", ""},
	} {
		file := filepath.Join(t.TempDir(), "t.jsonl")
		if err := os.WriteFile(file, []byte(row.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := lastAnswer(file); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}
