package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/tree"
)

// Show writes one memory: a header, its text, and its children as pointers or
// in frames.
//
//	Deployment
//	──────────
//	ID:       pf-aa1
//	File:     memory/deployment.md
//	Author:   agent-penfold
//	Created:  2026-02-07
//	Children: 1
//	Accessed: 14 times (last: 2h ago)
//	Tokens:   about 120
//
//	Overview of how we deploy …
//
//	Sub-memories (expanded):
//
//	  └─ pf-aa2: Troubleshooting
//	     Labels: nomad
func Show(s Screen, m tree.Shown) {
	writeShownMemory(s, m, [][2]string{
		{"File", m.File},
		{"Author", m.Creator},
		{"Created", header.FormatDay(m.Created)},
		{"Version", formatCount(m.Version)},
		{"Facts", factsOf(m)},
		{"Children", children(m)},
		{"Accessed", describeAccess(s, m.ShownText)},
		{"Tokens", fmt.Sprintf("about %d", m.Tokens)},
	})
}

// writeShownMemory writes what both forms of show have, with rows of the form's own.
func writeShownMemory(s Screen, m tree.Shown, rows [][2]string) {
	headerLines(s, m.Title, slices.Concat([][2]string{
		{"ID", string(m.ID) + standIn(m.New) + readOnly(m.ReadOnly)},
		{"Type", m.Type},
		{"Status", m.Status + describeMark(m.Mark)},
		{"Changes", whoChanges(m.Protected)},
		{"Deferred", until(s, m)},
		{"Replaced", describeSuccessor(m)},
		{"Denied", denial(m.Denial)},
		{"Labels", strings.Join(m.Labels, ", ")},
		{"Source", m.Source},
		{"Code", listBindings(m.Code)},
	}, headerRows(m), rows))
	writeBody(s, m)
}

// headerRows returns what the header tells of an entry, a finding, or what people decide about.
func headerRows(m tree.Shown) [][2]string {
	rows := m.Entry.Rows()
	for i := range rows {
		rows[i][0] = capitalizeHeading(rows[i][0])
	}
	return rows
}

// standIn explains an id that a file does not have.
func standIn(is bool) string {
	if is {
		return " (stands in for an id: `cp help finding`)"
	}
	return ""
}

// readOnly says that cp does not write into a memory.
func readOnly(is bool) string {
	if is {
		return " (read-only: `cp help format`)"
	}
	return ""
}

// whoChanges says who changes a protected memory.
func whoChanges(protection string) string {
	switch protection {
	case "":
		return ""
	case header.AppendOnly:
		return "append only: agents add to it, and change nothing (`cp help format`)"
	}
	return "protected: no agent changes it (`cp help format`)"
}

