package main_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The bench of the agents does one task with each of its programs that is there.
func TestBenchAgent(t *testing.T) {
	bin := clients(t)
	bench := filepath.Join(t.TempDir(), "benchagent")
	if out, err := exec.Command("go", "build", "-tags", "sqlite_fts5", "-o", bench, "../../testdata/benchagent").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := agents[0].begin(t)
	out, err := exec.Command(bench, "-cp", p.bin, "-clients", filepath.Join(bin, "..", ".."), "-only", "with the (memory|file alone), find$").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ran := 0
	for _, client := range []string{"claude-code", "opencode"} {
		if strings.Contains(string(out), "NOT RUN: there is no "+map[string]string{"claude-code": "claude", "opencode": "opencode"}[client]) {
			continue
		}
		ran++
		for _, row := range []string{"| " + client + " | with the memory | 1 of 1 | 1 | 0 | 0 |", "| " + client + " | with the file alone | 1 of 1 | 0 | 0 | 0 | 0 |"} {
			if !strings.Contains(string(out), row) {
				t.Errorf("no row %s in\n%s", row, out)
			}
		}
	}
	if ran == 0 {
		t.Skip("NOT RUN: neither Claude Code nor opencode is there")
	}
}
