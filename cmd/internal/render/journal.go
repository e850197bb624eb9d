package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/tier"
)

// WriteCaptured writes the outcome of capture.
func WriteCaptured(s Screen, c app.Captured) {
	m := c.Memory
	s.Printf("Memory captured: %s\n", m.ID)
	for _, row := range [...][2]string{{"kind", string(m.Kind)}, {"spec", m.Spec}, {"commit", vault.Short(m.Commit)}, {"title", m.Title}, {"path", string(m.Path)}} {
		if row[1] != "" {
			s.Printf("  %-7s %s\n", row[0], Line(row[1]))
		}
	}
}

// WriteResolved writes the outcome of resolve.
func WriteResolved(s Screen, r journal.Resolved) {
	if r.Unchanged {
		s.Printf("Memory %s is already closed.\n", r.ID)
		return
	}
	s.Printf("Resolved memory %s\n", r.ID)
	if r.Learning != nil {
		s.Printf("Memory captured: %s (learning)\n", r.Learning.ID)
	}
}

// WriteObserved writes the outcome of observe.
func WriteObserved(s Screen, o app.Observed) {
	switch {
	case o.New:
		s.Printf("Observed %s %s: the first session\n", o.ID, quoteTitle(o.Title))
	case o.Unchanged:
		s.Printf("Observed %s %s: this session is counted already (%s)\n", o.ID, quoteTitle(o.Title), o.Shown)
	default:
		s.Printf("Observed %s %s: %s sessions\n", o.ID, quoteTitle(o.Title), o.Shown)
	}
	if o.With != "" {
		s.Println("  counted there, for it says nearly the same; if yours is another thing, `cp memory capture` keeps it as one")
	}
	if o.Project != "" {
		s.Printf("  in the project %s (%s)\n", Line(o.Project), Line(o.ProjectPath))
	}
	if o.Denied {
		s.Printf("  it was denied, and stays so\n")
	}
	for _, like := range o.Similar {
		where, how := "", "`cp memory review` shows both"
		if like.Project != "" {
			where, how = " in the project "+Line(like.Project), fmt.Sprintf("`cp memory show %s` shows it", like.ID)
		}
		s.Printf("  similar: %s %s%s says %.0f %% the same; %s\n", like.ID, quoteTitle(like.Title), where, 100*like.Similarity, how)
	}
}

// WriteMergedInto writes the outcome of a merge of two memories.
func WriteMergedInto(s Screen, m journal.Merged) {
	s.Printf("Merged %s %s into %s %s", m.ID, quoteTitle(m.Title), m.Into, quoteTitle(m.IntoName))
	if m.Count > 0 {
		s.Printf(": %s", vault.Plural(m.Count, "session", "sessions"))
	}
	s.Printf("\n")
}

// WriteDecided writes the outcomes of approve or deny; done and word are its words.
func WriteDecided(s Screen, all []journal.Decided, done, word string) {
	for _, d := range all {
		if d.Unchanged {
			s.Printf("Memory %s %s is %s already.\n", d.ID, quoteTitle(d.Title), word)
			continue
		}
		s.Printf("%s memory %s %s\n", done, d.ID, quoteTitle(d.Title))
	}
}

// LongTerm writes the outcome of a promotion to long-term.
func LongTerm(s Screen, p journal.Promoted) {
	if p.Unchanged {
		s.Printf("Memory %s %s has its place in the tree already: %s\n", p.ID, quoteTitle(p.Title), Line(string(p.Path)))
		return
	}
	s.Printf("Promoted %s %s to long-term: %s\n", p.ID, quoteTitle(p.Title), Line(string(p.Path)))
	if p.Proposed != "" {
		s.Printf("  its trigger phrase is %s; say better when one needs it: cp memory update %s --summary \"When …\"\n", quoteTitle(p.Proposed), p.ID)
	}
}

// Core writes the outcome of a promotion to core.
func Core(s Screen, c journal.CoreDone) {
	if c.Unchanged && len(c.Failed) == 0 {
		s.Printf("Memory %s %s is in core already.\n", c.ID, quoteTitle(c.Title))
		return
	}
	for _, file := range c.Files {
		s.Printf("Promoted %s %s to core: %s\n", c.ID, quoteTitle(c.Title), Line(file))
	}
	for _, name := range c.Failed {
		s.Printf("Not written: %s. Run the command again when it can be.\n", Line(name))
	}
}

// WriteCoreDemoted writes the outcome of a demotion from core.
func WriteCoreDemoted(s Screen, c journal.CoreDone) {
	if !c.Unchanged {
		s.Printf("Demoted %s %s from core to long-term\n", c.ID, quoteTitle(c.Title))
	}
	WriteTakenOut(s, c)
}

// WriteTakenOut tells which files a memory was taken out of.
func WriteTakenOut(s Screen, c journal.CoreDone) {
	for _, file := range c.Files {
		s.Printf("Taken out of %s\n", Line(file))
	}
}

