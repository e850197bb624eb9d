package generate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
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
	plain  atomic.Bool // whether the server does not know response_format
}

func newChat(m *Model, o Options) (backend, error) {
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	return &chat{http: client(maxAnswer), url: u.JoinPath("chat/completions").String(), model: o.Model, key: m.key, schema: o.Schema}, nil
}

// chatReply is an answer of the protocol.
type chatReply struct {
	Choices []struct {
		Finish  string `json:"finish_reason"`
		Message struct{ Content, Refusal string }
	}
}

// ask asks once. A server that refuses the request for its response format is asked
// again without one, and is not sent one from then on.
func (c *chat) ask(ctx context.Context, prompt string) (string, error) {
	r := map[string]any{"model": c.model, "messages": []any{map[string]any{"role": "user", "content": prompt}}, "stream": false}
	if len(c.schema) == 0 || c.plain.Load() {
		return c.send(ctx, r)
	}
	r["response_format"] = map[string]any{"type": "json_schema",
		"json_schema": map[string]any{"name": "answer", "strict": true, "schema": json.RawMessage(c.schema)}}
	text, err := c.send(ctx, r)
	if !unknownField(err) {
		return text, err
	}
	delete(r, "response_format")
	text, err = c.send(ctx, r)
	if err == nil {
		c.plain.Store(true)
	}
	return text, err
}

// unknownField reports whether err may mean that the server does not know a part of
// the request: servers say so by different codes and in different words.
func unknownField(err error) bool {
	var e refused
	return errors.As(err, &e) && slices.Contains([]int{http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented}, e.status)
}

func (c *chat) send(ctx context.Context, r map[string]any) (string, error) {
	body, err := post(ctx, c.http, c.url, authorization, c.key, r)
	if err != nil {
		return "", err
	}
	var reply chatReply
	if err := json.NewDecoder(bytes.NewReader(body)).Decode(&reply); err != nil {
		return "", notProtocol
	}
	return reply.text()
}

// text returns the first choice's text.
func (r *chatReply) text() (string, error) {
	if len(r.Choices) == 0 {
		return "", trouble(noAnswer)
	}
	c := r.Choices[0]
	switch {
	case c.Finish == "length":
		return "", cutOff(c.Finish)
	case c.Finish == "content_filter":
		return "", errBlocked(c.Finish)
	case c.Message.Refusal != "":
		return "", errBlocked(c.Message.Refusal)
	}
	return c.Message.Content, nil
}
