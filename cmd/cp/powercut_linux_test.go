package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// shutdown is EXT4_IOC_SHUTDOWN, _IOR('X', 125, __u32): the file system stops
// where it is, as if the power were cut. With logFlush what is in the journal by
// then is kept, so that names are there whose texts are not; with noLogFlush
// nothing is that was not synced.
const (
	shutdown   = 0x8004587d
	logFlush   = 1
	noLogFlush = 2
)

// TestPowerCutOfAFileSystem cuts the power of a real ext4 in the midst of four
// writers: what was acknowledged is there, and the repository is sound. It needs
// root, a loop device and mkfs.ext4, and the time of "make torture".
// Faults M3.
func TestPowerCutOfAFileSystem(t *testing.T) {
	if !torture() {
		t.Skip("only in make torture")
	}
	disk := newLoop(t)
	rounds, acked := 100, 0
	for round := range rounds {
		for _, flag := range []int{logFlush, noLogFlush} {
			t.Run(fmt.Sprintf("round %d, flag %d", round, flag), func(t *testing.T) {
				acked += disk.cut(t, round, flag)
			})
		}
	}
	t.Logf("%d power cuts, %d acknowledged writes", 2*rounds, acked)
}

// loop is an ext4 in a file.
type loop struct{ image, at string }

func newLoop(t *testing.T) loop {
	t.Helper()
	l := loop{filepath.Join(t.TempDir(), "image"), filepath.Join(t.TempDir(), "mnt")}
	if err := os.Mkdir(l.at, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"truncate", "-s", "192M", l.image}, {"mkfs.ext4", "-q", "-F", l.image}, l.mount(), l.unmount()} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("no ext4 on a loop device here: %v: %v %s", args, err, out)
		}
	}
	return l
}

func (l loop) mount() []string   { return []string{"mount", "-o", "loop", l.image, l.at} }
func (l loop) unmount() []string { return []string{"umount", "-l", l.at} }

// cut runs one round and returns how many writes were acknowledged before it.
func (l loop) cut(t *testing.T, round, flag int) int {
	run := func(args []string) {
		t.Helper()
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	run([]string{"mkfs.ext4", "-q", "-F", l.image})
	run(l.mount())
	mounted := true
	defer func() {
		if mounted {
			run(l.unmount())
		}
	}()
	s := newScene(t)
	s.dir = filepath.Join(l.at, "vault")
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.must(s.cp, "init", "--prefix", "pf")
	parent := s.add("Parent")
	unix.Sync() // what the vault was made of is not what is tested
	root, err := os.Open(l.at)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	dice := rand.New(rand.NewPCG(uint64(round), uint64(flag)))
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(600+dice.IntN(900))*time.Millisecond)
	defer stop()
	ids := s.writeUntil(ctx, parent, func() {
		if err := unix.IoctlSetPointerInt(int(root.Fd()), shutdown, flag); err != nil {
			t.Errorf("EXT4_IOC_SHUTDOWN: %v", err)
		}
	})
	root.Close()
	run(l.unmount())
	mounted = false
	run(l.mount())
	mounted = true
	s.must(s.cp, "memory", "sync")
	tree := s.must("git", "grep", "-h", "-E", `^id: |^ *\{"id": `, "HEAD", "--", "*.md")
	for _, id := range ids {
		if !strings.Contains(tree, "id: "+id+"\n") || strings.Count(tree, `{"id": "`+id+`"`) != 1 {
			t.Errorf("%s was acknowledged, and is not in HEAD with one pointer", id)
		}
	}
	s.healthy()
	return len(ids)
}

// writeUntil lets four writers add until the time is over, cuts, and returns
// what was acknowledged before the cut.
func (s *scene) writeUntil(ctx context.Context, parent string, cut func()) []string {
	var mu sync.Mutex
	var ids []string
	over := false
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				out, err := s.run(s.cp, "memory", "add-sub", parent, "--title", fmt.Sprintf("Child %d of %d", i, w), "--body", "text", "--summary", "When", "-o", "json")
				var added struct{ ID string }
				mu.Lock()
				stop := over
				if !over && err == nil && json.Unmarshal([]byte(out), &added) == nil {
					ids = append(ids, added.ID)
				}
				mu.Unlock()
				if stop || ctx.Err() != nil && err != nil {
					return
				}
			}
		})
	}
	<-ctx.Done()
	mu.Lock() // nobody is told of a success after this that may come from after the cut
	over = true
	cut()
	mu.Unlock()
	wg.Wait()
	return ids
}
