package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
)

// Prime writes what an agent loads at its start, as Markdown.
func Prime(s Screen, project string, a app.Primed) {
	p := a.Primed
	if p.Brief && p.Memories > 0 {
		s.data(!p.Bare, func() { pointers(s, "", append(p.Roots, p.Hottest...)) })
		return
	}
	s.Printf("# Memory of %s: %s\n", prose.Harmless(Line(project)), describeVault(a))
	switch {
	case p.Brief:
		return
	case p.Memories == 0:
		s.Printf("\nNote something: cp memory add --title T --summary \"when one needs it\" \"TEXT\"\n")
		return
	}
	staleLine(s, a.Stale)
	s.Printf("\n")
	s.Printf("Read one when its phrase fits: cp memory show <id>. It ends with pointers to what lies below.\n")
	s.Printf("Find by words: cp memory recall \"<question>\". Keep what you learn: cp memory add-sub <id> --title T --summary \"when one needs it\" --body TEXT.\n\n")
	s.data(true, func() { primedRows(s, p) })
	if p.LeftOut > 0 {
		s.Printf("(+%d more roots: cp memory list --roots)\n", p.LeftOut)
	}
	if len(p.Folders) > 0 {
		s.Printf("All of a folder: cp memory tree %s/\n", prose.Harmless(Line(p.Folders[0].Folder.QuoteForShell())))
	}
}

// primedRows writes what is told of memories.
func primedRows(s Screen, p tree.Primed) {
	primedRoots(s, p)
	if len(p.Hottest) > 0 {
		s.Printf("\nRead most:\n")
		pointers(s, "", p.Hottest)
	}
}

// data writes what others wrote, for agents: between lines that say that it is data.
func (s Screen) data(fenced bool, write func()) {
	if !fenced {
		write()
		return
	}
	fmt.Fprint(s, prose.Notice+prose.DataStart)
	write()
	fmt.Fprint(s, prose.DataEnd)
}

// describeVault says what a vault holds.
func describeVault(p app.Primed) string {
	switch {
	case p.Memories == 0:
		return "empty"
	case p.Journal != nil:
		return p.Journal.SummaryLine()
	}
	return vault.Plural(p.Memories, "memory", "memories")
}

// primedRoots writes the roots, those in folders below the folders' names.
func primedRoots(s Screen, p tree.Primed) {
	in := make(map[vault.Path][]tree.PrimedRow)
	for _, r := range p.Roots {
		at, _ := p.Head(r)
		in[at] = append(in[at], r)
	}
	pointers(s, "", in[""])
	for _, f := range p.Folders {
		s.Printf("- %s/ (%s)\n", prose.Harmless(Line(string(f.Folder))), vault.Plural(f.Count, "memory", "memories"))
		pointers(s, "  ", in[f.Folder])
	}
}

// pointers writes a line for each memory: id, title, the number of memories below, and its
// trigger phrase.
func pointers(s Screen, indent string, rows []tree.PrimedRow) {
	for _, r := range rows {
		line := fmt.Sprintf("%s- %s %s", indent, r.ID, r.Title)
		switch {
		case r.Quiet:
			line += " (" + tellEntries(r.Children, r.Waiting) + ")"
		case r.Children > 0:
			line += fmt.Sprintf(" (+%d)", r.Children)
		}
		line += describeMark(r.Mark)
		if r.Summary != "" || r.Phraseless {
			line += ": " + phraseOrNone(r.Summary, r.Phraseless)
		}
		s.Printf("%s\n", prose.Harmless(Line(line)))
	}
}

// phraseOrNone says when one needs a memory: its trigger phrase, or what stands in the place of one.
func phraseOrNone(said string, none bool) string {
	if none {
		return "(no phrase yet)"
	}
	return said
}

// Guide writes the way that trigger phrases led.
func Guide(s Screen, w recall.Walk) {
	for i, step := range w.Steps {
		s.Printf("%d. %s %s %.2f", i+1, step.ID, quoteTitle(step.Title)+describeMark(step.Mark), step.Weight)
		s.Printf("  (%s, %s weighed)\n", vault.Plural(step.Tokens, "token", "tokens"), vault.Plural(step.Weighed, "phrase", "phrases"))
		if step.Phrase != "" {
			s.Printf("     %s\n", Line(step.Phrase))
		}
		for _, p := range step.Passed {
			s.Printf("     passed: %s %s %.2f\n", p.ID, quoteTitle(p.Title), p.Weight)
		}
	}
	for _, f := range w.Folders {
		writeGuideFolder(s, f)
	}
	s.Printf("Stopped: %s. Read %s, %s in all, %d of them phrases.\n",
		w.Stopped, vault.Plural(len(w.Steps), "memory", "memories"), vault.Plural(w.Tokens, "token", "tokens"), w.Phrases)
}

