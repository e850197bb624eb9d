package secret

import "strings"

// Blot takes out what looks like a credential: it is in a file already, and need
// not be anywhere else.
func Blot(text string) string {
	var b strings.Builder
	at := 0
	for _, f := range Scan([]byte(text)) {
		b.WriteString(text[at:f.Start] + "[secret]")
		at = f.End
	}
	return b.String() + text[at:]
}
