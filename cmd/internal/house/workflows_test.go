package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pinned is an action by the hash of its commit, with the version that this was: a tag can be moved.
var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// A workflow takes foreign actions by their hash, may read unless a job says more, and names no secret that a
// proposed change could get at.
func TestWorkflowsArePinned(t *testing.T) {
	names, _ := filepath.Glob(filepath.Join(top, ".github/workflows/*.yml"))
	if len(names) == 0 {
		t.Fatal("no workflows")
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if !strings.Contains(text, "\npermissions:\n  contents: read\n\n") {
			t.Errorf("%s: all jobs are to have contents: read, and no more", name)
		}
		if strings.Contains(text, "pull_request") && strings.Contains(text, "secrets.") || strings.Contains(text, "pull_request_target") {
			t.Errorf("%s: a proposed change could read a secret", name)
		}
		for line := range strings.Lines(text) {
			if _, action, ok := strings.Cut(strings.TrimSpace(line), "uses: "); ok && !pinned.MatchString(action) {
				t.Errorf("%s: %s is not pinned by a hash, with its version beside it", name, action)
			}
		}
	}
}
