package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault/converge"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// joinConfig makes git merge the same way under any configuration of a person.
var joinConfig = []string{
	"-c", "merge.directoryRenames=true", "-c", "merge.renames=true", "-c", "merge.conflictStyle=merge", "-c", "merge.renormalize=false",
}

// MergeTrees merges two commits in the object database: neither the work tree
// nor the index is touched. Git makes files for merge drivers where it merges, and
// a killed one leaves them, so that is a folder of ours, with the attributes of the
// work tree. It needs git 2.38.
func (r *Repo) MergeTrees(ctx context.Context, ours, theirs string) (vault.Merged, error) {
	dir, done, err := r.mergeRoom()
	if err != nil {
		return vault.Merged{}, err
	}
	defer done()
	if err := r.supplyAttributes(ctx, dir, ours); err != nil {
		return vault.Merged{}, err
	}
	return r.mergeTreesIn(ctx, dir, slices.Concat(r.driverConfig(), joinConfig), ours, theirs)
}

// mergeRoom makes an empty folder for git to merge in: where there is no folder for
// such things, in the git directory.
func (r *Repo) mergeRoom() (dir string, done func(), err error) {
	if dir, err = disk.TempDir("", "cp-merge-"); err != nil {
		dir, err = disk.TempDir(r.GitDir(), "cp-merge-")
	}
	if err != nil {
		return "", nil, vault.Errorf(vault.CodeIO, "free some space on the disk, or set TMPDIR", "no folder to merge in: %w", err)
	}
	return dir, func() { _ = disk.Discard(dir) }, nil
}

// supplyAttributes puts git's attributes files into a folder that replaces the work tree:
// those at the top and those that commit has. They are copied from the disk or, if missing
// there, from the commit.
func (r *Repo) supplyAttributes(ctx context.Context, dir, commit string) error {
	all, err := r.List(ctx, nil, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	const name = ".gitattributes"
	for _, file := range append(slices.DeleteFunc(all, func(file string) bool { return !strings.HasSuffix(file, "/"+name) }), name) {
		if err == nil {
			err = r.supply(ctx, dir, commit, file)
		}
	}
	return err
}

// supply copies one file. A link is no file of attributes, as for git.
func (r *Repo) supply(ctx context.Context, dir, commit, file string) error {
	at := filepath.Join(r.Top(), filepath.FromSlash(file))
	text, err := []byte(nil), error(nil)
	switch info, serr := os.Lstat(at); {
	case serr != nil:
		text, err = r.ReadAt(ctx, commit, file)
	case info.Mode().IsRegular():
		text, err = os.ReadFile(at)
	}
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil
	}
	to := filepath.Join(dir, filepath.FromSlash(file))
	return plumb.IOError(errors.Join(err, disk.MakeFolders(filepath.Dir(to), 0o700), disk.Write(to, text, 0o600)))
}

// Replay merges two commits as git does by itself, with its default settings except for
// how, regardless of this clone's settings. It reads only the attributes of the git
// directory, since git merges in an empty folder. With a git that cannot do so it returns
// nothing.
func (r *Repo) Replay(ctx context.Context, ours, theirs string, how converge.Replay) (vault.Merged, error) {
	dir, done, err := r.mergeRoom()
	if err != nil {
		return vault.Merged{}, err
	}
	defer done()
	m, err := r.mergeTreesIn(ctx, dir, replayConfig(how), ours, theirs)
	if vault.CodeOf(err) == vault.CodeRemote {
		return vault.Merged{}, nil
	}
	return m, err
}

// replayConfig are git's defaults but for how conflicts in a text are written. The
// driver is for attributes of the git directory, which name it though no clone's
// configuration does.
func replayConfig(how converge.Replay) []string {
	style, driver, own := string(how), "git merge-file --quiet --marker-size=%L --"+string(how)+" %A %O %B", "text"
	switch how {
	case converge.ReplayMerge:
		driver = "git merge-file --quiet --marker-size=%L %A %O %B"
	case converge.ReplayUnion:
		style, own = "merge", "union"
	case converge.ReplayVersions:
		style, own = "merge", "cp-memory"
		driver = "wc -c <%O >%A.all && wc -c <%A >>%A.all && wc -c <%B >>%A.all && cat %O %A %B >>%A.all && mv %A.all %A"
	}
	return []string{
		"-c", "core.attributesFile=/dev/null", "-c", "merge.default=" + own,
		"-c", "merge.conflictStyle=" + style, "-c", "merge.cp-memory.driver=" + driver,
		"-c", "merge.directoryRenames=conflict", "-c", "merge.renames=true", "-c", "merge.renormalize=false",
	}
}

// mergeTop tells the merge driver for memories in which work tree it merges, when git
// runs it somewhere else.
const mergeTop = "CP_MERGE_TOP="

