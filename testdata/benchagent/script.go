package main

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/cp-memory/cp/testdata/agentmodel"
)

// script is the model that follows a task. It knows what stands in the conversation, and nothing else.
type script struct{ task task }

// think makes the next step that the conversation lets it make, or answers.
func (s script) think(r agentmodel.Request) agentmodel.Answer {
	c := r.Conversation()
	if len(c.Tools) == 0 { // a title of the session and the like
		return agentmodel.Answer{Text: "Work"}
	}
	made := 0
	for _, t := range c.Turns {
		made += len(t.Calls)
	}
	if made < len(s.task.steps) && hasOurs(c) {
		call, missing := s.call(r, c, s.task.steps[made])
		if missing != "" {
			return agentmodel.Answer{Text: "I cannot: the conversation does not say " + missing + "."}
		}
		return agentmodel.Answer{Call: call}
	}
	if said := regexp.MustCompile(s.task.says).FindString(c.Text()); s.task.says != "" && said != "" {
		return agentmodel.Answer{Text: said}
	}
	if s.task.says == "" {
		return agentmodel.Answer{Text: "It is done."}
	}
	return agentmodel.Answer{Text: "I do not know."}
}

func hasOurs(c agentmodel.Conversation) bool {
	_, ok := toolOf(c, "memory_recall")
	return ok
}

// toolOf returns the definition of a tool of ours.
func toolOf(c agentmodel.Conversation, name string) (agentmodel.Tool, bool) {
	for _, t := range c.Tools {
		if strings.HasSuffix(t.Name, name) {
			return t, true
		}
	}
	return agentmodel.Tool{}, false
}

// call fills in a step. missing says what it needs and the conversation does not say.
func (s script) call(r agentmodel.Request, c agentmodel.Conversation, st step) (call *agentmodel.Call, missing string) {
	tool, ok := toolOf(c, st.tool)
	if !ok {
		return nil, "that there is a tool " + st.tool
	}
	known := c.Text()
	args := map[string]any{}
	for name, value := range st.args {
		if _, there := tool.Schema.Properties[name]; !there {
			return nil, "that " + st.tool + " takes " + name
		}
		text, ok := s.value(value.(string), known)
		if !ok {
			return nil, "the " + name + " for " + st.tool + ": " + value.(string)
		}
		args[name] = text
	}
	raw, _ := json.Marshal(args) // of texts it does not fail
	return &agentmodel.Call{Tool: tool.Name, Arguments: string(raw)}, ""
}

// value is a value that the conversation says.
func (s script) value(value, known string) (string, bool) {
	title, isID := strings.CutPrefix(value, "id of ")
	switch {
	case value == "prompt":
		return s.task.prompt, true
	case isID:
		return findID(known, title)
	}
	return value, strings.Contains(known, value) || strings.Contains(known, jsonText(value))
}

func jsonText(text string) string {
	b, _ := json.Marshal(text) // of a text it does not fail
	return strings.Trim(string(b), `"`)
}

var anID = regexp.MustCompile(`\b[a-z][a-z0-9]{1,7}-[0-9a-hjkmnp-tv-z]{8}\b`)

// findID returns the id that stands with a title: before it in its line, or in the line above. In the
// outline a title is followed by the number of those below it: "(+2)".
func findID(known, title string) (string, bool) {
	named := regexp.MustCompile(`(?m)(?:^|[ "›])` + regexp.QuoteMeta(title) + `(?: \(\+\d+\))?(?:$|[:"\\])`)
	for _, at := range named.FindAllStringIndex(known, -1) {
		line := strings.LastIndexByte(known[:at[0]], '\n') + 1
		above := strings.LastIndexByte(known[:max(0, line-1)], '\n') + 1
		for _, text := range [...]string{known[line:at[0]], known[above:line]} {
			if ids := anID.FindAllString(text, -1); len(ids) > 0 {
				return ids[len(ids)-1], true
			}
		}
	}
	return "", false
}
