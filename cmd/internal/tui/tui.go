package tui

import (
	"context"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tier"
)

// Port is what the screen asks of the program.
type Port interface {
	Queue(ctx context.Context, q queue.Query) (journal.Queue, error)
	Item(ctx context.Context, item journal.Item) (journal.Item, error)
	Decide(ctx context.Context, item journal.Item, d queue.Decision) (queue.Outcome, error)
	Undo(ctx context.Context) (past.UndoRow, error)

	// Places returns the memories below which the item may go.
	Places(ctx context.Context, item journal.Item) ([]journal.NearMemory, error)

	// Core returns what each file of an agent says, and would say with the item in it.
	Core(ctx context.Context, item journal.Item) ([]queue.CoreFile, error)
}

// Options are what a screen needs. The zero value of all but Port, In and Out is the
// ordinary case.
type Options struct {
	Port   Port
	In     io.Reader // a terminal
	Out    io.Writer // a terminal
	Dir    string    // files below it are shown by their paths from there
	Limit  int       // show at most this many items; 0 is all
	Offset int       // leave out this many items at the start

	Thresholds tier.Thresholds // for what an empty list says

	// Edit lets the person edit a text in their editor. The terminal is the editor's until
	// it returns.
	Edit func(ctx context.Context, text string) (string, error)

	// Warnings returns what the port warned of since the last call.
	Warnings func() []string

	Now func() time.Time // the clock
}

// Sum is how far a review went.
type Sum struct {
	Seen  int            // how many items were decided about or skipped
	Total int            // how many waited at first
	Done  map[string]int // how often each decision was made and not taken back
}

// Run shows the screen until the person leaves it. The error is CodeInterrupted if they did
// by Ctrl+C. It returns after the last write has ended.
func Run(ctx context.Context, o Options) (Sum, error) {
	m := New(ctx, o)
	defer m.stop()
	m, err := m.runScreen(ctx)
	for m.Away() && err == nil {
		m, err = m.Back().runScreen(ctx)
	}
	m.stop()
	m.gate.waitForCall()
	switch {
	case ctx.Err() != nil:
		return m.countReview(), context.Cause(ctx)
	case err != nil:
		return m.countReview(), vault.Errorf(vault.CodeIO, "`cp memory review --plain` needs no screen", "the screen cannot be shown: %w", err)
	case m.fault != nil:
		return m.countReview(), m.fault
	case m.interrupted:
		return m.countReview(), vault.Errorf(vault.CodeInterrupted, "what was decided stays", "stopped by Ctrl+C")
	}
	return m.countReview(), nil
}

// runScreen shows the screen until it is left, and returns its state by then.
func (m Model) runScreen(ctx context.Context) (Model, error) {
	last, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(m.In), tea.WithOutput(m.Out), tea.WithoutSignalHandler()).Run()
	if left, ok := last.(Model); ok {
		m = left
	}
	return m, err
}

// gate lets one call through at a time, and none after it was closed.
type gate struct {
	mu   sync.Mutex
	shut bool
}

// do calls f unless the gate is closed.
func (g *gate) do(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.shut {
		f()
	}
}

// waitForCall waits for the call that runs.
func (g *gate) waitForCall() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = true
}
