package generate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync/atomic"
)

// chat asks a server that speaks OpenAI's chat protocol:
//
//	POST <base>/chat/completions
//	{"model": "qwen3:8b", "messages": [{"role": "user", "content": "…"}], "stream": false,
//	 "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": {…}}}}
//
//	{"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "…"}}]}
type chat struct {
	http   *http.Client
	url    string
	model  string
	key    string
	schema []byte
	plain  atomic.Bool // the server does not know response_format
}

func newChat(m *Model, o Options) (backend, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	return &chat{http: client(maxAnswer), url: u.JoinPath("chat/completions").String(), model: o.Model, key: m.key, schema: o.Schema}, nil
}

type (
	chatRequest struct {
		Model    string        `json:"model"`
		Messages []chatMessage `json:"messages"`
		Stream   bool          `json:"stream"`
		Format   *chatFormat   `json:"response_format,omitempty"`
	}
	chatMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Refusal string `json:"refusal,omitempty"`
	}
	chatFormat struct {
		Type   string     `json:"type"`
		Schema chatSchema `json:"json_schema"`
	}
	chatSchema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
	chatReply struct {
		Choices []struct {
			Finish  string      `json:"finish_reason"`
			Message chatMessage `json:"message"`
		} `json:"choices"`
	}
)

// ask asks once; a server that refuses the request for its response format is
// asked again without, and from then on so.
func (c *chat) ask(ctx context.Context, prompt string) (string, error) {
	r := chatRequest{Model: c.model, Messages: []chatMessage{{Role: "user", Content: prompt}}}
	if len(c.schema) == 0 || c.plain.Load() {
		return c.send(ctx, r)
	}
	r.Format = &chatFormat{Type: "json_schema", Schema: chatSchema{Name: "answer", Strict: true, Schema: c.schema}}
	text, err := c.send(ctx, r)
	if !unknownField(err) {
		return text, err
	}
	r.Format = nil
	text, err = c.send(ctx, r)
	if err == nil {
		c.plain.Store(true)
	}
	return text, err
}

// unknownField reports whether err may mean that the server does not know what
// was asked for: servers tell so by different codes and in different words.
func unknownField(err error) bool {
	var e refused
	if !errors.As(err, &e) {
		return false
	}
	switch e.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return true
	}
	return false
}

func (c *chat) send(ctx context.Context, r chatRequest) (string, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "cp-memory")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var reply chatReply
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return "", notProtocol
	}
	return reply.text()
}

// text returns the first choice's text.
func (r *chatReply) text() (string, error) {
	if len(r.Choices) == 0 {
		return "", noAnswer{}
	}
	c := r.Choices[0]
	switch {
	case c.Finish == "length":
		return "", cutOff{c.Finish}
	case c.Finish == "content_filter":
		return "", blocked{c.Finish}
	case c.Message.Refusal != "":
		return "", blocked{c.Message.Refusal}
	}
	return c.Message.Content, nil
}
