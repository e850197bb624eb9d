package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"reflect"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// face holds what every command needs: its run, and how it reads, writes and answers.
type face struct {
	*app.App
	Streams
	busy *working
}

// newFace returns the face of a run, which from now on warns on stderr.
func newFace(a *app.App, s Streams) face {
	f := face{a, s, new(working)}
	a.Warn = func(text string) { f.warn(text) }
	a.Debug = func(text string) {
		if a.Flags.Debug {
			f.errs().Printf("debug: %s\n", text)
		}
	}
	a.Progress = f.busy.begin
	return f
}

// opener opens the vault for fn.
type opener func(ctx context.Context, fn func(*app.Session) error) error

// asked is the whole way of most commands: open the vault, do one thing, answer
// with what came of it, warnings first.
func asked[R any](f face, cmd *cobra.Command, open opener, do func(context.Context, *app.Session) (R, error), text func(render.Screen, R)) error {
	return open(cmd.Context(), func(s *app.Session) error {
		r, err := do(cmd.Context(), s)
		if err != nil {
			return err
		}
		return told(f, r, text)
	})
}

// runs is a command without a thought of its own: it opens the vault, does one thing with
// its arguments and answers.
func runs[R any](f face, open opener, do func(context.Context, *app.Session, []string) (R, error), text func(render.Screen, R)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return asked(f, cmd, open, func(ctx context.Context, s *app.Session) (R, error) { return do(ctx, s, args) }, text)
	}
}

// told answers with r, after what it warns of.
func told[R any](f face, r R, text func(render.Screen, R)) error {
	return f.said(warnings(r), r, func(s render.Screen) { text(s, r) })
}

// warnings returns the field Warnings of a result that has one.
func warnings(r any) []string {
	v := reflect.ValueOf(r)
	if v.Kind() != reflect.Struct {
		return nil
	}
	found := v.FieldByName("Warnings")
	if !found.IsValid() {
		return nil
	}
	return found.Interface().([]string)
}

// in makes the doing of a verb out of its method Do.
func in[R any](do func(context.Context, *vault.Vault) (R, error)) func(context.Context, *app.Session) (R, error) {
	return func(ctx context.Context, s *app.Session) (R, error) { return do(ctx, s.Vault) }
}

// read opens the vault for fn, after finishing what others left: see [app.App.Read].
func (f face) read(ctx context.Context, fn func(*app.Session) error) error {
	return f.busy.work(func() error { return f.Read(ctx, f.tended, fn) })
}

// look opens the vault for fn, which reads memories, those that wait included: see
// [app.App.Look].
func (f face) look(ctx context.Context, fn func(*app.Session) error) error {
	return f.busy.work(func() error { return f.Look(ctx, f.tended, fn) })
}

// write opens the vault for fn, after committing what waits: see [app.App.Write].
// Where only the answer is lost it says that the write is done.
func (f face) write(ctx context.Context, fn func(*app.Session) error) error {
	err := f.busy.work(func() error { return f.Write(ctx, f.tended, fn) })
	if lost := (unanswered{}); errors.As(err, &lost) {
		return vault.Errorf(vault.CodeIO, "do not run it again; `cp memory changes --since 1h` shows it",
			"what was written is committed, but the answer is lost: %w", lost.error)
	}
	return err
}

// unanswered is why an answer could not be written.
type unanswered struct{ error }

// with opens the vault for fn as it is: see [app.App.With].
func (f face) with(ctx context.Context, fn func(*app.Session) error) error {
	return f.busy.work(func() error { return f.With(ctx, fn) })
}

// unless is read for a dry run, and otherwise open.
func (f face) unless(dry bool, open opener) opener {
	if dry {
		return f.read
	}
	return open
}

// tended says what was finished, and what is left of writes that were interrupted.
func (f face) tended(t vault.Tended) {
	render.Delivered(f.errs(), t.Added)
	f.warn(t.Notes...)
	if len(t.Left) > 0 {
		f.warn(render.Unfinished(t.Left, t.Why))
	} else if t.Why != nil {
		f.Debugf("what waits is not finished yet: %v", t.Why)
	}
}

// answer writes v on stdout in the format asked for; text writes its text form.
func (f face) answer(v any, text func(render.Screen)) error {
	format, err := render.ParseFormat(f.Flags.Output)
	if err != nil {
		return err
	}
	f.busy.end()
	out := bufio.NewWriter(f.Out)
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
		return vault.Errorf(vault.CodeIO, "", "cannot write the answer: %w", unanswered{disk.Cause(err)})
	}
	return nil
}

// asText reports whether the answer is text for a person.
func (f face) asText() bool {
	format, err := render.ParseFormat(f.Flags.Output)
	return err == nil && format == render.Text
}

// said answers, warnings first.
func (f face) said(warnings []string, v any, text func(render.Screen)) error {
	f.warn(warnings...)
	return f.answer(v, text)
}

func (f face) warn(warnings ...string) {
	f.errs().Warn(warnings...)
}

// screen is stdout as people see it: a terminal has a width, a pipe has none.
func (f face) screen() render.Screen {
	s := render.Screen{Writer: f.Out, Rows: f.limit(), Name: f.Name, Now: f.Now()}
	if f.OutTTY {
		s.Width = f.Width
		if s.Width <= 0 {
			s.Width = 80
		}
		s.Color = f.Env("NO_COLOR") == "" && f.Env("TERM") != "" && f.Env("TERM") != "dumb"
	}
	return s
}

// errs is stderr as people see it.
func (f face) errs() render.Screen {
	return render.Screen{Writer: wiped{f.Err, f.busy}, Rows: f.limit(), Name: f.Name, Now: f.Now()}
}

// limit is the number of rows asked for.
func (f face) limit() int { return cmp.Or(f.Flags.Limit, defaultLimit) }
