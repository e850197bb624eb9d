package transcript

import (
	"cmp"
	"encoding/json"
	"strconv"
)

// Codex writes what it sent and what happened:
//
//	{"timestamp":"…","type":"session_meta","payload":{"id":"s","cwd":"/app","git":{"branch":"main"}}}
//	{"timestamp":"…","type":"event_msg","payload":{"type":"user_message","message":"Use tabs."}}
//	{"timestamp":"…","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"…"}]}}
//
// A turn of the person stands in both; the event has its words alone, so items count only where
// there are no events. A session whose source is a sub-agent has no turns of a person.
type codex struct {
	Session
	items []Turn
	n     int
}

func (c *codex) line(text []byte) error {
	var row struct {
		Timestamp string `json:"timestamp"`
		Type      string `json:"type"`
		Ordinal   *int   `json:"ordinal"`
		Payload   struct {
			ID      string `json:"id"`
			Dir     string `json:"cwd"`
			Git     struct{ Branch string }
			Source  json.RawMessage `json:"source"`
			Type    string          `json:"type"`
			Role    string          `json:"role"`
			Message json.RawMessage `json:"message"`
			Content json.RawMessage `json:"content"`
		} `json:"payload"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	c.n++
	p := row.Payload
	id := "line-" + strconv.Itoa(c.n)
	if row.Ordinal != nil {
		id = "n-" + strconv.Itoa(*row.Ordinal)
	}
	switch {
	case row.Type == "session_meta":
		c.ID, c.Dir, c.Branch = cmp.Or(c.ID, p.ID), cmp.Or(c.Dir, p.Dir), cmp.Or(c.Branch, p.Git.Branch)
		c.Sub = c.Sub || len(p.Source) > 0 && p.Source[0] == '{'
	case row.Type == "event_msg" && p.Type == "user_message":
		said, _ := contentText(p.Message)
		c.Turns = append(c.Turns, Turn{id, date(row.Timestamp), said})
	case row.Type == "response_item" && p.Type == "message" && p.Role == "user":
		said, tool := contentText(p.Content)
		if !tool {
			c.items = append(c.items, Turn{id, date(row.Timestamp), said})
		}
	}
	return nil
}

func (c *codex) end() Session {
	if len(c.Turns) == 0 {
		c.Turns = c.items
	}
	return c.Session
}
