package tui_test

import (
	"context"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/tui"
	"github.com/cp-memory/cp/vault/journal"
)

// broken is a port with a mistake in it.
type broken struct{ *desk }

func (broken) Queue(context.Context, queue.Query) (journal.Queue, error) { panic("a mistake") }

// TestAMistakeEndsTheScreen answers with a panic of the port's: the screen ends, and the
// program with an error.
func TestAMistakeEndsTheScreen(t *testing.T) {
	m := tui.New(t.Context(), tui.Options{Port: broken{new(desk)}})
	next, cmd := m.Update(m.Init()())
	if cmd == nil {
		t.Fatalf("the screen goes on: %v", next)
	}
	if _, quits := cmd().(tea.QuitMsg); !quits {
		t.Error("the screen does not end")
	}
}
