package splice

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// item is a member of an object or an element of an array.
type item struct {
	before     hujson.Extra // from the comma or bracket before it
	start, end int
	after      hujson.Extra // up to the comma behind it
}

// composite returns the items of an object or array; comma reports whether one follows the last.
func composite(v *hujson.Value) (all []item, comma bool) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for _, m := range c.Members {
			all = append(all, item{m.Name.BeforeExtra, m.Name.StartOffset, m.Value.EndOffset, m.Value.AfterExtra})
		}
	case *hujson.Array:
		for _, e := range c.Elements {
			all = append(all, item{e.BeforeExtra, e.StartOffset, e.EndOffset, e.AfterExtra})
		}
	}
	return all, len(all) > 0 && all[len(all)-1].after != nil
}

// insert puts a member, or an element where there is no name, behind the last item of an
// object or array, in the layout of its neighbours.
func (d document) insert(at *hujson.Value, name, value []byte) []byte {
	all, comma := composite(at)
	if len(all) == 0 {
		return d.insertFirst(at, name, value)
	}
	last := all[len(all)-1]
	at1 := last.end // where the comma is put
	behind := last.end
	if comma {
		behind = last.end + len(last.after) + 1
	}
	rest := d.text[behind : at.EndOffset-1]
	same := sameLine(rest)
	lead := leading(all[len(all)-1].before)
	fresh := slices.Concat([]byte(lead), d.member(name, value, lead))
	if comma {
		return slices.Concat(d.text[:behind+same], fresh, []byte(","), d.text[behind+same:])
	}
	return slices.Concat(d.text[:at1], []byte(","), d.text[at1:behind+same], fresh, d.text[behind+same:])
}

// insertFirst makes the only item of an object or array.
func (d document) insertFirst(at *hujson.Value, name, value []byte) []byte {
	from, to := at.StartOffset+1, at.EndOffset-1
	inner := bytes.TrimRight(d.text[from:to], " \t\r\n")
	if d.isOneLine() {
		return slices.Concat(d.text[:from], inner, d.member(name, value, ""), d.text[to:])
	}
	own := d.indentAt(at.StartOffset)
	lead := d.eol() + own + d.findIndent()
	return slices.Concat(d.text[:from], inner, []byte(lead), d.member(name, value, lead), []byte(d.eol()+own), d.text[to:])
}

// member lays out a value behind its name. lead is what stands before it: a line end and an
// indentation, or blanks on a line of its neighbours.
func (d document) member(name, value []byte, lead string) []byte {
	var b bytes.Buffer
	if name != nil {
		b.Write(name)
		b.WriteString(":")
	}
	if !strings.Contains(lead, "\n") {
		if name != nil && lead != "" {
			b.WriteString(" ")
		}
		_ = json.Compact(&b, value)
		return b.Bytes()
	}
	if name != nil {
		b.WriteString(" ")
	}
	b.Write(d.indentValue(value, lead[strings.LastIndexByte(lead, '\n')+1:]))
	return b.Bytes()
}

// laid lays out a value that replaces the one at a place.
func (d document) laid(value []byte, at int) []byte {
	if line := d.text[:at]; d.isOneLine() || !bytes.Contains(line, []byte("\n")) && bytes.Count(d.text, []byte("\n")) < 2 {
		var b bytes.Buffer
		_ = json.Compact(&b, value)
		return b.Bytes()
	}
	return d.indentValue(value, d.indentAt(at))
}

func (d document) indentValue(value []byte, prefix string) []byte {
	var b bytes.Buffer
	_ = json.Indent(&b, value, prefix, d.findIndent())
	return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte(d.eol()))
}

// remove takes the item at a path out.
func (d document) remove(path []string) []byte {
	at := d.root.Find(pointer(path[:len(path)-1]))
	all, comma := composite(at)
	i := slices.IndexFunc(all, func(it item) bool { return it.end == d.root.Find(pointer(path)).EndOffset })
	it := all[i]
	// Comments before it that stand on the line of its neighbour, or on lines of their own, stay.
	from := it.start - (len(it.before) - len(bytes.TrimRight(it.before, " \t\r\n")))
	if len(all) == 1 {
		to := it.end
		if comma {
			to += len(it.after) + 1
		}
		head, tail := d.text[:from], d.text[to:]
		if len(bytes.TrimSpace(d.text[at.StartOffset+1:from])) == 0 && len(bytes.TrimSpace(d.text[to:at.EndOffset-1])) == 0 {
			head, tail = d.text[:at.StartOffset+1], d.text[at.EndOffset-1:]
		}
		return slices.Concat(head, tail)
	}
	if i < len(all)-1 || comma {
		return slices.Concat(d.text[:from], d.text[it.end+len(it.after)+1:])
	}
	before := all[i-1]
	mark := before.end + len(before.after) // the comma before it
	return slices.Concat(d.text[:mark], d.text[mark+1:from], d.text[it.end:])
}

// sameLine returns the length of a comment that stands on the line where extra begins, with
// the blanks before it.
func sameLine(extra []byte) int {
	line, _, _ := bytes.Cut(extra, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	blank := len(line) - len(bytes.TrimLeft(line, " \t"))
	switch rest := line[blank:]; {
	case bytes.HasPrefix(rest, []byte("//")):
		return len(line)
	case bytes.HasPrefix(rest, []byte("/*")) && bytes.HasSuffix(rest, []byte("*/")):
		return len(line)
	}
	return 0
}

// leading is the whitespace that ends with an item: a line end and an indentation, or
// blanks.
func leading(before []byte) string {
	s := string(before)
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		if i > 0 && s[i-1] == '\r' {
			i--
		}
		s = s[i:]
		if at := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune(" \t\r\n", r) }); at >= 0 {
			s = s[:at]
		}
		return s
	}
	if strings.TrimSpace(s) != "" {
		return " "
	}
	return s
}

// isOneLine reports whether a document with something in it stands on one line.
func (d document) isOneLine() bool {
	text := bytes.TrimSpace(d.text)
	return !bytes.Contains(text, []byte("\n")) && len(text) > len("{ }")
}

// eol is the line end of a document.
func (d document) eol() string {
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// findIndent is the indentation of a document, two blanks where it has none.
func (d document) findIndent() string {
	if all, _ := composite(&d.root); len(all) > 0 {
		if lead := leading(all[0].before); strings.Contains(lead, "\n") {
			if in := lead[strings.LastIndexByte(lead, '\n')+1:]; in != "" {
				return in
			}
		}
	}
	return "  "
}

// indentAt is the indentation of the line of a place.
func (d document) indentAt(at int) string {
	line := d.text[bytes.LastIndexByte(d.text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}
