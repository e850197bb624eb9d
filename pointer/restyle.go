package pointer

import "strings"

// Restyle returns content with its block hidden or visible. Only the two marker lines
// change, and in a block that is to be hidden the strings that would end the comment.
func Restyle(content string, hidden bool) (string, error) {
	b, err := FindBlock(content)
	if err != nil || b == nil || b.Hidden == hidden {
		return content, err
	}
	if content, b, err = b.spread(content); err != nil {
		return "", err
	}
	was, _ := markersOf(b.Hidden)
	start, end := markersOf(hidden)
	first, last := content[b.Start:b.body.start], content[b.body.end:b.End]
	body := content[b.body.start:b.body.end]
	if hidden {
		body = disarm(body)
	}
	eol := last[len(strings.TrimRight(last, " \t\r\n")):]
	return content[:b.Start] + strings.Replace(first, was, start, 1) + body + end + eol + content[b.End:], nil
}
