package transcript

import (
	"cmp"
	"encoding/json"
)

// Copilot CLI writes events. The content of a message is what the person typed; what was added
// to it stands in transformedContent:
//
//	{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/app","branch":"main"}},"id":"e1","timestamp":"…"}
//	{"type":"user.message","data":{"content":"Use tabs.","transformedContent":"…"},"id":"e2","timestamp":"…"}
type copilot struct{ Session }

func (c *copilot) line(text []byte) error {
	var row struct {
		Type      string `json:"type"`
		ID        string `json:"id"`
		Timestamp string `json:"timestamp"`
		Agent     string `json:"agentId"`
		Data      struct {
			Session string          `json:"sessionId"`
			Content json.RawMessage `json:"content"`
			Source  string          `json:"source"`
			Agent   string          `json:"agentId"`
			Context struct {
				Dir    string `json:"cwd"`
				Branch string `json:"branch"`
			} `json:"context"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	switch d := row.Data; {
	case row.Type == "session.start":
		c.ID, c.Dir, c.Branch = cmp.Or(c.ID, d.Session), cmp.Or(c.Dir, d.Context.Dir), cmp.Or(c.Branch, d.Context.Branch)
	case row.Type == "user.message" && row.Agent == "" && d.Agent == "" && (d.Source == "" || d.Source == "user"):
		if said, tool := contentText(d.Content); !tool {
			c.Turns = append(c.Turns, Turn{row.ID, date(row.Timestamp), said})
		}
	}
	return nil
}

func (c *copilot) end() Session { return c.Session }
