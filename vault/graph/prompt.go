package graph

import (
	"encoding/json"
	"strings"

	"github.com/cp-memory/cp/vault/secret"
)

// PromptVersion is the version of the question. It grows with every change of it; the facts of
// a higher one win where two clones have drawn the same text.
const PromptVersion = 1

// Limits of what is drawn from one memory, and of a part of its text in characters.
const (
	MaxEntities  = 40
	MaxRelations = 60
	maxPart      = 8000
)

// EntityTypes are the types of entities unless the settings name others.
func EntityTypes() []string {
	return []string{"person", "organization", "place", "project", "service", "technology", "host", "document", "event", "concept", "thing"}
}

// ExtractSchema is the form of an answer, as JSON Schema, with the closed list of types.
func ExtractSchema(types []string) []byte {
	word := map[string]any{"type": "string"}
	object := func(required []string, properties map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	list := func(of any) map[string]any { return map[string]any{"type": "array", "items": of} }
	b, err := json.Marshal(object([]string{"entities", "relations"}, map[string]any{
		"entities":  list(object([]string{"name", "type", "description"}, map[string]any{"name": word, "type": map[string]any{"type": "string", "enum": types}, "description": word})),
		"relations": list(object([]string{"from", "relation", "to"}, map[string]any{"from": word, "relation": word, "to": word})),
	}))
	if err != nil {
		panic(err) // maps of strings always can
	}
	return b
}

// prompt returns what the model is asked about a part of a text.
func prompt(title, text string, types []string) string {
	return "You draw the facts of a note for a knowledge graph.\n\nMEMORY (title: " + secret.Blot(title) + "):\n---\n" + strings.TrimSpace(secret.Blot(text)) + "\n---\n\n" +
		"List the entities that the note says something about, and how they stand to each other.\n" +
		"- An entity has the name that the note gives it, a type out of: " + strings.Join(types, ", ") + "; and one short sentence that says what the note says of it.\n" +
		"- A relation leads from one listed entity to another one, by a short verb: replicates, runs on, owns.\n" +
		"- Take only what the note says. At most 40 entities and 60 relations; none is a good answer.\n\n" +
		"Respond as JSON:\n" + `{"entities": [{"name": "db2", "type": "host", "description": "streaming replica of db1"}], "relations": [{"from": "db2", "relation": "replicates", "to": "db1"}]}` + "\n"
}

// cutParts cuts a text at its headings into parts of at most maxPart characters; a section that
// is longer is cut at its lines.
func cutParts(text string) (all []string) {
	var part strings.Builder
	flush := func() {
		if strings.TrimSpace(part.String()) != "" {
			all = append(all, part.String())
		}
		part.Reset()
	}
	for _, section := range splitSections(text) {
		if part.Len()+len(section) > maxPart {
			flush()
		}
		for line := range strings.Lines(section) {
			for len(line) > maxPart {
				flush()
				cut := strings.ToValidUTF8(line[:maxPart], "")
				all, line = append(all, cut), line[len(cut):]
			}
			if part.Len()+len(line) > maxPart {
				flush()
			}
			part.WriteString(line)
		}
	}
	if flush(); len(all) == 0 {
		return []string{text}
	}
	return all
}

// splitSections cuts a text before each heading.
func splitSections(text string) (all []string) {
	at, fence, from := 0, false, 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			fence = !fence
		}
		if !fence && strings.HasPrefix(line, "#") && at > from {
			all, from = append(all, text[from:at]), at
		}
		at += len(line)
	}
	return append(all, text[from:])
}
