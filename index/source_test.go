package index

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// folder is a vault in a temporary directory: a vault.Source that reads the
// real disk with package os and the real history with the git command.
type folder struct {
	t     testing.TB
	root  string
	git   bool
	live  bool         // a write is under way
	reads atomic.Int64 // calls of Read
}

// source is what the tests' folders are for the index.
type source interface {
	vault.Files
	vault.Commits
}

// sourceOf returns a folder as the index wants it.
func sourceOf(f source) vault.Source { return vault.Source{Files: f, Commits: f} }

// newFolder makes an empty vault; git says whether it is a repository.
func newFolder(t testing.TB, git bool) *folder {
	t.Helper()
	f := &folder{t: t, root: t.TempDir(), git: git}
	if git {
		f.run("init", "-q", "-b", "main")
	}
	return f
}

func (f *folder) run(args ...string) string {
	f.t.Helper()
	out, err := f.try(args...)
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return out
}

func (f *folder) try(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", f.root, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.quotepath=off"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// write saves a file, making its folders.
func (f *folder) write(path, text string) {
	f.t.Helper()
	full := filepath.Join(f.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) remove(path string) {
	f.t.Helper()
	if err := os.RemoveAll(filepath.Join(f.root, path)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) rename(from, to string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Join(f.root, filepath.Dir(to)), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(f.root, from), filepath.Join(f.root, to)); err != nil {
		f.t.Fatal(err)
	}
}

// commit commits all of the work tree and returns the commit.
func (f *folder) commit() string {
	f.t.Helper()
	f.run("add", "-A")
	f.run("commit", "-q", "--allow-empty", "-m", "x")
	return f.run("rev-parse", "HEAD")
}

func (f *folder) Tip(ctx context.Context) (string, error) {
	head, err := f.Head(ctx)
	return head.Commit, err
}

func (f *folder) Head(context.Context) (vault.Head, error) {
	if !f.git {
		return vault.Head{}, nil
	}
	commit, err := f.try("rev-parse", "--verify", "-q", "HEAD")
	if err != nil {
		return vault.Head{Branch: "refs/heads/main"}, nil
	}
	return vault.Head{Commit: commit, Branch: "refs/heads/main"}, nil
}

func (f *folder) Changes(_ context.Context, from, to string, fn func(vault.Path, string) error) error {
	const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	if from == "" {
		from = emptyTree
	}
	out, err := f.try("diff-tree", "-r", "-z", "--no-renames", from, to)
	if err != nil {
		return errors.New(out)
	}
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(fields[i])
		blob, path := meta[3], vault.Path(fields[i+1])
		if strings.Trim(blob, "0") == "" {
			blob = ""
		}
		if !path.IsMarkdown() {
			continue
		}
		if err := fn(path, blob); err != nil {
			return err
		}
	}
	return nil
}

// Arrivals asks git as simply as can be: for the first parents, and what each brought.
func (f *folder) Arrivals(_ context.Context, from, to string, fn func(vault.Arrival) bool) (bool, error) {
	line := strings.Fields(f.run("rev-list", "--first-parent", to))
	if from != "" {
		at := slices.Index(line, from)
		if at < 0 {
			return false, nil
		}
		line = line[:at]
	}
	for _, commit := range line {
		said := strings.SplitN(f.run("log", "-1", "--format=%at %an", commit), " ", 2)
		seconds, _ := strconv.ParseInt(said[0], 10, 64)
		fields := strings.Split(f.run("diff-tree", "-r", "-z", "--root", "-m", "--first-parent", "--no-commit-id", "-M100%", "-l10000", "--name-status", "--diff-filter=AR", commit), "\x00")
		for len(fields) > 1 {
			a := vault.Arrival{Commit: commit, Origin: vault.Origin{Time: time.Unix(seconds, 0).UTC(), Author: said[1]}, Path: vault.Path(fields[1])}
			n := 2
			if fields[0][0] == 'R' {
				a.From, a.Path, n = a.Path, vault.Path(fields[2]), 3
			}
			if !a.From.IsMarkdown() {
				a.From = ""
			}
			if fields = fields[n:]; a.Path.IsMarkdown() && !fn(a) {
				return true, nil
			}
		}
	}
	return true, nil
}

func (f *folder) Scan(_ context.Context, scope vault.Scope, fn func(vault.File) error) (bool, error) {
	complete := true
	for _, p := range scope.Paths {
		if err := f.scanPath(p, &complete, fn); err != nil {
			return false, err
		}
	}
	if len(scope.Paths) > 0 {
		return complete, nil
	}
	err := f.scan(scope.Dir, scope.Shallow, &complete, fn)
	return complete, err
}

// ScanFolders reads a folder where its own stat is not as it was kept.
func (f *folder) ScanFolders(ctx context.Context, kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (bool, error) {
	return scanFolders(f.root, f.Scan, kept, fn)
}

// ScanFacts looks at each file.
func (f *folder) ScanFacts(_ context.Context, _ bool, _ func(vault.Path) listing.Listing, fn func(listing.Folder) error) (bool, error) {
	complete, files := true, make(map[vault.Path][]vault.File)
	err := f.scan(vault.FactsDir, false, &complete, func(f vault.File) error {
		files[f.Path.Dir()] = append(files[f.Path.Dir()], f)
		return nil
	})
	for dir, in := range files {
		if err == nil {
			err = fn(listing.Folder{Path: dir, Files: in, Count: len(in)})
		}
	}
	return complete, err
}

// scanFolders goes by what a scan finds, folder by folder.
func scanFolders(root string, scan func(context.Context, vault.Scope, func(vault.File) error) (bool, error),
	kept func(vault.Path) listing.Listing, fn func(listing.Folder) error) (bool, error) {
	own, subs := owns(root)
	files := make(map[vault.Path][]vault.File)
	complete, err := scan(context.Background(), vault.Scope{}, func(f vault.File) error {
		files[f.Path.Dir()] = append(files[f.Path.Dir()], f)
		return nil
	})
	if err != nil {
		return false, err
	}
	for dir, stat := range own {
		at := listing.Folder{Path: dir, Own: stat, Subs: subs[dir], Count: len(files[dir]), Files: files[dir], Names: len(files[dir])}
		was := kept(dir)
		var names, now []string
		for name := range was.Files.All() {
			names = append(names, name)
		}
		for _, f := range files[dir] {
			now = append(now, f.Path.Base())
			if f.Problem != nil {
				at.Own = vault.Stat{}
			}
		}
		slices.Sort(now)
		if was.Own == stat && complete && (was.Subs != subs[dir] || !slices.Equal(names, now)) {
			return false, fmt.Errorf("the listing of %q names %q and %q, and there are %q and %q", dir, was.Subs, names, subs[dir], now)
		}
		delete(files, dir)
		if err := fn(at); err != nil {
			return false, err
		}
	}
	for dir, left := range files { // a folder that does not open
		if err := fn(listing.Folder{Path: dir, Files: left}); err != nil {
			return false, err
		}
	}
	return complete, nil
}

// owns returns the folders' own stats, and the folders in each.
func owns(root string) (own map[vault.Path]vault.Stat, subs map[vault.Path]string) {
	own, subs = make(map[vault.Path]vault.Stat), make(map[vault.Path]string)
	_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, name)
		p := vault.Path(rel)
		switch {
		case rel == ".":
			p = ""
		case err != nil || !e.IsDir():
			return nil
		case strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		default:
			subs[p.Dir()] += e.Name() + "\x00"
		}
		var st syscall.Stat_t
		if err := syscall.Lstat(name, &st); err == nil {
			own[p] = statOf(&st)
		}
		return nil
	})
	return own, subs
}

