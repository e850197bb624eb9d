package header

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"
)

// SetLine returns a settings file with a key at its top set to a value: on its own line, or
// on a new one at the end. Every other byte stays, the comment behind the old value too, and
// so does a value that reads alike. The file need not be one that can be read as a whole.
//
//	format: 1 # of 1     →    format: 2 # of 1
func SetLine(doc []byte, key, value string) []byte {
	lines := bytes.SplitAfter(doc, []byte("\n"))
	for i, line := range lines {
		if bytes.HasPrefix(line, []byte(key+":")) {
			next, ok := SetValue(string(line), value)
			if !ok {
				next = key + ": " + Scalar(value) + eolOf(line)
			}
			lines[i] = []byte(next)
			return bytes.Join(lines, nil)
		}
	}
	return AddLine(doc, key+": "+Scalar(value))
}

// AddLine returns a text with a line at its end, unless it stands there.
func AddLine(doc []byte, line string) []byte {
	for had := range strings.Lines(string(doc)) {
		if strings.TrimRight(had, "\r\n") == line {
			return doc
		}
	}
	eol := eolOf(doc)
	if len(doc) > 0 && doc[len(doc)-1] != '\n' {
		line = eol + line
	}
	return append(doc[:len(doc):len(doc)], line+eol...)
}

// SetValue returns a line of YAML, key: value, with another value. The comment behind it
// stays. A line that has the value stays as it is. ok is false where that is no such line.
func SetValue(line, value string) (with string, ok bool) {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(line), &doc) != nil || len(doc.Content) == 0 || len(doc.Content[0].Content) != 2 {
		return line, false
	}
	old := doc.Content[0].Content[1]
	if old.Kind != yaml.ScalarNode || old.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return line, false
	}
	if old.Value == value && value != "" {
		return line, true
	}
	none := old.Value == "" && old.Tag == "!!null" // it stands nowhere
	end := strings.LastIndex(line, old.LineComment)
	if none {
		end = strings.Index(line, " #")
	}
	if !none && old.LineComment == "" || end < 0 {
		end = len(strings.TrimRight(line, "\r\n"))
	}
	end = len(strings.TrimRight(line[:end], " \t"))
	if none {
		return line[:end] + " " + Scalar(value) + line[end:], true
	}
	return string([]rune(line)[:old.Column-1]) + Scalar(value) + line[end:], true
}

// Scalar writes a text so that YAML reads it back. A plain number stays one on purpose: it is
// the format of a vault.
func Scalar(value string) string {
	b, err := yaml.Marshal(value)
	if strings.Trim(value, "0123456789") == "" || err != nil {
		return value
	}
	return strings.TrimSpace(string(b))
}
