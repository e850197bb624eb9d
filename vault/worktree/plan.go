package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/internal/files"
	"github.com/cp-memory/cp/vault/past"
)

// planner checks a change against the disk and turns it into an intent. It changes
// nothing: if it refuses, the vault is as it was.
type planner struct {
	s     *Store
	ctx   context.Context
	head  vault.Head
	moves []relocation
	names map[string]map[string]string // of a folder: what stands there, by fold
	taken map[string]bool              // targets of earlier edits, by fold of the whole path
	made  map[string]string            // and the folders above them
	alone bool                         // no edit makes a file
	inWay []string                     // files whose uncommitted edits exclude what is to be taken
	blob  blobText

	mirrors bool // the change says so
	kept    int  // the bytes of the texts that were made so far
}

func (s *Store) plan(ctx context.Context, c *vault.Change, head vault.Head) (*intent, error) {
	op, slot, err := s.nameOf(c)
	if err != nil {
		return nil, err
	}
	in := &intent{Format: intentFormat, Op: op, At: s.now(), Agent: c.Agent, Message: message(c, op), Base: head.Commit, Join: c.Join, Queued: slot, Sections: c.Sections}
	if err := s.allThere(ctx, c); err != nil {
		return nil, err
	}
	blob, done, err := s.blobs(ctx, c.Edits)
	if err != nil {
		return nil, err
	}
	defer done()
	p := &planner{
		s: s, blob: blob, ctx: ctx, head: head, moves: relocations(c.Edits), mirrors: c.Mirrors,
		names: make(map[string]map[string]string), taken: make(map[string]bool), made: make(map[string]string),
		alone: !slices.ContainsFunc(c.Edits, func(e vault.Edit) bool { return e.Create != nil }),
	}
	for _, e := range c.Edits {
		planned, err := p.edit(e)
		if err != nil {
			return nil, s.writeError(err)
		}
		in.Edits = append(in.Edits, planned)
	}
	if err := p.joinable(in); err != nil || in.Join != nil {
		return in, err
	}
	return in, s.convertible(ctx, in)
}

func (p *planner) edit(e vault.Edit) (*edit, error) {
	planned := &edit{Edit: e}
	for _, path := range []vault.Path{e.Path, e.To} {
		if err := p.s.checkPath(path, e.Outside); err != nil && e.Taken != nil {
			return nil, vault.Errorf(vault.CodeConflict, "git pull", "what came cannot go where it belongs: %w", err)
		} else if err != nil {
			return nil, err
		}
	}
	if err := p.hides(e); err != nil {
		return nil, err
	}
	switch {
	case e.Path == "":
		return nil, vault.Errorf(vault.CodeInternal, "", "an edit of a %s names no path", "change")
	case e.Taken != nil:
		planned.Kind = takes
		return planned, p.planEdit(planned)
	case e.Create != nil:
		planned.Kind = creates
		return planned, p.create(planned)
	case e.Remove:
		planned.Kind = removes
		return planned, p.planRemoval(planned)
	case e.To != "":
		planned.Kind = moves
		return planned, p.move(planned)
	}
	planned.Kind = changes
	return planned, p.planChange(planned)
}

// checkPath checks that a path stays where it belongs, and that no symbolic link
// or repository lies on its way.
func (s *Store) checkPath(p vault.Path, outside bool) error {
	if p == "" {
		return nil
	}
	if !outside && p != vault.MarkerFile && p != vault.IgnoreFile && !p.IsFacts() {
		if clean, err := vault.ParsePath(string(p)); err != nil {
			return err
		} else if clean != p {
			return vault.Errorf(vault.CodeInvalid, "", "path %q is not clean", string(p))
		}
	} else if outside && (!filepath.IsLocal(string(p)) || !files.Plain(string(p)) || hasElement(p, ".git")) {
		return vault.Errorf(vault.CodeInvalid, "", "path %q leaves the work tree", string(p))
	}
	base := string(s.Dir)
	if outside {
		base = s.top
	}
	return s.plainWay(base, p)
}

func hasElement(p vault.Path, name string) bool {
	return slices.ContainsFunc(strings.Split(string(p), "/"), func(part string) bool { return strings.EqualFold(part, name) })
}

// plainWay checks the folders above base/p that exist.
func (s *Store) plainWay(base string, p vault.Path) error {
	if at := s.Dir.FindNestedProject(p); at != "" && base == string(s.Dir) {
		return &vault.Error{Code: vault.CodeInvalid, Path: s.relativeName(filepath.Join(base, string(at))), Msg: "a vault of its own, in which this one changes nothing", Hint: "run the command in there"}
	}
	dir := base
	for part := range strings.SplitSeq(string(p.Dir()), "/") {
		if part == "" {
			return nil
		}
		dir = filepath.Join(dir, part)
		info, err := os.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.Mode()&fs.ModeSymlink != 0:
			return &vault.Error{Code: vault.CodeDamaged, Path: s.relativeName(dir), Msg: "a symbolic link, which cp does not write through", Hint: "put the folder itself there"}
		case !info.IsDir():
			return &vault.Error{Code: vault.CodeInvalid, Path: s.relativeName(dir), Msg: "not a folder", Hint: "choose another name"}
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil && dir != s.top {
			return errNested(s.relativeName(dir))
		}
	}
	return nil
}

