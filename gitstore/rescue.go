package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Rescue does what [Diagnose] proposed. No file of the work tree is touched,
// and nothing is deleted: what is moved aside, and what the refs said, is in
// cp/rescue/<time>/ of the git directory; a tip that is whole is kept under
// refs/cp/rescue/<time>/ as well. (One that is not would keep every later gc
// from running.)
func Rescue(ctx context.Context, d vault.Damage, at time.Time) error {
	r := rescuer{d: d, name: at.UTC().Format("20060102T150405Z")}
	r.x = &examiner{ctx: ctx, top: d.Top, d: d}
	r.keep = filepath.Join(d.Common, "cp", "rescue", r.name)
	for _, step := range []func() error{r.note, r.aside, r.head, r.packs, r.branches, r.index, r.logs} {
		if err := step(); err != nil {
			return ioError(err)
		}
	}
	return nil
}

type rescuer struct {
	x    *examiner
	d    vault.Damage
	name string
	keep string
}

// note writes down what is about to be done, and what the refs said.
func (r rescuer) note() error {
	var b strings.Builder
	for _, line := range r.d.Found {
		fmt.Fprintf(&b, "found: %s\n", line)
	}
	for _, line := range r.d.Steps {
		fmt.Fprintf(&b, "step: %s\n", line)
	}
	for _, s := range r.d.Branches {
		fmt.Fprintf(&b, "ref: %s %s -> %s\n", s.Ref, s.Was, s.To)
	}
	if err := disk.MkdirAll(r.keep, 0o755); err != nil {
		return err
	}
	err := disk.WriteSync(filepath.Join(r.keep, "what"), []byte(b.String()), 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func (r rescuer) aside() error {
	for _, path := range r.d.Aside {
		if err := r.move(path); err != nil {
			return err
		}
	}
	return nil
}

// move puts a file of the git directory into the folder of the rescue.
func (r rescuer) move(path string) error {
	rel, err := filepath.Rel(r.d.Common, path)
	if err != nil || !filepath.IsLocal(rel) {
		rel = filepath.Base(path)
	}
	to := filepath.Join(r.keep, rel)
	if err := disk.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := disk.Rename(path, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return disk.SyncDir(filepath.Dir(path))
}

// head lets HEAD name its branch again.
func (r rescuer) head() error {
	if r.d.Head == "" {
		return nil
	}
	at := filepath.Join(r.d.Dir, "HEAD")
	temp := at + ".cp-rescue"
	if err := errors.Join(r.move(at), disk.Remove(temp)); err != nil {
		return err
	}
	if err := disk.WriteSync(temp, []byte("ref: "+r.d.Head+"\n"), 0o644); err != nil {
		return err
	}
	if err := disk.Rename(temp, at); err != nil {
		return err
	}
	return disk.SyncDir(r.d.Dir)
}

func (r rescuer) branches() error {
	for i, s := range r.d.Branches {
		if s.To == "" {
			continue
		}
		if err := r.branch(i, s); err != nil {
			return err
		}
	}
	return nil
}

func (r rescuer) branch(i int, s vault.TakeBack) error {
	if s.Was != "" {
		if ok, err := r.x.whole(s.Was, false); err != nil {
			return err
		} else if ok {
			if _, err := r.x.git("update-ref", fmt.Sprintf("refs/cp/rescue/%s/%d", r.name, i), s.Was); err != nil {
				return err
			}
		}
	}
	// A ref that git cannot read is in the way of its own update.
	if loose := filepath.Join(r.d.Common, filepath.FromSlash(s.Ref)); present(loose) {
		if err := r.move(loose); err != nil {
			return err
		}
	}
	_, err := r.x.git("update-ref", "--create-reflog", "-m", "cp: doctor, the newest whole commit", s.Ref, s.To)
	return err
}

func present(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// logs takes the entries out of the reflogs whose commits are gone: git fsck
// would call each an error for ever. The logs as they were are kept.
func (r rescuer) logs() error {
	if len(r.d.Branches) == 0 {
		return nil
	}
	for _, ref := range append([]string{"HEAD"}, refsOf(r.d.Branches)...) {
		b, err := os.ReadFile(r.x.logFile(ref))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		to := filepath.Join(r.keep, "logs", filepath.FromSlash(ref))
		if err == nil {
			err = disk.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err == nil {
			err = disk.WriteSync(to, b, 0o644)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	_, _ = r.x.git("reflog", "expire", "--expire=never", "--expire-unreachable=never", "--stale-fix", "--all") // cosmetic: a log that stays is no harm
	return nil
}

func refsOf(all []vault.TakeBack) []string {
	var refs []string
	for _, s := range all {
		refs = append(refs, s.Ref)
	}
	return refs
}

// index makes a fresh index of HEAD's commit.
func (r rescuer) index() error {
	if !r.d.Index {
		return nil
	}
	if err := r.move(filepath.Join(r.d.Dir, "index")); err != nil {
		return err
	}
	if _, err := r.x.git("rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		return nil // no commit, so no index
	}
	_, err := r.x.git("read-tree", "HEAD")
	return err
}
