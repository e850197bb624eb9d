package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// TestADiskThatDoesNotAnswer has a project of a family lie on a disk that answers no question:
// a FUSE file system without a server. Each command ends, the others of the family answer, one
// warning names the project, and it stays on the list.
func TestADiskThatDoesNotAnswer(t *testing.T) {
	testlevel.Check(t)
	if os.Getenv("CP_TEST_MOUNTS") == "" {
		inNamespace(t)
		return
	}
	s := newScene(t)
	top := filepath.Dir(s.dir)
	if err := os.WriteFile(filepath.Join(top, ".cp.yaml"), []byte("vault: vault\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	s.must(s.cp, "memory", "add", "A test.", "--title", "Noted")
	s.must("sh", "-ec", fmt.Sprintf("mkdir -p %s/near %s/disk; cd %s/near; git init -q; %s init .; %s memory add --title Near 'A test.'", top, top, top, s.cp, s.cp))
	s.mountSilent(filepath.Join(top, "disk"))
	far := filepath.Join(top, "disk", "far")
	err := registry.Registry{Path: s.listed()}.Update(0, func(l *registry.List) bool {
		return l.PutEntry(registry.Entry{Path: far, Name: "far", Vault: far})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, has string }{
		{"memory list", "Near"}, {"memory recall test --project all", "Near"}, {"memory prime", "near (1 memory)"},
		{"project list --counts", "far"}, {"memory list --exact-project", "Noted"}, {"project prune --dry-run", "No vault on the list is gone."},
	} {
		out := s.must("sh", "-c", s.cp+" "+c.line+" 2>&1")
		exact := strings.Contains(c.line, "exact") || strings.Contains(c.line, "prune")
		if n := strings.Count(out, "its disk did not answer within 5s"); !strings.Contains(out, c.has) || n != 1 && !exact || n != 0 && exact {
			t.Errorf("%s:\n%s", c.line, out)
		}
	}
	if l := (registry.Registry{Path: s.listed()}).Read(); l.Of(far) == nil || l.Of(far).Gone != "" {
		t.Errorf("the list has %+v", l.Entries)
	}
}

// mountSilent mounts a file system that answers nobody.
func (s *scene) mountSilent(dir string) {
	s.t.Helper()
	server, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		s.t.Skipf("%s: %v", noMount, err)
	}
	options := fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", server.Fd())
	if err := syscall.Mount("silent", dir, "fuse", syscall.MS_NOSUID|syscall.MS_NODEV, options); err != nil {
		s.t.Fatalf("%s: %v", noMount, err)
	}
	s.t.Cleanup(func() {
		_ = server.Close() // which wakes all that wait
		_ = syscall.Unmount(dir, syscall.MNT_DETACH)
	})
}
