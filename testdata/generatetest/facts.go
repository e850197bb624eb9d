package generatetest

import (
	"encoding/json"
	"regexp"
	"strings"
)

// noted finds the text in a prompt about facts.
var (
	noted = regexp.MustCompile(`(?s)\n---\n(.*?)\n---\n`)
	named = regexp.MustCompile(`\b[a-z]*[A-Z0-9][A-Za-z0-9]*\b`)
)

// facts are the answers about the facts of a text: each word with a capital letter or a digit
// is an entity of type thing, and each leads to the next one.
func (s *Server) facts(c call) map[string]string {
	text := ""
	if found := noted.FindStringSubmatch(c.prompt); found != nil {
		text = found[1]
	}
	entities, relations, last := []any{}, []any{}, ""
	seen := make(map[string]bool)
	for _, name := range named.FindAllString(text, -1) {
		if seen[name] {
			continue
		}
		seen[name] = true
		entities = append(entities, map[string]any{"name": name, "type": "thing", "description": "said of " + name})
		if last != "" {
			relations = append(relations, map[string]any{"from": last, "relation": "stands before", "to": name})
		}
		last = name
	}
	good := encodeFacts(entities, relations)
	odd := encodeFacts(append(entities, map[string]any{"name": "Nautilus", "type": "submarine", "description": ""}), append(relations, map[string]any{"from": "Nowhere", "relation": "is", "to": "Nautilus"}))
	return map[string]string{
		"good": good, "no-format": good, "fenced": "```json\n" + good + "\n```",
		"prose": "I think it is about " + strings.ToUpper(last) + ".",
		"blank": encodeFacts([]any{}, []any{}),
		"odd":   odd, // an entity of another type, and a relation without its ends
	}
}

func encodeFacts(entities, relations []any) string {
	b, err := json.Marshal(map[string]any{"entities": entities, "relations": relations})
	if err != nil {
		panic(err)
	}
	return string(b)
}
