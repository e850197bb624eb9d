package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// loopbackModel answers as the Messages API does: with the tool's commands one after the other, and
// with a text when they are done. It keeps the results that it is sent.
type loopbackModel struct {
	commands []string // the inputs of the memory tool

	mu      sync.Mutex
	results []string // "id: content", an error begins with "! "
}

// ServeHTTP takes one message and answers with the next command.
func (l *loopbackModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	var asked struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err != nil || json.Unmarshal(body, &asked) != nil || len(asked.Messages) == 0 {
		http.Error(w, "no message", http.StatusBadRequest)
		return
	}
	l.results = append(l.results, toolResults(asked.Messages[len(asked.Messages)-1].Content)...)
	content, stop := any(map[string]any{"type": "text", "text": "I will remember."}), "end_turn"
	if n := len(l.results); n < len(l.commands) {
		content, stop = map[string]any{"type": "tool_use", "id": "toolu_" + string(rune('a'+n)), "name": "memory", "input": json.RawMessage(l.commands[n])}, "tool_use"
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "loopback", "content": []any{content}, "stop_reason": stop, "stop_sequence": nil,
		"usage": map[string]int{"input_tokens": 1, "output_tokens": 1},
	})
}

// toolResults are the results of tools in a message.
func toolResults(message json.RawMessage) (all []string) {
	var blocks []struct {
		Type    string
		ID      string          `json:"tool_use_id"`
		Content json.RawMessage `json:"content"`
		IsError bool            `json:"is_error"`
	}
	_ = json.Unmarshal(message, &blocks) // a message may be a text alone
	for _, b := range blocks {
		if b.Type != "tool_result" {
			continue
		}
		var text string
		if json.Unmarshal(b.Content, &text) != nil { // a list of blocks
			var list []struct{ Text string }
			_ = json.Unmarshal(b.Content, &list)
			for _, one := range list {
				text += one.Text
			}
		}
		if b.IsError {
			text = "! " + text
		}
		all = append(all, b.ID+": "+text)
	}
	return all
}

// The examples give a model of Anthropic's a memory in git, each with the vendor's SDK: the model's
// commands become commits, and their results reach the model.
func TestClientsMemoryTool(t *testing.T) {
	for _, example := range []struct{ file, run, needs string }{
		{"example.py", "env PYTHONPATH=CLIENTS/python python3 example.py", "python/anthropic"},
		{"example.ts", "node example.ts", "node_modules/@anthropic-ai/sdk"},
	} {
		t.Run(example.file, func(t *testing.T) {
			p := withClients(t)
			at := filepath.Dir(filepath.Dir(clients(t)))
			if _, err := os.Stat(filepath.Join(at, example.needs)); err != nil {
				t.Skipf("NOT RUN: no %s in %s; `make clients` installs it, where there is python3 with pip", example.needs, at)
			}
			model := &loopbackModel{commands: []string{
				`{"command": "view", "path": "/memories"}`,
				`{"command": "create", "path": "/memories/prefs.xml", "file_text": "<tea>green</tea>\n"}`,
				`{"command": "view", "path": "/memories/none.md"}`,
				`{"command": "str_replace", "path": "/memories/prefs.xml", "old_str": "green", "new_str": "grün"}`,
			}}
			server := httptest.NewServer(model)
			defer server.Close()
			text, err := os.ReadFile(filepath.Join(top, "testdata", "memorytool", example.file))
			if err != nil {
				t.Fatal(err)
			}
			work := t.TempDir()
			if err := os.WriteFile(filepath.Join(work, example.file), text, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(at, "node_modules"), filepath.Join(work, "node_modules")); err != nil {
				t.Fatal(err)
			}
			run := strings.NewReplacer("CLIENTS", at, example.file, filepath.Join(work, example.file)).Replace(example.run)
			if said := p.must("timeout 120 "+run+" 'I like tea.'", "ANTHROPIC_BASE_URL="+server.URL, "ANTHROPIC_API_KEY=none"); said != "I will remember." {
				t.Errorf("it says %q", said)
			}
			want := []string{
				"toolu_a: Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories",
				"toolu_b: File created successfully at: /memories/prefs.xml",
				"toolu_c: ! The path /memories/none.md does not exist. Please provide a valid path.",
				"toolu_d: The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\t<tea>grün</tea>",
			}
			if got, want := strings.Join(model.results, "\n"), strings.Join(want, "\n"); got != want {
				t.Errorf("the model gets\n%s\nwant\n%s", got, want)
			}
			if log := p.must("git log -2 --format=%an:%s"); !strings.HasPrefix(log, "example:memory: update ") || !strings.Contains(log, "\nexample:memory: add ") {
				t.Errorf("the history is\n%s", log)
			}
		})
	}
}
