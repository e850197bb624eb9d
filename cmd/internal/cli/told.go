package cli

import (
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/embed"
	"github.com/cp-memory/cp/vault/recall"
)

// tellWeights writes what was measured, or with dryRun would be.
func tellWeights(s render.Screen, o embed.Calibrated, dryRun bool) {
	asked := fmt.Sprintf("%s among %s", vault.Plural(o.Questions, "question", "questions"), vault.Plural(o.Memories, "memory", "memories"))
	switch {
	case o.Questions < embed.LeastQuestions:
		s.Printf("%s: too few phrases, titles and headings to measure by (%d are needed); nothing changes\n", asked, embed.LeastQuestions)
		return
	case dryRun:
		s.Printf("%s; %s would go to %s\n", asked, vault.Plural(o.Passages+o.Questions, "text", "texts"), render.Line(o.Model))
		return
	}
	s.Printf("%s, by %s\n\n", asked, render.Line(o.Model))
	s.Printf("%-14s %5s %10s   %s\n", "weight", "MRR", "recall@10", "better than the default")
	row := func(name string, f embed.RankFigures, more string) {
		s.Printf("%-14s %5.3f %10.3f%s\n", name, f.MRR, f.RecallTo, more)
	}
	row("words alone", o.Words, "")
	row("vectors alone", o.Vectors, "")
	for _, t := range o.Tried {
		more := ""
		if t.Weight != recall.DefaultWeight {
			more = fmt.Sprintf("   %+.3f to %+.3f", t.Low, t.High)
		}
		row(fmt.Sprintf("%.2f", t.Weight), t.RankFigures, more)
	}
	s.Printf("\n%s\n", chosenWeight(o))
}

// chosenWeight says which weight is used.
func chosenWeight(o embed.Calibrated) string {
	what := fmt.Sprintf("recall uses %.2f", o.Weight)
	if !o.Gain {
		what = fmt.Sprintf("the default, %.2f, stays: no other weight is better by more than chance", o.Weight)
	}
	if o.Settings != 0 {
		what += fmt.Sprintf("; embedding.weight in the settings, %.2f, wins", o.Settings)
	}
	return what
}
