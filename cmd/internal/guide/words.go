package guide

import (
	"regexp"
	"strings"
)

// toolOf is the tool that does what a command does. A command that is not here is a person's.
var toolOf = map[string]string{
	"show": "memory_show", "recall": "memory_recall", "search": "memory_recall", "list": "memory_tree", "tree": "memory_tree", "prime": "memory_tree",
	"project": "memory_tree", "log": "memory_history", "changes": "memory_history", "add": "memory_add", "add-sub": "memory_add", "capture": "memory_add", "handoff": "memory_add",
	"update": "memory_update", "move": "memory_move", "resolve": "memory_retire", "supersede": "memory_retire", "delete": "memory_retire",
}

var (
	// command is one of ours in a sentence, in backticks or up to what cannot be an argument.
	command = regexp.MustCompile("`cp (?:memory )?([a-z][a-z-]*)[^`\n]*`" + `|\bcp (?:memory )?([a-z][a-z-]*)(?: (?:"[^"\n]*"|--[a-z-]+(?:=\S+)?|<[^>\n]+>|[A-Z]+\b|[a-z0-9]+-[a-z0-9]+|\.))*`)
	// flag is an option of the command line. A tool's parameter has its name.
	flag = regexp.MustCompile("`?--([a-z][a-z-]*)`?")
	// aside and clause are what can be left out of a line by itself.
	aside  = regexp.MustCompile(` ?\([^()]*\)`)
	clause = regexp.MustCompile(`; |[.] `)
)

// Tools is what the program is called by for who has its tools: each command has the name of one.
const Tools = "memory_"

// SayTools says with the names of tools what was said with commands. What only a command does
// is left out, with its clause: an agent that has tools may have no shell.
func SayTools(text string) string {
	if !strings.Contains(text, "cp ") && !strings.Contains(text, "--") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = sayToolsInLine(line)
	}
	return strings.Join(lines, "\n")
}

func sayToolsInLine(line string) string {
	line = aside.ReplaceAllStringFunc(line, func(part string) string {
		if said, ok := sayToolsInClause(part); ok {
			return said
		}
		return ""
	})
	var all strings.Builder
	for from, end := 0, ""; from <= len(line); {
		next, after := len(line), ""
		if at := clause.FindStringIndex(line[from:]); at != nil {
			next, after = from+at[0], line[from+at[0]:from+at[1]]
		}
		if said, ok := sayToolsInClause(line[from:next]); ok {
			if all.Len() > 0 {
				all.WriteString(end)
			}
			all.WriteString(said)
		}
		from, end = next+max(1, len(after)), after
	}
	return all.String()
}

// sayToolsInClause reports with ok whether anything is left to say.
func sayToolsInClause(text string) (said string, ok bool) {
	ok = true
	text = command.ReplaceAllStringFunc(text, func(typed string) string {
		m := command.FindStringSubmatch(typed)
		tool := toolOf[m[1]+m[2]]
		ok = ok && tool != ""
		return tool
	})
	return flag.ReplaceAllStringFunc(text, func(f string) string {
		return `"` + strings.ReplaceAll(strings.Trim(f, "`-"), "-", "_") + `"`
	}), ok
}