// writeGuideFolder writes a folder and a line for each of its memories that are told.
func writeGuideFolder(s Screen, f recall.WalkFolder) {
	line := Line(string(f.Folder)) + "/ (" + vault.Plural(f.Count, "memory", "memories")
	if f.Parent != "" {
		line += ", below " + Line(string(f.Parent))
	}
	s.Printf("%s)\n", line)
	for _, p := range f.Memories {
		line := "  " + Line(string(p.ID)) + " " + Line(p.Title) + describeMark(p.Mark)
		if p.Phrase != "" {
			line += ": " + Line(p.Phrase)
		}
		fmt.Fprintln(s, line)
	}
}

// WriteRecalled writes what a recall of memories found:
//
//	pf-aa4  0.71  Deployment › Troubleshooting › Nomad Stuck
//	        When allocation shows "running" but binary is old
//	        … the allocation restarts when …
func WriteRecalled(s Screen, rows []recall.Row) {
	where := apartFound(rows)
	id := idWidth(rows)
	of := projects(s, rows)
	for _, r := range rows {
		if r.Form == recall.Pointer || r.Form == recall.Bare {
			writePointerRow(s, r, of)
			continue
		}
		fmt.Fprintln(s, pad(Line(string(r.ID)), id)+"  "+fmt.Sprintf("%.2f", r.Similarity)+"  "+string(s.bold(s.rest(r.Way()+where(r), id+8)))+of(r)+describeUnusual(r))
		writeRowDetails(s, r, id+2)
	}
}

// projects returns what names the project of a row, where that has to be said.
func projects(s Screen, rows []recall.Row) func(recall.Row) string {
	return bracketProjects(s, rows, func(r recall.Row) (name, path string) { return r.Project, r.ProjectPath })
}

// writePointerRow writes a row as one line.
func writePointerRow(s Screen, r recall.Row, of func(recall.Row) string) {
	line := fmt.Sprintf("%s  %.2f  %s%s", Line(string(r.ID)), r.Similarity, Line(r.Title), of(r)+describeUnusual(r))
	if r.Summary != "" {
		line += ": " + Line(r.Summary)
	}
	fmt.Fprintln(s, s.rest(line, 0))
}

// Distances writes one line of each memory that a recall found, the nearest first:
//
//	[0.12] decisions:pf-7k2m9qx4 - "Use PostgreSQL for JSONB"
//
// The distance is 1 less the similarity.
func Distances(s Screen, rows []recall.Row) {
	for _, r := range rows {
		s.Printf("[%.2f] %s:%s - %s\n", 1-r.Similarity, Line(cmp.Or(r.Namespace, r.Type)), Line(string(r.ID)), quoteTitle(r.Title))
	}
}

// WriteRecalledAny writes what a recall of files of any type found: a table, each row
// with what [WriteRecalled] writes below it, and how many there are.
func WriteRecalledAny(s Screen, rows []recall.Row, q recall.Query) {
	where := apartFound(rows)
	id, typ, status := idWidth(rows), len("TYPE"), len("STATUS")
	for _, r := range rows {
		typ, status = max(typ, width(Line(r.Type))), max(status, width(Line(r.Status)))
	}
	line := func(similarity, t, st, i, title string) string {
		return pad(similarity, len("SIMILARITY")) + "  " + pad(t, typ) + "  " + pad(st, status) + "  " + pad(i, id) + "  " + title
	}
	indent := width(line("", "", "", "", ""))
	fmt.Fprintln(s, string(s.bold(line("SIMILARITY", "TYPE", "STATUS", "ID", "TITLE"))))
	of := projects(s, rows)
	for _, r := range rows {
		fmt.Fprintln(s, line(fmt.Sprintf("%.2f", r.Similarity), Line(r.Type), Line(r.Status), Line(string(r.ID)), s.rest(r.Way()+where(r), indent)+of(r)+describeUnusual(r)))
		writeRowDetails(s, r, 4)
	}
	s.Printf("\n%s (min similarity: %.2f)\n", vault.Plural(len(rows), "result", "results"), q.MinSimilarity)
	below := 0
	for _, r := range rows {
		if r.Similarity < q.MinSimilarity {
			below++
		}
	}
	if below > 0 {
		s.Printf("%d of them below it, found by words; --min-similarity leaves them out\n", below)
	}
}

