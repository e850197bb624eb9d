package main_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// Where a disk of its own is mounted, seen from the folder that holds the vault
// of a scene, and the room that is left on it, in KiB.
var (
	fullPlaces = map[string]string{"the vault": ".", "the git directory": "vault/.git", "the index": "vault/.cp", "temporary files": "tmp"}
	fullRooms  = []int{0, 12, 48}
)

// diskSize is what such a disk holds, in MiB: a few times what the scene takes.
const diskSize = 8

// TestFullDisk fills a real disk beneath every writing command: the vault's,
// that of the git directory, of the index, of temporary files. Each refuses in a
// sentence or is done; afterwards, with room again, the write is there whole or
// absent, nothing is lost, and the command works. Mounting takes a namespace of
// its own, which a machine may refuse.
// Faults M4.
func TestFullDisk(t *testing.T) {
	testlevel.Check(t)
	if os.Getenv("CP_TEST_MOUNTS") == "" {
		inNamespace(t)
		return
	}
	faulty := faultyProgram(t)
	template := sweepScene(t)
	for _, sw := range sweeps {
		if !torture() && !slices.Contains([]string{"add-sub", "move", "pull"}, sw.name) {
			continue
		}
		t.Run(sw.name, func(t *testing.T) {
			s := template.copy(t)
			s.prepare(sw.prep)
			s.play(sw.model)
			s.fillDisks(faulty, sw)
		})
	}
}

// inNamespace runs the test once more, where it may mount.
func inNamespace(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=0")
	cmd.Env = append(os.Environ(), "CP_TEST_MOUNTS=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if id := os.Getuid(); id != 0 {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		t.Skipf("no namespace to mount in: %v", err)
	case strings.Contains(string(out), noMount):
		t.Skip(noMount)
	case err != nil:
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

const noMount = "a tmpfs cannot be mounted here"

// fillDisks runs a command with each disk full, or nearly so.
func (s *scene) fillDisks(faulty string, sw sweep) {
	_, after, ok, _ := s.outcomes(faulty, sw)
	rooms, refused, runs := fullRooms, 0, 0
	if !torture() {
		rooms = rooms[:1]
	}
	for name, place := range fullPlaces {
		for _, room := range rooms {
			c := s.copy(s.t)
			disk := c.mount(place)
			disk.fill(room)
			runs++
			no, absent := c.refuses(sw, name+", "+strconv.Itoa(room)+" KiB left", disk, after, ok)
			if no {
				refused++
			}
			if !absent {
				continue
			}
			c.must(c.cp, sw.line()...)
			if got := c.settled(); got != after {
				s.t.Errorf("%s, room again: (-want +got):\n%s", name, cmp.Diff(after, got))
			}
		}
	}
	if refused == 0 {
		s.t.Error("no disk was full enough")
	}
	s.t.Logf("%d full disks, %d refusals", runs, refused)
}

// full is how a refusal says what is the matter; the editor has words of its own.
var full = regexp.MustCompile(`(?s)Error: .*([Nn]o space left on device|database or disk is full|editor).*hint: `)

// refuses runs the command, makes room again, and checks what is there: no says
// that it refused, absent that all is as it was before.
func (s *scene) refuses(sw sweep, when string, d disk, after string, ok map[string]string) (no, absent bool) {
	s.t.Helper()
	s.env = append(s.env, editing)
	_, err := s.run(s.cp, sw.line()...)
	if err != nil && !full.MatchString(err.Error()) {
		s.t.Errorf("%s: %v", when, err)
	}
	d.free()
	got := s.settled()
	if ok[got] == "" || err == nil && got != after {
		s.t.Errorf("%s, %v: %q:\n%s", when, err, ok[got], cmp.Diff(after, got))
	}
	s.untouched(when)
	return err != nil, ok[got] == "nothing happened"
}

// disk is a small one, mounted.
type disk struct {
	t  *testing.T
	at string
}

// mount puts a part of the scene on a disk of its own.
func (s *scene) mount(place string) disk {
	s.t.Helper()
	at := filepath.Join(filepath.Dir(s.dir), place)
	aside := filepath.Join(s.t.TempDir(), "aside")
	if err := os.MkdirAll(at, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(at, aside); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Mkdir(at, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", at, "tmpfs", 0, "size="+strconv.Itoa(diskSize)+"m"); err != nil {
		s.t.Fatalf("%s: %v", noMount, err)
	}
	s.t.Cleanup(func() { _ = unix.Unmount(at, unix.MNT_DETACH) })
	if out, err := exec.Command("/bin/cp", "-a", aside+"/.", at).CombinedOutput(); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	s.env = append(s.env, "TMPDIR="+filepath.Join(filepath.Dir(s.dir), "tmp"))
	return disk{s.t, at}
}

func (d disk) filler() string { return filepath.Join(d.at, "filler") }

// fill leaves so many KiB free.
func (d disk) fill(room int) {
	d.t.Helper()
	f, err := os.Create(d.filler())
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(page)
	}
	if !errors.Is(err, unix.ENOSPC) {
		d.t.Fatal(err)
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil {
		err = f.Truncate(size - int64(room)<<10)
	}
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d disk) free() {
	d.t.Helper()
	if err := os.Remove(d.filler()); err != nil {
		d.t.Fatal(err)
	}
}
