package render

import (
	"fmt"

	"github.com/cp-memory/cp/vault/guide"
	"github.com/cp-memory/cp/vault/tree"
)

// Prime writes what an agent loads at its start, as Markdown.
func Prime(s Screen, project string, p tree.Primed) {
	if p.Brief {
		pointers(s, append(p.Roots, p.Hottest...))
		return
	}
	if p.Memories == 0 {
		s.Printf("# Memory of %s: empty\n\nNote something: cp memory add --title T \"TEXT\"\n", Line(project))
		return
	}
	s.Printf("# Memory of %s: %s\n\n", Line(project), count(p.Memories, "memory", "memories"))
	s.Printf("Read one when its phrase fits: cp memory show <id>. It ends with pointers to what lies below.\n")
	s.Printf("Find by words: cp memory recall \"<question>\". Keep what you learn: cp memory add-sub <id> --title T --summary \"when one needs it\" --body TEXT.\n\n")
	pointers(s, p.Roots)
	if p.LeftOut > 0 {
		s.Printf("(+%d more roots: cp memory list --roots)\n", p.LeftOut)
	}
	if len(p.Hottest) > 0 {
		s.Printf("\nRead most:\n")
		pointers(s, p.Hottest)
	}
}

// pointers writes a line for each memory: id, title, the number of memories below, and its
// trigger phrase.
func pointers(s Screen, rows []tree.PrimedRow) {
	for _, r := range rows {
		line := fmt.Sprintf("- %s %s", r.ID, r.Title)
		if r.Children > 0 {
			line += fmt.Sprintf(" (+%d)", r.Children)
		}
		line += pending(r.Pending)
		if r.Summary != "" {
			line += ": " + r.Summary
		}
		s.Println(Line(line))
	}
}

// Guide writes the way that trigger phrases led.
func Guide(s Screen, w guide.Walk) {
	for i, step := range w.Steps {
		s.Printf("%d. %s %s %.2f", i+1, step.ID, quoted(step.Title)+pending(step.Pending), step.Weight)
		s.Printf("  (%s, %s weighed)\n", count(step.Tokens, "token", "tokens"), count(step.Weighed, "phrase", "phrases"))
		if step.Phrase != "" {
			s.Printf("     %s\n", Line(step.Phrase))
		}
		for _, p := range step.Passed {
			s.Printf("     passed: %s %s %.2f\n", p.ID, quoted(p.Title), p.Weight)
		}
	}
	s.Printf("Stopped: %s. Read %s, %s in all, %d of them phrases.\n",
		w.Stopped, count(len(w.Steps), "memory", "memories"), count(w.Tokens, "token", "tokens"), w.Phrases)
}
