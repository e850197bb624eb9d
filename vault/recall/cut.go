package recall

import (
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// cutter cuts one memory.
type cutter struct {
	body  string
	title string
	head  string // what every passage begins with
	lines []line
	all   []TextPassage
	full  bool
}

// document cuts the whole text.
func (c *cutter) document() {
	first := c.heading(0, len(c.lines))
	c.paragraphs(0, first, nil, nil)
	c.cutSections(first, len(c.lines), nil)
}

// cutSections cuts the lines from from to to, of which the first is a heading, below the headings
// way.
func (c *cutter) cutSections(from, to int, way []string) {
	for from < to && !c.full {
		end := from + 1
		for end < to && (c.lines[end].level == 0 || c.lines[end].level > c.lines[from].level) {
			end++
		}
		c.cutSection(from, end, way)
		from = end
	}
}

// cutSection cuts one section, unless it fits as it is.
func (c *cutter) cutSection(from, to int, way []string) {
	if c.sumTokens(from, to) <= c.room(way) {
		c.emit(c.lines[from:to], way)
		return
	}
	own := append(way[:len(way):len(way)], c.lines[from].heading)
	next := c.heading(from+1, to)
	if !c.only(from, next) {
		c.paragraphs(from, next, way, own)
	}
	c.cutSections(next, to, own)
}

// heading returns the first line from from that is a heading, or to.
func (c *cutter) heading(from, to int) int {
	for from < to && c.lines[from].level == 0 {
		from++
	}
	return from
}

// only reports whether a heading has no text of its own.
func (c *cutter) only(from, to int) bool {
	for _, l := range c.lines[from+1 : to] {
		if !l.blank() {
			return false
		}
	}
	return true
}

// paragraphs cuts lines at blank ones. The first passage lies below the headings way, the
// others below own.
func (c *cutter) paragraphs(from, to int, way, own []string) {
	start, fits := from, from // what begins at start fits up to fits
	for at := from; at < to; {
		end := at
		for end < to && !c.lines[end].blank() {
			end++
		}
		for end < to && c.lines[end].blank() {
			end++
		}
		if start < fits && c.sumTokens(start, end) > c.room(way) {
			c.emit(c.lines[start:fits], way)
			start, way = fits, own
		}
		if c.sumTokens(start, end) > c.room(way) {
			c.rows(start, end, way, own)
			start, way = end, own
		}
		at, fits = end, end
	}
	c.emit(c.lines[start:to], way)
}

// rows cuts a long paragraph at the ends of its lines.
func (c *cutter) rows(from, to int, way, own []string) {
	start := from
	for at := from; at < to; at++ {
		if start < at && c.sumTokens(start, at+1) > c.room(way) {
			c.emit(c.lines[start:at], way)
			start, way = at, own
		}
		if l := c.lines[at]; l.tokens > c.room(way) {
			c.halves(l.text, way)
			start, way = at+1, own
		}
	}
	c.emit(c.lines[start:to], way)
}

// halves cuts a long line near its middle, again and again.
func (c *cutter) halves(text string, way []string) {
	if c.full {
		return
	}
	if measure(text) <= c.room(way) {
		c.addPassage(text, way)
		return
	}
	half := middle(text)
	c.halves(text[:half], way)
	c.halves(text[half:], way)
}

// middle returns a place near the middle of a text at which it may be cut.
func middle(text string) int {
	half := len(text) / 2
	if blank := strings.LastIndexByte(text[:half], ' '); blank > len(text)/4 {
		return blank
	}
	for half > 1 && !utf8.RuneStart(text[half]) {
		half--
	}
	return max(half, 1)
}

// emit adds the passage that lines are, unless they are blank.
func (c *cutter) emit(lines []line, way []string) {
	if len(lines) == 0 {
		return
	}
	first, last := lines[0], lines[len(lines)-1]
	if own := c.body[first.start : last.start+len(last.text)]; strings.TrimSpace(own) != "" {
		c.addPassage(own, way)
	}
}

// addPassage adds a passage.
func (c *cutter) addPassage(own string, way []string) {
	if len(c.all) == MostPassages {
		c.full = true
		return
	}
	text := c.headingText(way) + own
	c.all = append(c.all, TextPassage{Hash: vault.TextHash(text), Text: text, Own: own})
}

// headingText returns what a passage below the headings way begins with.
func (c *cutter) headingText(way []string) string {
	var said []string
	for _, h := range way {
		if h != c.title {
			said = append(said, h)
		}
	}
	if len(said) == 0 {
		return c.head
	}
	return c.head + shorten(strings.Join(said, " › ")) + "\n\n"
}

// room returns the tokens that are left for a passage below the headings way.
func (c *cutter) room(way []string) int { return PassageTokens - measure(c.headingText(way)) }

// sumTokens returns the tokens of lines.
func (c *cutter) sumTokens(from, to int) int {
	if from >= to {
		return 0
	}
	last := c.lines[to-1]
	return last.before + last.tokens - c.lines[from].before
}
