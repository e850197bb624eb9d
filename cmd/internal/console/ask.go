package console

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/tree"
)

// Ask puts a question on stderr and returns nil for a yes. Without a terminal on both
// sides, with --no-input or at the end of the input the answer is no, and the error names
// the flag that says yes. nothing says what has not happened, as in "nothing was deleted".
func (f Console) Ask(ctx context.Context, question func(render.Screen), flag, nothing string) error {
	names, err := f.AskWhich(ctx, question, flag, nothing)
	if err == nil && len(names) > 0 {
		err = errNoYes(flag, nothing)
	}
	return err
}

// AskWhich is Ask of several things, of which a person may also name some: it returns the names,
// and none for a yes.
func (f Console) AskWhich(ctx context.Context, question func(render.Screen), flag, nothing string) (names []string, err error) {
	question(f.Errs())
	if !f.IsAttended() {
		f.Errs().Printf("\n")
		return nil, vault.Errorf(vault.CodeConfirm, "say yes with "+flag, "nobody there to say yes; %s", nothing)
	}
	switch line := f.Choice(ctx); line {
	case "y", "yes":
		return nil, nil
	case "", "n", "no":
		return nil, errNoYes(flag, nothing)
	default:
		return strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }), nil
	}
}

func errNoYes(flag, nothing string) error {
	return vault.Errorf(vault.CodeConfirm, "say yes with y or "+flag, "cancelled; %s", nothing)
}

// IsAttended reports whether a person is there to answer: a terminal on both
// sides, and questions not forbidden.
func (f Console) IsAttended() bool {
	return !f.Form.NoInput && f.InTTY && f.ErrTTY
}

// Choice reads a line from the person, in lower case. Without one it returns "".
func (f Console) Choice(ctx context.Context) string { return strings.ToLower(f.AskLine(ctx)) }

// AskLine reads a line from the person, without spaces around it. Without one it returns "".
// An interrupt ends the waiting; the reading then ends with the process.
func (f Console) AskLine(ctx context.Context) string {
	typed := make(chan string, 1)
	go func() { typed <- ReadLine(f.In) }()
	line := ""
	select {
	case line = <-typed:
	case <-ctx.Done():
	}
	if !strings.HasSuffix(line, "\n") {
		f.Errs().Printf("\n")
	}
	return strings.TrimSpace(line)
}

// maxLine bounds what a person types on a line, in bytes.
const maxLine = 4 << 10

// ReadLine reads up to a line feed and not a byte further: what follows is the
// answer to the next question, or for an editor.
func ReadLine(in io.Reader) string {
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

// Person is who sits at the terminal, with a vault open.
type Person struct {
	Console
	s *app.Session
}

// Person is who sits at the terminal, with a vault open.
func (f Console) Person(s *app.Session) Person { return Person{f, s} }

// Deep asks before a memory gets where every reading takes many steps.
func (p Person) Deep(ctx context.Context, depth int) error {
	return p.Ask(ctx, func(s render.Screen) {
		s.Printf("%s Continue? (y/n) ", tree.DeepPlace(depth))
	}, "--auto-approve", "nothing was created")
}

// Approve shows a proposal until the person has decided.
func (p Person) Approve(ctx context.Context, proposal app.Proposal) (string, phrase.Verdict) {
	for {
		render.Propose(p.Errs(), proposal)
		switch p.Choice(ctx) {
		case "a", "approve":
			return proposal.Summary, phrase.Accept
		case "e", "edit":
			edited, err := p.editPhrase(ctx, proposal.Summary)
			if err == nil {
				return edited, phrase.Accept
			}
			p.Warn(err.Error() + "; the summary is as it was")
		case "c", "cancel":
			return "", phrase.Skip
		case "q", "quit", "":
			return "", phrase.Quit
		}
	}
}

// editPhrase lets the person edit a phrase in their editor. An empty result keeps
// the old one.
func (p Person) editPhrase(ctx context.Context, was string) (string, error) {
	text, err := p.EditedText(ctx, p.s, was)
	if err != nil {
		return "", err
	}
	edited := strings.Join(strings.Fields(text), " ")
	if edited == "" {
		p.Warn("nothing is left of the summary in the editor; it stays as it was")
		return was, nil
	}
	return edited, nil
}

// EditedText lets the person edit a text in their editor.
func (f Console) EditedText(ctx context.Context, s *app.Session, was string) (string, error) {
	name, err := vault.NewID("cp", s.Random)
	if err != nil {
		return "", err
	}
	path := filepath.Join(os.TempDir(), string(name)+".txt")
	if err := disk.Write(path, []byte(was+"\n"), 0o600); err != nil {
		return "", disk.Cause(err)
	}
	defer disk.Remove(path)
	if err := f.RunEditor(ctx, s.Settings, path); err != nil {
		return "", err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", disk.Cause(err)
	}
	return string(b), nil
}

// Phrase asks for a phrase if the model's reply cannot be used. Without an answer it
// returns "".
func (p Person) Phrase(ctx context.Context, why error) string {
	p.Warn(why.Error())
	p.Errs().Printf("Write the summary yourself, when one needs this memory (empty cancels): ")
	return p.AskLine(ctx)
}
