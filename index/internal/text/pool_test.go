package text

import (
	"slices"
	"sync"
	"testing"
)

// Texts that are cut side by side, and by analysers that have met other words before, give the
// terms that a new analyser gives.
func TestPool(t *testing.T) {
	texts := []string{"Deployments running, quickly!", "parseHTTPRequest of the deployments", "移行計画", "", "Café go-git"}
	var p Pool
	var all sync.WaitGroup
	for n := range 200 {
		text := texts[n%len(texts)]
		all.Go(func() {
			var got, want []string
			p.EachTerm(text, func(term string) { got = append(got, term) })
			NewAnalyser().EachTerm(text, func(term string) { want = append(want, term) })
			if !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", text, got, want)
			}
		})
	}
	all.Wait()
	if n := len(p.idle); n == 0 || n > warm {
		t.Errorf("it keeps %d analysers", n)
	}
	p.EachTerm("outer", func(string) { p.EachTerm("inner", func(string) {}) }) // one within the other
}
