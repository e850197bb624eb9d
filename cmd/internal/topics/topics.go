package topics

import (
	"embed"
	"strings"
)

//go:embed *.md
var texts embed.FS

// Topic is one text.
type Topic struct {
	Name  string
	About string // one line
}

// All lists the topics in reading order.
func All() []Topic {
	return []Topic{
		{"tasks", "what to type for what you want"},
		{"format", "how a memory looks on disk"},
		{"files", "which file holds what, where the vault is found, settings"},
		{"projects", "projects below projects: which memories answer where"},
		{"finding", "how recall and search find a memory"},
		{"journal", "what happened: capture, observe, review, promote"},
		{"code", "memory that knows its code: bound to it, marked when it changes"},
		{"review", "what waits for a decision: the queue, the screen and its keys"},
		{"browse", "the vault in your browser: pages, editing, who can see it"},
		{"graph", "what memories speak of: facts, entities, relations"},
		{"sql", "questions to the index in SQL"},
		{"vectors", "embedding models, for what no word finds"},
		{"findings", "what sync and doctor find, and what makes them end with an error"},
		{"exit-codes", "exit codes and error codes"},
		{"json", "what programs get with -o json"},
		{"merging", "how two clones of a vault come together"},
		{"teams", "pull, push, and what a team's clones share"},
		{"branches", "memory in the code's history or on a branch beside it"},
		{"compatibility", "what an older and a newer cp do with one vault, and what is promised"},
		{"generation", "how a language model writes trigger phrases"},
		{"import", "what other programs remember, brought in"},
		{"agents", "how an agent works with its memory"},
		{"mcp", "the server for agents: its tools, what clients are told, HTTP"},
	}
}

// FindTopic returns a topic's Markdown, and whether there is such a topic.
func FindTopic(name string) (string, bool) {
	if strings.ContainsAny(name, "/.") {
		return "", false
	}
	b, err := texts.ReadFile(name + ".md")
	return string(b), err == nil
}
