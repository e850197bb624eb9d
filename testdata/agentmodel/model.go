// Package agentmodel is a model on this machine, for agents' own programs. It is asked over HTTP in
// the forms of four vendors: Anthropic's messages, OpenAI's chat and responses, and Google's
// generateContent. What it answers, a function says.
package agentmodel

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// Answer is what the model says, or the tool that it calls.
type Answer struct {
	Text string
	Call *Call
}

// Call is a tool with its arguments: a JSON object, or in OpenAI's responses a text.
type Call struct{ Tool, Arguments string }

// Request is what an agent asks the model: all that it may know.
type Request struct{ Path, Body string }

// ourTool finds our tools among those that a model may call, with what an agent puts before
// their names.
var ourTool = regexp.MustCompile(`"name": ?"([A-Za-z0-9_.:-]*?)memory_recall"`)

// OurTool returns the name by which the agent has a tool of ours; ok is false where it has none.
func (r Request) OurTool(name string) (as string, ok bool) {
	m := ourTool.FindStringSubmatch(r.Body)
	if m == nil {
		return "", false
	}
	return m[1] + name, true
}

// streams reports whether the agent wants the answer as events.
func (r Request) streams() bool {
	return strings.Contains(r.Body, `"stream":true`) || strings.Contains(r.Path, ":stream")
}

// Model keeps what it is asked, and answers one agent at a time.
type Model struct {
	Think func(Request) Answer

	mu    sync.Mutex
	said  strings.Builder
	calls int
}

// Heard is everything that the model was asked.
func (m *Model) Heard() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.said.String()
}

func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, _ := io.ReadAll(r.Body)
	req := Request{Path: r.URL.Path, Body: string(asked)}
	switch {
	case r.Method == http.MethodGet:
		_, _ = io.WriteString(w, `{"data":[{"id":"mock","object":"model"}],"models":[]}`)
		return
	case strings.Contains(req.Path, "ount"): // …/count_tokens, …:countTokens
		_, _ = io.WriteString(w, `{"input_tokens":1,"totalTokens":1}`)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said.WriteString(req.Body)
	m.calls++
	write(w, req, m.calls, m.Think(req))
}
