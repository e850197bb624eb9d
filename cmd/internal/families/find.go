package families

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/family"
)

// Finder finds projects and opens families. It serves one command.
type Finder struct {
	App *app.App

	chosen *family.Project // that --project names, once it is found
	once   sync.Once
	list   registry.List // of the registry
}

// All is the value of --project that means every registered project.
const All = "all"

// maxWalk bounds the folders that are looked at where there is no registry.
const maxWalk = 5000

// Known are the projects of a machine, as far as they are known without opening a vault.
type Known struct {
	Rules    family.Rules
	Projects []family.Project // in the order of the registry; the current vault's is among them
	Here     family.Project   // of the current vault
	Warnings []string
}

// file returns the registry of the settings.
func file(s settings.Settings) registry.Registry { return registry.Registry{Path: s.Families.Registry} }

// read reads the registry, once a command.
func (f *Finder) read(s settings.Settings) registry.List {
	f.once.Do(func() { f.list = file(s).Read() })
	return f.list
}

// Known returns the projects that are known. s are the settings of the current vault; without
// a Root there is none.
func (f *Finder) Known(s settings.Settings) Known {
	k := f.listed(s)
	if s.Families.Registry == "" {
		k.Projects = append(f.below(k.Here.Path, s), k.Projects...)
	}
	return k.global(f, s)
}

// listed returns the projects on the list, and the current one. It looks for no others.
func (f *Finder) listed(s settings.Settings) Known {
	k := Known{}
	if s.Root != "" {
		k.Here = f.project(s)
		if folds(k.Here.Path) {
			k.Rules.Fold = strings.ToLower
		}
	}
	if s.Families.Registry != "" {
		l := f.read(s)
		if l.Why != nil {
			k.Warnings = append(k.Warnings, s.Families.Registry+": "+l.Why.Error()+"; what it does not tell, no family has")
		}
		for _, e := range l.Entries {
			if e.Vault != s.Root && !(s.Root != "" && k.Rules.Fold != nil && k.Rules.Same(e.Vault, s.Root)) {
				k.Projects = append(k.Projects, ofEntry(e))
			}
		}
	}
	if s.Root != "" {
		k.Projects = append(k.Projects, k.Here)
	}
	return k
}

// spelled returns the project of a vault as the list spells its path, where the file system
// takes upper and lower case for one: how it was typed today makes no second project.
func spelled(p family.Project, l registry.List) family.Project {
	if l.Of(p.Vault) != nil || !folds(p.Path) {
		return p
	}
	for _, e := range l.Entries {
		if strings.EqualFold(e.Vault, p.Vault) && strings.EqualFold(e.Path, p.Path) {
			p.Path, p.Vault = e.Path, e.Vault
		}
	}
	return p
}

// global adds the vault that is in every family, or marks it. One that is not there is told:
// its owner has named it.
func (k Known) global(f *Finder, s settings.Settings) Known {
	if s.Families.Global == "" {
		return k
	}
	p, err := f.everywhere(s)
	switch {
	case err != nil:
		k.Warnings = append(k.Warnings, "the global vault "+s.Families.Global+" does not answer: "+err.Error())
	case p.Vault == s.Root:
	default:
		at := slices.IndexFunc(k.Projects, func(o family.Project) bool { return o.Vault == p.Vault })
		if at < 0 {
			k.Projects, at = append(k.Projects, p), len(k.Projects)
		}
		k.Projects[at].Global = true
	}
	return k
}

// everywhere returns the project of the global vault.
func (f *Finder) everywhere(s settings.Settings) (family.Project, error) {
	type answer struct {
		family.Project
		err error
	}
	a, ok := inTime(func() (a answer) {
		root, err := filepath.EvalSymlinks(s.Families.Global)
		if err == nil {
			err = there(family.Project{Vault: root})
		}
		switch {
		case errors.Is(err, errGone) || errors.Is(err, fs.ErrNotExist):
			a.err = errors.New("there is no vault")
		case err != nil:
			a.err = disk.Cause(err)
		case root == s.Root:
			a.Vault = root
		default:
			var own settings.Settings
			if own, a.err = f.load(root, s); a.err == nil {
				a.Project = f.project(own)
			}
		}
		return a
	})
	if !ok {
		a.err = errSlow
	}
	return a.Project, a.err
}

// ofEntry is an entry as a project.
func ofEntry(e registry.Entry) family.Project {
	p := family.Project{Name: e.Name, Path: e.Path, Vault: e.Vault}
	if !e.Added {
		p.Apart = e.Apart
	}
	return p
}