// mergeTreesIn merges in a folder. Git reads its attributes from there, and a driver's
// temporary files are made there.
func (r *Repo) mergeTreesIn(ctx context.Context, dir string, config []string, ours, theirs string) (vault.Merged, error) {
	args := slices.Concat(config, []string{"merge-tree", "--write-tree", "-z", "--messages", ours, theirs})
	cmd := plumb.NewGit(dir, r.GitDir(), r.CommonDir()).Cmd(ctx, []string{mergeTop + r.Top()}, args...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil && plumb.ExitCode(err) != 1 { // 1: with conflicts
		return vault.Merged{}, r.mergeTreeError(ctx, plumb.Error([]string{"merge-tree"}, stderr.String(), err))
	}
	return parseMerge(out.Bytes())
}

// mergeTreeError says which git is needed, where that is the reason.
func (r *Repo) mergeTreeError(ctx context.Context, err error) error {
	out, verr := r.Run(ctx, nil, "version")
	var major, minor int
	if _, serr := fmt.Sscanf(string(out), "git version %d.%d", &major, &minor); verr != nil || serr != nil {
		return err
	}
	if major > 2 || major == 2 && minor >= 38 {
		return err
	}
	return vault.Errorf(vault.CodeRemote, "update git, or merge by hand: git merge", "merging beside the work tree needs git 2.38 or newer; this is %d.%d", major, minor)
}

// driverConfig sets the merge driver for memories for one call, so that it works in a
// clone whose configuration does not name it.
func (r *Repo) driverConfig() []string {
	if r.driver == "" {
		return nil
	}
	return []string{"-c", "merge.cp-memory.name=memories, by their parts", "-c", "merge.cp-memory.driver=" + r.driver}
}

// parseMerge reads what git merge-tree -z writes: the tree, the stages of what
// is in conflict, an empty field, and messages:
//
//	<tree>\0 {<mode> <id> <stage>\t<path>\0} \0 {<count>\0 {<path>\0} <kind>\0 <text>\0}
func parseMerge(out []byte) (vault.Merged, error) {
	fields := strings.Split(string(out), "\x00")
	m := vault.Merged{Tree: fields[0]}
	if !plumb.IsHex(m.Tree) {
		return m, vault.Errorf(vault.CodeIO, "run: git fsck", "git merge-tree gave no tree")
	}
	at := map[string]int{}
	clash := func(path string) *vault.Clash {
		if _, ok := at[path]; !ok {
			at[path] = len(m.Clashes)
			m.Clashes = append(m.Clashes, vault.Clash{Path: path})
		}
		return &m.Clashes[at[path]]
	}
	i := 1
	for ; i < len(fields) && fields[i] != ""; i++ {
		info, path, ok := strings.Cut(fields[i], "\t")
		words := strings.Fields(info)
		if !ok || len(words) != 3 {
			return m, vault.Errorf(vault.CodeIO, "run: git fsck", "git merge-tree wrote the odd line %q", fields[i])
		}
		c := clash(path)
		*map[string]*string{"1": &c.Base, "2": &c.Ours, "3": &c.Theirs}[words[2]] = words[1]
	}
	for i++; i < len(fields); {
		n, err := strconv.Atoi(fields[i])
		if err != nil || i+n+2 >= len(fields) {
			break
		}
		if kind, conflict := strings.CutPrefix(fields[i+n+1], "CONFLICT ("); conflict {
			for _, path := range fields[i+1 : i+1+n] {
				if c := clash(path); c.Kind == "" {
					c.Kind = strings.TrimSuffix(kind, ")")
				}
			}
		}
		i += n + 3
	}
	return m, nil
}

// Rewrite returns a tree with some files' texts replaced; a nil text removes the file.
func (r *Repo) Rewrite(ctx context.Context, tree string, texts map[string][]byte) (string, error) {
	if len(texts) == 0 {
		return tree, nil
	}
	p := object.OpenCommand(r.Git)
	defer p.Close()
	t, err := object.OpenTree(ctx, p, r.IDs, tree)
	if err != nil {
		return "", err
	}
	for path, text := range texts {
		if text == nil {
			err = t.Drop(ctx, path)
		} else {
			err = r.rewriteFile(ctx, p, t, path, text)
		}
		if err != nil {
			return "", err
		}
	}
	return t.Write(ctx)
}

func (r *Repo) rewriteFile(ctx context.Context, o object.Store, t *object.Tree, path string, text []byte) error {
	old, ok, err := t.Find(ctx, path)
	if err != nil {
		return err
	}
	mode := uint32(object.ModeFile)
	if ok && old.IsFile() {
		mode = old.Mode
	}
	id, err := o.Write(ctx, object.KindBlob, text)
	if err != nil {
		return err
	}
	return t.Put(ctx, path, object.Entry{Mode: mode, ID: id})
}
