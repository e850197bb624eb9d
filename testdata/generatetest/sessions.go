package generatetest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// asked finds the turns in a prompt about a session.
var asked = regexp.MustCompile(`(?m)^\[(\d+)\] (.*)$`)

// session are the answers about a session: each turn that begins with "We " is an observation
// that quotes it.
func (s *Server) session(c call) map[string]string {
	type one struct {
		Text  string `json:"text"`
		Kind  string `json:"kind"`
		Quote string `json:"quote"`
		Turn  string `json:"turn"`
	}
	all := []one{}
	for _, m := range asked.FindAllStringSubmatch(c.prompt, -1) {
		if strings.HasPrefix(m[2], "We ") {
			all = append(all, one{"The team: " + strings.TrimPrefix(m[2], "We "), "pattern", m[2], m[1]})
		}
	}
	encoded := func(all []one) string {
		b, err := json.Marshal(map[string]any{"observations": all})
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	good := encoded(all)
	return map[string]string{
		"good": good, "no-format": good, "fenced": "```json\n" + good + "\n```", "prose": "I think they like tabs.", "blank": encoded([]one{}),
		"odd": encoded(append(all, one{"Made up", "pattern", "nobody said this", "1"}, one{"The key is AKIAIOSFODNN7EXAMPLQ", "pattern", "We ", "1"}, one{"Elsewhere", "", "We said", "99"})),
	}
}
