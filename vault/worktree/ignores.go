package worktree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// What git ignores is no memory, unless git tracks it all the same: no scan tells of it. A
// file that is in no index and still in HEAD counts as tracked; its person is about to
// commit that it is not.

// ignoring runs look with what git ignores in the vault now; nothing without git.
func (s *Store) ignoring(ctx context.Context, look func(files.Ignores) error) error {
	if s.repo == nil {
		return look(files.Ignores{Leaves: s.leaves})
	}
	rules, err := s.rules(ctx)
	if err != nil {
		return err
	}
	t := tracked{ctx: ctx, s: s}
	defer t.callDone()
	return look(files.Ignores{Leaves: s.leaves, Rules: rules, Tracked: t.isTracked})
}

// rules returns what git's files outside of the vault ignore in it.
func (s *Store) rules(ctx context.Context) (*files.IgnoreRules, error) {
	fold, texts, err := s.repo.Excludes(ctx)
	rules := files.NewIgnoreRules(fold, texts...)
	if s.prefix == "" {
		return rules, err
	}
	dir, name := s.top, ""
	for part := range strings.SplitSeq(s.prefix, "/") {
		rules = rulesIn(rules, name, dir)
		dir, name = filepath.Join(dir, part), part
	}
	return rules.Below(name, nil), err
}

// rulesIn returns the rules in a folder of that name, given those above it.
func rulesIn(above *files.IgnoreRules, name, dir string) *files.IgnoreRules {
	text, err := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err == nil && text == nil {
		text = []byte{}
	}
	return above.Below(name, text)
}

// tracked asks the repository what git tracks, from the first question on.
type tracked struct {
	ctx  context.Context
	s    *Store
	ask  func(name string, folder bool) bool
	done func()
}

func (t *tracked) isTracked(p vault.Path, folder bool) bool {
	if t.ask == nil {
		t.s.ruled.Store(true)
		t.ask, t.done = t.s.repo.AskTracked(t.ctx)
	}
	return t.ask(string(t.s.inRepo(p, false)), folder)
}

func (t *tracked) callDone() {
	if t.done != nil {
		t.done()
	}
}

// Rules tells one state of what git ignores in the vault from another one, as far as it is
// not said in the vault: it names the rules outside, and once they fitted something the
// index, which says what is tracked all the same.
func (s *Store) Rules(ctx context.Context) string {
	if s.repo == nil {
		return ""
	}
	rules, err := s.rules(ctx)
	state := fmt.Sprint(rules.Digest(), err)
	if info, err := os.Stat(filepath.Join(s.repo.GitDir(), "index")); s.ruled.Load() && err == nil {
		state += fmt.Sprint(" ", info.Size(), info.ModTime().UnixNano(), files.Inode(info))
	}
	return state
}

// ListIgnored returns the paths that git ignores; none without git.
func (s *Store) ListIgnored(ctx context.Context, paths []vault.Path) (out []vault.Path, err error) {
	if len(paths) == 0 {
		return nil, nil
	}
	err = s.ignoring(ctx, func(o files.Ignores) error {
		out = o.Out(s.Dir, paths)
		return nil
	})
	return out, err
}
