package cli

import (
	"context"
	"io"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
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
