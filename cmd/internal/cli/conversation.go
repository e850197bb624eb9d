package cli

import (
	"bytes"
	"strings"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/console"
	"github.com/cp-memory/cp/cmd/internal/render"
)

// conversation is a stderr for programs: it keeps what a command says there until its end.
// All of it is then given out as one document, with the error if there is one. Where
// there is nothing to say there is no document.
type conversation struct {
	mu    sync.Mutex
	text  bytes.Buffer
	aside console.Aside
}

// keepAside keeps the counts beside the answer.
func (c *conversation) keepAside(a console.Aside) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aside = a
}

// Write keeps the text.
func (c *conversation) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(b)
}

// spoken is the document.
type spoken struct {
	Error    *render.Fault `json:"error,omitempty"`
	Warnings []string      `json:"warnings,omitempty"`
	Notes    []string      `json:"notes,omitempty"` // whatever else a person would have been told
	console.Aside
}

// printSaid gives out what was said; err is what the command ends with, nil for no error.
func (c *conversation) printSaid(to render.Screen, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := spoken{Aside: c.aside}
	if err != nil {
		fault := render.FaultOf(err)
		fault.Message, fault.Hint, fault.Recovery = render.RenameCommands(to.Name, fault.Message), render.RenameCommands(to.Name, fault.Hint), render.RenameCommands(to.Name, fault.Recovery)
		s.Error = &fault
	}
	for line := range strings.Lines(c.text.String()) {
		line = strings.TrimRight(line, "\n")
		if warning, ok := strings.CutPrefix(line, "Warning: "); ok {
			s.Warnings = append(s.Warnings, warning)
		} else if line != "" {
			s.Notes = append(s.Notes, line)
		}
	}
	if s.Error != nil || len(s.Warnings)+len(s.Notes) > 0 {
		_ = render.Value(to, render.JSON, s)
	}
}
