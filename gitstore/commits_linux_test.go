package gitstore

import (
	"strings"
	"testing"
)

// Which command lines of git's are a commit.
func TestIsCommit(t *testing.T) {
	for line, want := range map[string]bool{
		"git commit":                            true,
		"git -c user.name=x -C dir commit -m y": true,
		"git --git-dir /x commit -a":            true,
		"git --no-pager commit":                 true,
		"git log commit":                        false,
		"git -C commit log":                     false,
		"git commit-tree x":                     false,
		"git":                                   false,
	} {
		if got := isCommit(strings.Fields(line)); got != want {
			t.Errorf("%s: got %v", line, got)
		}
	}
}
