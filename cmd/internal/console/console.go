package console

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Console holds what every command needs: its run, and how it reads, writes and answers.
type Console struct {
	*app.App
	Streams
	Flags *settings.Flags // as they were typed; the command line fills them, and nobody changes them
	Form  *Form           // of the answer

	about *about // what the command is about
	busy  *working
	asked *string // see Asks
}

// Asks notes the path of the project that a question is about, where others answer as well:
// text names the project of what is not that one's.
func (f Console) Asks(project string) { *f.asked = project }

// New returns the console of a run, which from now on warns on stderr.
func New(a *app.App, s Streams) Console {
	f := Console{App: a, Streams: s, Flags: new(settings.Flags), Form: new(Form), about: new(about), busy: new(working), asked: new(string)}
	a.Warn = func(text string) { f.Warn(text) }
	a.Debug = func(text string) {
		if f.Form.Debug {
			f.Errs().Printf("debug: %s\n", text)
		}
	}
	a.Progress = f.busy.beginLine
	return f
}

// Opener opens the vault for fn.
type Opener func(ctx context.Context, fn func(*app.Session) error) error

// AskAndAnswer is the whole way of most commands: open the vault, do one thing, answer
// with what came of it, warnings first.
func AskAndAnswer[R any](f Console, cmd *cobra.Command, open Opener, do func(context.Context, *app.Session) (R, error), text func(render.Screen, R)) error {
	return open(cmd.Context(), func(s *app.Session) error {
		r, err := do(cmd.Context(), s)
		if err != nil {
			return err
		}
		return AnswerWith(f, r, text)
	})
}

// Runs is a command without a thought of its own: it opens the vault, does one thing with
// its arguments and answers.
func Runs[R any](f Console, open Opener, do func(context.Context, *app.Session, []string) (R, error), text func(render.Screen, R)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return AskAndAnswer(f, cmd, open, func(ctx context.Context, s *app.Session) (R, error) { return do(ctx, s, args) }, text)
	}
}

// AnswerWith answers with r, after what it warns of: see [vault.Warned].
func AnswerWith[R any](f Console, r R, text func(render.Screen, R)) error {
	var warnings []string
	if w, ok := any(r).(interface{ ListWarnings() []string }); ok {
		warnings = w.ListWarnings()
	}
	return f.WarnAndAnswer(warnings, r, func(s render.Screen) { text(s, r) })
}

// InVault makes the doing of a verb out of its method Do.
func InVault[R any](do func(context.Context, *vault.Vault) (R, error)) func(context.Context, *app.Session) (R, error) {
	return func(ctx context.Context, s *app.Session) (R, error) { return do(ctx, s.Vault) }
}

// unanswered is why an answer could not be written.
type unanswered struct{ error }

// ReadIfDry is read for a dry run, and otherwise open.
func (f Console) ReadIfDry(dry bool, open Opener) Opener {
	if dry {
		return f.Read
	}
	return open
}

// TellTended says what was finished, and what is left of writes that were interrupted.
func (f Console) TellTended(t vault.Tended) {
	render.WriteDelivered(f.Errs(), t.Added)
	f.Warn(t.Notes...)
	if len(t.Left) > 0 {
		f.Warn(render.DescribeUnfinished(t.Left, t.Why))
	} else if t.Why != nil {
		f.Debugf("what waits is not finished yet: %v", t.Why)
	}
}

// Answer writes v on stdout in the format asked for; text writes its text form.
func (f Console) Answer(v any, text func(render.Screen)) error {
	f.busy.wipeLine()
	out := bufio.NewWriter(f.Out)
	err := f.form(out, v, text)
	if vault.CodeOf(err) == vault.CodeInvalid {
		return err
	}
	return Unwritten(cmp.Or(err, out.Flush()))
}

// AnswerText writes a text on stdout that is an answer in a form of its own, such as a picture.
func (f Console) AnswerText(text string) error {
	f.busy.wipeLine()
	out := bufio.NewWriter(f.Out)
	screen := f.Screen()
	screen.Writer = out
	screen.WriteText(text)
	return Unwritten(out.Flush())
}

// Unwritten is the error of an answer that could not be written, or not whole; nil for nil.
func Unwritten(err error) error {
	if err == nil {
		return nil
	}
	return vault.Errorf(vault.CodeIO, "", "cannot write the answer: %w", unanswered{disk.Cause(err)})
}

// form writes v in the format asked for.
func (f Console) form(out io.Writer, v any, text func(render.Screen)) error {
	format, err := render.ParseFormat(f.Form.Output)
	if err != nil {
		return err
	}
	if format != render.Text {
		return render.Value(out, format, v)
	}
	screen := f.Screen()
	screen.Writer = out
	text(screen)
	return nil
}

// Measure returns the tokens of what Answer would write.
func (f Console) Measure(v any, text func(render.Screen)) int {
	var b bytes.Buffer
	if err := f.form(&b, v, text); err != nil {
		return 0 // Answer fails, too
	}
	return vault.Tokens(b.String())
}

// AsText reports whether the answer is text for a person.
func (f Console) AsText() bool {
	format, err := render.ParseFormat(f.Form.Output)
	return err == nil && format == render.Text
}

// WarnAndAnswer answers, warnings first.
func (f Console) WarnAndAnswer(warnings []string, v any, text func(render.Screen)) error {
	f.Warn(warnings...)
	return f.Answer(v, text)
}

// Warn tells on stderr what a person should know beside the answer.
func (f Console) Warn(warnings ...string) {
	f.Errs().Warn(warnings...)
}

// Screen is stdout as people see it: a terminal has a width, a pipe has none.
func (f Console) Screen() render.Screen {
	s := render.Screen{Writer: f.Out, Rows: f.Limit(), Name: f.Name, Now: f.Now(), Asked: *f.asked}
	if f.OutTTY {
		s.Width = f.Width
		if s.Width <= 0 {
			s.Width = 80
		}
		s.Color = f.Env("NO_COLOR") == "" && f.Env("TERM") != "" && f.Env("TERM") != "dumb"
	}
	return s
}

// Errs is stderr as people see it.
func (f Console) Errs() render.Screen {
	return render.Screen{Writer: wiped{f.Err, f.busy}, Rows: f.Limit(), Name: f.Name, Now: f.Now()}
}
