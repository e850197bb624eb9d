package pointer

import (
	"encoding/json"
	"strings"
)

// Remains is what can still be read of damaged blocks.
type Remains struct {
	Entries []Entry // of several with one id the first
	Again   []Entry // the others
	Lost    string  // what begins as an entry inside of an array, and cannot be read as one
}

// Readable returns what can still be read of content's blocks, however damaged: in all
// blocks, between conflict markers, without commas, half outdented, wrapped and escaped by
// a formatter.
func Readable(content string) (r Remains) {
	seen := map[string]bool{}
	for _, region := range regions(content) {
		s := scanRegion(content[region.start:region.end])
		r.Lost += s.lost.String()
		for _, e := range s.entries {
			if id := FoldID(e.ID); seen[id] {
				r.Again = append(r.Again, e)
			} else {
				seen[id] = true
				r.Entries = append(r.Entries, e)
			}
		}
	}
	return r
}

// scanner takes a damaged region apart.
type scanner struct {
	text    string
	at      int
	line    span // that was asked for last
	array   bool // the region begins as an array does
	read    int  // bytes looked at for objects that span lines
	entries []Entry
	prose   strings.Builder // as lines
	lost    strings.Builder // likewise
}

// scanRegion parts a region into the entries that can be read, the prose, and what is lost.
// Markers, conflict markers, brackets, commas and blank lines are dropped. An object without
// an id is no entry.
func scanRegion(region string) *scanner {
	s := &scanner{text: spread(region)}
	for at := 0; at < len(s.text) && !s.array; at = lineEnd(s.text, at) {
		line := strings.TrimSpace(s.text[at:lineEnd(s.text, at)])
		if _, marker := kinds[line]; line != "" && !marker && !conflictLine(line) {
			s.array = line[0] == '[' || strings.HasPrefix(line, `\[`)
			break
		}
	}
	for s.at < len(s.text) {
		s.step()
	}
	return s
}

// spread gives each marker of a block on one line a line of its own.
func spread(region string) string {
	if !strings.Contains(region, HiddenStart) { // both styles begin so
		return region
	}
	var out strings.Builder
	for line := range strings.Lines(region) {
		ms := inline(line, 0, len(line))
		if ms == nil {
			out.WriteString(line)
			continue
		}
		eol := eolOf(line)
		start, end := markersOf(ms[0].hidden)
		out.WriteString(start + eol)
		if body := strings.TrimSpace(line[ms[0].end:ms[1].start]); body != "" {
			out.WriteString(body + eol)
		}
		out.WriteString(end + eol)
	}
	return out.String()
}

// lineEnd is [lineEnd] of the text. A line may hold all entries, each of which asks for it.
func (s *scanner) lineEnd(at int) int {
	if at < s.line.start || at >= s.line.end {
		s.line = span{at, lineEnd(s.text, at)}
	}
	return s.line.end
}

// step takes the next thing.
func (s *scanner) step() {
	line := s.text[s.at:s.lineEnd(s.at)]
	bare := line[brackets(line):]
	switch {
	case s.furniture(line):
		s.at += len(line)
	case bare == "":
		s.at += len(line)
	case bare[0] != '{':
		s.takeProse(line)
	case s.object(s.at + len(line) - len(bare)):
	case s.array:
		s.lose(s.at + len(line) - len(bare))
	default:
		s.takeProse(line)
	}
}

// brackets returns the length of what stands between the objects of an array, at the start
// of text: white space, commas and brackets, perhaps escaped as Markdown's are.
func brackets(text string) int {
	at := 0
	for at < len(text) {
		switch c := text[at]; {
		case strings.IndexByte(" \t\r\n,[]}", c) >= 0:
			at++
		case c == '\\' && at+1 < len(text) && strings.IndexByte("[]{}", text[at+1]) >= 0:
			at++
		default:
			return at
		}
	}
	return at
}

// furniture reports whether a whole line is a marker of ours or of git's.
func (s *scanner) furniture(line string) bool {
	if s.at > 0 && s.text[s.at-1] != '\n' {
		return false
	}
	_, ours := kinds[strings.TrimSpace(line)]
	return ours || conflictLine(line)
}

// takeProse takes the rest of the line as prose, up to the next entry on it.
func (s *scanner) takeProse(line string) {
	if next := beginning(line); next > 0 {
		s.prose.WriteString(strings.TrimLeft(line[:next], " \t,") + eolOf(s.text))
		s.at += next
		return
	}
	s.prose.WriteString(strings.TrimLeft(line, " \t,"))
	s.at += len(line)
}

