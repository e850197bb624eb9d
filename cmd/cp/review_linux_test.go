package main_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// On a terminal that can only print lines the review asks in lines. Enter decides nothing,
// an interrupt ends it with its own exit code, and --no-input asks nothing.
func TestReviewInLines(t *testing.T) {
	const question = "[q]uit > "
	for name, c := range map[string]struct {
		keys string
		args []string
		code int
		want string
	}{
		"approve":      {keys: "a\n", want: "1 of 1 seen: 1 approved."},
		"return":       {keys: "\nq\n", want: "0 of 1 seen: nothing was decided."},
		"end of input": {keys: "\x04", want: "0 of 1 seen: nothing was decided."},
		"interrupt":    {keys: "\x03", code: 130, want: "stopped by a signal"},
		"no input":     {keys: "a\n", args: []string{"--no-input"}, want: "1 of 1. It works"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.must("rm", "-rf", ".git", ".cp", ".gitattributes")
			s.prepare("find . -name '*.md' -delete; cp init --prefix pf; cp memory observe 'It works' --session s1; cp memory observe 'It works' --session s2")
			t.Setenv("TERM", "dumb")
			screen, err := s.typed(t, question, c.keys, append([]string{"memory", "review"}, c.args...)...)
			code, exit := 0, new(exec.ExitError)
			if errors.As(err, &exit) {
				code = exit.ExitCode()
			}
			if code != c.code || !strings.Contains(screen, c.want) || (c.args != nil) == strings.Contains(screen, question) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, c.code, c.want, screen)
			}
			if strings.Contains(screen, "\x1b[?") {
				t.Errorf("the terminal is steered:\n%q", screen)
			}
		})
	}
}
