package branch

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/gitstore/remote"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Options say which branch is to hold a vault.
type Options struct {
	Name    string // of the branch, without refs/heads/
	Dir     string // for the vault, absolute; empty lets Make choose
	Convert string // a vault in the code's tree whose history begins the branch, relative to the top; empty for none
	Wait    time.Duration
}

// Where a branch came from.
const (
	New       = "new"       // it begins here
	Local     = "local"     // it was here already
	Fetched   = "remote"    // it came from the remote
	Converted = "converted" // it holds the history of a folder of the code
)

// Made is the outcome of Make.
type Made struct {
	*Link
	Began  string   // where the branch came from
	Ignore string   // the line for the vault's own .gitignore; empty when it needs none
	Notes  []string // for the person
}

// maker is one run of Make.
type maker struct {
	remote.Remote // the worktree of the code in which it runs
	Options
	main string // the top of the main worktree; empty in a bare repository
	old  *Link  // as it was; nil for none
	made Made
}

// Make makes the branch and its worktree, or what of them is missing. It asks the remote
// first, and writes nothing before everything was checked.
func Make(ctx context.Context, r remote.Remote, o Options) (Made, error) {
	m := &maker{Remote: r, Options: o}
	var err error
	if m.main, err = mainTop(ctx, r.CommonDir()); err == nil {
		err = m.check(ctx)
	}
	if err == nil {
		err = m.choose(ctx)
	}
	if err == nil {
		err = m.begin(ctx)
	}
	if err == nil {
		err = m.register()
	}
	if err == nil {
		err = m.move(ctx)
	}
	if err == nil {
		err = m.made.Tend(ctx, o.Wait)
	}
	return m.made, err
}

// check refuses names that are none, and a branch that something else uses.
func (m *maker) check(ctx context.Context) error {
	own, err := m.Own(ctx)
	if err != nil {
		return err
	}
	if refs := own["extensions.refstorage"]; refs != "" && !strings.EqualFold(refs, "files") {
		return vault.Errorf(vault.CodeInvalid, "cp init makes the vault a folder of the code", "the repository keeps its refs in a %s, and a vault on a branch needs files", refs)
	}
	if _, err := m.Run(ctx, nil, "check-ref-format", "refs/heads/"+m.Name); err != nil || strings.HasPrefix(m.Name, "-") || m.Name == "HEAD" || m.Name == "@" || strings.HasPrefix(m.Name, "refs/") {
		return vault.Errorf(vault.CodeInvalid, "like --branch memory", "%q is no name for a branch", m.Name)
	}
	old, err := registered(m.CommonDir())
	if err != nil {
		return err
	}
	if old != nil && old.Name != m.Name {
		return vault.Errorf(vault.CodeInvalid, "use that one", "the memories of this repository are on the branch %s, in %s", old.Name, old.Root)
	}
	if m.old = old; old != nil && (m.Dir == "" || m.Dir == old.Root) {
		m.made.Link = old
	}
	if old != nil {
		return nil
	}
	return vacant(ctx, m.Git, m.Name)
}

// vacant refuses a branch that a worktree has checked out.
func vacant(ctx context.Context, g plumb.Git, name string) error {
	trees, err := worktrees(ctx, g)
	for _, w := range trees {
		if w.branch == "refs/heads/"+name {
			return vault.Errorf(vault.CodeInvalid, "take it out there: git worktree remove, or git switch to another branch", "the branch %s is checked out in %s", name, w.top)
		}
	}
	return err
}

// worktree is a record of git worktree list.
type worktree struct{ top, head, branch string }

func worktrees(ctx context.Context, g plumb.Git) (all []worktree, err error) {
	out, err := g.Run(ctx, nil, "worktree", "list", "--porcelain") // -z is of git 2.36
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if key == "worktree" {
			all = append(all, worktree{top: value})
		}
		if len(all) == 0 {
			continue
		}
		switch w := &all[len(all)-1]; key {
		case "HEAD":
			w.head = value
		case "branch":
			w.branch = value
		}
	}
	return all, err
}

// choose finds the vault's place: the one it has, the one that was asked for, else a folder
// at the top that no commit of the code knows.
func (m *maker) choose(ctx context.Context) error {
	if m.made.Link != nil {
		return m.ignored()
	}
	l := &Link{Name: m.Name, Root: m.Dir, common: m.CommonDir()}
	m.made.Link = l
	if m.Dir != "" {
		if why, err := tracked(ctx, m.Git, m.main, l); err != nil || why != "" {
			return orError(err, m.refuse(why))
		}
		return m.free()
	}
	base, err := m.base()
	if err != nil {
		return err
	}
	short := path.Base(m.Name)
	for n, why := 0, ""; n < 10; n++ {
		l.Root = filepath.Join(base, candidate(short, n))
		is, err := tracked(ctx, m.Git, m.main, l)
		if err != nil {
			return err
		}
		if is == "" {
			if why != "" {
				m.note("%s, so the vault is %s", why, l.Root)
			}
			return m.free()
		}
		if why == "" {
			why = is
		}
	}
	return m.refuse("the code has folders of every name that was tried")
}

// candidate returns the nth name that is tried for the vault's folder.
func candidate(short string, n int) string {
	switch n {
	case 0:
		return short
	case 1:
		return "cp-" + short
	}
	return fmt.Sprintf("cp-%s-%d", short, n)
}

