package about

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/cp-memory/cp/vault"
	kinds "github.com/cp-memory/cp/vault/header"
)

// Row is a binding with its memory.
type Row struct {
	Bound
	File    vault.Path // the memory's
	Finding bool       // it is the place of a finding
	Quiet   bool       // the memory tells of what was, or is over: nothing about it is loud
	Hidden  bool       // denied, waiting for a decision or closed: no agent is told of it unasked
}

// RowsOf returns what a memory is bound to, as its file says it. A finding is bound to its place.
func RowsOf(m *vault.Memory) (all []Row) {
	row := Row{Bound: Bound{ID: m.ID}}
	row.Quiet = !m.InTree() || m.Status == vault.StatusClosed || m.Status == vault.StatusDeferred || len(m.Refers("superseded_by")) > 0
	stamps := StampsFor(m.AboutAt)
	for _, row.Text = range m.About {
		row.Stamp, row.Words = nil, nil
		if s := stamps[row.Text]; len(s) > 0 {
			row.Stamp = &s[len(s)-1]
		}
		if b, err := Parse(row.Text); err == nil && b.IsWhole() {
			row.Words = Words(m.Prose)
		}
		all = append(all, row)
	}
	if place, ok := placeOfFinding(m); ok {
		row.Text, row.Words, row.Finding = place.String(), nil, true
		row.Stamp = &Stamp{Binding: row.Text, Commit: m.Commit}
		all = append(all, row)
	}
	return all
}

// placeOfFinding returns the place that a finding tells of.
func placeOfFinding(m *vault.Memory) (b Binding, ok bool) {
	if m.Type != string(kinds.Finding) || m.File == "" {
		return b, false
	}
	b.Path = m.File
	if n, err := strconv.Atoi(m.Line); err == nil && n > 0 {
		b.From, b.To = n, n
	}
	_, err := Parse(b.String())
	return b, err == nil
}

// Bindings answer which memory is about which code.
type Bindings interface {
	HasAny(ctx context.Context) (bool, error)
	OfMemories(ctx context.Context, ids []vault.ID) ([]Row, error) // by memory, in the order of the file
	OfFile(ctx context.Context, path string) ([]Row, error)        // of the file, of folders above it, of globs that fit
	AllBindings(ctx context.Context) ([]Row, error)                // but those of findings
}

var quoted = regexp.MustCompile("`[^`\n]+`")

// mostWords bounds the words of one memory.
const mostWords = 200

// Words returns the words that a text has in backticks, each once, of at least four letters.
func Words(prose string) (all []string) {
	seen := make(map[string]bool)
	for _, code := range quoted.FindAllString(prose, -1) {
		for word := range strings.FieldsFuncSeq(code, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if countLetters(word) >= 4 && !seen[word] && len(all) < mostWords {
				seen[word] = true
				all = append(all, word)
			}
		}
	}
	return all
}

func countLetters(word string) (n int) {
	for _, r := range word {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// StatesOf returns how the code of memories stands, by their ids: of rows that lie by memory.
func (j *Judge) StatesOf(ctx context.Context, rows []Row) (map[vault.ID]*vault.CodeState, error) {
	bound := make([]Bound, len(rows))
	for i := range rows {
		bound[i] = rows[i].Bound
	}
	states, err := j.States(ctx, bound)
	if err != nil {
		return nil, err
	}
	all := make(map[vault.ID]*vault.CodeState)
	for i := range rows {
		c := all[rows[i].ID]
		if c == nil {
			c = &vault.CodeState{Quiet: rows[i].Quiet, State: vault.CodeCurrent}
			all[rows[i].ID] = c
		}
		c.Bindings = append(c.Bindings, states[i])
		if vault.IsLouder(states[i].State, c.State) {
			c.State = states[i].State
		}
	}
	return all, nil
}