func (f *folder) scanPath(p vault.Path, complete *bool, fn func(vault.File) error) error {
	var st syscall.Stat_t
	switch err := syscall.Lstat(filepath.Join(f.root, string(p)), &st); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case st.Mode&syscall.S_IFMT == syscall.S_IFDIR:
		return f.scan(p, false, complete, fn)
	}
	return fn(vault.File{Path: p, Stat: statOf(&st)})
}

func (f *folder) scan(dir vault.Path, shallow bool, complete *bool, fn func(vault.File) error) error {
	entries, err := os.ReadDir(filepath.Join(f.root, string(dir)))
	if errors.Is(err, fs.ErrNotExist) && dir != "" {
		return nil
	}
	if err != nil {
		*complete = false
		return fn(problemAt(dir, vault.ProblemUnreadable))
	}
	standing := make(map[string]bool)
	for _, e := range entries {
		standing[string(vault.Path(e.Name()).Stem())] = standing[e.Name()] || !e.IsDir()
	}
	for _, e := range entries {
		p := dir.Join(e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if shallow && standing[e.Name()] {
				continue
			}
			err = f.scan(p, shallow, complete, fn)
		case e.Type()&fs.ModeSymlink != 0:
			err = fn(problemAt(p, vault.ProblemSymlink))
		case !e.Type().IsRegular():
			err = fn(problemAt(p, vault.ProblemNotRegular))
		case p.IsMarkdown() && !p.Within(vault.FactsDir), p.IsFacts():
			var st syscall.Stat_t
			if err = syscall.Lstat(filepath.Join(f.root, string(p)), &st); err == nil {
				err = fn(vault.File{Path: p, Stat: statOf(&st)})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func problemAt(p vault.Path, kind string) vault.File {
	return vault.File{Path: p, Problem: &vault.Problem{Path: p, Kind: kind, Msg: kind}}
}

func statOf(st *syscall.Stat_t) vault.Stat {
	return vault.Stat{Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Inode: st.Ino}
}

func (f *folder) Read(p vault.Path) ([]byte, vault.Stat, error) {
	f.reads.Add(1)
	file, err := os.Open(filepath.Join(f.root, string(p)))
	if err != nil {
		return nil, vault.Stat{}, err
	}
	defer file.Close()
	var st syscall.Stat_t
	if err := syscall.Fstat(int(file.Fd()), &st); err != nil {
		return nil, vault.Stat{}, err
	}
	var b bytes.Buffer
	_, err = b.ReadFrom(file)
	return b.Bytes(), statOf(&st), err
}

// Writes tells of a write under way where a test says so.
func (f *folder) Writes() (string, bool) { return "", f.live }

func (f *folder) BlobID(b []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(b))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// index opens the folder's mirror.
func (f *folder) index(o ...Options) *DB {
	f.t.Helper()
	var opt Options
	if len(o) > 0 {
		opt = o[0]
	}
	if opt.Folders == nil {
		opt.Folders = f
	}
	d, err := Open(filepath.Join(f.root, ".cp", "index.db"), opt)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = d.Close() })
	return d
}

// caughtUp opens the folder's mirror and brings it up to date.
func (f *folder) caughtUp(o ...Options) *DB {
	f.t.Helper()
	d := f.index(o...)
	f.catchUp(d)
	return d
}

func (f *folder) catchUp(d *DB) vault.Report {
	f.t.Helper()
	r, err := d.CatchUp(context.Background(), sourceOf(f), vault.Scope{})
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// fresh builds another mirror of the folder from nothing.
func (f *folder) fresh() *DB {
	f.t.Helper()
	d, err := Open(filepath.Join(f.t.TempDir(), "index.db"), Options{Folders: f})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = d.Close() })
	f.catchUp(d)
	return d
}