// formatCount writes a number that may not be known.
func formatCount(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// factsOf says that facts are yet to be drawn.
func factsOf(m tree.Shown) string {
	if m.FactsStatus == "pending" {
		return "pending (cp memory extract)"
	}
	return ""
}

// until says to which day a memory is put off, or was.
func until(s Screen, m tree.Shown) string {
	switch {
	case m.Deferred.IsZero():
		return ""
	case m.Deferred.After(s.Now):
		return "until " + date(m.Deferred)
	}
	return "until " + date(m.Deferred) + ", which has come"
}

// describeSuccessor names what has taken a memory's place.
func describeSuccessor(m tree.Shown) string {
	if m.Superseded == "" {
		return ""
	}
	return "superseded by " + string(m.Superseded)
}

// denial tells when a person said no, and why.
func denial(d tier.Denial) string {
	if d.Reason == "" {
		return header.FormatDay(d.At)
	}
	return header.FormatDay(d.At) + ": " + d.Reason
}

// ShowAny writes a file of any type.
func ShowAny(s Screen, m tree.Shown) {
	writeShownMemory(s, m, [][2]string{
		{"Summary", m.Summary},
		{"Created", header.FormatDay(m.Created)},
		{"Creator", m.Creator},
		{"File", cmp.Or(m.File, string(m.Path))},
	})
}

// children counts the children: of a memory that keeps no pointers, how many of them are shown.
func children(m tree.Shown) string {
	if shown := countKnown(m.Children); m.Total > shown {
		return fmt.Sprintf("%d of %d, the newest first (--limit, --offset)", shown, m.Total)
	}
	return fmt.Sprint(countKnown(m.Children))
}

// countKnown counts the children that are there.
func countKnown(children []tree.ShownChild) (n int) {
	for _, c := range children {
		if !c.Unknown {
			n++
		}
	}
	return n
}

// headerLines writes the title, underlined as wide as it is, and the rows that have
// a value.
func headerLines(s Screen, title string, rows [][2]string) {
	title = Line(title)
	fmt.Fprintf(s, "%s\n%s\n", s.bold(title), strings.Repeat("─", width(title)))
	for _, row := range rows {
		if row[1] != "" {
			s.Printf("%s %s\n", styled(pad(row[0]+":", 9)), row[1])
		}
	}
}

func describeAccess(s Screen, t tree.ShownText) string {
	times := vault.Plural(t.AccessCount, "time", "times")
	if t.LastAccessed == nil {
		return times
	}
	return fmt.Sprintf("%s (last: %s)", times, ago(*t.LastAccessed, s.Now))
}

// writeBody writes the text and what lies below.
func writeBody(s Screen, m tree.Shown) {
	f := frame{Screen: s}
	if text := strings.Trim(m.Content, "\r\n"); text != "" {
		fmt.Fprintln(s)
		f.writeFolded(m.Content)
	}
	writeRecord(s, m.Record)
	f.writeChildren(m.Children)
}

// writeRecord writes what a memory says beside its text. The items are counted, since they are
// removed by their numbers.
func writeRecord(s Screen, r tree.Record) {
	for _, list := range []struct {
		name  string
		items []string
	}{{"Decisions", r.Decisions}, {"Rationale", r.Rationale}} {
		if len(list.items) > 0 {
			fmt.Fprintf(s, "\n%s:\n", list.name)
		}
		for i, item := range list.items {
			fmt.Fprintf(s, "  %d. %s\n", i+1, strings.ReplaceAll(strings.TrimSpace(prose.Visible(item)), "\n", "\n     "))
		}
	}
	if r.Metadata == "" {
		return
	}
	fmt.Fprint(s, "\nMetadata:\n")
	_ = r.Metadata.EachKey(func(key, value string) error {
		var text string
		if json.Unmarshal([]byte(value), &text) == nil {
			value = text
		}
		s.Printf("  %s: %s\n", key, Line(value))
		return nil
	})
}

// frame writes lines behind a prefix of frame strokes.
type frame struct {
	Screen
	prefix string
}

// writeLine writes one line that is safe already; an empty one without trailing spaces.
func (f frame) writeLine(text string) {
	fmt.Fprintln(f, strings.TrimRight(f.prefix+text, " "))
}

// writeFolded writes many lines, folded to the screen where they stand in a frame.
func (f frame) writeFolded(text string) {
	text = strings.TrimRight(strings.TrimLeft(prose.Visible(text), "\n"), "\n \t")
	for line := range strings.SplitSeq(text, "\n") {
		if f.prefix == "" {
			f.writeLine(line)
			continue
		}
		for _, part := range fold(line, f.Width-width(f.prefix)) {
			f.writeLine(part)
		}
	}
}

// writeChildren writes children: the expanded ones in frames, the others as pointers.
func (f frame) writeChildren(children []tree.ShownChild) {
	var pointers, expanded []tree.ShownChild
	for _, c := range children {
		if c.ShownText == nil { // a pointer to nothing, too
			pointers = append(pointers, c)
		} else {
			expanded = append(expanded, c)
		}
	}
	if len(expanded) > 0 {
		f.writeLine("")
		f.writeLine("Sub-memories (expanded):")
		f.writeLine("")
		f.children(expanded)
	}
	if len(pointers) > 0 {
		f.writeLine("")
		f.writeLine("Sub-memories:")
		f.pointers(pointers)
	}
}

// minTitle is the least width of the titles' column, so that lists of one
// vault mostly look alike.
const minTitle = 18

// pointers writes a list of id, title and trigger phrase. Phrases are folded
// below themselves on a screen with a width.
func (f frame) pointers(children []tree.ShownChild) {
	id, title := 0, minTitle
	for _, c := range children {
		id = max(id, width(Line(string(c.ID))))
		title = max(title, min(width(Line(childName(c))), 40))
	}
	indent := 2 + id + 2 + title + 2
	for _, c := range children {
		said := fold(Line(phraseOrNone(c.Summary, c.Phraseless)+describeMark(c.Mark)+unknown(c.Unknown)), f.Width-width(f.prefix)-indent)
		f.writeLine("  " + pad(Line(string(c.ID)), id) + "  " + pad(fitCells(Line(childName(c)), title), title) + "  " + said[0])
		for _, more := range said[1:] {
			f.writeLine(spaces(indent) + more)
		}
	}
}

// unknown marks a pointer to nothing.
func unknown(is bool) string {
	if is {
		return " [not in the tree: run cp memory sync]"
	}
	return ""
}

// childName is the title, with the folder that has no memory of its own.
func childName(c tree.ShownChild) string {
	if c.Folder == "" {
		return c.Title
	}
	return c.Title + " (in " + string(c.Folder) + "/)"
}

// children writes each child in a frame of its own.
func (f frame) children(children []tree.ShownChild) {
	for i, c := range children {
		corner, side := strokes(i, len(children))
		f.writeLine("  " + corner + " " + Line(string(c.ID)) + ": " + string(f.bold(Line(c.Title))))
		inner := frame{f.Screen, f.prefix + "  " + side + "  "}
		inner.child(c)
		if i < len(children)-1 {
			inner.writeLine("")
		}
	}
}

// strokes returns the stroke before the title of the i-th of n frames and the
// one beside its text.
func strokes(i, n int) (corner, side string) {
	switch {
	case i == n-1:
		return "└─", " "
	case i == 0:
		return "┌─", "│"
	}
	return "├─", "│"
}

// child writes what stands inside a frame.
func (f frame) child(c tree.ShownChild) {
	if len(c.Labels) > 0 {
		f.writeLine("Labels: " + Line(strings.Join(c.Labels, ", ")))
	}
	if n := countKnown(c.Children); n > 0 {
		f.writeLine(fmt.Sprintf("Children: %d", n))
	}
	if text := strings.Trim(c.Content, "\r\n"); text != "" {
		if len(c.Labels)+len(c.Children) > 0 {
			f.writeLine("")
		}
		f.writeFolded(c.Content)
	}
	f.writeChildren(c.Children)
}

// last returns a time for "last: 2h ago", or nothing.
func last(t *time.Time, now time.Time) string {
	if t == nil {
		return ""
	}
	return "last: " + ago(*t, now)
}
