package app

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// codeTop returns the top of the work tree whose agents the vault's memories are for. It is
// that of the vault, never that of another repository in which the program was called: what
// one project knows may be no business of the other. Of the repositories that the user maps
// to a vault outside of them it is the one in which we are, or the only one.
func (s *Session) codeTop() (string, error) {
	tops, err := s.tops()
	if err != nil || len(tops) == 1 {
		return strings.Join(tops, ""), err
	}
	if here, err := s.app.GitTop(s.app.Dir); err == nil && slices.Contains(tops, here) {
		return here, nil
	}
	return "", vault.Errorf(vault.CodeInvalid, "run the command in one of them", "the vault %s is kept for several repositories: %s", s.Root, strings.Join(tops, ", "))
}

// codeTops returns all that codeTop chooses from, at least one.
func (s *Session) codeTops() (tops []string, err error) {
	own, err := s.app.GitTop(s.Root)
	if err == nil && own != s.Root {
		return []string{own}, nil
	}
	if top, err := s.besideBranch(); top != "" || err != nil {
		return []string{top}, err
	}
	for _, folder := range s.Settings.Families.ListMappedFolders(s.Root) {
		if top, err := s.app.GitTop(folder); err == nil && !slices.Contains(tops, top) {
			tops = append(tops, top)
		}
	}
	if len(tops) == 0 && err == nil {
		tops = []string{own}
	}
	if len(tops) > 0 {
		err = nil
	}
	return tops, err
}

// besideBranch returns the top of the code of a vault on a branch of its own: the linked work
// tree in which we are, else the main one; empty for any other vault.
func (s *Session) besideBranch() (string, error) {
	if s.app.Branches == nil {
		return "", nil
	}
	main, err := s.app.Branches.Code(s.Root)
	if main == "" || err != nil {
		return "", err
	}
	if here, err := s.app.GitTop(s.app.Dir); err == nil && here != s.Root {
		if _, root, err := s.app.Branches.Name(here); err == nil && root == s.Root {
			return here, nil
		}
	}
	return main, nil
}

// projectFile returns the path of an adapter's file below the top of the code. Where there is
// only an AGENTS.md, that is Claude Code's, too: a new CLAUDE.md would hide it.
func (s *Session) projectFile(top string, a tier.Adapter) string {
	at := filepath.Join(top, filepath.FromSlash(cmp.Or(s.Settings.Core.Project[a.Name], a.Project)))
	if a.Name == "claude_md" && isMissing(at) && !isMissing(filepath.Join(top, "AGENTS.md")) {
		at = filepath.Join(top, "AGENTS.md")
	}
	return at
}

// userFile returns the path of the user's own file of an adapter.
func (s *Session) userFile(a tier.Adapter) (string, error) {
	if at := s.Settings.Core.User[a.Name]; at != "" {
		return at, nil
	}
	if a.User == "" || s.Settings.Home == "" {
		return "", vault.Errorf(vault.CodeInvalid, "leave out --user", "%s has no file of the user's own", a.Name)
	}
	return filepath.Join(s.Settings.Home, filepath.FromSlash(a.User)), nil
}

// coreTarget reads the file of an adapter. A link whose file is not there yet is written
// through where that lies in the folder within.
func coreTarget(a tier.Adapter, at, within string) tier.CoreFile {
	t := readTarget(tier.CoreFile{Name: a.Name, File: realFile(at), Head: a.Head})
	if t.Err == nil && isLink(at) && isMissing(t.File) && !isBeneath(within, t.File) {
		t.Err = errors.New("it is a link to " + t.File + ", which is not there")
	}
	dir := filepath.Dir(t.File)
	for ; isMissing(dir); dir = filepath.Dir(dir) {
		t.Folders++
	}
	if info, err := os.Stat(dir); err != nil && t.Err == nil || err == nil && !info.IsDir() { // in place of what lstat said of the file below it
		t.Err = errors.New(dir + " is no folder")
	}
	return t
}

// readTarget reads the file of a target. It waits for nothing: a pipe is refused.
func readTarget(t tier.CoreFile) tier.CoreFile {
	t.Text, t.Err, t.Unread = nil, nil, false
	info, err := os.Lstat(t.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		t.Err, t.Unread = err, true
	case !info.Mode().IsRegular():
		t.Err = errors.New("it is no regular file")
	default:
		t.Text, t.Err = os.ReadFile(t.File)
		if t.Unread = t.Err != nil; !t.Unread && info.Mode().Perm()&0o200 == 0 {
			t.Err = errors.New("it is read-only")
		}
	}
	return t
}

// maxLinks bounds how many links are followed, as the system does.
const maxLinks = 40

// realFile returns the file that a path leads to, whether or not it is there. Of a circle of
// links it returns one of them.
func realFile(at string) string {
	for range maxLinks {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return real
		}
		if dir, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
			at = filepath.Join(dir, filepath.Base(at))
		}
		to, err := os.Readlink(at)
		if err != nil {
			return at
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		at = to
	}
	return at
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// isBeneath reports whether a file lies in a folder whose links are resolved.
func isBeneath(dir, file string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	rel, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(rel)
}

func isMissing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}
