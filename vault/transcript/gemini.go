package transcript

import (
	"cmp"
	"encoding/json"
	"slices"
)

// Gemini CLI writes a log of patches. A message whose id comes again replaces the first one,
// $set with messages replaces all, and $rewindTo takes a message and all after it back:
//
//	{"sessionId":"s","projectHash":"…","startTime":"…","kind":"main"}
//	{"id":"m1","timestamp":"…","type":"user","content":[{"text":"Use tabs."}]}
//	{"$set":{"messages":[{"id":"m1","type":"user","content":"Use spaces."}]}}
//	{"$rewindTo":"m1"}
type gemini struct {
	Session
	log []message
}

// message is one of Gemini's.
type message struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
}

func (g *gemini) line(text []byte) error {
	var row struct {
		message
		Session string `json:"sessionId"`
		Kind    string `json:"kind"`
		Rewind  string `json:"$rewindTo"`
		Set     struct {
			Messages *[]message `json:"messages"`
		} `json:"$set"`
	}
	if err := json.Unmarshal(text, &row); err != nil {
		return err
	}
	switch {
	case row.Rewind != "":
		if i := g.findMessage(row.Rewind); i >= 0 {
			g.log = g.log[:i]
		} else {
			g.log = nil
		}
	case row.Set.Messages != nil:
		g.log = slices.Clone(*row.Set.Messages)
	case row.ID != "" && row.Type != "":
		if i := g.findMessage(row.ID); i >= 0 {
			g.log[i] = row.message
		} else {
			g.log = append(g.log, row.message)
		}
	default:
		g.ID = cmp.Or(g.ID, row.Session)
		g.Sub = g.Sub || row.Kind == "subagent"
	}
	return nil
}

// findMessage returns the place of a message, looking from the end, where it most often is.
func (g *gemini) findMessage(id string) int {
	const back = 1000
	for i := len(g.log) - 1; i >= 0 && i >= len(g.log)-back; i-- {
		if g.log[i].ID == id {
			return i
		}
	}
	return -1
}

func (g *gemini) end() Session {
	for _, m := range g.log {
		if m.Type == "user" {
			if said, tool := contentText(m.Content); !tool {
				g.Turns = append(g.Turns, Turn{m.ID, date(m.Timestamp), said})
			}
		}
	}
	return g.Session
}
