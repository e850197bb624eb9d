package cli

import (
	"bytes"
	"context"
	"io"
	"os"
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
		f := newFace(&app.App{Now: time.Now}, Streams{In: strings.NewReader(test.typed), Err: &errs, InTTY: test.in, ErrTTY: test.err})
		f.Flags.NoInput = test.none
		err := f.ask(context.Background(), func(s render.Screen) { s.Printf("Sure? ") }, "--force", "nothing was deleted")
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
	f := newFace(&app.App{Now: time.Now}, Streams{In: silent, Err: io.Discard, InTTY: true, ErrTTY: true})
	err := f.ask(ctx, func(render.Screen) { cancel() }, "--force", "nothing was deleted")
	if vault.CodeOf(err) != vault.CodeConfirm {
		t.Errorf("got %v", err)
	}
}

// A model that fails, whatever is wrong with it, leads to the question for a phrase where a
// person is there to answer. Without an answer nothing is created, and what came from stdin
// is kept.
func TestAModelThatFailsIsReplacedByThePerson(t *testing.T) {
	d := scratch(t)
	t.Setenv("TMPDIR", t.TempDir())
	d.write("a.md", "---\nid: pf-a\ntitle: A\n---\nText.\n")
	d.person = true
	for name, fails := range map[string]error{
		"500":      vault.Errorf(vault.CodeGeneration, "try again", "the server failed (500)"),
		"time-out": vault.Errorf(vault.CodeGeneration, "try again", "it did not answer within 30s"),
	} {
		d.model = model(func(context.Context, string) (string, error) { return "", fails })
		d.types = "when the model is away\n"
		o := d.run("memory", "add-sub", "pf-a", "--title", "B "+name, "--body", "Text.")
		if o.exit != 0 || !strings.Contains(o.err, fails.Error()) || !strings.Contains(o.err, "Write the summary yourself") {
			t.Errorf("%s: got %+v", name, o)
		}
		if got := d.run("memory", "show", "pf-a", "-o", "json"); !strings.Contains(got.out, "when the model is away") {
			t.Errorf("%s: got %s", name, got.out)
		}
		d.types = "Typed by hand.\n"
		o = d.run("memory", "add-sub", "pf-a", "--title", "C "+name, "--body-file", "-")
		if o.exit != 1 || !strings.Contains(o.err, "nothing was created") || !strings.Contains(o.err, "Warning: the text from stdin is kept in "+os.TempDir()) {
			t.Errorf("%s, from stdin: got %+v", name, o)
		}
	}
}
