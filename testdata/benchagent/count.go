package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/cp-memory/cp/testdata/agentmodel"
	"github.com/cp-memory/cp/vault"
)

// counted is what one client did in one setting.
type counted struct {
	client, setting             string
	asked, solved               int
	calls, refused, wrong       int
	definitions, texts, answers int // tokens, of all tasks
	failed                      []string
}

// aHook is what a hook of ours says.
var aHook = regexp.MustCompile(`(?s)<cp-memory>.*?</cp-memory>`)

// count counts what stands in the last conversation of a task. told are the lines of our other texts.
func (r *counted) count(task string, solved bool, c agentmodel.Conversation, told []string) {
	r.asked++
	if solved {
		r.solved++
	} else {
		r.failed = append(r.failed, task)
	}
	for _, t := range c.Tools {
		if isOurs(t.Name) {
			r.definitions += vault.Tokens(t.Whole)
		}
	}
	said := c.System
	ours := map[string]bool{}
	for _, t := range c.Turns {
		said += t.Text
		for _, call := range t.Calls {
			if !isOurs(call.Tool) {
				continue
			}
			ours[call.ID] = true
			r.calls++
			if tool, ok := toolOf(c, call.Tool); ok && len(tool.Wrong(call.Arguments)) > 0 {
				r.wrong++
			}
		}
		for _, result := range t.Results {
			if ours[result.ID] {
				r.answers += vault.Tokens(result.Text)
				if result.Refused {
					r.refused++
				}
			}
		}
	}
	for _, text := range aHook.FindAllString(said, -1) {
		r.texts += vault.Tokens(text)
	}
	for _, line := range told {
		if line != "" && strings.Contains(said, line) {
			r.texts += vault.Tokens(line)
		}
	}
}

func isOurs(tool string) bool { return strings.Contains(tool, "memory_") }

// report is the table.
func report(model string, rows []counted) string {
	var b strings.Builder
	b.WriteString("| client | setting | solved | calls | refused | wrong arguments | tokens a task: definitions | texts | answers |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %d | %d | %d | %d | %d | %d |\n", r.client, r.setting, r.solved, r.asked, r.calls, r.refused, r.wrong,
			r.definitions/r.asked, r.texts/r.asked, r.answers/r.asked)
	}
	b.WriteString("\nThe model was " + model + ".")
	for _, r := range rows {
		if len(r.failed) > 0 {
			fmt.Fprintf(&b, " %s %s did not solve: %s.", r.client, r.setting, strings.Join(r.failed, ", "))
		}
	}
	return b.String() + "\n"
}
