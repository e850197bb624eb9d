package guide

import (
	_ "embed" // the text
	"strings"
)

//go:embed guide.md
var source string

// Ways are how an agent reaches the memory.
type Ways struct {
	Tools   bool   // the server's tools are connected
	Program string // else what is typed to run the program, such as /usr/local/bin/cp-memory
}

// None is what the server says instead of its instructions where there is no vault.
const None = "There is no memory vault here."

// heading begins the rules.
const heading = "## cp memory\n\n"

// about is when the skill is used; an agent loads it every time.
const about = "---\nname: memory\ndescription: Notes of earlier sessions (cp memory). For a task's start, a surprise, and \"remember\".\n---\n# Memory\n\n"

// Rules is the shortest text. It holds where there is no vault, too.
func Rules(w Ways) string { return heading + w.text('1') }

// Instructions is the text of the server.
func Instructions() string { return Ways{Tools: true}.text('2') }

// Skill is the whole text, with examples.
func Skill(w Ways) string { return about + w.text('3') }

// text returns the lines of a length.
func (w Ways) text(length byte) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if line[0] <= length {
			b.WriteString(strings.TrimPrefix(line[1:], " "))
		}
	}
	return w.fill(b.String())
}

// fill puts the tools or the commands in the place of {recall}, {show} and their like.
func (w Ways) fill(text string) string {
	if w.Tools {
		return tools.Replace(text)
	}
	return strings.ReplaceAll(commands.Replace(text), "PROGRAM", w.Program)
}

var (
	tools = strings.NewReplacer("{recall}", "memory_recall", "{show}", "memory_show", "{add}", "memory_add", "{tree}", "memory_tree", "{update}", "memory_update",
		"{retire}", "memory_retire", "{journal}", "memory_add with a type like decision, learning or blocker, and no parent", "{handoff}", "memory_add with type handoff",
		"{examples}", "```\n"+
			`memory_recall {"query": "why does the deploy hang"}`+"\n"+
			`memory_add {"title": "Deploy hangs at pending", "summary": "If a deploy stays pending", "body": "The old allocation holds the port. Stop it first.", "parent": "ID"}`+"\n"+
			`memory_retire {"id": "ID", "how": "superseded", "by": "ID2"}`+"\n```")
	commands = strings.NewReplacer("{recall}", "`PROGRAM recall \"QUESTION\"`", "{show}", "`PROGRAM show ID`", "{add}", "`PROGRAM observe \"WHAT\"`", "{tree}", "`PROGRAM tree`", "{update}", "`PROGRAM update ID --append \"WHAT\"`",
		"{retire}", "`PROGRAM resolve ID`", "{journal}", "`PROGRAM capture learning \"WHAT\"`", "{handoff}", "`PROGRAM handoff \"WHAT\"`",
		"{examples}", "```sh\n"+
			"PROGRAM recall \"why does the deploy hang\" --budget 1500\n"+
			"PROGRAM add-sub ID --title \"Deploy hangs at pending\" --summary \"If a deploy stays pending\" --body \"The old allocation holds the port. Stop it first.\"\n"+
			"PROGRAM update ID --append \"Since Nomad 1.9 that is done by itself.\"\n```")
)
