package render

import (
	"strings"

	"github.com/cp-memory/cp/cmd/internal/guide"
)

// usualName is the program's name in our own texts, and bareName the one under which the
// commands about memories need no group before them.
const usualName, bareName = "cp", "cp-memory"

// IsBareName reports whether the program, called by name, takes "recall" for "memory recall".
func IsBareName(name string) bool {
	return name[strings.LastIndexByte(name, '/')+1:] == bareName
}

// RenameCommands returns one of our texts with the command lines in it as they are typed where the
// program is called by that name. A command line is the name and a word, at the beginning
// of a line, of a quotation or behind a space. Under a bare name the word memory falls away
// before another one. For [guide.Tools] they are named as the tools that do the same.
func RenameCommands(name, text string) string {
	if name == guide.Tools {
		return guide.SayTools(text)
	}
	if name == "" || name == usualName || !strings.Contains(text, usualName+" ") {
		return text
	}
	var out strings.Builder
	from, bare := 0, IsBareName(name)
	for at := 0; at+len("cp x") <= len(text); at++ {
		begins := at == 0 || strings.IndexByte(" \t\n\f\r`'\"(", text[at-1]) >= 0
		if begins && text[at:at+len("cp ")] == usualName+" " && small(text[at+3]) {
			out.WriteString(text[from:at] + name)
			from = at + len(usualName)
			if rest, ok := strings.CutPrefix(text[from:], " memory "); bare && ok && rest != "" && small(rest[0]) {
				from += len(" memory")
			}
			at = from + 1
		}
	}
	return out.String() + text[from:]
}

func small(c byte) bool { return 'a' <= c && c <= 'z' }
