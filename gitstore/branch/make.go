package branch

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/gitstore/remote"
	"github.com/cp-memory/cp/vault"
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
		err = m.checkNamesFree(ctx)
	}
	if err == nil {
		err = m.choosePlace(ctx)
	}
	if err == nil {
		err = m.makeBranch(ctx)
	}
	if err == nil {
		err = m.register()
	}
	if err == nil {
		err = m.moveFolder(ctx)
	}
	if err == nil {
		err = m.made.Mend(ctx, o.Wait)
	}
	if err == nil {
		err = m.forgetPending(ctx)
	}
	return m.made, err
}

// checkNamesFree refuses names that are none, and a branch that something else uses.
func (m *maker) checkNamesFree(ctx context.Context) error {
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
	old, err := findLink(m.CommonDir())
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
	if err := m.nameable(ctx); err != nil {
		return err
	}
	return vacant(ctx, m.Git, m.Name)
}

// nameable refuses a name beside which another branch cannot stand: git keeps x and x/y as a
// file and a folder.
func (m *maker) nameable(ctx context.Context) error {
	out, err := m.Run(ctx, nil, "for-each-ref", "--format=%(refname)", "refs/heads/")
	for ref := range strings.Lines(string(out)) {
		other := strings.TrimPrefix(strings.TrimSpace(ref), "refs/heads/")
		if strings.HasPrefix(other, m.Name+"/") || strings.HasPrefix(m.Name, other+"/") {
			return vault.Errorf(vault.CodeInvalid, "choose another name, like --branch "+strings.ReplaceAll(m.Name, "/", "-")+"-notes, or rename that one: git branch -m "+other+" NAME",
				"there is a branch %s, and git has no place for a branch %s beside it", other, m.Name)
		}
	}
	return err
}

// vacant refuses a branch that a worktree has checked out.
func vacant(ctx context.Context, g plumb.Git, name string) error {
	trees, err := worktrees(ctx, g)
	for _, w := range trees {
		if w.branch == "refs/heads/"+name {
			return vault.Errorf(vault.CodeInvalid, "take it out there: git -C "+vault.Path(w.top).QuoteForShell()+" switch --detach", "the branch %s is checked out in %s", name, w.top)
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
