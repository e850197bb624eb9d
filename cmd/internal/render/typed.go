package render

import "strings"

// usualName is the program's name in our own texts.
const usualName = "cp"

// Typed returns one of our texts with the command lines in it as they are typed where the
// program is called by that name. A command line is the name and a word, at the beginning
// of a line, of a quotation or behind a space.
func Typed(name, text string) string {
	if name == "" || name == usualName || !strings.Contains(text, usualName+" ") {
		return text
	}
	var out strings.Builder
	from := 0
	for at := 0; at+len("cp x") <= len(text); at++ {
		begins := at == 0 || strings.IndexByte(" \t\n\f\r`'\"(", text[at-1]) >= 0
		if begins && text[at:at+len("cp ")] == usualName+" " && 'a' <= text[at+3] && text[at+3] <= 'z' {
			out.WriteString(text[from:at] + name)
			from = at + len(usualName)
			at = from + 1
		}
	}
	return out.String() + text[from:]
}
