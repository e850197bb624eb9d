package plumb

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// Whether a repository is one for this user is what git says of it, and no git begins in one
// that is not.
func TestTrustIsThatOfGit(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, row := range []struct {
		name    string
		foreign []string // what another user owns, below the folder of the test
		safe    string   // safe.directory
		top     string   // of the work tree
		refused bool
	}{
		{name: "one's own", top: "repo"},
		{name: "another user's", foreign: []string{"repo", "repo/.git"}, top: "repo", refused: true},
		{name: "the git directory alone", foreign: []string{"repo/.git"}, top: "repo", refused: true},
		{name: "the work tree alone", foreign: []string{"repo"}, top: "repo", refused: true},
		{name: "named safe", foreign: []string{"repo", "repo/.git"}, safe: "DIR/repo", top: "repo"},
		{name: "all named safe", foreign: []string{"repo", "repo/.git"}, safe: "*", top: "repo"},
		{name: "another one named safe", foreign: []string{"repo", "repo/.git"}, safe: "DIR/other", top: "repo", refused: true},
		{name: "a linked work tree's name", foreign: []string{"linked", "linked/.git", "repo/.git/worktrees/linked"}, top: "linked", refused: true},
		{name: "a linked work tree named safe", foreign: []string{"linked", "linked/.git", "repo/.git/worktrees/linked"}, safe: "DIR/linked", top: "linked"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("HOME", dir)
			t.Setenv("XDG_CONFIG_HOME", dir)
			t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			for _, args := range [][]string{{"init", "-q", "repo"}, {"-C", "repo", "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "--allow-empty", "-m", "1"},
				{"-C", "repo", "worktree", "add", "-q", "../linked"}, {"config", "--global", "safe.directory", strings.Replace(row.safe, "DIR", dir, 1)}} {
				cmd := exec.Command("git", args...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %s: %v\n%s", args, err, out)
				}
			}
			for _, name := range row.foreign {
				if err := os.Lchown(filepath.Join(dir, name), 12345, 12345); err != nil {
					t.Fatal(err)
				}
			}
			common := filepath.Join(dir, "repo/.git")
			gitDir := common
			if row.top == "linked" {
				gitDir = filepath.Join(common, "worktrees/linked")
			}
			g := NewGit(filepath.Join(dir, row.top), gitDir, common)
			_, ran := g.Run(t.Context(), nil, "rev-parse", "HEAD")
			for what, err := range map[string]error{"trusted": g.CheckTrust(t.Context()), "run": ran, "begun": g.Cmd(t.Context(), nil, "version").Start()} {
				if errors.Is(err, vault.ErrRefused) != row.refused || err != nil && !row.refused {
					t.Errorf("%s: got %v, want refused %v", what, err, row.refused)
				}
			}
		})
	}
}
