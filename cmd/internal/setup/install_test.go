package setup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/setup"
	"github.com/cp-memory/cp/vault"
)

// The path of the program tells who installed it.
func TestUpdateIsNamed(t *testing.T) {
	for path, want := range map[string]string{
		"/home/a/.npm/_npx/12/node_modules/@cp-memory/linux-x64/bin/cp-memory": "npx cp-memory@latest",
		"/usr/lib/node_modules/@cp-memory/linux-x64/bin/cp-memory":             "npm install -g cp-memory@latest",
		"/home/a/.local/share/uv/tools/cp-memory/bin/cp-memory":                "uv tool upgrade cp-memory",
		"/home/a/.cache/uv/archive-v0/xyz/bin/cp-memory":                       "uvx cp-memory@latest",
		"/home/linuxbrew/.linuxbrew/Cellar/cp-memory/0.1.0/bin/cp-memory":      "brew upgrade cp-memory",
		"/home/a/venv/bin/cp-memory":                                           "pip install --upgrade cp-memory",
		"/usr/bin/cp-memory":                                                   "https://example.com/releases",
	} {
		glob := func(pattern string) ([]string, error) {
			if strings.HasPrefix(pattern, "/home/a/venv/lib") {
				return []string{pattern}, nil
			}
			return nil, nil
		}
		if got := (setup.Install{Program: path, Glob: glob}).UpdateCommand("https://example.com/releases"); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// A program that npx or uvx fetched for one call is gone with a cache: no agent's file names it.
func TestAProgramOfOneCall(t *testing.T) {
	for path, want := range map[string]string{
		"/home/u/.npm/_npx/f00/node_modules/@cp-memory/linux-x64/bin/cp-memory":           "npm install -g cp-memory",
		"/home/u/.cache/uv/archive-v0/x1/bin/cp-memory":                                   "uv tool install cp-memory",
		"/home/u/.cache/pnpm/dlx/x/node_modules/.bin/cp-memory":                           "pnpm add -g cp-memory",
		"/home/u/.local/share/uv/tools/cp-memory/bin/cp-memory":                           "",
		"/usr/lib/node_modules/cp-memory/node_modules/@cp-memory/linux-x64/bin/cp-memory": "",
	} {
		h := newHome(t)
		h.Program = path
		agents := setup.Agents()
		_, err := h.Plan(setup.Request{Agents: agents, Scope: setup.User})
		var e *vault.Error
		hint := ""
		if errors.As(err, &e) {
			hint = e.Hint
		}
		if (err != nil) != (want != "") || !strings.Contains(hint, want) {
			t.Errorf("%s: %v, hint %q, want %q", path, err, hint, want)
		}
		for _, r := range []setup.Request{{Agents: agents, Scope: setup.User, Remove: true}, {Agents: agents, Scope: setup.Project}} {
			if _, err := h.Plan(r); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
