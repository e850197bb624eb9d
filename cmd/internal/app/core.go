package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/core"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// PromoteCore writes a memory into the files of the targets; without any, into those that
// were decided on before and those of the settings.
func (s *Session) PromoteCore(ctx context.Context, ref string, names []string, approve bool) (journal.CoreDone, error) {
	if len(names) == 0 {
		names = s.decided(ctx, ref)
	}
	targets, err := s.targetsOf(names, s.projectFile)
	if err != nil {
		return journal.CoreDone{}, err
	}
	return journal.PromoteCore{Ref: ref, Project: s.Settings.Project, Targets: targets, Approve: approve, Thresholds: s.Settings.Promotion.Thresholds}.Do(ctx, s.Vault)
}

// decided returns the targets that were decided on for a memory, whether or not they could be
// written, and those of the settings.
func (s *Session) decided(ctx context.Context, ref string) []string {
	d, err := s.Vault.Reading().Open(ctx, ref)
	if err != nil {
		return nil
	}
	all := slices.Clone(s.Settings.Core.Targets)
	for _, name := range d.Mem.Header.CoreTargets {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// InCore reports whether a memory stands in files of agents, or should.
func (s *Session) InCore(ctx context.Context, ref string) bool {
	d, err := s.Vault.Reading().Open(ctx, ref)
	return err == nil && (!d.Mem.Header.Core.IsZero() || len(d.Mem.Header.CoreTargets) > 0)
}

// DemoteCore takes a memory out of the files of its targets.
func (s *Session) DemoteCore(ctx context.Context, ref string) (journal.CoreDone, error) {
	d, err := s.Vault.Reading().Open(ctx, ref)
	if err != nil {
		return journal.CoreDone{}, err
	}
	targets, err := s.coreTargets(d.Mem.Header.CoreTargets)
	if err != nil {
		return journal.CoreDone{}, err
	}
	return journal.DemoteCore{Ref: ref, Project: s.Settings.Project, Targets: targets}.Do(ctx, s.Vault)
}

// undoneSections returns what an undo makes of the files of agents: was is the memory before
// the operation that is taken back, and made the one after it.
func (s *Session) undoneSections(was, made *vault.Memory) (all []vault.Section, err error) {
	if was.Header.Core.Equal(made.Header.Core) && slices.Equal(was.Header.CoreTargets, made.Header.CoreTargets) {
		return nil, nil
	}
	targets, err := s.coreTargets(append(slices.Clone(was.Header.CoreTargets), made.Header.CoreTargets...))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, t := range targets {
		text := ""
		if slices.Contains(was.Header.CoreTargets, t.Name) {
			text = core.Text(was)
		}
		section, change, err := t.Section(core.Key(s.Settings.Project, made.ID), text)
		if err != nil {
			return nil, err
		}
		if change && !seen[t.File] {
			seen[t.File] = true
			all = append(all, section)
		}
	}
	return all, nil
}

// targetsOf reads the files of the targets that a person names, else of those in the settings.
func (s *Session) targetsOf(names []string, file func(core.Adapter) (string, error)) ([]core.Target, error) {
	if len(names) == 0 {
		names = s.Settings.Core.Targets
	}
	if len(names) == 0 {
		return nil, vault.Errorf(vault.CodeRefused, "name one: --target claude_md, or set core: {targets: [claude_md]} in ~/.cp/config.yaml", tier.NoTargets)
	}
	return coreTargets(names, file)
}

// coreTargets reads the files of targets at the top of the code repository.
func (s *Session) coreTargets(names []string) ([]core.Target, error) {
	return coreTargets(names, s.projectFile)
}

// coreTargets reads the files of targets; file tells where an adapter's is.
func coreTargets(names []string, file func(core.Adapter) (string, error)) (all []core.Target, err error) {
	for _, name := range names {
		a, err := core.Named(name)
		if err != nil {
			return nil, err
		}
		at, err := file(a)
		if err != nil {
			return nil, err
		}
		all = append(all, coreTarget(a, at))
	}
	return all, nil
}

// projectFile returns the path of an adapter's file below the top of the code repository. Where
// there is only an AGENTS.md, that is Claude Code's, too: a new CLAUDE.md would hide it.
func (s *Session) projectFile(a core.Adapter) (string, error) {
	top, err := s.app.GitTop(s.app.Dir)
	if err != nil {
		if top, err = s.app.GitTop(s.Root); err != nil {
			return "", err
		}
	}
	at := filepath.Join(top, filepath.FromSlash(cmp.Or(s.Settings.Core.Project[a.Name], a.Project)))
	if a.Name == "claude_md" && missing(at) && !missing(filepath.Join(top, "AGENTS.md")) {
		at = filepath.Join(top, "AGENTS.md")
	}
	return at, nil
}

// coreTarget reads the file of an adapter.
func coreTarget(a core.Adapter, at string) core.Target {
	t := core.Target{Name: a.Name, File: at, Head: a.Head}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		t.File = real
	}
	info, err := os.Stat(t.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		for dir := filepath.Dir(t.File); missing(dir); dir = filepath.Dir(dir) {
			t.Folders++
		}
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

func missing(name string) bool {
	_, err := os.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}
