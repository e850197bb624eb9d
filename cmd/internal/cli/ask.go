package cli

import (
	"bufio"
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
	if f.Flags.NoInput || !f.Streams.InTTY || !f.Streams.ErrTTY {
		f.errs().Printf("\n")
		return vault.Errorf(vault.CodeConfirm, "say yes with "+flag, "nobody there to say yes; %s", nothing)
	}
	switch f.line(ctx) {
	case "y", "yes":
		return nil
	}
	return vault.Errorf(vault.CodeConfirm, "say yes with y or "+flag, "cancelled; %s", nothing)
}

// line reads one line of the person's, in lower case; "" when there is none. An
// interrupt ends the waiting; the reading then ends with the process.
func (f face) line(ctx context.Context) string {
	typed := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(f.Streams.In, 1<<10)).ReadString('\n')
		typed <- line
	}()
	line := ""
	select {
	case line = <-typed:
	case <-ctx.Done():
	}
	if !strings.HasSuffix(line, "\n") {
		f.errs().Printf("\n")
	}
	return strings.ToLower(strings.TrimSpace(line))
}
