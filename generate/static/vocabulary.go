package static

import (
	"encoding/json"
	"errors"
	"strconv"
)

// cursor reads the strings and numbers of JSON that is known to be valid. A
// vocabulary has up to 500,000 of them, for which encoding/json takes seconds.
type cursor struct {
	b  []byte
	at int
}

// nextMark moves to the next byte that is a string, a number or a closing bracket,
// and returns it; 0 at the end.
func (c *cursor) nextMark() byte {
	for ; c.at < len(c.b); c.at++ {
		switch ch := c.b[c.at]; ch {
		case ' ', '\t', '\n', '\r', ',', ':', '[', '{':
		default:
			return ch
		}
	}
	return 0
}

var errVocabulary = errors.New("its vocabulary is not one")

func (c *cursor) string() (string, error) {
	if c.nextMark() != '"' {
		return "", errVocabulary
	}
	start, escaped := c.at, false
	for c.at++; c.at < len(c.b) && c.b[c.at] != '"'; c.at++ {
		if c.b[c.at] == '\\' {
			escaped = true
			c.at++
		}
	}
	c.at++
	if c.at > len(c.b) {
		return "", errVocabulary
	}
	if !escaped {
		return string(c.b[start+1 : c.at-1]), nil
	}
	var s string
	err := json.Unmarshal(c.b[start:c.at], &s)
	return s, err
}

func (c *cursor) parseNumber() (float64, error) {
	c.nextMark()
	start := c.at
	for c.at < len(c.b) && (c.b[c.at] >= '0' && c.b[c.at] <= '9' || c.b[c.at] == '-' || c.b[c.at] == '+' || c.b[c.at] == '.' || c.b[c.at]|0x20 == 'e') {
		c.at++
	}
	v, err := strconv.ParseFloat(string(c.b[start:c.at]), 64)
	if err != nil {
		return 0, errVocabulary
	}
	return v, nil
}

// pairs calls fn for each string and the number after it.
func pairs(b []byte, fn func(token string, number float64)) error {
	c := cursor{b: b}
	for {
		switch c.nextMark() {
		case 0:
			return nil
		case ']', '}':
			c.at++
			continue
		}
		token, err := c.string()
		if err != nil {
			return err
		}
		number, err := c.parseNumber()
		if err != nil {
			return err
		}
		fn(token, number)
	}
}

// resident are the tokens of a vocabulary that was read whole.
type resident struct {
	numbers map[string]int32
	rests   map[string]int32 // of the tokens within a word, without their prefix
	scores  []float64        // by number; nil where tokens have none
}

func (r *resident) find(token string) (number int32, score float64, found bool) {
	number, found = r.numbers[token]
	if found && r.scores != nil {
		score = r.scores[number]
	}
	return number, score, found
}

func (r *resident) inside(rest string) (number int32, found bool) {
	number, found = r.rests[rest]
	return number, found
}