// WriteDemoted writes the outcome of demote.
func WriteDemoted(s Screen, p journal.Promoted) {
	if p.Unchanged {
		s.Printf("Memory %s %s has no place in the tree.\n", p.ID, quoteTitle(p.Title))
		return
	}
	s.Printf("Demoted %s %s to the journal: %s\n", p.ID, quoteTitle(p.Title), Line(string(p.Path)))
}

// Awareness writes one line of what there is to recall.
func Awareness(s Screen, a app.Awareness) {
	s.Printf("cp memory: %s; recall with cp memory recall \"<question>\"\n", a.Line)
	staleLine(s, a.Stale)
}

// staleLine says that memories are about code that has changed.
func staleLine(s Screen, n int) {
	if line := app.StaleLine(n); line != "" {
		s.Printf("%s\n", line)
	}
}

// Work writes all that is known of a piece of work.
//
//	# storage: 3 entries, about 120 tokens
//
//	## Unresolved blockers
//
//	- Out of memory (pf-7k2m9qx4, 2026-11-23)
//	  ## Problem
func Work(s Screen, w journal.Work) {
	if w.Total == 0 {
		if w.Commits != "" {
			s.Printf("No entry%s tells of a commit in %s. `cp memory list --commits` takes any range of git's.\n", ofSpec(w), Line(w.Commits))
			return
		}
		s.Printf("Nothing was captured for %s. Look for broader words: cp memory recall \"%s\"; cp status counts what there is.\n", Line(w.Spec), Line(w.Spec))
		return
	}
	s.Printf("# %s: %s, about %s\n", Line(cmp.Or(w.Spec, w.Commits)), vault.Plural(w.Total, "entry", "entries"), vault.Plural(w.Tokens, "token", "tokens"))
	of := projectsOf(s, w)
	if len(w.Blockers) > 0 {
		s.Printf("\n## Unresolved blockers\n")
		workEntries(s, w.Blockers, of)
	}
	for _, g := range w.Groups {
		heading := cmp.Or(g.Namespace, string(g.Kind), "other")
		if g.Kind == header.Finding { // they are of the namespace of the reviews, which have a section of their own
			heading = "findings"
		}
		s.Printf("\n## %s\n", capitalizeHeading(heading))
		workEntries(s, g.Entries, of)
	}
	if w.Skipped > 0 {
		s.Printf("\n(%d older: leave --recent out)\n", w.Skipped)
	}
	if w.Cut > 0 {
		s.Printf("\n(%d more: a larger --budget shows them)\n", w.Cut)
	}
	if w.LeftOut > 0 {
		s.Printf("\n(%s of about %s left out to keep to the budget: cp memory show <id>)\n", vault.Plural(w.LeftOut, "text", "texts"), vault.Plural(w.Lacking, "token", "tokens"))
	}
}

func ofSpec(w journal.Work) string {
	if w.Spec == "" {
		return ""
	}
	return " of " + Line(w.Spec)
}

// capitalizeHeading returns a word as it stands at the start of a heading. Of a foreign file the word may
// be any text.
func capitalizeHeading(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return Line(string(unicode.ToUpper(first)) + word[size:])
}

// projectsOf returns what names the project of an entry, where that has to be said.
func projectsOf(s Screen, w journal.Work) func(journal.Entry) string {
	all := slices.Clone(w.Blockers)
	for _, g := range w.Groups {
		all = append(all, g.Entries...)
	}
	return bracketProjects(s, all, func(e journal.Entry) (name, path string) { return e.Project, e.ProjectPath })
}

// workEntries writes the entries of a section.
func workEntries(s Screen, all []journal.Entry, of func(journal.Entry) string) {
	for _, e := range all {
		state := ""
		if e.Status != vault.StatusOpen {
			state = ", " + Line(e.Status)
		}
		s.Printf("\n- %s (%s, %s%s)%s\n", Line(e.Title), e.ID, date(e.Created), state, of(e))
		if e.Content == nil {
			continue
		}
		for line := range strings.Lines(prose.Visible(strings.TrimSpace(*e.Content))) {
			fmt.Fprintln(s, strings.TrimRight("  "+line, "\n "))
		}
	}
}

// describeReview marks an entry that nobody has decided about, and a memory that was denied.
func describeReview(t tier.Standing) string {
	switch {
	case t.Denied:
		return " [denied]"
	case t.Level == tier.Pending:
		return " [not reviewed]"
	}
	return ""
}

// WriteExported tells of a document that was written into a file.
func WriteExported(s Screen, w app.Written) {
	s.Printf("Exported %s to %s\n", vault.Plural(w.Memories, "memory", "memories"), Line(w.File))
}

// LongTermView writes items as the document long-term-memory.md.
func LongTermView(s Screen, items []tier.Item) { fmt.Fprint(s, prose.Visible(tier.View(items))) }
