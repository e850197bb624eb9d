package header

// Segment is one top-level key of a header, byte for byte.
type Segment struct {
	Key   string
	Above string // comments and blank lines between the key before and this one
	Text  string // the key's lines, those of its value included
	List  bool   // the value is a list of scalars
}

// Segments takes the header's text apart by key. The segments joined, followed by below,
// are [Header.Text].
func (h *Header) Segments() (all []Segment, below string) {
	h.parseFields()
	if h.isForeign() { // a merge takes it as a text
		return nil, h.text
	}
	at := 0
	for _, f := range h.fields {
		if f.lines.start < at { // several keys on one line: {a: 1, b: 2}
			return nil, h.text
		}
		all = append(all, Segment{Key: f.key, Above: h.text[at:f.lines.start], Text: h.text[f.lines.start:f.lines.end], List: f.kind == list})
		at = f.lines.end
	}
	return all, h.text[at:]
}
