//go:build e2e

package main_test

import (
	"fmt"
	"slices"
	"testing"
)

// painted waits for a page's first contentful paint and returns when it came, in milliseconds
// after the page was asked for.
const painted = `new Promise(done => {
	const seen = list => list.getEntriesByName("first-contentful-paint").forEach(e => done(e.startTime));
	seen(performance);
	new PerformanceObserver(seen).observe({type: "paint", buffered: true});
})`

// Each page is painted from what the server sent, without a script's help. When that was is in the
// log (-v), in a vault of as many memories as CP_SOAK_MEMORIES says.
func TestE2EPaint(t *testing.T) {
	ctx := tab(t)
	s, root, _ := shelved(t)
	u := soak(t)
	u.fill(t, s)
	goTo(t, ctx, s.link)
	for name, at := range map[string]func(n int) string{
		"roots":    func(int) string { return "/" },
		"a memory": func(n int) string { return u.book(n+1, "/m/"+root) },
		"keys":     func(int) string { return "/keys" }, // the floor: it asks the vault nothing
		"search":   func(n int) string { return fmt.Sprintf("/search?q=word%d", n) },
	} {
		var took []float64
		for n := range 20 {
			goTo(t, ctx, s.base+at(n))
			took = append(took, page[float64](t, ctx, painted))
		}
		slices.Sort(took)
		t.Logf("%s: painted after %.0f ms, at p95 %.0f ms", name, took[10], took[18])
	}
}
