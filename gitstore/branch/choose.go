package branch

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// choosePlace finds the vault's place: the one it has, the one that was asked for, else a folder
// at the top that no commit of the code knows.
func (m *maker) choosePlace(ctx context.Context) error {
	if m.made.Link != nil {
		return m.noteIgnoreLine()
	}
	l := &Link{Name: m.Name, Root: m.Dir, common: m.CommonDir()}
	m.made.Link = l
	if m.Dir != "" {
		if why, err := findTracked(ctx, m.Git, m.main, l); err != nil || why != "" {
			return orError(err, m.errWouldMix(why))
		}
		return m.checkPlaceFree()
	}
	base, err := m.baseFolder()
	if err != nil {
		return err
	}
	short := path.Base(m.Name)
	for n, why := 0, ""; n < 10; n++ {
		l.Root = filepath.Join(base, candidate(short, n))
		is, err := findTracked(ctx, m.Git, m.main, l)
		if err != nil {
			return err
		}
		if is == "" {
			if why != "" {
				m.note("%s, so the vault is %s", why, l.Root)
			}
			return m.checkPlaceFree()
		}
		if why == "" {
			why = is
		}
	}
	return m.errWouldMix("the code has folders of every name that was tried")
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

func (m *maker) errWouldMix(why string) error {
	return vault.Errorf(vault.CodeInvalid, "name another folder: cp init --branch "+m.Name+" cp-memory", "%s; git would mix both", why)
}

// baseFolder returns the folder in which the vault is made.
func (m *maker) baseFolder() (string, error) {
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

// checkPlaceFree refuses a place where something else lies.
func (m *maker) checkPlaceFree() error {
	entries, err := os.ReadDir(m.made.Root)
	_, there := os.Lstat(m.made.Root) // a link to nowhere is there, too
	if err == nil && len(entries) > 0 || err != nil && (there == nil || !os.IsNotExist(there)) {
		return vault.Errorf(vault.CodeInvalid, "name another folder: cp init --branch "+m.Name+" cp-memory", "%s is there already, and holds other things", m.made.Root)
	}
	return m.noteIgnoreLine()
}

// noteIgnoreLine notes the line that the vault's .gitignore needs: git in every worktree, the
// vault's too, ignores the name of the vault's folder at the top.
func (m *maker) noteIgnoreLine() error {
	if rel, ok := m.made.vaultFolder(m.main); ok {
		m.made.Ignore = "!" + pattern(rel)
	}
	return nil
}

// vaultFolder returns the vault's folder relative to the main worktree, if it lies there.
func (l *Link) vaultFolder(main string) (string, bool) {
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

// findTracked returns why a vault cannot be at the link's place: the code's history, or an index,
// has files there. git checkout would write over memories and delete them.
func findTracked(ctx context.Context, g plumb.Git, main string, l *Link) (why string, err error) {
	rel, ok := l.vaultFolder(main)
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
	staged, err := plumb.NewGit(main, l.common, l.common).Run(ctx, nil, "ls-files", "-z", "--", rel)
	if err == nil && len(staged) > 0 {
		why = "the code has " + rel + " in its index"
	}
	return why, err
}
