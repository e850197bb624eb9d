package transfer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// mem0's plugin exports blocks, one below the other:
//
//	---
//	id: 3f0c…
//	created_at: 2026-01-02T03:04:05Z
//	type: preference
//	confidence: 0.9
//	branch: main
//	files: [a.go]
//	categories: [tools]
//	---
//	The text.
//
// Its API answers with {"results": [{"id", "memory", "categories", "metadata", "created_at"}]},
// which is read too. A memory keeps id and date; type and categories are labels.

// mem0 reads the form.
func (r *reader) mem0() {
	folder := ""
	top := func() string {
		if folder == "" {
			folder = r.top("mem0", "When you look for what mem0 has remembered", "Memories of mem0, brought in from its export.\n")
		}
		return folder
	}
	for _, f := range r.files {
		if text := strings.TrimSpace(string(f.Text)); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
			r.mem0JSON(f, text, top)
			continue
		}
		for n, block := range splitAppended(string(f.Text), "id", "created_at") {
			r.mem0Block(fmt.Sprintf("%s, block %d", f.Rel, n+1), block, top)
		}
	}
}

// mem0Block takes one block in.
func (r *reader) mem0Block(where, block string, top func() string) {
	h, body := header.Split([]byte(block))
	if !h.HasFrontMatter() || h.Err() != nil {
		r.noteLeftOut(where, "its header cannot be read")
		return
	}
	get := func(key string) string { s, _ := h.Get(key); return s }
	m := memory{ID: get("id"), Memory: string(body), Created: get("created_at"), Categories: h.List("categories")}
	m.Categories = append([]string{get("type")}, m.Categories...)
	m.about = m.aboutOf(map[string]string{"confidence": get("confidence"), "branch": get("branch"), "files": strings.Join(h.List("files"), ", ")})
	r.mem0Memory(where, m, top)
}

// memory is one memory of mem0.
type memory struct {
	ID         string         `json:"id"`
	Memory     string         `json:"memory"`
	Text       string         `json:"text"`
	Categories []string       `json:"categories"`
	Metadata   map[string]any `json:"metadata"`
	Created    string         `json:"created_at"`
	about      string         // what else is said of it, in a line
}

// mem0JSON takes in the answer of the API.
func (r *reader) mem0JSON(f File, text string, top func() string) {
	var all []memory
	var answer struct {
		Results  []memory `json:"results"`
		Memories []memory `json:"memories"`
	}
	err := json.Unmarshal([]byte(text), &all)
	if strings.HasPrefix(text, "{") {
		err = json.Unmarshal([]byte(text), &answer)
		all = append(answer.Results, answer.Memories...)
	}
	if err != nil {
		r.noteLeftOut(f.Rel, "it cannot be read: %v", jsonError(err))
		return
	}
	for n, m := range all {
		said := make(map[string]string)
		for _, key := range []string{"confidence", "branch", "files"} {
			if v := m.Metadata[key]; v != nil {
				said[key] = fmt.Sprint(v)
			}
		}
		if kind, ok := m.Metadata["type"].(string); ok {
			m.Categories = append([]string{kind}, m.Categories...)
		}
		m.about = m.aboutOf(said)
		r.mem0Memory(fmt.Sprintf("%s, memory %d", f.Rel, n+1), m, top)
	}
}

// aboutOf returns what else is said of a memory.
func (m memory) aboutOf(said map[string]string) string {
	var all []string
	for _, key := range []string{"confidence", "branch", "files"} {
		if v := cleanLine(said[key]); v != "" {
			all = append(all, key+": "+v)
		}
	}
	return strings.Join(all, " · ")
}

// mem0Memory takes a memory in. One without an id is named by its text.
func (r *reader) mem0Memory(where string, m memory, top func() string) {
	text := strings.TrimSpace(cmp.Or(m.Memory, m.Text))
	if text == "" {
		r.noteLeftOut(where, "it has no text")
		return
	}
	title, whole := titleFromText(text)
	if title == "" {
		title = "Memory " + cleanLine(m.ID)
	}
	body := text
	if whole {
		body = ""
	}
	if m.about != "" {
		body = strings.TrimLeft(body+"\n\n"+m.about, "\n")
	}
	name := cmp.Or(cleanLine(m.ID), shortHash([]byte(strings.Join(strings.Fields(text), " "))))
	i := Item{Source: r.source(name), Place: r.placeForTitle(top(), title, name), Own: m.ID}
	r.takeComposed(where, i, vault.Header{Title: title, Labels: labels(m.Categories...), Created: header.ParseDate(m.Created)}, body)
}
