package hook

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
)

// Events, as we call them.
const (
	Start   = "start"
	Prompt  = "prompt"
	End     = "end"
	File    = "file"    // a tool has read or changed a file
	Compact = "compact" // a conversation is about to be compacted
)

// maxInput bounds what is read of an agent's input, in bytes. A prompt may hold a whole file.
const maxInput = 4 << 20

// Input is what an agent tells a hook. What it does not tell is empty.
type Input struct {
	Event      string // as the agent calls it
	Session    string
	Sub        string // the sub-agent that acts; empty for the agent itself
	Transcript string // the file of the conversation
	Dir        string // where the agent works, absolute
	Source     string // of a start: startup, resume, clear, compact …
	Prompt     string
	Last       string // the last answer of the agent
	Tool, Args string // the tool that was called and its arguments, in JSON
	Tools      bool   // it has the tools of our server
}

// Read reads what an agent sends: the keys of Claude Code, Codex, Gemini CLI and Qwen Code,
// and those of Copilot CLI, Cursor and Cline. What is no such object is as good as nothing.
func Read(r io.Reader) Input {
	var keys map[string]json.RawMessage
	if json.NewDecoder(io.LimitReader(r, maxInput)).Decode(&keys) != nil { // it does not wait for the end
		return Input{}
	}
	text := args(keys).textAt // a key of another type is as good as none
	in := Input{
		Event: text("hook_event_name"), Session: text("session_id", "sessionId", "conversation_id", "taskId"), Sub: text("agent_id", "agentId"), Transcript: text("transcript_path", "transcriptPath"),
		Dir: firstFolder(text("cwd"), keys["workspace_roots"], keys["workspaceRoots"]), Source: text("source"), Prompt: text("prompt"), Last: text("last_assistant_message", "prompt_response"),
	}
	in.Tool, in.Args = calledTool(keys)
	return in
}

// calledTool returns the tool that was called, and its arguments. Cline has both in an object of
// their own.
func calledTool(keys args) (name, arguments string) {
	var inner args
	if json.Unmarshal(keys["postToolUse"], &inner) == nil && inner != nil {
		keys = inner
	}
	for _, at := range [...]string{"tool_input", "toolArgs", "parameters"} {
		if raw := keys[at]; raw != nil && string(raw) != "null" {
			return keys.textAt("tool_name", "toolName"), string(raw)
		}
	}
	return "", ""
}

// firstFolder returns the first of the folders that is one.
func firstFolder(dir string, lists ...json.RawMessage) string {
	all := []string{dir}
	for _, raw := range lists {
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			all = append(all, list...)
		}
	}
	for _, dir := range all {
		if filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}

// Answer says a text in the form in which an agent takes it. Of no text it says nothing.
func Answer(agent, event string, in Input, text string) []byte {
	if text == "" {
		return nil
	}
	var form any
	switch agent {
	case "copilot-cli", "vscode":
		form = struct {
			Context string `json:"additionalContext"`
		}{text}
	case "cursor":
		form = struct {
			Context string `json:"additional_context"`
		}{text}
	case "cline":
		form = struct {
			Cancel  bool   `json:"cancel"`
			Context string `json:"contextModification"`
			Error   string `json:"errorMessage"`
		}{false, text, ""}
	case "claude-code", "codex", "qwen-code", "gemini-cli":
		type output struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		}
		form = struct {
			Output output `json:"hookSpecificOutput"`
		}{output{agentEventName(agent, event, in), text}}
	default:
		return []byte(text + "\n")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(form)
	return b.Bytes()
}

// agentEventName is the agent's own name of an event.
func agentEventName(agent, event string, in Input) string {
	if in.Event != "" && len(in.Event) <= 40 && !strings.ContainsFunc(in.Event, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') }) {
		return in.Event
	}
	switch {
	case event == Start:
		return "SessionStart"
	case event == Prompt && agent == "gemini-cli":
		return "BeforeAgent"
	case event == Prompt:
		return "UserPromptSubmit"
	case event == File && agent == "gemini-cli":
		return "AfterTool"
	case event == File:
		return "PostToolUse"
	}
	return "SessionEnd"
}