func idWidth(rows []recall.Row) int {
	id := len("ID")
	for _, r := range rows {
		id = max(id, width(Line(string(r.ID))))
	}
	return id
}

func apartFound(rows []recall.Row) func(recall.Row) string {
	return newTitleSuffix(rows, func(r recall.Row) entry { return entry{r.Way(), r.ProjectPath, r.Path, r.Folder} })
}

// describeUnusual tells what is out of the ordinary.
func describeUnusual(r recall.Row) string {
	said := ""
	for _, ending := range r.Endings() {
		said += " [" + Line(ending) + "]"
	}
	return said + describeReview(r.Standing) + describeMark(r.Mark)
}

// supersededBy marks a memory whose place another one has taken.
func supersededBy(id vault.ID) string { return " [superseded by " + Line(string(id)) + "]" }

// writeRowDetails writes what stands below a row: the trigger phrase, then the text where
// it was asked for and affordable, else the best passage; and why it was found.
func writeRowDetails(s Screen, r recall.Row, indent int) {
	below := func(text string) {
		if text != "" {
			fmt.Fprintln(s, spaces(indent)+text)
		}
	}
	below(s.rest(r.Summary, indent))
	if r.Content != nil {
		for line := range strings.SplitSeq(strings.TrimRight(prose.Visible(*r.Content), "\n"), "\n") {
			fmt.Fprintln(s, strings.TrimRight(spaces(indent)+line, " "))
		}
	} else {
		below(string(s.dim(s.rest(r.Passage, indent))))
	}
	if r.Files != nil {
		writeCommitFiles(s, r, indent)
	}
	if r.More != "" {
		below(string(s.dim(s.rest(fmt.Sprintf("~%d tokens: %s", r.Tokens, RenameCommands(s.Name, r.More)), indent))))
	}
	if r.Explain != nil {
		writeExplain(s, r.Explain, indent)
	}
}

// writeCommitFiles writes the files of the commit that an entry tells of.
func writeCommitFiles(s Screen, r recall.Row, indent int) {
	if r.Files.Note != "" {
		fmt.Fprintln(s, spaces(indent)+s.rest(r.Files.Note, indent))
		return
	}
	for _, f := range r.Files.Files {
		name := Line(f.Path) + " at " + vault.Short(cmp.Or(r.Files.Successor, r.Commit))
		if r.Files.Successor != "" {
			name += ", once " + vault.Short(r.Commit)
		}
		switch {
		case f.Note != "":
			name += " (" + f.Note + ")"
		case f.Truncated:
			name += " (truncated)"
		}
		fmt.Fprintln(s, spaces(indent)+string(s.bold(name)))
		for line := range strings.SplitSeq(strings.TrimRight(prose.Visible(f.Text), "\n"), "\n") {
			if f.Text != "" {
				fmt.Fprintln(s, strings.TrimRight(spaces(indent+2)+line, " "))
			}
		}
	}
	if r.Files.More > 0 {
		fmt.Fprintf(s, "%s%d more files\n", spaces(indent), r.Files.More)
	}
}

func writeExplain(s Screen, e *recall.Explain, indent int) {
	vector := "not found"
	if e.Vector != nil && e.Weight != nil {
		vector = fmt.Sprintf("%.3f, weight %.2f (%s)", *e.Vector, e.Weight.Weight, e.Weight.From)
	}
	p := e.Parts
	fmt.Fprintf(s, "%slexical %.2f = document %.2f + passage %.2f + title %.2f + path %.2f + phrase %.2f + keywords %.2f + links %.2f + heading %.2f + near %.2f + short %.2f + family %.2f; vector %s\n",
		spaces(indent), e.Lexical, p.Document, p.Passage, p.Title, p.Path, p.Phrase, p.Keywords, p.Links, p.Heading, p.Near, p.Short, p.Family, vector)
	if e.Graph != nil {
		fmt.Fprintf(s, "%sgraph %.3f, through %s\n", spaces(indent), e.Graph.Share, Line(strings.Join(e.Graph.Through, ", ")))
	}
	words := make([]string, 0, len(e.Terms))
	for _, t := range e.Terms {
		sign := "-"
		if t.Found {
			sign = "+"
		}
		words = append(words, fmt.Sprintf("%s%s %.1f", sign, Line(t.Term), t.Rarity))
	}
	fmt.Fprintln(s, spaces(indent)+"words: "+strings.Join(words, ", "))
}
