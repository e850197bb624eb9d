package past

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// The parts of a file that are no keys.
const (
	partHeader = "front matter"
	partBlock  = "pointers"
)

// ours is what of a file the program wrote for itself.
type ours struct {
	docs  [][]byte     // the versions of the file: on disk, and in HEAD where that is another; as they will be
	steps []vault.Step // make them so
	parts []string     // of the version on disk
	id    vault.ID     // that goes from there
}

// findOurs finds it in the versions of one file. why says what keeps the program from taking it
// out; it is empty for nothing.
//
//	---                     →     Notes on the gateway.
//	id: pf-7k2m9qx4
//	---
//	Notes on the gateway.
func findOurs(prefix string, docs ...[]byte) (f ours, why string) {
	f.docs = docs
	for _, find := range []func() string{func() string { return f.takeKeys(prefix) }, f.takeHeader, f.takeBlock} {
		if why := find(); why != "" {
			return f, why
		}
	}
	return f, ""
}

// takeStep makes a step on each version.
func (f *ours) takeStep(s vault.Step, part string) (why string) {
	next := slices.Clone(f.docs)
	for i, doc := range f.docs {
		out, err := s.Apply(doc)
		if err != nil {
			return err.Error()
		}
		next[i] = out
	}
	if slices.EqualFunc(next, f.docs, bytes.Equal) {
		return ""
	}
	if !bytes.Equal(next[0], f.docs[0]) {
		f.parts = append(f.parts, part)
	}
	f.docs, f.steps = next, append(f.steps, s)
	return ""
}

// takeKeys takes out the keys that the program writes.
func (f *ours) takeKeys(prefix string) (why string) {
	headers := make([]*header.Header, len(f.docs))
	for i, doc := range f.docs {
		headers[i], _ = header.Split(header.LegibleText(doc))
		if err := headers[i].Err(); err != nil && !err.NoKeys() {
			return "its front matter cannot be read: " + err.Error()
		}
	}
	for _, field := range header.Fields {
		drawn := isOurs(headers[0], field, prefix)
		for _, h := range headers[1:] {
			if field.Key == header.OwnID && isOurs(h, field, prefix) != drawn {
				return "its id was changed by hand and is not committed"
			}
			drawn = drawn || isOurs(h, field, prefix)
		}
		if !drawn {
			continue
		}
		if field.Kind == header.IDValue {
			id, _ := headers[0].Get(field.Key)
			f.id = cmp.Or(f.id, vault.ID(id))
		}
		if why := f.takeStep(vault.Step{Op: vault.OpDropKey, Key: field.Key}, field.Key); why != "" {
			return why
		}
	}
	return ""
}

// isOurs reports whether a header has a key that the program has written. An id that it would
// not draw in this vault is a person's, but for that of the journal's root, which has a name in it.
func isOurs(h *header.Header, f header.Field, prefix string) bool {
	if f.Key == header.OwnID {
		id, _ := h.Get(f.Key)
		return vault.ID(id).IsDrawn(prefix) || h.Line("journal") > 0 && strings.HasPrefix(id, prefix+"-")
	}
	return f.Ours && h.Line(f.Key) > 0
}

// takeHeader takes out front matter in which nothing is left. That of a person's who had
// none in it goes, too: nothing tells it from the program's.
func (f *ours) takeHeader() (why string) {
	if len(f.parts) == 0 {
		return ""
	}
	s := vault.Step{Op: vault.OpTakeOut, Name: vault.TakeFromHeader}
	for _, doc := range f.docs {
		if fences := emptyFences(doc); fences != "" && !slices.Contains(s.List, fences) {
			s.List = append(s.List, fences)
		}
	}
	return f.takeStep(s, partHeader)
}

// emptyFences returns front matter as the program writes it, if there is nothing in it; else "".
func emptyFences(doc []byte) string {
	_, body := header.Split(doc)
	fences := strings.TrimPrefix(string(doc[:len(doc)-len(body)]), "\ufeff")
	if words := strings.Fields(fences); len(words) != 2 || words[0] != "---" || words[1] != "---" {
		return ""
	}
	return strings.TrimLeft(fences, "\r\n")
}

// takeBlock takes out the pointer block.
func (f *ours) takeBlock() (why string) {
	for _, doc := range f.docs {
		_, body := header.Split(doc)
		if _, err := pointer.FindBlock(string(body)); err != nil {
			return "its pointer block cannot be read: " + err.Error()
		}
	}
	return f.takeStep(vault.Step{Op: vault.OpSetBlock}, partBlock)
}
