package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/phrase"
)

// ask puts a question on stderr, and returns nil for a yes. Without a terminal
// on both sides, with --no-input or at the end of the input nobody said yes:
// the error names the flag that does. nothing says what has not happened, as in
// "nothing was deleted".
func (f face) ask(ctx context.Context, question func(render.Screen), flag, nothing string) error {
	question(f.errs())
	if !f.attended() {
		f.errs().Printf("\n")
		return vault.Errorf(vault.CodeConfirm, "say yes with "+flag, "nobody there to say yes; %s", nothing)
	}
	switch f.choice(ctx) {
	case "y", "yes":
		return nil
	}
	return vault.Errorf(vault.CodeConfirm, "say yes with y or "+flag, "cancelled; %s", nothing)
}

// attended reports whether a person is there to answer: a terminal on both
// sides, and questions not forbidden.
func (f face) attended() bool {
	return !f.Flags.NoInput && f.Streams.InTTY && f.Streams.ErrTTY
}

// choice reads one line of the person's, in lower case; "" when there is none.
func (f face) choice(ctx context.Context) string { return strings.ToLower(f.line(ctx)) }

// line reads one line of the person's, without spaces around it; "" when there
// is none. An interrupt ends the waiting; the reading then ends with the process.
func (f face) line(ctx context.Context) string {
	typed := make(chan string, 1)
	go func() { typed <- readLine(f.Streams.In) }()
	line := ""
	select {
	case line = <-typed:
	case <-ctx.Done():
	}
	if !strings.HasSuffix(line, "\n") {
		f.errs().Printf("\n")
	}
	return strings.TrimSpace(line)
}

// maxLine bounds what a person types on a line, in bytes.
const maxLine = 4 << 10

// readLine reads up to a line feed and not a byte further: what follows is the
// answer to the next question, or for an editor.
func readLine(in io.Reader) string {
	var line []byte
	for one := make([]byte, 1); len(line) < maxLine; {
		n, err := in.Read(one)
		line = append(line, one[:n]...)
		if err != nil || n > 0 && one[0] == '\n' {
			break
		}
	}
	return string(line)
}

// unattended refuses to have phrases written that nobody would look at. It
// comes before the model is asked, which costs.
func (f face) unattended(approve bool, nothing string) error {
	if approve || f.attended() {
		return nil
	}
	return vault.Errorf(vault.CodeConfirm, "take generated summaries unseen with --auto-approve", "nobody there to approve a summary; %s", nothing)
}

// approve shows a proposal until the person has decided. Who does not answer
// has not agreed.
func (f face) approve(ctx context.Context, s *app.Session, p render.Proposal) (string, phrase.Verdict) {
	for {
		render.Propose(f.errs(), p)
		switch f.choice(ctx) {
		case "a", "approve":
			return p.Summary, phrase.Accept
		case "e", "edit":
			edited, err := f.editPhrase(ctx, s, p.Summary)
			if err == nil {
				return edited, phrase.Accept
			}
			f.errs().Warn(err.Error() + "; the summary is as it was")
		case "q", "quit":
			return "", phrase.Quit
		case "c", "cancel":
			return "", phrase.Skip
		case "":
			return "", phrase.Quit
		}
	}
}

// editPhrase lets the person edit a phrase in their editor. An empty result
// keeps the old one.
func (f face) editPhrase(ctx context.Context, s *app.Session, was string) (string, error) {
	name, err := vault.NewID("cp", s.Random)
	if err != nil {
		return "", err
	}
	path := filepath.Join(os.TempDir(), string(name)+".txt")
	if err := disk.Write(path, []byte(was+"\n"), 0o600); err != nil {
		return "", reason(err)
	}
	defer disk.Remove(path)
	if err := runEditor(ctx, f.App, s.Settings, path); err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", reason(err)
	}
	edited := strings.Join(strings.Fields(string(b)), " ")
	if edited == "" {
		f.errs().Warn("nothing is left of the summary in the editor; it stays as it was")
		return was, nil
	}
	return edited, nil
}

// typePhrase asks for a phrase where the model's reply cannot be used; "" when
// there is none.
func (f face) typePhrase(ctx context.Context, err error) string {
	f.errs().Warn(err.Error())
	f.errs().Printf("Write the summary yourself, when one needs this memory (empty cancels): ")
	return f.line(ctx)
}

// generator returns the model that writes phrases.
func (f face) generator(s *app.Session) (phrase.Generator, error) {
	if !s.Settings.Generation.Given() {
		return nil, vault.Errorf(vault.CodeConfig, "cp help generation",
			`AI summary generation requires generation config. Use --no-ai --summary "..." to bypass`)
	}
	return f.Generator(s.Settings.Generation)
}

// ungenerated says of a failure of the model that nothing was created, and how
// to go on without it.
func ungenerated(err error) error {
	e := new(vault.Error)
	if vault.CodeOf(err) != vault.CodeGeneration || !errors.As(err, &e) {
		return err
	}
	return vault.Errorf(e.Code, e.Hint+`; or bypass it with --no-ai --summary "..."`, "summary generation failed, and nothing was created: %s", e.Msg)
}
