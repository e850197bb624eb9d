package main_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/guide"
)

// What agents without our tools are told to type runs as it stands.
func TestSkill(t *testing.T) {
	text := guide.Skill(guide.Ways{Program: "cp-memory"})
	front := regexp.MustCompile(`(?s)\A---\nname: memory\ndescription: (.*?)\n---\n`).FindStringSubmatch(text)
	if front == nil || len(front[1]) > 1024 {
		t.Errorf("its head is not that of a skill: %.200s", text)
	}
	p := build(t, "cp-memory").in(t, nil)
	p.must("git config --global user.name Ada; git config --global user.email ada@example.com; cp-memory init v --prefix pf")
	id := strings.Fields(p.must(`cd v; cp-memory add --title First --summary "When it begins" x`))[2]
	ran := 0
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(text, -1)
	for _, block := range append(blocks, regexp.MustCompile("`(cp-memory [^`]*)`").FindAllStringSubmatch(text, -1)...) {
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
