package pointer

import (
	"strings"
	"unicode/utf8"
)

// usual reads the array as nearly everybody writes it: objects whose values are
// strings without escapes, under the keys we know, each once. It reports false for
// anything else, which is then left to encoding/json.
//
// A block of 1,000 entries takes it a sixteenth of the time (0.9 ms instead of 13.5).
// Without it the rebuild of the index costs a tenth more processor time (1,000 files
// with a pointer each, median of 20: 309 ms instead of 281).
func (b *Block) usual(text string) bool {
	c := cursor{text: text}
	if !utf8.ValidString(text) || !c.takes('[') {
		return false
	}
	b.array.start = b.body.start + c.at - 1
	for c.takes('{') {
		from := c.at - 1
		o, ok := c.object(from)
		if !ok {
			return false
		}
		b.items = append(b.items, element{span{b.body.start + from, b.body.start + c.at}, o})
		if !c.takes(',') {
			break
		}
		if c.space(); !strings.HasPrefix(c.text[c.at:], "{") {
			return false
		}
	}
	if !c.takes(']') {
		return false
	}
	b.array.end = b.body.start + c.at
	c.space()
	return c.at == len(text)
}

// cursor is a place in the text of an array.
type cursor struct {
	text string
	at   int
}

func (c *cursor) space() {
	for c.at < len(c.text) && strings.IndexByte(" \t\r\n", c.text[c.at]) >= 0 {
		c.at++
	}
}

// takes skips space. If letter is next it moves past it and returns true.
func (c *cursor) takes(letter byte) bool {
	c.space()
	if c.at == len(c.text) || c.text[c.at] != letter {
		return false
	}
	c.at++
	return true
}

// object reads what follows the brace at from, to its end.
func (c *cursor) object(from int) (object, bool) {
	o := object{values: make(map[string]span, 3), idEnd: c.at - from}
	for {
		key, ok := c.readString()
		if !ok || !c.takes(':') {
			return o, false
		}
		c.space()
		start := c.at
		value, ok := c.readString()
		dst := o.entry.knownField(key)
		if _, again := o.values[key]; !ok || dst == nil || again {
			return o, false
		}
		*dst, o.values[key] = value, span{start - from, c.at - from}
		if key == "id" {
			o.idEnd = c.at - from
		}
		if !c.takes(',') {
			return o, c.takes('}')
		}
	}
}

// readString reads a string without escapes.
func (c *cursor) readString() (string, bool) {
	if !c.takes('"') {
		return "", false
	}
	from := c.at
	for ; c.at < len(c.text); c.at++ {
		switch letter := c.text[c.at]; {
		case letter == '"':
			c.at++
			return c.text[from : c.at-1], true
		case letter == '\\' || letter < ' ':
			return "", false
		}
	}
	return "", false
}
