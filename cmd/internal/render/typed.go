package render

import (
	"regexp"
	"strings"
	"sync"
)

// usualName is the program's name in our own texts.
const usualName = "cp"

// ourCommands finds command lines of ours in a text: the name and a word.
var ourCommands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("(?m)(^|[\\s`'\"(])cp ([a-z])") })

// Typed returns one of our texts with the command lines in it as they are typed where the
// program is called by that name.
func Typed(name, text string) string {
	if name == "" || name == usualName || !strings.Contains(text, usualName+" ") {
		return text
	}
	return ourCommands().ReplaceAllStringFunc(text, func(found string) string {
		at := len(found) - len("cp x")
		return found[:at] + name + found[at+len(usualName):]
	})
}
