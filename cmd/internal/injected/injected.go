package injected

import "strings"

// Tag is the element in which our text stands.
const Tag = "cp-memory"

// foreign are the elements of agents in which stands what no person said.
var foreign = [...]string{"system-reminder", "system_reminder", "hook_context", "user_info", "untrusted_context", "environment_context", "session_context", "user_instructions"}

// Wrap marks a text as ours. A tag of ours in the text becomes visible text.
func Wrap(text string) string {
	text = strings.NewReplacer("<"+Tag, "&lt;"+Tag, "</"+Tag, "&lt;/"+Tag).Replace(strings.TrimRight(text, "\n"))
	return "<" + Tag + ">\n" + text + "\n</" + Tag + ">"
}

// Strip takes out what was injected. An element that is not closed goes up to the end.
func Strip(text string) string {
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			break
		}
		i += at
		name, head := opened(text[i:])
		if name == "" {
			at = i + 1
			continue
		}
		text = strings.TrimRight(text[:i], " \t\r\n") + between(text[:i]) + closed(text[i+head:], name)
		at = min(i, len(text))
		at = len(strings.TrimRight(text[:at], " \t\r\n"))
	}
	return text
}

// opened returns the name of the element that a text begins with, if it is an injected one,
// and the length of its tag.
func opened(text string) (name string, head int) {
	end := strings.IndexByte(text, '>')
	if end < 0 || end > 200 {
		return "", 0
	}
	name, _, _ = strings.Cut(text[1:end], " ")
	if name == Tag || strings.HasPrefix(name, "qwen:") && strings.HasSuffix(name, "-context") {
		return name, end + 1
	}
	for _, f := range foreign {
		if name == f {
			return name, end + 1
		}
	}
	return "", 0
}

// closed returns what follows the end of an element.
func closed(text, name string) string {
	_, rest, _ := strings.Cut(text, "</"+name+">")
	return strings.TrimLeft(rest, " \t\r\n")
}

// between is what stands in the place of an element behind some text.
func between(before string) string {
	if strings.TrimSpace(before) == "" {
		return ""
	}
	return "\n\n"
}