// project returns the project of a vault that is there.
func (f *Finder) project(s settings.Settings) family.Project {
	return family.Project{Name: s.Project, Path: f.serves(s), Vault: s.Root}
}

// serves returns the folder that a vault serves: of one on a branch of its own the top of the
// code's main work tree.
func (f *Finder) serves(s settings.Settings) string {
	if info, err := os.Lstat(filepath.Join(s.Root, ".git")); err == nil && info.Mode().IsRegular() && f.App.Branches != nil {
		if _, root, err := f.App.Branches.Name(s.Root); err == nil && root == s.Root {
			if common := checkoutOf(s.Root).common; filepath.Base(common) == ".git" {
				return filepath.Dir(common)
			}
		}
	}
	return s.Families.Serves(s.Root)
}

// below finds the vaults below a folder by a walk that looks at no more than maxWalk folders,
// the upper ones first.
func (f *Finder) below(dir string, s settings.Settings) (found []family.Project) {
	if dir == "" {
		return nil
	}
	for _, root := range walk(dir, maxWalk) {
		if root != s.Root {
			if own, err := f.load(root, s); err == nil {
				p := f.project(own)
				p.Apart = f.apart(context.Background(), p.Path, root)
				found = append(found, p)
			}
		}
	}
	return found
}

// walk returns the vaults in dir and below, with links resolved; it looks at most at so many
// folders.
func walk(dir string, most int) (roots []string) {
	queue := []string{dir}
	for len(queue) > 0 && most > 0 {
		at := queue[0]
		queue, most = queue[1:], most-1
		if settings.Marked(at) {
			roots = append(roots, at)
		}
		entries, err := os.ReadDir(at)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && !slices.Contains([]string{".git", ".cp", "node_modules", ".cache", ".venv", "__pycache__"}, e.Name()) {
				queue = append(queue, filepath.Join(at, e.Name()))
			}
		}
	}
	return roots
}

// load returns the settings of another vault than the current one. What names the current
// one, flags and environment, does not hold for it; who writes is the same.
func (f *Finder) load(root string, s settings.Settings) (settings.Settings, error) {
	place := f.App.Place()
	env := place.Env
	place.Dir = s.Families.Serves(root)
	place.Env = func(name string) string {
		if name == "CP_VAULT" || name == "CP_PROJECT" {
			return ""
		}
		return env(name)
	}
	own, err := settings.Load(settings.Flags{Vault: root, Config: f.App.Flags.Config, Agent: f.App.Flags.Agent}, place)
	if err == nil && own.Agent == "" {
		own.Agent = s.Agent
	}
	return own, err
}

// withTrees finds where projects stand in git.
func withTrees(all []family.Project) []family.Project {
	out, seen := slices.Clone(all), checkouts{}
	for i := range out {
		at := seen.of(out[i].Path)
		out[i].Repo, out[i].Top = at.common, at.top
	}
	return out
}

// Seen notes in the registry that a command was run in a vault: where that is new there, or
// has changed, and once a day. Whatever stands in the way is told with --debug only.
func (f *Finder) Seen(ctx context.Context, s settings.Settings) {
	if s.Families.Registry == "" || s.Root == "" {
		return
	}
	l := f.read(s)
	p, today := spelled(f.project(s), l), f.App.Now().Format(time.DateOnly)
	e := l.Of(p.Vault)
	if l.Why != nil || e != nil && e.Path == p.Path && e.Name == p.Name && e.Seen == today && e.Gone == "" {
		return
	}
	wait := 50 * time.Millisecond
	if e == nil { // a day that is not noted is nothing, a vault that is not there is missed
		wait = 2 * time.Second
	}
	_ = f.note(ctx, s, p, false, wait) // told with --debug
}

// note puts a project into the registry.
func (f *Finder) note(ctx context.Context, s settings.Settings, p family.Project, added bool, wait time.Duration) error {
	e := registry.Entry{Path: p.Path, Name: p.Name, Vault: p.Vault, Seen: f.App.Now().Format(time.DateOnly), Apart: f.apart(ctx, p.Path, p.Vault), Added: added}
	err := file(s).Update(wait, func(l *registry.List) bool { return l.Put(e) })
	if err != nil {
		f.App.Debugf("the list of projects: %v", err)
	}
	return err
}

