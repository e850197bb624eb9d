package setup_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup"
)

// An agent's own memory is switched off only where that was asked for, and comes back as it was.
func TestTheAgentsOwnMemory(t *testing.T) {
	for _, name := range []string{"claude-code", "gemini-cli"} {
		agent, _ := setup.FindAgent(name)
		h := newHome(t)
		r := setup.Request{Agents: []setup.Agent{agent}, Scope: setup.User}
		h.do(r)
		before := h.files()
		for path, text := range before {
			if strings.Contains(text, "utoMemory") {
				t.Errorf("%s: %s was switched unasked: %s", name, path, text)
			}
		}
		r.Parts = []setup.Part{setup.Own}
		h.do(r)
		off := false
		for _, text := range h.files() {
			off = off || regexp.MustCompile(`"autoMemory(Enabled)?": ?false`).MatchString(text)
		}
		if !off {
			t.Errorf("%s: it is still on", name)
		}
		r.Remove = true
		h.do(r)
		differ(t, name, h.files(), before)
	}
}

// The end of the set-up says which memory is for what, and what the other one holds.
func TestWhatTheOwnMemoryHoldsIsSaid(t *testing.T) {
	claude, _ := setup.FindAgent("claude")
	codex, _ := setup.FindAgent("codex")
	h := newHome(t)
	r := setup.Request{Agents: []setup.Agent{claude, codex}, Scope: setup.User}
	if notes := strings.Join(h.look(r).Notes, "\n"); !strings.Contains(notes, "--only own") || !strings.Contains(notes, "codex features disable memories") || strings.Contains(notes, "it holds") {
		t.Errorf("got %s", notes)
	}
	slug := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(h.Dir, "-")
	dir := filepath.Join(h.Home, ".claude/projects", slug, "memory")
	h.put(filepath.Join(dir, "MEMORY.md"), "- [A](a.md)\n")
	h.put(filepath.Join(dir, "a.md"), "A fact.\n")
	h.put(filepath.Join(dir, "b.md"), "Another.\n")
	h.put(filepath.Join(h.Home, ".codex/memories/MEMORY.md"), "# Task Group: builds\nscope: builds\n")
	before, _ := os.ReadFile(filepath.Join(dir, "a.md"))
	notes := strings.Join(h.do(r).Notes, "\n")
	if !strings.Contains(notes, "it holds 2 notes of this project. This brings them in: cp memory import --from claude "+dir) ||
		!strings.Contains(notes, "it holds 1 note of this project. This brings them in: cp memory import --from codex") {
		t.Errorf("got %s", notes)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, "a.md")); string(after) != string(before) {
		t.Errorf("got %s", after)
	}
}
