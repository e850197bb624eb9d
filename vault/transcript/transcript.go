package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Turn is what a person said to an agent, once.
type Turn struct {
	ID   string // of the message
	At   time.Time
	Text string // cleaned
}

// Session is what was read of a session.
type Session struct {
	Agent  string
	ID     string
	Dir    string // in which the agent worked
	Branch string
	Sub    bool // it is that of a sub-agent, whose turns no person wrote
	Turns  []Turn
	Bad    int // lines that could not be read
}

// Limits of a session.
const (
	MaxLine = 8 << 20 // bytes; longer lines hold results of tools or pictures
	MaxTurn = 20_000  // bytes of a turn; the rest is cut
)

// Agent is a program whose sessions can be read.
type Agent struct {
	Name  string
	About string
	Tried string // against what; empty is not tried
}

// Agents lists them.
func Agents() []Agent {
	return []Agent{
		{"claude", "Claude Code", "shape observed with 2.1"},
		{"codex", "Codex", "shape observed with 0.169"},
		{"copilot", "Copilot CLI", "shape observed with 1.0"},
		{"gemini", "Gemini CLI", "shape observed with 0.61"},
		{"opencode", "opencode", "shape observed with 1.18"},
		{"qwen", "Qwen Code", "shape observed with 0.24"},
		{"cursor", "Cursor", ""},
	}
}

// shape reads the lines of one agent.
type shape interface {
	// line takes one line, an object of JSON.
	line(text []byte) error
	// end returns the session.
	end() Session
}

// Reader takes the lines of a session.
type Reader struct {
	agent string
	shape shape
	bad   int
}

// NewReader returns a reader of an agent's sessions; nil where they are no lines of JSON.
func NewReader(agent string) *Reader {
	make := map[string]func() shape{
		"claude": func() shape { return &claude{} }, "qwen": func() shape { return &claude{} }, "codex": func() shape { return &codex{} },
		"gemini": func() shape { return &gemini{} }, "copilot": func() shape { return &copilot{} },
	}[agent]
	if make == nil {
		return nil
	}
	return &Reader{agent: agent, shape: make()}
}

// TakeLine takes the next line of the file.
func (r *Reader) TakeLine(text []byte) {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	switch {
	case len(text) == 0:
	case len(text) > MaxLine || text[0] != '{' || r.shape.line(text) != nil:
		r.bad++
	}
}

// Session returns what was read.
func (r *Reader) Session() Session {
	s := r.shape.end()
	s.Agent, s.Bad = r.agent, r.bad
	s.Turns = Turns(s.Turns)
	if s.Sub {
		s.Turns = nil
	}
	return s
}

// Turns returns the turns cleaned, without empty ones and repetitions of a message.
func Turns(all []Turn) (kept []Turn) {
	seen := make(map[string]bool)
	for _, t := range all {
		if t.Text = Clean(t.Text); t.Text == "" {
			continue
		}
		if t.ID = oneWord(t.ID); t.ID == "" {
			sum := sha256.Sum256([]byte(t.Text))
			t.ID = hex.EncodeToString(sum[:6])
		}
		if !seen[t.ID] {
			seen[t.ID], kept = true, append(kept, t)
		}
	}
	return kept
}

// oneWord makes an id that can stand in a line.
func oneWord(id string) string {
	const most = 80
	id = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(id, "-"), func(r rune) bool { return r <= ' ' || r == '#' || r >= 0x7f && r < 0xa0 }), "-")
	return id[:min(len(id), most)]
}

// Guess returns the agent whose session begins with these lines; empty for none that is known.
func Guess(lines [][]byte) string {
	for _, text := range lines {
		var row struct {
			Type    string          `json:"type"`
			Payload json.RawMessage `json:"payload"`
			Data    json.RawMessage `json:"data"`
			UUID    string          `json:"uuid"`
			Session string          `json:"sessionId"`
			Hash    string          `json:"projectHash"`
			Message *struct {
				Parts   json.RawMessage `json:"parts"`
				Content json.RawMessage `json:"content"`
			} `json:"message"`
			Set json.RawMessage `json:"$set"`
		}
		if json.Unmarshal(bytes.TrimSpace(text), &row) != nil {
			continue
		}
		switch {
		case row.Payload != nil:
			return "codex"
		case row.Data != nil && strings.Contains(row.Type, "."):
			return "copilot"
		case row.Hash != "" || row.Set != nil || row.Type == "gemini":
			return "gemini"
		case row.Message != nil && row.Message.Parts != nil:
			return "qwen"
		case row.Message != nil && row.Message.Content != nil && row.Session != "":
			return "claude"
		}
	}
	return ""
}

// CanReadAgent reports whether an agent's sessions can be read.
func CanReadAgent(agent string) bool {
	return slices.ContainsFunc(Agents(), func(a Agent) bool { return a.Name == agent && a.Tried != "" })
}

// contentText returns the text of a message's content: a string, or a list of parts, of which those
// with a text count. tool reports whether the result of a tool is among them.
func contentText(content json.RawMessage) (text string, tool bool) {
	if json.Unmarshal(content, &text) == nil {
		return text, false
	}
	var parts []struct {
		Type             string          `json:"type"`
		Text             string          `json:"text"`
		Synthetic        bool            `json:"synthetic"`
		FunctionResponse json.RawMessage `json:"functionResponse"`
	}
	if json.Unmarshal(content, &parts) != nil {
		return "", false
	}
	var all []string
	for _, p := range parts {
		switch {
		case p.Type == "tool_result" || p.FunctionResponse != nil:
			tool = true
		case (p.Type == "" || p.Type == "text" || p.Type == "input_text") && !p.Synthetic && p.Text != "":
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n"), tool
}

// date reads a time; the zero one where there is none.
func date(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
