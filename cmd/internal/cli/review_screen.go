package cli

import (
	"context"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/tui"
)

// fullScreen reports whether a screen with keys can be shown: there is a person, and a
// terminal that can be drawn on.
func (f face) fullScreen() bool {
	term := f.Env("TERM")
	return f.InTTY && f.OutTTY && !f.Form.NoInput && f.Env("CP_ACCESSIBLE") != "1" && term != "" && term != "dumb"
}

// reviewScreen shows the full screen. What was done stays on the terminal behind it.
func (f face) reviewScreen(ctx context.Context, s *app.Session, r *queue.Review, q queue.Query) error {
	found, err := r.Queue(ctx, queue.Query{Bare: true, Limit: 1})
	if err != nil {
		return err
	}
	f.Clear()
	if found.Total == 0 {
		f.Screen().Println("Nothing waits for a decision.")
		return nil
	}
	warned := new(held)
	defer warned.instead(f)()
	sum, err := tui.Run(ctx, tui.Options{
		Port: r, In: f.In, Out: f.Out, Dir: f.Dir, Limit: q.Limit, Offset: q.Offset,
		Thresholds: s.Settings.Promotion.Thresholds, Now: f.Now, Warnings: warned.takeWarnings,
		Edit: func(ctx context.Context, text string) (string, error) { return f.EditedText(ctx, s, text) },
	})
	render.WriteReviewed(f.Screen(), sum.Seen, sum.Total, sum.Done)
	return err
}

// held keeps warnings while the terminal is a screen, where they would be drawn over.
type held struct {
	mu    sync.Mutex
	texts []string
}

// takeWarnings returns the warnings since the last call.
func (h *held) takeWarnings() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	texts := h.texts
	h.texts = nil
	return texts
}

// instead has the program warn here, and draw no progress, until the function that it
// returns is called. That one tells what nobody has taken.
func (h *held) instead(f face) (end func()) {
	warn, progress := f.App.Warn, f.App.Progress
	f.App.Progress = nil
	f.App.Warn = func(text string) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.texts = append(h.texts, text)
	}
	return func() {
		f.App.Warn, f.App.Progress = warn, progress
		f.Warn(h.takeWarnings()...)
	}
}
