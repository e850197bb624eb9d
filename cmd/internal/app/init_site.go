package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// site is the place at which init makes the vault.
type site struct {
	root string // the vault's folder: absolute; it may not exist yet
	top  string // of the work tree it lies in; empty when it lies in none yet

	code   string // the top of the code, for a vault on a branch of its own
	ignore string // the line that the .gitignore of such a vault needs
}

// errConfigured has its wording fixed.
var errConfigured = &vault.Error{Code: vault.CodeInvalid, Msg: "Config already exists. Use --force to overwrite."}

// site chooses the place and refuses those where a vault does harm.
func (a *maker) site(ctx context.Context, o Init) (site, error) {
	dir := settings.Absolute(cmp.Or(o.Dir, a.flags.Vault, "."), a.Place())
	at, err := a.findSite(dir)
	if err != nil {
		return site{}, err
	}
	real := at.root
	if o.Dir == "" && a.flags.Vault == "" && at.top != "" {
		if at.root, err = a.choosePlace(ctx, at.top, at.root); err != nil {
			return site{}, err
		}
		if err := a.checkSite(at, o); err != errConfigured || at.root == real || at.top == real {
			return at, err
		}
		return at, belongs(real, at.root)
	}
	return at, a.checkSite(at, o)
}

// belongs is errConfigured for who stands in a folder of a repository that has a vault: they
// may have meant a vault of the folder's own.
func belongs(dir, root string) error {
	return &vault.Error{Code: vault.CodeInvalid, Err: errConfigured, Hint: "`cp init .` gives this folder a vault of its own",
		Msg: dir + " belongs to the vault " + root + " already, which each command in it finds"}
}

// findSite returns dir with its links resolved and the work tree it lies in.
func (a *maker) findSite(dir string) (site, error) {
	stands := dir // the part of dir that exists
	for {
		if _, err := os.Lstat(stands); err == nil || stands == filepath.Dir(stands) {
			break
		}
		stands = filepath.Dir(stands)
	}
	real, err := filepath.EvalSymlinks(stands)
	if err != nil {
		return site{}, vault.Errorf(vault.CodeIO, "look where it leads: ls -l "+vault.Path(stands).QuoteForShell(), "cannot open %s: %w", stands, disk.Cause(err))
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return site{}, vault.Errorf(vault.CodeInvalid, "choose another folder", "%s is not a folder", stands)
	}
	top, err := a.GitTop(real)
	if vault.CodeOf(err) == vault.CodeNoGit && !errors.Is(err, vault.ErrRefused) && !inGitDir(real) {
		top, err = "", nil
	}
	return site{root: filepath.Join(real, strings.TrimPrefix(dir, stands)), top: top}, err
}

// inGitDir reports whether dir is or lies in a git directory, a bare one included.
func inGitDir(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		inside := true
		for _, name := range []string{"HEAD", "objects", "refs"} {
			_, err := os.Stat(filepath.Join(dir, name))
			inside = inside && err == nil
		}
		if inside || dir == filepath.Dir(dir) {
			return inside
		}
	}
}

// choosePlace chooses the vault's place in a repository if the person named none: an existing
// vault, else dir itself if it holds notes and little else, else memory/ at the top.
func (a *maker) choosePlace(ctx context.Context, top, dir string) (string, error) {
	there, err := settings.ReadVaultName(top)
	switch {
	case err != nil:
		return "", err
	case settings.IsVault(dir):
		return dir, nil
	case settings.IsVault(top):
		return top, nil
	case there != "" && settings.IsVault(there):
		return there, nil
	}
	if code, err := a.holdsCode(ctx, top); err != nil || !code {
		return dir, err
	}
	root := filepath.Join(top, "memory")
	if _, err := os.Stat(root); err != nil || settings.IsVault(root) {
		return root, nil
	}
	if code, err := a.holdsCode(ctx, root); err != nil || code {
		return "", cmp.Or[error](err, vault.Errorf(vault.CodeInvalid, "say where: cp init docs/memory", "%s holds other things than notes", root))
	}
	return root, nil
}

// holdsCode reports whether the repository's files below dir, ignored ones aside, are more
// than notes and their attachments: a build manifest is among them, or more than one in
// otherShare of notes and other files is no note.
func (a *maker) holdsCode(ctx context.Context, dir string) (bool, error) {
	list, err := a.Git(ctx, dir, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return false, err
	}
	notes, others := 0, 0
	for name := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		switch base := strings.ToLower(path.Base(name)); {
		case name == "" || isHidden(name):
		case manifest(base):
			return true, nil
		case vault.Path(base).IsNote():
			notes++
		case !isAttachment(base):
			others++
		}
	}
	return others*otherShare > notes+others, nil
}

// otherShare bounds what a folder of notes holds besides: one file in twenty, 5 %.
const otherShare = 20

// attachments are the kinds of files that people keep among notes.
var attachments = []string{
	".txt", ".org", ".canvas", ".base", ".pdf", ".csv", ".bib",
	".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".heic", ".mp3", ".m4a", ".wav", ".ogg", ".mp4", ".mov", ".webm",
}

// isHidden reports whether a file or a folder above it is for tools.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// isAttachment reports whether a file of that name is an attachment or a licence.
func isAttachment(base string) bool {
	return slices.Contains(attachments, path.Ext(base)) || slices.Contains([]string{"license", "licence", "copying", "readme"}, base)
}

// manifests are names and kinds of files from which programs are built.
var manifests = []string{
	"go.mod", "package.json", "deno.json", "cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts",
	"cmakelists.txt", "meson.build", "makefile", "gnumakefile", "justfile", "gemfile", "composer.json", "mix.exs", "build.sbt", "package.swift",
	"pubspec.yaml", "dune-project", "stack.yaml", "build.bazel", "module.bazel", "build.zig", "rebar.config", "project.clj", "deps.edn",
	".gemspec", ".cabal", ".csproj", ".fsproj", ".vcxproj", ".sln", ".nimble",
}

// manifest reports whether a file of that name says how a program is built.
func manifest(base string) bool {
	return slices.Contains(manifests, base) || slices.Contains(manifests, path.Ext(base))
}

// checkSite refuses a vault that exists (without --force), places above everything else a
// person has, and those where programs keep their own. A vault may lie in a vault.
func (a *maker) checkSite(at site, o Init) error {
	home, _ := filepath.EvalSymlinks(a.Env("HOME"))
	if at.root == home || at.root == filepath.Dir(at.root) {
		return vault.Errorf(vault.CodeInvalid, "choose a folder of its own, like: cp init "+filepath.Join(at.root, "memory"), "%s is no place for a vault: everything below it would belong to it", at.root)
	}
	for _, part := range strings.Split(at.root, string(filepath.Separator)) {
		if part == ".git" || part == ".cp" {
			return vault.Errorf(vault.CodeInvalid, "choose a folder outside of it", "%s lies in a %s folder", at.root, part)
		}
	}
	if info, err := os.Stat(filepath.Join(at.root, ".git")); err == nil && at.top == "" && !info.IsDir() {
		return vault.Errorf(vault.CodeInvalid, "look at it and move it away, then run `cp init` again", "%s names no git repository", filepath.Join(at.root, ".git"))
	}
	if settings.IsVault(at.root) && !o.Force {
		return errConfigured
	}
	return nil
}

// remoteName returns the last part of a remote's URL without .git.
func remoteName(url string) string {
	url = strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
	if i := strings.LastIndexAny(url, "/:"); i >= 0 {
		url = url[i+1:]
	}
	return url
}
