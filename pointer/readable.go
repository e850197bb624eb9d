package pointer

import (
	"encoding/json"
	"strings"
)

// Readable returns the entries that can still be read in content's blocks, however
// damaged: in all blocks, between conflict markers, without commas, half outdented. Of
// several entries with one id the first is in all, the others are in again.
func Readable(content string) (all, again []Entry) {
	seen := map[string]bool{}
	for _, r := range regions(content) {
		entries, _ := parted(content[r.start:r.end])
		for _, e := range entries {
			if id := Fold(e.ID); seen[id] {
				again = append(again, e)
			} else {
				seen[id] = true
				all = append(all, e)
			}
		}
	}
	return all, again
}

// scanner takes a damaged region apart.
type scanner struct {
	text    string
	at      int
	read    int // bytes looked at for objects that span lines
	entries []Entry
	prose   strings.Builder
}

// parted parts a region into the entries that can be read and the prose, as lines.
// Markers, conflict markers, brackets, commas and blank lines are dropped. An object
// without an id is prose, since no entry can replace it.
func parted(region string) ([]Entry, string) {
	s := scanner{text: spread(region)}
	for s.at < len(s.text) {
		s.step()
	}
	return s.entries, s.prose.String()
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

// step takes the next thing.
func (s *scanner) step() {
	line := s.text[s.at:lineEnd(s.text, s.at)]
	trimmed := strings.TrimLeft(line, " \t\r\n,[]}")
	switch {
	case s.furniture(line):
		s.at += len(line)
	case trimmed == "":
		s.at += len(line)
	case trimmed[0] == '{' && s.object(s.at+len(line)-len(trimmed)):
	default:
		s.keep(line)
	}
}

// furniture reports whether a whole line is a marker of ours or of git's.
func (s *scanner) furniture(line string) bool {
	if s.at > 0 && s.text[s.at-1] != '\n' {
		return false
	}
	_, ours := kinds[strings.TrimSpace(line)]
	return ours || conflictLine(line)
}

// keep takes the rest of the line as prose.
func (s *scanner) keep(line string) {
	s.prose.WriteString(strings.TrimLeft(line, " \t,"))
	s.at += len(line)
}

// object takes the object at the offset and reports whether it could. It tries the
// strict reading first, then the lenient one.
func (s *scanner) object(at int) bool {
	e, n := s.strictly(s.text[at:])
	if n == 0 {
		e, n = leniently(s.text[at:])
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

// strictly reads the JSON object that text begins with, and its length: 0 if the object is not valid.
func (s *scanner) strictly(text string) (Entry, int) {
	if s.read > maxRereads*len(s.text)+1<<16 {
		return Entry{}, 0
	}
	var e Entry
	r := strings.NewReader(text)
	dec := json.NewDecoder(r)
	err := dec.Decode(&e)
	s.read += len(text) - r.Len()
	if err != nil {
		return Entry{}, 0
	}
	return e, int(dec.InputOffset())
}

// leniently reads an object whose commas or colons are missing, or that conflict markers
// interrupt, and its length. It gives up (0) at anything but a key with a value, so that
// nothing is dropped unread.
func leniently(text string) (Entry, int) {
	var e Entry
	at := 1
	for {
		at = gap(text, at)
		if at < len(text) && text[at] == '}' {
			return e, at + 1
		}
		n := pair(text[at:], &e)
		if n == 0 {
			return Entry{}, 0
		}
		at += n
	}
}

// gap returns the offset past white space, commas and conflict markers.
func gap(text string, at int) int {
	for at < len(text) {
		end := lineEnd(text, at)
		switch line := text[at:end]; {
		case text[at-1] == '\n' && conflictLine(line):
			at = end
		case strings.IndexByte(" \t\r\n,", text[at]) >= 0:
			at++
		default:
			return at
		}
	}
	return at
}

// pair reads "key": value into e, with or without the colon. It returns the length, 0 if text begins otherwise.
func pair(text string, e *Entry) int {
	key, n := value(text)
	var name string
	if n == 0 || json.Unmarshal(key, &name) != nil {
		return 0
	}
	rest := strings.TrimLeft(text[n:], " \t")
	rest = strings.TrimLeft(strings.TrimPrefix(rest, ":"), " \t")
	raw, m := value(rest)
	if m == 0 || !e.take(name, raw) {
		return 0
	}
	return len(text) - len(rest) + m
}

// take sets the field of that name, or adds it to Extra.
func (e *Entry) take(name string, raw json.RawMessage) bool {
	if dst := e.known(name); dst != nil {
		return json.Unmarshal(raw, dst) == nil
	}
	e.Extra = append(e.Extra, Field{name, raw})
	return true
}

// value reads the JSON value that text begins with, on its first line, and its length: 0 without a value.
func value(text string) (json.RawMessage, int) {
	var raw json.RawMessage
	dec := json.NewDecoder(strings.NewReader(text[:lineEnd(text, 0)]))
	if dec.Decode(&raw) != nil {
		return nil, 0
	}
	return raw, int(dec.InputOffset())
}