// Choose finds the project that --project names, and has the command be about its vault. s
// are the settings of the current vault, or without one the person's.
func (f *Finder) Choose(ctx context.Context, s settings.Settings, ref string) error {
	p, err := f.Named(ctx, s, ref)
	if err == nil {
		f.chosen, f.App.Flags.Vault = &p, p.Vault
	}
	return err
}

// Named returns the project of a name or a path. The error is CodeNotFound, or CodeAmbiguous
// with the paths.
func (f *Finder) Named(ctx context.Context, s settings.Settings, ref string) (family.Project, error) {
	k := f.Known(s)
	as := ref
	if strings.ContainsRune(ref, '/') || ref == "." || ref == ".." || strings.HasPrefix(ref, "~") {
		as = settings.Absolute(ref, f.App.Place())
		if real, err := filepath.EvalSymlinks(as); err == nil {
			as = real
		}
	}
	found := k.Rules.Named(as, k.Projects)
	if len(found) > 1 {
		found = reachable(found)
	}
	if len(found) == 0 {
		found = k.Rules.Named(as, f.parts(ctx, s, k))
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if p, err := f.at(as, s); err == nil {
			return p, nil
		}
		return family.Project{}, vault.Errorf(vault.CodeNotFound, "`cp project list` shows them; `cp project add PATH` adds one", "there is no project '%s'", vault.Clip(ref, 80))
	}
	var paths []string
	for _, p := range found {
		paths = append(paths, p.Path)
	}
	return family.Project{}, vault.Errorf(vault.CodeAmbiguous, "give the path: --project "+vault.Path(paths[0]).Quoted(), "'%s' is the name of %d projects: %s", vault.Clip(ref, 80), len(paths), strings.Join(paths, ", "))
}

// at returns the project of the vault at an absolute path, or that the folder there names. It
// need not be registered.
func (f *Finder) at(path string, s settings.Settings) (family.Project, error) {
	if !filepath.IsAbs(path) {
		return family.Project{}, vault.Errorf(vault.CodeNotFound, "", "%s is no path", path)
	}
	own, err := f.load(path, s)
	if err != nil {
		return family.Project{}, err
	}
	return f.project(own), nil
}

// Here returns the settings of the current vault; where there is none, those of the person,
// without a Root.
func Here(a *app.App) (settings.Settings, error) {
	s, err := settings.Load(a.Flags, a.Place())
	if vault.CodeOf(err) == vault.CodeNoVault {
		s, err = settings.Personal(a.Flags, a.Place())
		s.Root = ""
	}
	return s, err
}

// Current returns the current project: the deepest whose path holds the working directory,
// among the current vault's; with --vault and CP_VAULT that vault's own.
func (f *Finder) Current(ctx context.Context, s settings.Settings) (family.Project, error) {
	if s.Root == "" {
		return family.Project{}, vault.Errorf(vault.CodeNoVault, "name a project, or see `cp project list`", "there is no memory vault here or above %s", f.App.Dir)
	}
	k := f.Known(s)
	if f.App.Flags.Vault != "" || f.App.Env("CP_VAULT") != "" {
		return k.Here, nil
	}
	m, err := f.memberOf(ctx, s, k.Here, vault.Scope{})
	if err != nil {
		return k.Here, err
	}
	defer f.App.Close(m.Session)
	k.dissolve(&m.Held)
	return f.current(k, m.Held), nil
}

// current chooses among the projects of the current vault by the working directory.
func (f *Finder) current(k Known, held []family.Project) family.Project {
	if real, err := filepath.EvalSymlinks(f.App.Dir); err == nil {
		if p, ok := k.Rules.Current(real, held); ok {
			return p
		}
	}
	return k.Here
}

// Everyone has the command be about all projects: where there is no current vault, the first
// that is there stands for it.
func (f *Finder) Everyone(s settings.Settings) error {
	if s.Root != "" {
		return nil
	}
	k := f.Known(s)
	if there := reachable(k.Rules.Everyone(k.Projects)); len(there) > 0 {
		f.App.Flags.Vault = there[0].Vault
		return nil
	}
	return vault.Errorf(vault.CodeNotFound, "`cp project scan ~` finds those that are there", "there is no project on this machine")
}

// Made notes a vault that init has made.
func (f *Finder) Made(ctx context.Context, root string) {
	s, err := f.load(root, settings.Settings{Families: settings.Families{}})
	if err == nil {
		f.Seen(ctx, s)
	}
}
