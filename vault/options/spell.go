package options

import (
	"encoding/json"
	"slices"
	"strings"
)

// Spell returns what a value means that is written as a text, in the form that the option has:
// models and their clients send "5" for 5, "true" for true, and "[\"a\"]", "a" or "a, b" for a
// list: commas part words and numbers, and no sentences. What says nothing in that form comes back as it is, and is refused where it is read.
// An option that is a text is never spelt.
func (o Option) Spell(raw json.RawMessage) json.RawMessage {
	var text string
	switch {
	case o.Kind == "array" && len(raw) > 0 && raw[0] == '[':
		return o.spellItems(raw)
	case o.Kind == "string" || !isText(raw) || json.Unmarshal(raw, &text) != nil:
		return raw
	}
	if text = strings.TrimSpace(text); text == "" {
		return raw
	}
	switch meant := json.RawMessage(text); o.Kind {
	case "integer":
		if isNumber(text) {
			return meant
		}
	case "boolean":
		if word := strings.ToLower(text); word == "true" || word == "false" { // Python writes True
			return json.RawMessage(word)
		}
	case "array":
		return o.spellList(text, raw)
	case "object":
		if strings.HasPrefix(text, "{") && json.Valid(meant) {
			return meant
		}
	}
	return raw
}

// spellList returns the list that a text stands for: JSON, words or numbers with commas between
// them, or the one text.
func (o Option) spellList(text string, raw json.RawMessage) json.RawMessage {
	if strings.HasPrefix(text, "[") && json.Valid([]byte(text)) {
		return o.spellItems(json.RawMessage(text))
	}
	all := []string{text}
	if o.Commas || o.Items == "integer" {
		all = strings.Split(text, ",")
	}
	for i, item := range all {
		all[i] = strings.TrimSpace(item)
	}
	list, err := json.Marshal(slices.DeleteFunc(all, func(item string) bool { return item == "" }))
	if err != nil {
		return raw
	}
	return o.spellItems(list)
}

// spellItems spells the values of a list of numbers.
func (o Option) spellItems(raw json.RawMessage) json.RawMessage {
	var items []json.RawMessage
	if o.Items != "integer" || json.Unmarshal(raw, &items) != nil {
		return raw
	}
	for i, item := range items {
		items[i] = Option{Kind: o.Items}.Spell(item)
	}
	if list, err := json.Marshal(items); err == nil {
		return list
	}
	return raw
}

// isNumber reports whether a text is a number as JSON writes it.
func isNumber(text string) bool {
	return text != "" && strings.ContainsAny(text[:1], "-0123456789") && json.Valid([]byte(text))
}

// SpellAll spells the values of an object whose keys are those of the verb in JSON.
func SpellAll(verb any, fields map[string]json.RawMessage) {
	for _, o := range Of(verb) {
		for _, key := range []string{o.Key, o.Also} {
			if raw, ok := fields[key]; ok && key != "" {
				fields[key] = o.Spell(raw)
			}
		}
	}
}
