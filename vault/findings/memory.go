package findings

import (
	"strconv"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// A finding's memory has its severity, category, file and line in the header, and in the text
// its details, then the section Remediation and, once it is resolved, the section Resolution:
//
//	---
//	id: pf-7k2m9qx4
//	title: "[HIGH] SQL injection in user_query()"
//	type: finding
//	…
//	severity: high
//	category: security
//	file: src/user.py
//	line: 42
//	---
//	The name goes into the query as it is.
//
//	## Remediation
//
//	Bind it.

const remediation = "Remediation"

// findingText returns the text of the finding's memory. No heading of the finding ends a section.
func (f *Finding) findingText() string {
	var b strings.Builder
	if f.Details != "" {
		b.WriteString(journal.LowerHeadings(f.Details) + "\n")
	}
	if f.Remediation != "" {
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString("## " + remediation + "\n\n" + journal.LowerHeadings(f.Remediation) + "\n")
	}
	return b.String()
}

// newMemory returns the finding as a new memory.
func (f *Finding) newMemory(id vault.ID, o *Add, creator string) *vault.Memory {
	m := &vault.Memory{ID: id, Prose: f.findingText(), Header: vault.Header{Title: f.Title(), Type: string(header.Finding),
		Labels: f.Tags, Summary: f.Phrase(), Created: o.Created, Creator: creator}}
	h := &m.Header
	h.Spec, h.Anchor, h.Severity, h.Category, h.File = o.Spec, o.Anchor, f.Severity, f.Category, f.File
	if f.Line > 0 {
		h.Line = strconv.Itoa(f.Line)
	}
	return m
}

// Known is a finding that the vault remembers.
type Known struct {
	ID vault.ID `json:"id,omitempty"`
	Finding
	Status     string     `json:"status"`
	Agent      string     `json:"agent,omitempty"` // of its category
	Resolution string     `json:"resolution,omitempty"`
	Resolved   time.Time  `json:"resolved_at,omitzero"`
	Created    time.Time  `json:"created_at,omitzero"`
	Spec       string     `json:"spec,omitempty"`
	Commit     string     `json:"commit,omitempty"`
	Review     vault.ID   `json:"review,omitempty"` // that found it first
	Again      []vault.ID `json:"found_again_by"`   // later reviews
	Path       vault.Path `json:"path,omitempty"`
	relates    []string
}

// Open reports whether the finding is not resolved.
func (k *Known) Open() bool { return k.Status != vault.StatusClosed }

// CountReviews is how many reviews have found it.
func (k *Known) CountReviews() int { return 1 + len(k.Again) }

// FromMemory reads a finding from its memory.
func FromMemory(m *vault.Memory) Known {
	h := &m.Header
	k := Known{ID: m.ID, Status: h.Status, Resolution: h.Resolution, Resolved: h.Resolved, Created: h.Created, Spec: h.Spec, Commit: h.Commit,
		Path: m.Path, Again: []vault.ID{}, relates: m.Refers("relates_to")}
	k.Severity, k.Category, k.File, k.Tags = foldWord(h.Severity), categoryOf(h.Category), h.File, h.Labels
	k.Agent = Agent(k.Category)
	k.Line, _ = strconv.Atoi(h.Line)
	k.Summary = strings.TrimPrefix(h.Title, "["+strings.ToUpper(k.Severity)+"] ")
	parts := sectionTexts(m.Prose)
	k.Details, k.Remediation = parts[""], parts[remediation]
	if text := parts[journal.Resolution]; text != "" {
		k.Resolution = text
	}
	return k
}

// sectionTexts returns the texts of a memory by their headings of level two; what stands before
// the first heading has none. Of two sections with one name the later one counts. A heading in
// a block of code is none.
func sectionTexts(prose string) map[string]string {
	all, name, fence := make(map[string]string), "", ""
	for line := range strings.Lines(strings.ReplaceAll(prose, "\r\n", "\n")) {
		mark := journal.FenceOf(line)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		case fence == "" && strings.HasPrefix(line, "## "):
			name = strings.TrimSpace(line[3:])
			all[name] = ""
			continue
		}
		all[name] += line
	}
	for name, text := range all {
		all[name] = strings.TrimSpace(text)
	}
	return all
}

// closeFence returns a text in which every block of code has an end. Without it the text that
// follows would be in the block.
func closeFence(text string) string {
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		switch mark := journal.FenceOf(line); {
		case fence == "":
			fence = mark
		case strings.HasPrefix(mark, fence):
			fence = ""
		}
	}
	if fence == "" {
		return text
	}
	return text + "\n" + fence
}
