package transfer

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
)

// reader puts a bundle together.
type reader struct {
	Bundle
	form    Form
	files   []File
	places  map[string]int // taken, folded, each with the last number that was given to one of its name
	sources map[string]bool
	beyond  int // items over the limit
}

// maxLeft bounds the list of what does not come in; its last row says that there is more.
const maxLeft = 1000

// noteLeftOut notes what does not come in.
func (r *reader) noteLeftOut(what, format string, args ...any) {
	if len(r.Left) == maxLeft {
		format, args = "and more after it, which are not listed", nil
	}
	if len(r.Left) <= maxLeft {
		r.Left = append(r.Left, newSkippedRow(vault.Clip(what, 200), fmt.Errorf(format, args...)))
	}
}

// note notes what a person should know.
func (r *reader) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// source names a part of the form's files.
func (r *reader) source(part string) string { return r.form.Name + ":" + header.OneLine(part) }

// maxOwn bounds the ids of other programs that are kept.
const maxOwn = 100

// takeItem takes an item in. One whose source came before is left out.
func (r *reader) takeItem(where string, i Item) {
	switch {
	case r.sources[i.Source]:
		r.noteLeftOut(where, "another one has the same name (%s)", vault.Clip(i.Source, 80))
		return
	case hasBlock(i.Text):
		r.noteLeftOut(where, "it holds the markers of a pointer block, which are written by this program alone")
		return
	case len(r.Items) == maxItems:
		r.beyond++
		return
	}
	r.sources[i.Source] = true
	if len(i.Own) > maxOwn {
		i.Own = ""
	}
	r.Items = append(r.Items, i)
}

// hasBlock reports whether a text has a pointer block, whole or damaged.
func hasBlock(text []byte) bool {
	_, body := header.Split(text)
	b, err := pointer.FindBlock(string(body))
	return b != nil || err != nil
}

// takeComposed takes an item in whose text is made of a header and a body.
func (r *reader) takeComposed(where string, i Item, h vault.Header, body string) {
	text, err := vault.Render(&vault.Memory{Header: h, Prose: trimBody(body)})
	if err != nil {
		r.noteLeftOut(where, "%v", err)
		return
	}
	i.Text = text
	r.takeItem(where, i)
}

// trimBody returns a body without blank lines around it.
func trimBody(body string) string {
	body = strings.TrimRight(strings.TrimLeft(body, "\r\n"), " \t\r\n")
	if body != "" {
		body += "\n"
	}
	return body
}

// placeForTitle returns a free place in a folder for a title.
func (r *reader) placeForTitle(folder, title, fallback string) string {
	return r.freePlace(join(folder, filename.Slug(title, fallback)))
}

// freePlace returns the place, or a numbered one if another item has it.
func (r *reader) freePlace(place string) string {
	first := filename.Fold(place)
	for n := r.places[first] + 1; ; n++ {
		p := place
		if n > 1 {
			p += "-" + strconv.Itoa(n)
		}
		if key := filename.Fold(p); r.places[key] == 0 {
			r.places[key], r.places[first] = 1, n
			return p
		}
	}
}

func join(folder, name string) string {
	if folder == "" {
		return name
	}
	return folder + "/" + name
}

// top takes in the item under which all others hang, and returns its place.
func (r *reader) top(title, phrase, body string) string {
	h := vault.Header{Title: title, Summary: phrase}
	place := r.placeForTitle("", title, r.form.Name)
	r.takeComposed(r.form.Name, Item{Source: r.source(""), Place: place}, h, body)
	return place
}

// titleFromText makes a title of a text. One that does not fit is cut; whole reports whether it fits.
func titleFromText(text string) (title string, whole bool) {
	const most = 100
	line := strings.TrimSpace(text)
	line, _, more := strings.Cut(line, "\n")
	line = header.OneLine(strings.TrimLeft(line, "#*->\t "))
	if utf8.RuneCountInString(line) <= most {
		return line, !more && line == strings.TrimSpace(text)
	}
	cut := string([]rune(line)[:most-1])
	if i := strings.LastIndexByte(cut, ' '); i > most/2 {
		cut = cut[:i]
	}
	return strings.TrimSpace(cut) + "…", false
}

// labels cleans words of other programs to labels: one line, no commas, each once.
func labels(words ...string) (all []string) {
	const most, longest = 50, 100
	for _, w := range words {
		w = strings.Map(func(c rune) rune {
			if c == ',' || c == '[' || c == ']' {
				return ' '
			}
			return c
		}, header.OneLine(w))
		w = strings.TrimLeft(strings.Join(strings.Fields(w), "-"), "#-")
		if w != "" && len(w) <= longest && len(all) < most {
			all = append(all, w)
		}
	}
	return header.UniqueItems(all)
}

// cleanLine cleans a value of one line.
func cleanLine(s string) string { return header.OneLine(strings.ToValidUTF8(s, "\ufffd")) }
