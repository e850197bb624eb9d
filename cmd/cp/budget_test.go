package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// everyBudget has the tests of budgets take each of many budgets in the place of some.
func everyBudget() bool { return os.Getenv("CP_TORTURE") != "" }

// budgets returns what is asked within: some, or with CP_TORTURE each of many.
func (h *hoard) budgets() []int {
	if everyBudget() {
		return []int{1, 10, 20, 30, 40, 50, 75, 100, 150, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 8000, 12_000, 20_000}
	}
	return []int{1 + h.r.Intn(99), 100 + h.r.Intn(2000), 100 + h.r.Intn(19_900)}
}

// TestBudgetsHold asks random vaults with random budgets: whatever the command and the form,
// what is printed is within the budget, and it is not empty.
func TestBudgetsHold(t *testing.T) {
	testlevel.Check(t)
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	commands := [][]string{
		{"recall", "deploy worker 移行"}, {"recall", "deploy", "--limit", "3"}, {"recall", "deploy", "--explain"}, {"recall", "deploy", "--style", "distance"}, {"recall", "deploy", "--show-snippet=false"},
		{"recall", "deploy", "--include-closed", "--limit", "100"},
		{"tree"}, {"tree", "--stats"}, {"tree", "--max-depth", "1"}, {"tree", "pf-root"}, {"prime"},
		{"guide", "deploy worker"}, {"guide", "deploy worker", "--recall"}, {"guide", "deploy " + strings.Repeat("worker 移行 ", 60), "--recall"}, {"guide", "deploy", "--steps", "2"},
		{"context", "work"}, {"context", "work", "--recent", "3"}, {"show", "pf-root"}, {"show", "pf-root", "--depth", "3"}, {"show", "pf-long"},
	}
	huge := [][]string{
		{"show", "pf-big"}, {"show", "pf-big", "--depth", "2"}, {"show", "pf-one"}, {"show", "pf-wide"}, {"show", "pf-wide", "--depth", "1"}, {"show", "pf-below"}, {"show", "pf-entry"}, {"recall", "deploy big"}, {"tree"}, {"prime"},
		{"guide", "deploy big"}, {"guide", "deploy big", "--recall"}, {"context", "work"},
	}
	family := [][]string{
		{"recall", "deploy worker 移行"}, {"recall", "deploy", "--project", "all"}, {"recall", "deploy", "--project", "web"}, {"tree"}, {"tree", "--project", "all"}, {"tree", "--project", "web"}, {"prime"}, {"prime", "--project", "web"},
		{"guide", "deploy worker"}, {"guide", "deploy worker", "--recall", "--project", "web"}, {"context", "work"}, {"context", "work", "--project", "all"}, {"context", "work", "--exact-project"}, {"show", "v1-root"}, {"show", "v1-root", "--depth", "3"},
	}
	eachHoard(t, cp, 1, func(h *hoard) { h.hold(commands) }, func(h *hoard) { h.hold(huge) }, func(h *hoard) { h.hold(family) })
}

// eachHoard asks a random vault, one with texts of a megabyte, and a family of vaults, side by side.
func eachHoard(t *testing.T, cp string, seed int64, random, huge, family func(*hoard)) {
	t.Run("random", func(t *testing.T) { t.Parallel(); random(newHoard(t, cp, seed)) })
	t.Run("huge", func(t *testing.T) {
		t.Parallel()
		h := newHoard(t, cp, seed+1)
		h.huge()
		huge(h)
	})
	t.Run("family", func(t *testing.T) { t.Parallel(); family(newHoards(t, cp, seed+2)) })
}

// hold asks each command in each form within each budget.
func (h *hoard) hold(commands [][]string) {
	for _, command := range commands {
		for _, form := range []string{"text", "json", "yaml", "jsonl"} {
			for _, budget := range h.budgets() {
				h.holds(slices.Concat([]string{"memory"}, command, []string{"-o", form}), form, budget)
			}
		}
	}
}

// What says that not even the least fits, and what would.
var (
	tooSmall = regexp.MustCompile(`the budget of \d+ tokens is too small for any of it(?:(?s:.*)use --budget (\d+))?`)
	noneFits = regexp.MustCompile(`the budget of \d+ tokens is too small for any of \d+ memories found|\d+ more not shown; raise`)
)

// mostOfTheLeast bounds what the least answer of a command costs, by its form.
var mostOfTheLeast = map[string]int{"text": 40, "json": 105, "yaml": 75, "jsonl": 85}

// holds asks a command within a budget and checks what it prints. Where it prints nothing,
// it says what budget is enough, and that one is.
func (h *hoard) holds(args []string, form string, budget int) {
	h.t.Helper()
	var out, said bytes.Buffer
	c := exec.Command(h.cp, append(args, "--budget", fmt.Sprint(budget))...)
	c.Dir, c.Env, c.Stdout, c.Stderr = h.dir, h.env, &out, &said
	err := c.Run()
	line, n := strings.Join(c.Args[1:], " "), vault.Tokens(out.String())
	least, empty := tooSmall.FindStringSubmatch(said.String()), len(strings.Trim(out.String(), "[]\n")) == 0
	var enough int
	if least != nil {
		_, _ = fmt.Sscan(least[1], &enough)
	}
	switch {
	case n > budget && !empty:
		h.t.Errorf("%s: %d tokens", line, n)
	case err != nil && enough > budget && enough <= mostOfTheLeast[form] && n == 0:
		h.holds(args, form, enough)
	case err != nil:
		h.t.Errorf("%s: %v\n%s", line, err, said.String())
	case empty && (budget >= mostOfTheLeast[form] || args[1] != "prime" && !noneFits.MatchString(said.String())):
		h.t.Errorf("%s: %q is all\n%s", line, out.String(), said.String())
	case !isForm(form, out.Bytes()):
		h.t.Errorf("%s: this is no %s:\n%.300s", line, form, out.String())
	}
}

// isForm reports whether an answer is of its form, as far as JSON can tell.
func isForm(form string, out []byte) bool {
	switch form {
	case "json":
		return json.Valid(out)
	case "jsonl":
		for line := range bytes.Lines(out) {
			if !json.Valid(line) {
				return false
			}
		}
	}
	return true
}
