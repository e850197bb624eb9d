package recall

import (
	"fmt"
	"slices"
	"sort"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// A budget is spent on a line of each of the best twenty first, then on their phrases, on
// few steps, and on lines of more. In a forest that is not flat there are the steps alone.

// bestPointers are told first.
const bestPointers = 20

// spread tells of a forest's folders beside the steps.
func (g *walker) spread(steps func() error) error {
	if g.o.Budget == 0 {
		if err := steps(); err != nil {
			return err
		}
		on := make(map[vault.ID]bool)
		for _, s := range g.walk.Steps {
			on[s.ID] = true
		}
		g.ranked = slices.DeleteFunc(g.ranked, func(r ranked) bool { return on[r.ID] })
		n := min(len(g.ranked), usualPointers)
		g.tellRanked(n, n)
		return nil
	}
	g.walk.Stopped = StoppedWeak // no reason is longer
	most := min(len(g.ranked), MostFound)
	lines := g.most(min(most, bestPointers), func(n int) { g.tellRanked(n, 0) })
	if most > 0 && lines == 0 {
		if g.cutQuestion() {
			return g.spread(steps)
		}
		lines = g.shorter()
	}
	phrases := g.most(lines, func(n int) { g.tellRanked(lines, n) })
	g.tellRanked(lines, phrases)
	g.walk.Stopped = ""
	if err := steps(); err != nil {
		return err
	}
	if lines += g.most(most-lines, func(n int) { g.tellRanked(lines+n, phrases) }); lines < most {
		g.walk.Stopped = StoppedBudget
	}
	g.tellRanked(lines, phrases)
	return nil
}

// shorter puts the first memory whose line fits before the others, where the best one's does
// not, and cuts the best one's where none fits. It returns how many fit, 0 or 1.
func (g *walker) shorter() int {
	for i := range g.ranked[:min(len(g.ranked), bestPointers)] {
		g.ranked[0], g.ranked[i] = g.ranked[i], g.ranked[0]
		if g.tellRanked(1, 0); g.isInBudget() {
			return 1
		}
		g.ranked[0], g.ranked[i] = g.ranked[i], g.ranked[0]
	}
	g.clipped = true
	best := &g.ranked[0]
	best.Title, _ = tree.BriefLine(best.Title, "", func(title, _ string) bool {
		best.Title = title
		g.tellRanked(1, 0)
		return g.isInBudget()
	})
	if g.tellRanked(1, 0); g.isInBudget() {
		return 1
	}
	return 0
}

// most returns the largest number up to limit with which what is told is within the budget.
func (g *walker) most(limit int, tell func(int)) int {
	return sort.Search(limit, func(n int) bool {
		tell(n + 1)
		return !g.isInBudget()
	})
}

// isInBudget reports whether the walk is within the budget as it is told.
func (g *walker) isInBudget() bool { return g.o.Budget == 0 || g.o.Measure(g.walk) <= g.o.Budget }

// fitBudget makes the walk fit the budget: what was passed is told last, and then the last step is
// taken back. It reports whether none was.
func (g *walker) fitBudget() bool {
	if g.isInBudget() {
		return true
	}
	for i := range g.walk.Steps {
		g.walk.Steps[i].Passed = []WalkPassed{}
	}
	if g.isInBudget() || len(g.walk.Steps) == 1 && g.cutStep(&g.walk.Steps[0]) {
		return true
	}
	g.back()
	return false
}

// cutStep cuts what is told of a step. It reports whether the walk is within the budget then.
func (g *walker) cutStep(s *WalkStep) bool {
	stopped := g.walk.Stopped
	g.walk.Stopped = StoppedWeak // no reason is longer
	defer func() { g.walk.Stopped = stopped }()
	s.Title, s.Phrase = tree.BriefLine(s.Title, s.Phrase, func(title, phrase string) bool {
		s.Title, s.Phrase = title, phrase
		return g.isInBudget()
	})
	return g.isInBudget()
}

// back takes the last step back.
func (g *walker) back() {
	last := len(g.walk.Steps) - 1
	g.walk.Tokens -= g.walk.Steps[last].Tokens
	g.read -= g.walk.Steps[last].Tokens
	g.walk.Steps = g.walk.Steps[:last]
}

// shorten takes back what is too much, since why the walk stopped is told, too. Where nothing
// of it fits, a long question is told by its beginning.
func (g *walker) shorten() error {
	for !g.isInBudget() && len(g.walk.Steps) > 0 {
		g.back()
		g.walk.Stopped = StoppedBudget
	}
	if g.isInBudget() {
		return nil
	}
	if g.cutQuestion() {
		return g.shorten()
	}
	least := g.o.Measure(g.walk)
	return vault.Errorf(vault.CodeInvalid, fmt.Sprintf("use --budget %d", least), "the budget of %d tokens is too small for any of it", g.o.Budget)
}

// cutQuestion tells a long question by its beginning. It reports whether it was longer.
func (g *walker) cutQuestion() bool {
	letters := []rune(g.walk.Question)
	if len(letters) <= longQuestion {
		return false
	}
	g.walk.Question = string(letters[:longQuestion-1]) + "…"
	return true
}

// longFolder are the letters of a folder's path that is told where there is no room for more.
const longFolder = 20

// longQuestion are the letters of a question that is told where there is no room for more.
const longQuestion = 20

// walkEstimate estimates the tokens of a walk of which it is not known how it is printed.
func walkEstimate(w Walk) (n int) {
	for _, s := range w.Steps {
		n += vault.PointerCost + vault.Tokens(s.Title) + vault.Tokens(s.Phrase)
		for _, p := range s.Passed {
			n += vault.PointerCost + vault.Tokens(p.Title) + vault.Tokens(p.Phrase)
		}
	}
	for _, f := range w.Folders {
		n += vault.PointerCost + vault.Tokens(string(f.Folder))
		for _, p := range f.Memories {
			n += vault.PointerCost + vault.Tokens(p.Title) + vault.Tokens(p.Phrase)
		}
	}
	return n
}
