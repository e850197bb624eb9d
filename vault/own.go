package vault

import (
	"slices"
	"time"

	"github.com/cp-memory/cp/vault/header"
)

// Own is a text from outside, taken apart: it may bring a front matter of its own along.
type Own struct {
	Header
	Text  string   // what stands below the front matter; all of it without one
	Other []string // its keys that are not in the table of fields

	h   *header.Header
	doc []byte // the front matter with its fences; nil without one
}

// OwnOf takes a text apart. A front matter that cannot be read is refused: it would stand
// below ours as text. A list or a text between two breaks is none.
func OwnOf(text string) (Own, error) {
	h, body := header.Split([]byte(text))
	err := h.Err()
	switch {
	case !h.HasFrontMatter() || err != nil && err.NoKeys():
		return Own{Text: text}, nil
	case err != nil:
		return Own{}, Errorf(CodeInvalid, "mend it, or take it out; a line above it makes it a part of the text",
			"the text begins with a front matter that cannot be read: line %d: %s", err.Line, err.Msg)
	}
	o := Own{Text: string(body), h: h, doc: []byte(text[:len(text)-len(body)])}
	o.Header, _, _ = header.ReadValues(h)
	for _, key := range h.Keys() {
		if !isField(key) {
			o.Other = append(o.Other, key)
		}
	}
	return o, nil
}

// Says reports whether the front matter has the key.
func (o *Own) Says(key string) bool { return o.h != nil && o.h.Line(key) > 0 }

// Value returns what the front matter says under a key: a text, or a list. ok is false for
// anything else.
func (o *Own) Value(key string) (value string, list []string, ok bool) {
	if value, ok = o.h.Get(key); ok {
		return value, nil, true
	}
	list = o.h.List(key)
	return "", list, list != nil && !o.h.IsMixed(key)
}

// isField reports whether a key is one of the table, or another program's name for one.
func isField(key string) bool {
	return key == header.OurID || header.RankOf(header.FieldOf(key).Key) >= 0
}

// brought are the fields that a text may bring along. The others say what happened to a
// memory: who approved it, where it was promoted to.
var brought = [...]string{"title", "status", "labels", "aliases", "summary", "created"}

// newFrontMatter returns the front matter as that of a new memory: what is no field stays as it is
// written, and a field that no text may bring goes; what another program wrote for itself under
// the name of one stays.
func (o *Own) newFrontMatter() ([]byte, error) {
	doc := o.doc
	if o.h == nil {
		return nil, nil
	}
	for _, key := range o.h.Keys() {
		if !isField(key) || slices.Contains(brought[:], header.FieldOf(key).Key) {
			continue
		}
		var err error
		if doc, err = header.DropKey(doc, key); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// into returns what of a new memory's header is to be written into the front matter: what
// that does not say itself.
func (o *Own) into(h Header) Header {
	if o.h == nil {
		return h
	}
	if all := header.UniqueItems(append(slices.Clone(o.Labels), h.Labels...)); len(all) > len(o.Labels) {
		h.Labels = all
	} else {
		h.Labels = nil
	}
	if o.Says("status") && (h.Status == "" || h.Status == StatusOpen) {
		h.Status = o.Status
	}
	if h.Title == o.Title {
		h.Title = ""
	}
	if h.Summary == o.Summary {
		h.Summary = ""
	}
	if !o.Created.IsZero() {
		h.Created = time.Time{}
	}
	return h
}
