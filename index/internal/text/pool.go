package text

import "sync"

// warm bounds the analysers that a Pool keeps: one for each text that is cut at the same time.
const warm = 4

// Pool lends analysers to whoever has a text. Their stems stay known from one to the next:
// two thirds of the cost of a text are the stems of its words, and a server meets the same
// words again. It is safe for concurrent use; its zero value is ready.
type Pool struct {
	mu   sync.Mutex
	idle []*Analyser // the last one was used last
}

// EachTerm is [Analyser.EachTerm].
func (p *Pool) EachTerm(text string, emit func(term string)) {
	a := p.take()
	a.EachTerm(text, emit)
	p.giveBack(a)
}

func (p *Pool) take() *Analyser {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return NewAnalyser()
	}
	a := p.idle[last]
	p.idle = p.idle[:last]
	return a
}

func (p *Pool) giveBack(a *Analyser) {
	a.emit = nil
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) < warm {
		p.idle = append(p.idle, a)
	}
}
