package gitstore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Tidy packs what is loose once there is enough of it, and never when git was
// told so.
func TestTidyPacksManyLooseObjects(t *testing.T) {
	for _, row := range []struct {
		name, config string
		packs        bool
	}{
		{"enough", "gc.auto 256", true},
		{"too few", "gc.auto 6700", false},
		{"never", "gc.auto 0", false},
		{"no maintenance", "maintenance.auto false", false},
		{"one is at work", "gc.auto 256 && touch .git/gc.pid", false},
		{"one could not do more", "gc.auto 256 && touch .git/gc.log", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			for _, i := range []int{263, 410, 523, 790} { // blobs whose ids begin with 17, where git counts
				w.write(fmt.Sprintf("part/%d", i), fmt.Sprintf("%d\n", i))
			}
			w.sh("git add . && git -c gc.auto=0 commit -q -m parts && git config gc.auto 256 && git config " + row.config)
			repo, _ := w.open(false)
			if err := repo.Tidy(t.Context()); err != nil {
				t.Fatal(err)
			}
			there := func(pattern string) bool {
				found, _ := filepath.Glob(filepath.Join(repo.CommonDir(), pattern))
				return len(found) > 0
			}
			for end := time.Now().Add(time.Minute); time.Now().Before(end) && row.packs && (!there("objects/pack/*.pack") || there("gc.pid")); {
				time.Sleep(10 * time.Millisecond)
			}
			if got := there("objects/pack/*.pack"); got != row.packs {
				t.Errorf("packed: got %v, want %v", got, row.packs)
			}
			w.sh("git fsck --no-progress")
		})
	}
}

// A gc that git began by itself is nobody a write waits for; one that a person
// runs is, and so is one that may prune what is young.
func TestAnAutomaticCollectionDelaysNobody(t *testing.T) {
	w := newWorld(t).init("")
	repo, _ := w.open(false)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args  []string
		prune string // gc.pruneExpire
		waits bool
	}{
		{[]string{"git", "gc", "--prune=now"}, "", true},
		{[]string{"git", "gc", "--auto"}, "", false},
		{[]string{"git", "gc", "--auto"}, "now", true},
	} {
		if row.prune != "" {
			w.sh("git config gc.pruneExpire " + row.prune)
		}
		stands := exec.Command("sh", append([]string{"-c", "read line; exit"}, row.args...)...)
		in, err := stands.StdinPipe()
		if err == nil {
			err = stands.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d/cmdline", stands.Process.Pid)); err != nil {
			t.Skip("the system does not tell how a process was called")
		}
		w.write(".git/gc.pid", fmt.Sprintf("%d %s\n", stands.Process.Pid, host))
		if got := repo.gcRuns(t.Context(), host); got != row.waits {
			t.Errorf("beside %q: waits %v, want %v", row.args, got, row.waits)
		}
		in.Close()
		_ = stands.Wait()
	}
}
