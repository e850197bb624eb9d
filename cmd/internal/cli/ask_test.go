package cli

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

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
