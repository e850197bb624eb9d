package repair

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/doctor"
)

// Diagnose looks for what a power cut or a foreign prune leaves of the
// repository around dir: a HEAD or refs of no bytes, a branch whose commit
// lacks objects, objects of no bytes, a pack that is cut off, an index that
// cannot be read. It changes nothing. A folder in no repository is sound.
func Diagnose(ctx context.Context, dir string) (doctor.Damage, error) {
	x, err := newExaminer(ctx, dir)
	if err != nil || x == nil {
		return doctor.Damage{}, err
	}
	if err := x.head(); err != nil {
		return doctor.Damage{}, err
	}
	if err := errors.Join(x.empties(), x.packs()); err != nil || len(x.d.Commands) > 0 {
		return x.d, err // what else is wrong shows when git can read HEAD, refs and packs again
	}
	if err := x.branches(); err != nil {
		return doctor.Damage{}, err
	}
	if x.d.LostBranch() != "" {
		return x.d, nil // there is no commit to make an index of
	}
	return x.d, x.checkIndex()
}

// examiner reads a repository that git itself may refuse.
type examiner struct {
	plumb.Git
	ctx context.Context
	d   doctor.Damage
	ref string // the branch that HEAD names; empty when detached
}

// newExaminer finds the repository around dir by its .git alone; nil without one.
func newExaminer(ctx context.Context, dir string) (*examiner, error) {
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	for ; ; at = filepath.Dir(at) {
		dot := filepath.Join(at, ".git")
		if info, err := os.Lstat(dot); err == nil {
			return examine(ctx, at, dot, info.IsDir())
		}
		if filepath.Dir(at) == at {
			return nil, nil
		}
	}
}

func examine(ctx context.Context, top, dot string, folder bool) (*examiner, error) {
	gitDir := dot
	if !folder {
		to, err := plumb.ReadGitFile(dot)
		if err != nil || to == "" {
			return nil, err
		}
		gitDir = to
	}
	common, err := plumb.CommonDirOf(gitDir)
	if err != nil {
		return nil, nil // no repository, or one of which nothing is left
	}
	if info, err := os.Stat(filepath.Join(common, "objects")); err != nil || !info.IsDir() {
		return nil, nil
	}
	git := plumb.NewGit(top, gitDir, common)
	if err := git.CheckTrust(ctx); err != nil {
		return nil, err
	}
	return &examiner{Git: git, ctx: ctx, d: doctor.Damage{Found: []string{}, Steps: []string{}, Commands: []string{}, Top: top, Dir: gitDir}}, nil
}

func (x *examiner) addFinding(format string, args ...any) {
	x.d.Found = append(x.d.Found, fmt.Sprintf(format, args...))
}

func (x *examiner) addStep(format string, args ...any) {
	x.d.Steps = append(x.d.Steps, fmt.Sprintf(format, args...))
}

// head reads HEAD.
func (x *examiner) head() error {
	at := filepath.Join(x.GitDir(), "HEAD")
	b, err := os.ReadFile(at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	said := strings.TrimSpace(string(b))
	if ref, ok := strings.CutPrefix(said, "ref: "); ok && plumb.ValidRef(ref) {
		x.ref = ref
		return nil
	}
	if plumb.IsHex(said) && len(said) >= 40 {
		return nil // detached: there is no branch to take back
	}
	x.addFinding("%s names no branch", at)
	x.command("printf 'ref: %%s\\n' %s >%s", shellQuote(x.lastBranch()), shellQuote(at))
	return nil
}

// command adds what a person has to run.
func (x *examiner) command(format string, args ...any) {
	x.d.Commands = append(x.d.Commands, fmt.Sprintf(format, args...))
}

// shellQuote writes a word as a shell reads it.
func shellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// branches looks at the branch that HEAD names, and at those that are gone while
// their logs are there: git deletes both together.
func (x *examiner) branches() error {
	there, _ := x.git("for-each-ref", "--format=%(refname)", "refs/heads") // it names those that can be read, whatever it says of others
	known := strings.Fields(there)
	for _, ref := range x.listLoggedBranches() {
		if ref != x.ref && !slices.Contains(known, ref) {
			if err := x.branch(ref, ""); err != nil {
				return err
			}
		}
	}
	if x.ref == "" {
		return nil
	}
	was, _ := x.git("rev-parse", "--verify", "--quiet", x.ref)
	return x.branch(x.ref, was)
}

// branch looks at one branch. was is the commit that it names.
func (x *examiner) branch(ref, was string) error {
	name := strings.TrimPrefix(ref, "refs/heads/")
	if was == "" {
		if len(x.log(ref)) == 0 {
			return nil // no commit yet
		}
		x.addFinding("the branch %s names no commit", name)
	} else {
		if ok, err := x.isWhole(was, true); ok || err != nil {
			return err
		}
		x.addFinding("the branch %s names %s, of which objects are missing", name, vault.Short(was))
	}
	to, err := x.newest(ref, was)
	if err != nil {
		return err
	}
	x.d.Branches = append(x.d.Branches, doctor.TakeBack{Ref: ref, To: to})
	if to == "" {
		x.addStep("nothing: no whole commit is in the log of %s; a clone or a remote may have one", ref)
		return nil
	}
	x.addStep("take %s back to %s, the newest whole commit in its log; files on disk stay", name, x.describe(to))
	return nil
}

// isWhole reports whether everything is there that a commit needs: of its own
// tree, or of its whole history.
func (x *examiner) isWhole(id string, tip bool) (bool, error) {
	if tip {
		return x.HasAllObjects(x.ctx, "--no-walk", id)
	}
	return x.HasAllObjects(x.ctx, id)
}

func (x *examiner) describe(id string) string {
	out, err := x.git("show", "--no-patch", "--format=%h of %ad %s", "--date=iso", id)
	if err != nil {
		return vault.Short(id)
	}
	return out
}

// git runs git on the repository.
func (x *examiner) git(args ...string) (string, error) {
	out, err := x.Run(x.ctx, nil, args...)
	return strings.TrimSpace(string(out)), err
}

// Repair takes the branches back that [Diagnose] named, and makes the index anew.
// No file of the work tree is touched; the reflog keeps what the branches named.
func Repair(ctx context.Context, d doctor.Damage) error {
	x := &examiner{Git: plumb.NewGit(d.Top, d.Dir, d.Dir), ctx: ctx}
	for _, b := range d.Branches {
		if b.To == "" {
			continue
		}
		if _, err := x.git("update-ref", "--create-reflog", "-m", "cp: doctor, the newest whole commit", b.Ref, b.To); err != nil {
			return plumb.IOError(err)
		}
	}
	if !d.Index {
		return nil
	}
	if _, err := x.git("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return nil // no commit, so no index
	}
	if err := x.keepIndex(); err != nil {
		return err
	}
	_, err := x.git("read-tree", "HEAD")
	return plumb.IOError(err)
}

// keepIndex gives the index a second name.
func (x *examiner) keepIndex() error {
	at := filepath.Join(x.GitDir(), "index")
	text, err := os.ReadFile(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return disk.ReplaceSync(fmt.Sprintf("%s.broken-%.10x", at, sha256.Sum256(text)), text, 0o600)
}
