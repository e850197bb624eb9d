package main_test

import (
	"bytes"
	"fmt"
	mrand "math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/tokens"
)

// TestBudgetsHold asks random vaults with random budgets: whatever the command and the form,
// what is printed is within the budget, and it is not empty.
func TestBudgetsHold(t *testing.T) {
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := mrand.New(mrand.NewSource(seed))
			dir := randomVault(t, cp, r)
			for _, command := range [][]string{
				{"recall", "deploy worker 移行"}, {"recall", "deploy", "--limit", "3"}, {"tree"}, {"prime"}, {"guide", "deploy worker"}, {"guide", "deploy worker", "--recall"}, {"guide", "deploy " + strings.Repeat("worker 移行 ", 60), "--recall"},
				{"context", "work"}, {"show", "pf-root"}, {"show", "pf-root", "--depth", "3"}, {"show", "pf-long"},
			} {
				for _, form := range []string{"text", "json", "yaml", "jsonl"} {
					for _, budget := range []int{100, 100 + r.Intn(300), 100 + r.Intn(3000), 100 + r.Intn(19_900)} {
						args := append([]string{"memory"}, command...)
						holds(t, exec.Command(cp, append(args, "-o", form, "--budget", fmt.Sprint(budget))...), dir, budget)
					}
				}
			}
		})
	}
}

// holds runs a command and checks what it prints. Where it prints nothing, it says that not
// even the least fits.
func holds(t *testing.T, c *exec.Cmd, dir string, budget int) {
	t.Helper()
	var out, said bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = dir, &out, &said
	err := c.Run()
	line := strings.Join(c.Args[1:], " ")
	n := tokens.Count(out.String())
	switch {
	case n > budget:
		t.Errorf("%s: %d tokens", line, n)
	case err != nil && strings.Contains(said.String(), "is too small for any of it") && budget < 60:
	case err != nil:
		t.Errorf("%s: %v\n%s", line, err, said.String())
	case n < 5:
		t.Errorf("%s: %q is all\n%s", line, out.String(), said.String())
	}
}

// randomVault makes a vault of short and long texts in several languages, with a parent of many
// children and a piece of work.
func randomVault(t *testing.T, cp string, r *mrand.Rand) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, header, text string) {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("---\n"+header+"\n---\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text := func(most int) string {
		words := strings.Fields("deploy worker restart gateway 移行 データベース развёртывание if(x)=={1}; 0x3f2a9c \"quoted\" <tag> 🚚 schema lock migration")
		var b strings.Builder
		for range 1 + r.Intn(most) {
			b.WriteString(words[r.Intn(len(words))] + []string{" ", " ", " ", "\n", "\n\n# H "}[r.Intn(5)])
		}
		return b.String()
	}
	line := func(most int) string { return fmt.Sprintf("%q", strings.Join(strings.Fields(text(most)), " ")) }
	write("root.md", "id: pf-root\ntitle: Root of deploy\nsummary: When you deploy", text(200))
	write("long.md", "id: pf-long\ntitle: Long deploy\nsummary: When it is long", text(6000))
	for i := range 5 + r.Intn(60) {
		write(fmt.Sprintf("root/c%d.md", i), fmt.Sprintf("id: pf-c%d\ntitle: %s\nsummary: %s", i, line(6), line(20)), text(1+r.Intn(900)))
	}
	for i := range r.Intn(40) {
		write(fmt.Sprintf("r%d.md", i), fmt.Sprintf("id: pf-r%d\ntitle: %s", i, line(6)), text(1+r.Intn(900)))
	}
	for i := range 3 + r.Intn(40) {
		write(fmt.Sprintf("e%d.md", i), fmt.Sprintf("id: pf-e%d\ntitle: %s\ntype: decision\nspec: work\ncreated: 2026-01-01T00:00:%02dZ", i, line(6), i), text(1+r.Intn(300)))
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {cp, "init", "--prefix", "pf"}} {
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return dir
}
