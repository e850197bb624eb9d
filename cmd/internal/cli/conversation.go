package cli

import (
	"bytes"
	"strings"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/render"
)

// conversation is a stderr for programs: it keeps what a command says there until its end.
// A command that fails then gives out one document, with the error and what was said
// before it.
type conversation struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write keeps the text.
func (c *conversation) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(b)
}

// spoken is the document.
type spoken struct {
	Error    render.Fault `json:"error"`
	Warnings []string     `json:"warnings,omitempty"`
	Notes    []string     `json:"notes,omitempty"` // whatever else a person would have been told
}

// tell gives out what was said; err is what the command ends with, nil for nothing to tell.
func (c *conversation) tell(to render.Screen, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		_, _ = c.text.WriteTo(to)
		return
	}
	s := spoken{Error: render.FaultOf(err)}
	s.Error.Message, s.Error.Hint = render.Typed(to.Name, s.Error.Message), render.Typed(to.Name, s.Error.Hint)
	for line := range strings.Lines(c.text.String()) {
		line = strings.TrimRight(line, "\n")
		if warning, ok := strings.CutPrefix(line, "Warning: "); ok {
			s.Warnings = append(s.Warnings, warning)
		} else if line != "" {
			s.Notes = append(s.Notes, line)
		}
	}
	_ = render.Value(to, render.JSON, s)
}
