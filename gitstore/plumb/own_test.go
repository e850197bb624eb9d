package plumb

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The repository's own settings are those of its files alone, whatever they include
// and whoever reads them.
func TestOwnSettingsFollowNoInclude(t *testing.T) {
	for name, line := range map[string]string{"plain": "# nothing", "odd": "[a]\n\tb = c\\td"} {
		t.Run(name, func(t *testing.T) {
			dir := newRepository(t)
			common := filepath.Join(dir, ".git")
			text := line + "\n[include]\n\tpath = more\n[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = Other\n"
			if name == "plain" {
				text = line + "\n[core]\n\trepositoryformatversion = 0\n\tbare = false\n[user]\n\tname = Other\n"
			}
			for file, text := range map[string]string{"config": text, "more": "[core]\n\tbare = true\n[extensions]\n\tpartialClone = x\n"} {
				if err := os.WriteFile(filepath.Join(common, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			linked := filepath.Join(t.TempDir(), "linked")
			for _, args := range [][]string{{"commit", "-q", "--allow-empty", "-m", "1"}, {"worktree", "add", "-q", linked},
				{"config", "extensions.worktreeConfig", "true"}, {"-C", linked, "config", "--worktree", "user.name", "Linked"}} {
				cmd := exec.Command("git", append([]string{"-c", "user.email=x@example.org", "-c", "core.bare=false"}, args...)...)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %s: %v\n%s", args, err, out)
				}
			}
			for git, want := range map[Git]string{NewGit(dir, common, common): "Other", NewGit(linked, filepath.Join(common, "worktrees", "linked"), common): "Linked"} {
				own, err := git.Own(t.Context())
				if err != nil || own["user.name"] != want || own["core.bare"] != "false" || own["extensions.partialclone"] != "" {
					t.Errorf("%s: got %q, %v", git.Top(), own, err)
				}
			}
		})
	}
}
