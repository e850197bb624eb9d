package transcript

import (
	"cmp"
	"encoding/json"
)

// Claude Code writes a line for each message, and Qwen Code the same with Gemini's parts:
//
//	{"type":"user","uuid":"u1","timestamp":"…","sessionId":"s","cwd":"/app","gitBranch":"main",
//	 "isSidechain":false,"promptSource":"typed","message":{"role":"user","content":"Use tabs."}}
//
// A line with isSidechain is a sub-agent's, one with isMeta or promptSource system the
// client's own. Lines of type attachment hold what hooks and other programs put in.
type claude struct{ Session }

func (c *claude) line(text []byte) error {
	var row struct {
		Type      string `json:"type"`
		UUID      string `json:"uuid"`
		Timestamp string `json:"timestamp"`
		Session   string `json:"sessionId"`
		Dir       string `json:"cwd"`
		Branch    string `json:"gitBranch"`
		Side      bool   `json:"isSidechain"`
		Meta      bool   `json:"isMeta"`
		Compact   bool   `json:"isCompactSummary"`
		Source    string `json:"promptSource"`
		Result    any    `json:"toolUseResult"`
		Message   struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
			Parts   json.RawMessage `json:"parts"`
		} `json:"message"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	c.ID, c.Dir, c.Branch = cmp.Or(c.ID, row.Session), cmp.Or(c.Dir, row.Dir), cmp.Or(c.Branch, row.Branch)
	if row.Type != "user" || row.Message.Role != "user" || row.Side || row.Meta || row.Compact || row.Source == "system" || row.Result != nil {
		return nil
	}
	content := row.Message.Content
	if content == nil {
		content = row.Message.Parts
	}
	if said, tool := contentText(content); !tool {
		c.Turns = append(c.Turns, Turn{row.UUID, date(row.Timestamp), said})
	}
	return nil
}

func (c *claude) end() Session { return c.Session }
