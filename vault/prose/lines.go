package prose

import (
	"bytes"
	"strings"
)

// SetSetting returns a settings file with a top-level key set to a plain value. The
// comment behind the old value stays, and so does everything else.
func SetSetting(doc []byte, key, value string) []byte {
	lines := bytes.SplitAfter(doc, []byte("\n"))
	for i, line := range lines {
		rest, ok := strings.CutPrefix(string(line), key+":")
		if !ok {
			continue
		}
		old := strings.Fields(rest + " #")[0]
		if old == value {
			return doc
		}
		if strings.HasPrefix(old, "#") { // no value
			lines[i] = []byte(key + ": " + value + rest)
		} else {
			lines[i] = []byte(key + ":" + strings.Replace(rest, old, value, 1))
		}
		return bytes.Join(lines, nil)
	}
	eol := LineEnd(doc, nil)
	if len(doc) > 0 && doc[len(doc)-1] != '\n' {
		doc = append(doc[:len(doc):len(doc)], eol...)
	}
	return append(doc[:len(doc):len(doc)], key+": "+value+eol...)
}

// AddLine returns a text with a line at its end, unless it stands there.
func AddLine(doc []byte, line string) []byte {
	for had := range strings.Lines(string(doc)) {
		if strings.TrimRight(had, "\r\n") == line {
			return doc
		}
	}
	eol := LineEnd(doc, nil)
	if len(doc) > 0 && doc[len(doc)-1] != '\n' {
		line = eol + line
	}
	return append(doc[:len(doc):len(doc)], line+eol...)
}
