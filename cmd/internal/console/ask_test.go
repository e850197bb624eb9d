package console

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
)

func TestOnlyAPersonSaysYes(t *testing.T) {
	for _, test := range []struct {
		name, typed   string
		in, err, none bool // a terminal on stdin, on stderr; --no-input
		want          string
	}{
		{"yes", "y\n", true, true, false, ""},
		{"YES, with spaces", "  YES \n", true, true, false, ""},
		{"yes without a line feed, at the end of the input", "y", true, true, false, ""},
		{"no", "n\n", true, true, false, "cancelled; nothing was deleted"},
		{"an empty line is the default, no", "\n", true, true, false, "cancelled; nothing was deleted"},
		{"something else", "maybe\n", true, true, false, "cancelled; nothing was deleted"},
		{"the end of the input", "", true, true, false, "cancelled; nothing was deleted"},
		{"a pipe says nothing, whatever it says", "y\n", false, true, false, "nobody there to say yes; nothing was deleted"},
		{"nobody saw the question", "y\n", true, false, false, "nobody there to say yes; nothing was deleted"},
		{"--no-input", "y\n", true, true, true, "nobody there to say yes; nothing was deleted"},
	} {
		var errs bytes.Buffer
		f := New(&app.App{Now: time.Now}, Streams{In: strings.NewReader(test.typed), Err: &errs, InTTY: test.in, ErrTTY: test.err})
		f.Form.NoInput = test.none
		err := f.Ask(context.Background(), func(s render.Screen) { s.Printf("Sure? ") }, "--force", "nothing was deleted")
		if got := render.FaultOf(err); test.want != got.Message || err != nil && (got.Code != vault.CodeConfirm || !strings.Contains(got.Hint, "--force")) {
			t.Errorf("%s: %+v, want %q", test.name, got, test.want)
		}
		if !strings.HasPrefix(errs.String(), "Sure? ") {
			t.Errorf("%s: asked %q", test.name, errs.String())
		}
	}
}

// A person who interrupts a question is not asked to press a key as well.
func TestAnInterruptEndsTheWaiting(t *testing.T) {
	silent, end := io.Pipe()
	defer end.Close()
	ctx, cancel := context.WithCancel(context.Background())
	f := New(&app.App{Now: time.Now}, Streams{In: silent, Err: io.Discard, InTTY: true, ErrTTY: true})
	err := f.Ask(ctx, func(render.Screen) { cancel() }, "--force", "nothing was deleted")
	if vault.CodeOf(err) != vault.CodeConfirm {
		t.Errorf("got %v", err)
	}
}
