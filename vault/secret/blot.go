package secret

import "strings"

// Blotted stands in a text where Blot has taken something out.
const Blotted = "[secret]"

// Blot takes out what looks like a credential: it is in a file already, and need
// not be anywhere else.
func Blot(text string) string {
	var b strings.Builder
	at := 0
	for _, f := range FindCredentials([]byte(text)) {
		b.WriteString(text[at:f.Start] + Blotted)
		at = f.End
	}
	return b.String() + text[at:]
}
