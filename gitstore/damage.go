package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Diagnose looks for what a power cut or a foreign prune leaves of the
// repository around dir: a HEAD or refs of no bytes, a branch whose commit
// lacks objects, objects of no bytes, a pack that is cut off, an index that
// cannot be read. It changes nothing. A folder in no repository is sound.
func Diagnose(ctx context.Context, dir string) (vault.Damage, error) {
	x, err := newExaminer(ctx, dir)
	if err != nil || x == nil {
		return vault.Damage{}, err
	}
	if err := x.head(); err != nil {
		return vault.Damage{}, err
	}
	if err := x.empties(); err != nil || x.d.Head != "" {
		return x.d, err // git reads nothing before HEAD is mended
	}
	if err := x.packs(); err != nil || len(x.d.Packs) > 0 {
		return x.d, err // nor is it known before the packs are mended what is missing
	}
	if err := x.branches(); err != nil {
		return vault.Damage{}, err
	}
	if x.d.Lost() != "" {
		return x.d, nil // there is no commit to make an index of
	}
	return x.d, x.index()
}

// examiner reads a repository that git itself may refuse.
type examiner struct {
	ctx   context.Context
	top   string
	d     vault.Damage
	ref   string   // the branch that HEAD names; empty when detached
	empty []string // branches whose refs hold nothing
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
		b, err := os.ReadFile(dot)
		to, ok := strings.CutPrefix(strings.TrimSpace(string(b)), "gitdir: ")
		if err != nil || !ok {
			return nil, err
		}
		if gitDir = to; !filepath.IsAbs(to) {
			gitDir = filepath.Join(top, to)
		}
	}
	common, err := commonDirOf(gitDir)
	if err != nil {
		return nil, nil // no repository, or one of which nothing is left
	}
	if info, err := os.Stat(filepath.Join(common, "objects")); err != nil || !info.IsDir() {
		return nil, nil
	}
	return &examiner{ctx: ctx, top: top, d: vault.Damage{Top: top, Dir: gitDir, Common: common}}, nil
}

func (x *examiner) found(format string, args ...any) {
	x.d.Found = append(x.d.Found, fmt.Sprintf(format, args...))
}

func (x *examiner) step(format string, args ...any) {
	x.d.Steps = append(x.d.Steps, fmt.Sprintf(format, args...))
}

// head reads HEAD.
func (x *examiner) head() error {
	b, err := os.ReadFile(filepath.Join(x.d.Dir, "HEAD"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	said := strings.TrimSpace(string(b))
	if ref, ok := strings.CutPrefix(said, "ref: "); ok && validRef(ref) {
		x.ref = ref
		return nil
	}
	if isHex(said) && len(said) >= 40 {
		return nil // detached: there is no branch to take back
	}
	x.d.Head = x.lastBranch()
	x.found("%s names no branch", filepath.Join(x.d.Dir, "HEAD"))
	x.step("let HEAD name %s again, and look on", x.d.Head)
	return nil
}

// branches looks at the branch that HEAD names, and at those whose refs hold nothing.
func (x *examiner) branches() error {
	refs := x.empty
	if x.ref != "" && !slices.Contains(refs, x.ref) {
		refs = append([]string{x.ref}, refs...)
	}
	for _, ref := range refs {
		if err := x.branch(ref); err != nil {
			return err
		}
	}
	return nil
}

func (x *examiner) branch(ref string) error {
	was := ""
	if !slices.Contains(x.empty, ref) {
		was = x.value(ref)
		if was == "" && len(x.log(ref)) == 0 {
			return nil // no commit yet
		}
		if was != "" {
			ok, err := x.whole(was, true)
			if ok || err != nil {
				return err
			}
		}
		if was == "" {
			x.found("the branch %s names no commit", strings.TrimPrefix(ref, "refs/heads/"))
		} else {
			x.found("the branch %s names %s, of which objects are missing", strings.TrimPrefix(ref, "refs/heads/"), shortID(was))
		}
	}
	to, err := x.newest(ref, was)
	if err != nil {
		return err
	}
	x.d.Branches = append(x.d.Branches, vault.TakeBack{Ref: ref, Was: was, To: to})
	if to == "" {
		x.step("nothing: no whole commit is in the log of %s; a clone or a remote may have one", ref)
		return nil
	}
	x.step("take %s back to %s, the newest whole commit in its log; files on disk stay", strings.TrimPrefix(ref, "refs/heads/"), x.describe(to))
	return nil
}

// value is what a branch holds: its own file's text, else that in packed-refs.
func (x *examiner) value(ref string) string {
	if b, err := os.ReadFile(filepath.Join(x.d.Common, filepath.FromSlash(ref))); err == nil {
		if id := strings.TrimSpace(string(b)); isHex(id) {
			return id
		}
		return ""
	}
	out, err := x.git("rev-parse", "--verify", "--quiet", ref)
	if err != nil {
		return ""
	}
	return out
}

// whole reports whether everything is there that a commit needs: of its own
// tree, or of its whole history.
func (x *examiner) whole(id string, tip bool) (bool, error) {
	args := []string{"-c", "core.commitGraph=false", "rev-list", "--objects", "--quiet"}
	if tip {
		args = append(args, "--no-walk")
	}
	_, err := x.git(append(args, id)...)
	if err != nil && exitCode(err) < 0 {
		return false, err
	}
	return err == nil, nil
}

func (x *examiner) describe(id string) string {
	out, err := x.git("show", "--no-patch", "--format=%h of %ad %s", "--date=iso", id)
	if err != nil {
		return shortID(id)
	}
	return out
}

func shortID(id string) string { return id[:min(len(id), 10)] }

// git runs git on the repository.
func (x *examiner) git(args ...string) (string, error) {
	out, err := run(x.ctx, x.top, nil, nil, append([]string{"--git-dir=" + x.d.Dir, "--work-tree=" + x.top}, args...)...)
	return strings.TrimSpace(string(out)), err
}
