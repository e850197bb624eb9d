package cli

import (
	"bufio"
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

// face is what every command has: the run it belongs to, and how it reads,
// writes and answers.
type face struct{ *app.App }

// open opens the vault for fn, as it is.
func (f face) open(ctx context.Context, fn func(*app.Session) error) error {
	s, err := f.Open(ctx)
	if err != nil {
		return err
	}
	defer f.close(s)
	return fn(s)
}

// read opens the vault for fn. What killed writers left is finished on the way, and
// what waits in the outbox committed, when that can be done at once: a reader never
// waits for a writer.
func (f face) read(ctx context.Context, fn func(*app.Session) error) error {
	return f.open(ctx, func(s *app.Session) error {
		f.tend(ctx, s)
		return fn(s)
	})
}

// tend says what was finished, and what is left of writes that were interrupted.
func (f face) tend(ctx context.Context, s *app.Session) {
	t := s.Tend(ctx)
	render.Delivered(f.errs(), t.Added)
	f.warn(t.Notes...)
	if len(t.Left) > 0 {
		f.warn(render.Unfinished(t.Left, t.Why))
	} else if t.Why != nil {
		f.Debugf("what waits is not finished yet: %v", t.Why)
	}
}

// close ends a session. The answer is out by then, so a failure is for --debug.
func (f face) close(s *app.Session) {
	if err := s.Close(); err != nil {
		f.Debugf("closing the vault: %v", err)
	}
}

// answer writes v on stdout in the format asked for; text writes its text form.
func (f face) answer(v any, text func(render.Screen)) error {
	format, err := render.ParseFormat(f.Flags.Output)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f.Streams.Out)
	if format != render.Text {
		err = render.Value(out, format, v)
	} else {
		screen := f.screen()
		screen.Writer = out
		text(screen)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot write the answer: %w", reason(err))
	}
	return nil
}

// said answers, warnings first.
func (f face) said(warnings []string, v any, text func(render.Screen)) error {
	f.warn(warnings...)
	return f.answer(v, text)
}

func (f face) warn(warnings ...string) {
	for _, w := range warnings {
		f.errs().Warn(w)
	}
}

// screen is stdout as people see it: a terminal has a width, a pipe has none.
func (f face) screen() render.Screen {
	s := render.Screen{Writer: f.Streams.Out, Now: f.Now()}
	if f.Streams.OutTTY {
		s.Width = f.Streams.Width
		if s.Width <= 0 {
			s.Width = 80
		}
		s.Color = f.Env("NO_COLOR") == "" && f.Env("TERM") != "" && f.Env("TERM") != "dumb"
	}
	return s
}

// errs is stderr as people see it.
func (f face) errs() render.Screen { return render.Screen{Writer: f.Streams.Err, Now: f.Now()} }

// limit is the number of rows asked for, or the command's own default.
func (f face) limit(otherwise int) int {
	if f.Flags.Limit > 0 {
		return f.Flags.Limit
	}
	return otherwise
}

// write opens the vault for fn, after committing what waits in the outbox.
func (f face) write(ctx context.Context, fn func(*app.Session) error) error {
	return f.read(ctx, func(s *app.Session) error {
		f.deliver(ctx, s)
		err := fn(s)
		if err == nil {
			f.tidy(ctx, s)
		}
		return err
	})
}

// tidy is for the moment after the answer. It is nobody's errand, so what goes
// wrong is for --debug.
func (f face) tidy(ctx context.Context, s *app.Session) {
	if f.Tidy == nil {
		return
	}
	if err := f.Tidy(ctx, s); err != nil {
		f.Debugf("git gc --auto: %v", err)
	}
}

// allowSecret binds the flag that lets what looks like a credential be committed.
func allowSecret(cmd *cobra.Command, allowed *bool) {
	cmd.Flags().BoolVar(allowed, "allow-secret", false, "commit it also when it looks like a password or token")
}

// deliver commits what waits. It never stops the command: what cannot be
// delivered stays in the outbox, and the person is told.
func (f face) deliver(ctx context.Context, s *app.Session) {
	added, err := s.Deliver(ctx)
	render.Delivered(f.errs(), added)
	if err != nil {
		f.errs().Warn("what waits in the outbox is not committed yet: " + err.Error())
	}
}
