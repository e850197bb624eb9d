package agentmodel

import (
	"encoding/json"
	"slices"
	"strings"
)

// Conversation is what a request holds, in one form for Anthropic's messages and OpenAI's chat.
type Conversation struct {
	System string // all texts that come before what is said
	Tools  []Tool
	Turns  []Turn
}

// Tool is the definition of a tool.
type Tool struct {
	Name, Description string
	Schema            Schema
	Whole             string // its definition, as it was sent
}

// Schema is as much of a JSON schema as is checked.
type Schema struct {
	Properties map[string]struct {
		Type string   `json:"type"`
		Enum []string `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// Turn is one message: a text, calls with their arguments, or the results of earlier calls.
type Turn struct {
	Role    string // system, user, assistant or tool
	Text    string
	Calls   []Made
	Results []Result
}

// Made is a call that was made. Result is what came back.
type (
	Made   struct{ ID, Tool, Arguments string }
	Result struct {
		ID, Text string
		Refused  bool
	}
)

// Conversation reads what was asked. What is not understood is left out.
func (r Request) Conversation() (c Conversation) {
	var said struct {
		System   json.RawMessage   `json:"system"`
		Messages []message         `json:"messages"`
		Tools    []json.RawMessage `json:"tools"`
	}
	_ = json.Unmarshal([]byte(r.Body), &said)
	c.System = textOf(said.System)
	for _, m := range said.Messages {
		t := m.turn()
		if t.Role == "system" {
			c.System += t.Text + "\n"
		} else {
			c.Turns = append(c.Turns, t)
		}
	}
	for _, raw := range said.Tools {
		c.Tools = append(c.Tools, readTool(raw))
	}
	return c
}

// block is a part of a message.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

type message struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (m message) turn() Turn {
	t := Turn{Role: m.Role, Text: textOf(m.Content)}
	if m.Role == "tool" { // that form has no mark for a refusal; our server's begins so
		t.Results, t.Text = []Result{{m.ToolCallID, t.Text, strings.HasPrefix(t.Text, "Error")}}, ""
	}
	for _, call := range m.ToolCalls {
		t.Calls = append(t.Calls, Made{call.ID, call.Function.Name, call.Function.Arguments})
	}
	for _, b := range blocksOf(m.Content) {
		switch b.Type {
		case "tool_use":
			t.Calls = append(t.Calls, Made{b.ID, b.Name, string(b.Input)})
		case "tool_result":
			t.Results = append(t.Results, Result{b.ToolUseID, textOf(b.Content), b.IsError})
		}
	}
	return t
}

func blocksOf(raw json.RawMessage) (all []block) {
	_ = json.Unmarshal(raw, &all)
	return all
}

// textOf is the text of a content: a string, or the texts of its parts.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var b strings.Builder
	for _, part := range blocksOf(raw) {
		if part.Type == "text" {
			b.WriteString(part.Text + "\n")
		}
	}
	return b.String()
}

// readTool reads the definition of a tool in either form.
func readTool(raw json.RawMessage) Tool {
	var one struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Input       Schema `json:"input_schema"`
		Function    struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Parameters  Schema `json:"parameters"`
		} `json:"function"`
	}
	_ = json.Unmarshal(raw, &one)
	if f := one.Function; f.Name != "" {
		return Tool{f.Name, f.Description, f.Parameters, string(raw)}
	}
	return Tool{one.Name, one.Description, one.Input, string(raw)}
}

// Text is everything that the model may know: what came before, what was said, what tools answered
// and how they are described.
func (c Conversation) Text() string {
	var b strings.Builder
	b.WriteString(c.System)
	for _, t := range c.Tools {
		b.WriteString(t.Whole + "\n")
	}
	for _, t := range c.Turns {
		b.WriteString(t.Text + "\n")
		for _, r := range t.Results {
			b.WriteString(r.Text + "\n")
		}
	}
	return b.String()
}

// Wrong lists what is wrong in the arguments of a call, by the definition of its tool.
func (t Tool) Wrong(arguments string) (wrong []string) {
	var said map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &said) != nil {
		return []string{"no object"}
	}
	for _, name := range t.Schema.Required {
		if said[name] == nil {
			wrong = append(wrong, name+" is missing")
		}
	}
	for name, raw := range said {
		p, known := t.Schema.Properties[name]
		var text string
		switch isText := json.Unmarshal(raw, &text) == nil; {
		case !known:
			wrong = append(wrong, name+" is unknown")
		case p.Type == "string" && !isText, p.Type != "string" && p.Type != "" && isText:
			wrong = append(wrong, name+" is no "+p.Type)
		case len(p.Enum) > 0 && !slices.Contains(p.Enum, text):
			wrong = append(wrong, name+" is none of its words")
		}
	}
	return wrong
}
