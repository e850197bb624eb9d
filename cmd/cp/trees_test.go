package main_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// data is the folder of real trees that lies beside the project.
const data = "../../../shared/data"

// imported is the part of import's JSON that the stories look at.
type imported struct {
	Files []struct{ Source, Path, ID, Action, Reason string }

	Created, Updated, Unchanged, Differs, Skipped int
}

func (s *scene) importTree(dir string, args ...string) imported {
	s.t.Helper()
	var out imported
	text := s.must(s.cp, append([]string{"memory", "import", dir, "-o", "json"}, args...)...)
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		s.t.Fatalf("%v in %.300s", err, text)
	}
	return out
}

// TestRealTrees takes whole trees of real Markdown through the program: import,
// tree, search, sync, export, and import again.
func TestRealTrees(t *testing.T) {
	testlevel.Check(t)
	root := unpack(t, "markdown-trees.tar.gz")
	for tree, word := range map[string]string{
		"otel-docs": "collector", "dendron-site": "vault", "obsidian-tasks": "due date", "foam": "wikilink", "kepano-vault": "notes",
	} {
		t.Run(tree, func(t *testing.T) {
			s := newScene(t)
			src := filepath.Join(root, tree)
			first := s.importTree(src)
			if first.Created == 0 || first.Created+first.Skipped != len(first.Files) {
				t.Fatalf("created %d, skipped %d of %d", first.Created, first.Skipped, len(first.Files))
			}
			s.textsKept(src, first)
			head := s.must("git", "rev-parse", "HEAD")
			if again := s.importTree(src); again.Unchanged != first.Created || again.Created+again.Updated+again.Differs != 0 {
				t.Errorf("second run: %+v", summary(again))
			}
			if s.must("git", "rev-parse", "HEAD") != head {
				t.Error("the second run made a commit")
			}
			s.wholeTree(first.Created)
			if out := s.must(s.cp, "memory", "search", word, "-o", "json"); !strings.Contains(out, `"id"`) {
				t.Errorf("search %q found nothing", word)
			}
			s.healthy()
		})
	}
}

func summary(i imported) string {
	return fmt.Sprintf("created %d updated %d unchanged %d differs %d skipped %d", i.Created, i.Updated, i.Unchanged, i.Differs, i.Skipped)
}

// wholeTree checks that list, tree and export each give every memory.
func (s *scene) wholeTree(want int) {
	s.t.Helper()
	if got := strings.Count(s.must(s.cp, "memory", "tree", "-o", "json"), `"child_count"`); got != want {
		s.t.Errorf("tree gives %d of %d memories", got, want)
	}
	if got := strings.Count(s.must(s.cp, "memory", "export", "-o", "jsonl"), "\n"); got != want {
		s.t.Errorf("export gives %d of %d memories", got, want)
	}
}

// textsKept checks that every imported file holds its source's text byte for
// byte: all after the front matter, a pointer block perhaps behind it.
func (s *scene) textsKept(src string, got imported) {
	s.t.Helper()
	for _, f := range got.Files {
		if f.Action == "skipped" {
			if f.Reason == "" {
				s.t.Errorf("%q was skipped without a reason", f.Source)
			}
			continue
		}
		source, err := os.ReadFile(filepath.Join(src, f.Source))
		if errors.Is(err, os.ErrNotExist) && strings.Contains(f.Source, "\ufffd") {
			continue // JSON cannot tell a name that is not UTF-8
		}
		if err != nil {
			s.t.Errorf("%q: %v", f.Source, err)
			continue
		}
		copied, err := os.ReadFile(filepath.Join(s.dir, f.Path))
		if first := bytes.TrimSpace(source); bytes.HasPrefix(first, []byte("+++")) || bytes.HasPrefix(first, []byte("{")) { // the id stands in the header
			_, source, _ = bytes.Cut(source, []byte("\n\n"))
		}
		if err != nil || !bytes.Contains(copied, bodyOf(source)) {
			s.t.Errorf("%q: the text did not come over whole (%v)", f.Source, err)
		}
	}
}

