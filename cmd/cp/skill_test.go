package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// The skill that agents load costs them 1,500 tokens at the most, and its examples run as
// they stand.
func TestSkill(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(top, "cmd/internal/setup/text/skill.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if n := vault.Tokens(text); n > 1500 {
		t.Errorf("it has %d tokens", n)
	}
	front := regexp.MustCompile(`(?s)\A---\nname: memory\ndescription: (.*?)\n---\n`).FindStringSubmatch(text)
	if front == nil || len(front[1]) > 1024 {
		t.Errorf("its head is not that of a skill: %.200s", text)
	}
	p := build(t, "cp-memory").in(t, nil)
	p.must("git config --global user.name Ada; git config --global user.email ada@example.com; cp-memory init v --prefix pf")
	id := strings.Fields(p.must(`cd v; cp-memory add --title First --summary "When it begins" x`))[2]
	ran := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(block[1]) {
			line = regexp.MustCompile(`\bID\b`).ReplaceAllString(strings.TrimSpace(line), id)
			if out := p.must("cd v; " + line); out == "" {
				t.Errorf("%s: it says nothing", line)
			}
			ran++
		}
	}
	if ran < 8 {
		t.Errorf("ran %d examples", ran)
	}
}