func (m *maker) refuse(why string) error {
	return vault.Errorf(vault.CodeInvalid, "name another folder: cp init --branch "+m.Name+" cp-memory", "%s; git would mix both", why)
}

// base returns the folder in which the vault is made.
func (m *maker) base() (string, error) {
	common := m.CommonDir()
	switch {
	case m.main != "":
		return m.main, nil
	case strings.HasPrefix(filepath.Base(common), "."):
		return filepath.Dir(common), nil
	}
	return "", vault.Errorf(vault.CodeInvalid, "cp init --branch "+m.Name+" "+filepath.Join(filepath.Dir(m.Top()), "memory"),
		"the repository %s is bare, so say in which folder the memories are to be", common)
}

// free refuses a place where something else lies.
func (m *maker) free() error {
	entries, err := os.ReadDir(m.made.Root)
	if err == nil && len(entries) > 0 || err != nil && !os.IsNotExist(err) {
		return vault.Errorf(vault.CodeInvalid, "name another folder: cp init --branch "+m.Name+" cp-memory", "%s is there already, and holds other things", m.made.Root)
	}
	return m.ignored()
}

// ignored notes the line that the vault's .gitignore needs: git in every worktree, the
// vault's too, ignores the name of the vault's folder at the top.
func (m *maker) ignored() error {
	if rel, ok := m.made.below(m.main); ok {
		m.made.Ignore = "!" + pattern(rel)
	}
	return nil
}

// below returns the vault's folder relative to the main worktree, if it lies there.
func (l *Link) below(main string) (string, bool) {
	if main == "" || !inside(main, l.Root) {
		return "", false
	}
	rel, err := filepath.Rel(main, l.Root)
	return filepath.ToSlash(rel), err == nil
}

// pattern returns the pattern of git's ignore files for a folder.
func pattern(rel string) string {
	return "/" + strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(rel) + "/"
}

// tracked returns why a vault cannot be at the link's place: the code's history, or an index,
// has files there. git checkout would write over memories and delete them.
func tracked(ctx context.Context, g plumb.Git, main string, l *Link) (why string, err error) {
	rel, ok := l.below(main)
	if !ok {
		return "", nil
	}
	trees, err := worktrees(ctx, g)
	if err != nil {
		return "", err
	}
	args := []string{"log", "--no-show-signature", "-1", "--format=%h", "--exclude=refs/heads/" + l.Name}
	remotes, err := g.Run(ctx, nil, "remote")
	if err != nil {
		return "", err
	}
	for remote := range strings.Lines(string(remotes)) { // a pattern's * would fit feature/NAME, too
		args = append(args, "--exclude=refs/remotes/"+strings.TrimSuffix(remote, "\n")+"/"+l.Name)
	}
	args = append(args, "--exclude=refs/cp/*", "--glob=refs/*")
	for _, w := range trees {
		if w.branch != "refs/heads/"+l.Name && w.top != l.Root && strings.Trim(w.head, "0") != "" {
			args = append(args, w.head)
		}
	}
	commit, err := g.Run(ctx, nil, append(args, "--", rel)...)
	if err != nil {
		return "", err
	}
	if at := strings.TrimSpace(string(commit)); at != "" {
		return fmt.Sprintf("the code has %s in its history (commit %s)", rel, at), nil
	}
	staged, err := plumb.At(main, l.common, l.common).Run(ctx, nil, "ls-files", "-z", "--", rel)
	if err == nil && len(staged) > 0 {
		why = "the code has " + rel + " in its index"
	}
	return why, err
}

// register has git in all worktrees pass over the vault's folder, and notes its place.
func (m *maker) register() error {
	l := m.made.Link
	if rel, ok := l.below(m.main); ok {
		if err := exclude(l.common, pattern(rel)); err != nil {
			return err
		}
	}
	if err := disk.MkdirAll(l.State(), 0o700); err != nil {
		return err
	}
	return replace(l.place(), l.text(m.main))
}

// move takes the folder from the place that it had. Killed before, the folder is made anew
// at the new place, and the old one stays for a person to look at.
func (m *maker) move(ctx context.Context) error {
	to := m.made.Root
	if m.old == nil || m.old.Root == to || gitDirIn(m.old.Root) != m.made.admin() {
		return nil
	}
	unlock, err := m.made.lock(ctx, m.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	if err := disk.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return plumb.IOError(err)
	}
	if _, err := disk.RemoveDir(to); err != nil {
		return plumb.IOError(err)
	}
	return plumb.IOError(disk.RenameNew(m.old.Root, to))
}

// exclude adds a line to the ignore file that all worktrees share.
func exclude(common, line string) error {
	name := filepath.Join(common, "info", "exclude")
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) || excludes(b, line) {
		return err
	}
	if err := disk.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	text := string(b)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return replace(name, text+line+"\n")
}

func excludes(text []byte, line string) bool {
	for l := range strings.Lines(string(text)) {
		if strings.TrimRight(l, "\r\n") == line {
			return true
		}
	}
	return false
}

func (m *maker) note(format string, args ...any) {
	m.made.Notes = append(m.made.Notes, fmt.Sprintf(format, args...))
}

// orError returns err, else the other.
func orError(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
