package web

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// No error of any code tells who sits before a browser to give a flag: what can be done without
// is left, and where nothing is, there is another advice.
func TestFaultsNameNoFlags(t *testing.T) {
	source, err := os.ReadFile("../../../vault/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`(?m)^\tCode\w+ +Code = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 20 {
		t.Fatalf("only %d codes were found", len(codes))
	}
	for _, code := range codes {
		for hint, want := range map[string]string{
			"repeat the command with --force":                                    "",
			"take it out; if it is none, repeat the command with --allow-secret": "take it out",
			"`cp memory sync --allow-secret` commits it":                         "",
			"look at it, or: git rebase --abort":                                 "look at it, or: git rebase --abort",
			"look at it":                                                         "look at it",
			"use -- as it stands":                                                "use -- as it stands",
			"":                                                                   "",
		} {
			said := faultOf(&vault.Error{Code: vault.Code(code[1]), Msg: "--if-match does not match; say --force", Hint: hint})
			if want != "" && said.Hint != want || (said.Hint == "") != (hint == "") || flag().MatchString(said.Message) || said.Message == "" {
				t.Errorf("%s, %q: got %+v", code[1], hint, said)
			}
			if want == "" && flag().MatchString(said.Hint) {
				t.Errorf("%s, %q: the hint has a flag: %s", code[1], hint, said.Hint)
			}
		}
	}
	for _, hint := range []string{vault.SecretHint, vault.SecretHintElsewhere} {
		if said := faultOf(&vault.Error{Code: vault.CodeSecret, Msg: "looks like a token", Hint: hint}); !strings.HasPrefix(said.Hint, "take it out") || strings.Contains(said.Hint, "--") {
			t.Errorf("a secret: %s", said.Hint)
		}
	}
	if got := dropFlags("say --force"); got != "say force" {
		t.Error(got)
	}
	c := new(call)
	if c.note("no more than 20 rows; the next ones: --offset 20"); c.notes[0] != "no more than 20 rows" {
		t.Error(c.notes)
	}
}