func errNested(dir string) error {
	return &vault.Error{Code: vault.CodeInvalid, Path: dir, Msg: "a git repository of its own, in which cp changes nothing", Hint: "move it out of the vault"}
}

func (p *planner) create(e *edit) error {
	if len(e.Create) > vault.MaxFile {
		return tooBig(e.Path)
	}
	return p.checkPathFree(e.Path, e.Outside, "")
}

func tooBig(path vault.Path) error {
	return &vault.Error{Code: vault.CodeInvalid, Path: string(path), Msg: "would be larger than the 4 MiB a memory may have", Hint: "split it"}
}

// checkPathFree checks that nothing lies at path, under any case or Unicode form of its name or of
// a folder above it. except is the only file that may: the source of a move that changes
// only the form of its name.
func (p *planner) checkPathFree(path vault.Path, outside bool, except vault.Path) error {
	dir := p.s.abs("", outside)
	parts := strings.Split(string(path), "/")
	for i, part := range parts {
		other, ok := p.foldedNames(dir)[filename.Fold(part)]
		last := i == len(parts)-1
		if ok && (last && except.Base() != other || !last && other != part) {
			return exists(path, filepath.Join(dir, other), p.s)
		}
		dir = filepath.Join(dir, part)
		if !last {
			if other := p.made[filename.Fold(dir)]; other != "" && other != dir {
				return exists(path, other, p.s)
			}
			p.made[filename.Fold(dir)] = dir
		}
	}
	key := filename.Fold(p.s.abs(path, outside))
	if p.taken[key] {
		return exists(path, p.s.abs(path, outside), p.s)
	}
	p.taken[key] = true
	return writable(filepath.Dir(p.s.abs(path, outside)))
}

func exists(path vault.Path, abs string, s *Store) error {
	return &vault.Error{Code: vault.CodeInvalid, Path: string(path), Msg: "there is " + s.relativeName(abs) + " already", Hint: "choose another name"}
}

// foldedNames returns the names in a folder by their fold.
func (p *planner) foldedNames(dir string) map[string]string {
	if known, ok := p.names[dir]; ok {
		return known
	}
	names := make(map[string]string)
	p.names[dir] = names
	entries, err := os.ReadDir(dir)
	if err != nil {
		return names
	}
	for _, e := range entries {
		names[filename.Fold(e.Name())] = e.Name()
	}
	return names
}

// writable checks that names can be made and removed in a folder, or in the
// nearest one above it that exists.
func writable(dir string) error {
	for {
		err := sysfile.CanChange(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return pathError("write to", dir, err)
		}
		dir = filepath.Dir(dir)
	}
}

func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// planChange reads the text that the steps are for. A file that is not there is
// changed in HEAD and in the index only.
func (p *planner) planChange(e *edit) error {
	at := p.s.locateEdit(e.Path, e.Outside, p.moves)
	b, made, err := p.readForEdit(at, e)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if e.Match != "" && p.s.BlobID(b) != e.Match {
		return &vault.Error{Code: vault.CodeConflict, Path: string(e.Path), Msg: "was saved again a moment ago", Hint: "look at it and run the command again"}
	}
	if made.err != nil {
		return errAtPath(made.err, e.Path)
	}
	after := made.after
	if len(after) > vault.MaxFile {
		return tooBig(e.Path)
	}
	if err := p.checkTyped(e, b); err != nil {
		return err
	}
	e.Before, e.After, e.Takes = files.Digest(b), files.Digest(after), digests(made.taken)
	e.Steps = vault.WithHad(e.Steps, b)
	if p.kept += len(after); p.kept <= maxKept {
		e.made = after
	}
	if e.Whole {
		e.Text = after
	}
	if (e.Whole || e.Adopt) && !e.Outside {
		e.Adopts = past.Adopts(&e.Edit, b, after, p.alone)
	}
	if len(e.Steps) == 0 {
		return nil
	}
	if err := sysfile.CanWrite(at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return pathError("write", at, err)
	}
	return writable(filepath.Dir(at))
}

// readForEdit reads a file for its steps. An editor may be half-way through saving it,
// so one that is missing, or that has just been emptied or cut, gets a moment.
func (p *planner) readForEdit(at string, e *edit) (b []byte, made outcome, err error) {
	b, _, err = readSaved(p.ctx, func() ([]byte, vault.Stat, error) { return files.Read(at) }, func(b []byte) bool {
		made.after, made.taken, made.err = vault.ApplyTaking(e.Steps, b)
		return len(b) > 0 && made.err == nil
	})
	switch {
	case p.ctx.Err() != nil:
		return nil, made, p.ctx.Err()
	case files.IgnoreMissing(err) != nil:
		return nil, made, files.ReadError(at, e.Path, err)
	}
	return b, made, err
}

// outcome is what an edit's steps make of the text on disk.
type outcome struct {
	after []byte
	taken []string
	err   error
}

// maxKept bounds the texts, in bytes, that a plan keeps for the run: each is then made once.
const maxKept = 64 << 20

// errAtPath puts the file's name into an error that knows only the text.
func errAtPath(err error, path vault.Path) error {
	var e *vault.Error
	if errors.As(err, &e) && e.Path == "" {
		copied := *e
		copied.Path = string(path)
		return &copied
	}
	return err
}
