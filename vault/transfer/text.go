package transfer

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
)

// dress returns a source's text as it stands in the vault: with the id (unless
// it is empty), a title where nothing in the text gives one, and the steps in
// carried. A header that cannot be edited stays where it is, as text, below one
// of ours. ok is false when even that cannot be read.
func (s *source) dress(id vault.ID, carried []vault.Step) (text []byte, ok bool) {
	steps := carried
	if id != "" {
		steps = append([]vault.Step{vault.Identify(id, "", "")}, carried...)
	}
	if title := s.missingTitle(); title != "" && !sets(carried, "title") {
		steps = append(slices.Clone(steps), vault.Step{Op: vault.OpSetKey, Key: "title", Value: title})
	}
	return editHeader(s.text, steps)
}

// editHeader returns a text after steps on its header. A header that cannot be edited stays where
// it is, as text, below one of ours. ok is false when even that cannot be read.
func editHeader(doc []byte, steps []vault.Step) (text []byte, ok bool) {
	text, err := vault.ApplySteps(steps, doc)
	if err != nil {
		text, err = vault.ApplySteps(steps, addEmptyHeader(doc))
	}
	return text, err == nil
}

// sets reports whether one of the steps sets the key.
func sets(steps []vault.Step, key string) bool {
	return slices.ContainsFunc(steps, func(s vault.Step) bool { return s.Key == key })
}

// addEmptyHeader returns the text below an empty header of ours. A byte order mark stays first.
func addEmptyHeader(source []byte) []byte {
	const bom = "\uFEFF"
	rest, marked := bytes.CutPrefix(source, []byte(bom))
	eol := prose.LineEnd(rest, nil)
	header := "---" + eol + "---" + eol
	if marked {
		header = bom + header
	}
	return append([]byte(header), rest...)
}

// source is a file to import, taken apart.
type source struct {
	rel    string // slash-separated, below the memory under which it hangs
	text   []byte
	fresh  bool // it is none of the files that are here: no earlier copy of it is looked for
	header *header.Header
	body   []byte
	own    vault.ID // the id it brings along
}

func newSource(text []byte) *source {
	s := &source{text: text}
	s.header, s.body = header.Split(text)
	if s.header.Err() == nil {
		s.own = vault.ID(header.IdentityOf(s.header))
	}
	return s
}

// missingTitle returns the title that a source names where we do not look for
// it: under the key name, as an agent's file does. Empty where the text has a title of its
// own, or none at all.
func (s *source) missingTitle() string {
	if s.header.Line("title") > 0 {
		return ""
	}
	name, _ := s.header.Get("name")
	name = header.OneLine(name)
	if name == "" || vault.ParseText("", s.text).Title != "" { // which no file's name gives
		return ""
	}
	return name
}

// phraseKeys are those under which collections say when a file is needed.
var phraseKeys = [...]string{"description", "when_to_use", "when-to-use", "whenToUse", "use_when", "trigger", "excerpt"}

// maxPhrase cuts descriptions that are whole texts, in bytes.
const maxPhrase = 500

// phraseOf returns the trigger phrase a source brings along; empty if none.
func (s *source) phraseOf(m *vault.Memory) string {
	if m.Summary != "" {
		return m.Summary
	}
	for _, key := range phraseKeys {
		said, _ := s.header.Get(key)
		if phrase := strings.Join(strings.Fields(said), " "); phrase != "" {
			return vault.Clip(phrase, maxPhrase)
		}
	}
	return ""
}

// cutBytes cuts s to at most n bytes on a rune boundary.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
