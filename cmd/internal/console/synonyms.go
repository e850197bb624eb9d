package console

import "slices"

// synonyms returns words of other programs for what a command does here, with our words for it.
func synonyms() map[string][]string {
	return map[string][]string{
		"ask": {"recall"}, "query": {"recall"}, "find": {"search", "recall"}, "grep": {"search"}, "lookup": {"recall"},
		"cat": {"show"}, "get": {"show"}, "open": {"show"}, "print": {"show"}, "read": {"show"}, "view": {"show"},
		"dir": {"list"}, "ls": {"list", "tree"},
		"create": {"add"}, "insert": {"add"}, "new": {"add"}, "note": {"add"}, "save": {"add", "update"}, "store": {"add"}, "write": {"add", "update"},
		"append": {"update"}, "change": {"update"}, "modify": {"update"}, "set": {"update"},
		"mv": {"move"}, "rename": {"move", "update"},
		"del": {"delete"}, "erase": {"delete"}, "forget": {"delete"}, "remove": {"delete"}, "rm": {"delete"},
		"handover": {"handoff"}, "hand-over": {"handoff"}, "hand-off": {"handoff"},
		"close": {"resolve"}, "done": {"resolve"}, "finish": {"resolve"},
		"history": {"log"}, "revert": {"undo"}, "rollback": {"undo"},
	}
}

// synonymsOf returns those of our words for a typed one that are among the commands.
func synonymsOf(typed string, commands []string) (all []string) {
	for _, word := range synonyms()[typed] {
		if slices.Contains(commands, word) {
			all = append(all, word)
		}
	}
	return all
}