// beginning returns where the first entry in text begins behind its first letter, or -1.
func beginning(text string) int {
	for at := 1; at < len(text); at++ {
		if text[at] == '{' && quoteAt(strings.TrimLeft(text[at+1:], " \t\r\n")) > 0 {
			return at
		}
	}
	return -1
}

// lose takes what begins at the offset as an entry that cannot be read: all up to the next
// entry, or to the end of the array.
func (s *scanner) lose(at int) {
	rest := s.text[at:]
	end := beginning(rest)
	if end < 0 {
		end = lineEnd(rest, 0)
		for end < len(rest) && !s.closes(rest[end:lineEnd(rest, end)]) {
			end = lineEnd(rest, end)
		}
	}
	s.lost.WriteString(strings.TrimRight(rest[:end], " \t\r\n,") + "\n")
	s.at = at + end
}

// closes reports whether a line ends the array.
func (s *scanner) closes(line string) bool {
	bare := strings.TrimSpace(line)
	_, marker := kinds[bare]
	return marker || conflictLine(line) || bare != "" && brackets(bare) == len(bare)
}

// object takes the object at the offset and reports whether it could. It tries the
// strict reading first, then that of a slip of the hand, then a guess.
func (s *scanner) object(at int) bool {
	e, n := s.strictly(s.text[at:])
	if n == 0 {
		e, n = leniently(s.text[at:], s.readJSONValue)
	}
	if n == 0 {
		e, n = leniently(s.text[at:], s.guess)
		e.Guessed = true
	}
	if n == 0 || e.ID == "" {
		return false
	}
	s.entries = append(s.entries, e)
	s.at = at + n
	return true
}

// maxRereads bounds how often the text is read: each line of "{"a":" begins an object
// that never ends.
const maxRereads = 20

// spent reports whether that often is reached.
func (s *scanner) spent() bool { return s.read > maxRereads*len(s.text)+1<<16 }

// decode reads the JSON value that text begins with into v, and returns its length: 0 if it
// is not valid.
func (s *scanner) decode(text string, v any) int {
	if s.spent() {
		return 0
	}
	r := strings.NewReader(text)
	dec := json.NewDecoder(r)
	err := dec.Decode(v)
	s.read += len(text) - r.Len()
	if err != nil {
		return 0
	}
	return int(dec.InputOffset())
}

// strictly reads the JSON object that text begins with, and its length: 0 if the object is not valid.
func (s *scanner) strictly(text string) (e Entry, n int) {
	n = s.decode(text, &e)
	return e, n
}

// leniently reads an object whose commas or colons are missing, or that conflict markers
// interrupt, and its length. It gives up (0) at anything but a key with a value, so that
// nothing is dropped unread.
func leniently(text string, read func(string) (json.RawMessage, int)) (Entry, int) {
	var e Entry
	at := 1
	for {
		at = gap(text, at)
		if at < len(text) && text[at] == '}' {
			return e, at + 1
		}
		n := pair(text[at:], &e, read)
		if n == 0 {
			return Entry{}, 0
		}
		at += n
	}
}

// gap returns the offset past white space, commas and conflict markers.
func gap(text string, at int) int {
	for at < len(text) {
		switch {
		case text[at-1] == '\n' && conflictLine(text[at:lineEnd(text, at)]):
			at = lineEnd(text, at)
		case strings.IndexByte(" \t\r\n,", text[at]) >= 0:
			at++
		default:
			return at
		}
	}
	return at
}

// pair reads "key": value into e, with or without the colon. It returns the length, 0 if text begins otherwise.
func pair(text string, e *Entry, read func(string) (json.RawMessage, int)) int {
	name, n := readQuotedKey(text)
	if n == 0 {
		return 0
	}
	rest := strings.TrimLeft(text[n:], space)
	rest = strings.TrimLeft(strings.TrimPrefix(rest, ":"), space)
	raw, m := read(rest)
	if m == 0 || !e.setField(name, raw) {
		return 0
	}
	return len(text) - len(rest) + m
}

// space is what stands between the tokens of JSON.
const space = " \t\r\n"

// setField sets the field of that name, or adds it to Extra.
func (e *Entry) setField(name string, raw json.RawMessage) bool {
	if dst := e.knownField(name); dst != nil {
		return json.Unmarshal(raw, dst) == nil
	}
	e.Extra = append(e.Extra, Field{name, raw})
	return true
}

// readJSONValue reads the JSON value that text begins with, on its first line, and its length: 0 without a value.
func (s *scanner) readJSONValue(text string) (raw json.RawMessage, n int) {
	at := len(s.text) - len(text)
	n = s.decode(s.text[at:s.lineEnd(at)], &raw)
	return raw, n
}