// bodyOf is what stands behind a YAML front matter, found the plain way.
func bodyOf(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "---" {
		return bytes.TrimRight(text, "\r\n")
	}
	for i := len(first) + 1; i < len(text); {
		end := bytes.IndexByte(text[i:], '\n')
		if end < 0 {
			return nil
		}
		if line := bytes.TrimRight(text[i:i+end], " \t\r"); string(line) == "---" {
			return bytes.TrimRight(text[i+end+1:], "\r\n")
		}
		i += end + 1
	}
	return nil
}

// TestTorture imports a tree made to break importers; every line of its
// EXPECT.tsv is a row here: the file came over whole, or was left out with a reason.
func TestTorture(t *testing.T) {
	testlevel.Check(t)
	root := filepath.Join(unpack(t, "torture.tar.gz"), "torture")
	s := newScene(t)
	first := s.importTree(root)
	actions := map[string]string{}
	for _, f := range first.Files {
		actions[f.Source] = f.Action + " " + f.Reason
	}
	expect, err := os.ReadFile(filepath.Join(root, "EXPECT.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(expect)) {
		path, what, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		t.Run(what, func(t *testing.T) {
			action, seen := actions[strings.ToValidUTF8(unescape(path), "\ufffd")]
			_, err := os.Lstat(filepath.Join(root, unescape(path)))
			switch {
			case errors.Is(err, os.ErrNotExist):
				t.Skipf("%q did not unpack on this system", path)
			case !seen && importable(path):
				t.Errorf("%q is not in the report", path)
			case strings.HasPrefix(action, "skipped") && len(action) < 12:
				t.Errorf("%q: skipped without a reason", path)
			}
			t.Log(path, "→", action)
		})
	}
	s.textsKept(root, first)
	if again := s.importTree(root); again.Unchanged != first.Created || again.Created+again.Updated+again.Differs != 0 {
		t.Errorf("second run: %s, first: %s", summary(again), summary(first))
	}
	s.wholeTree(first.Created)
	s.healthy()
}

// leaves runs a sync that leaves something to be mended: it says so, and ends with 1.
func (s *scene) leaves(name string, args ...string) {
	s.t.Helper()
	out, err := s.run(name, args...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(out, "Left to be mended:") {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// TestTortureInPlace makes the same tree a vault as it stands: nothing crashes,
// what cannot be a memory is reported, and a second sync changes nothing.
func TestTortureInPlace(t *testing.T) {
	testlevel.Check(t)
	root := filepath.Join(unpack(t, "torture.tar.gz"), "torture")
	s := newScene(t)
	if err := os.Rename(root, filepath.Join(s.dir, "torture")); err != nil {
		t.Fatal(err)
	}
	s.must(s.cp, "memory", "tree")
	s.leaves(s.cp, "memory", "sync")
	head := s.must("git", "rev-parse", "HEAD")
	s.leaves(s.cp, "memory", "sync")
	if s.must("git", "rev-parse", "HEAD") != head {
		t.Error("the second sync made a commit")
	}
	for _, args := range [][]string{
		{"memory", "list", "--limit", "1000"}, {"memory", "search", "the"}, {"memory", "tree", "-o", "json"},
	} {
		s.must(s.cp, args...)
	}
	if _, err := s.run(s.cp, "memory", "export", "-o", "jsonl"); err == nil || !strings.Contains(err.Error(), "body/big.md") {
		t.Errorf("export should say which file it could not give: %v", err)
	}
	s.must("git", "fsck", "--strict", "--no-dangling")
}

// importable reports whether a row's file is something import looks at at all.
func importable(path string) bool {
	base := filepath.Base(path)
	return !strings.HasPrefix(base, ".") && base != "noext" && base != "up"
}

// unescape undoes the two escapes EXPECT.tsv needs to stay one line a file.
func unescape(path string) string {
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(path)
}

// unpack extracts an archive of ../shared/data into a folder of the test.
func unpack(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(data, name))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("left out: the real trees of %s lie outside of the repository and are not here", filepath.Join(data, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := extract(filepath.Join(dir, filepath.FromSlash(h.Name)), h, r); err != nil {
			t.Fatal(err)
		}
	}
}

func extract(path string, h *tar.Header, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	switch h.Typeflag {
	case tar.TypeDir:
		return os.MkdirAll(path, 0o755)
	case tar.TypeSymlink:
		return os.Symlink(h.Linkname, path)
	case tar.TypeFifo:
		return syscall.Mkfifo(path, 0o644)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, r); err != nil {
		return err
	}
	return f.Close()
}
