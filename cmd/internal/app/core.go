package app

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// PromoteCore writes a memory into the files of the targets; without any, into those that
// were decided on before and those of the settings. What was written is looked at: a file that
// has no section now has failed.
func (s *Session) PromoteCore(ctx context.Context, ref string, names []string, approve bool) (journal.CoreDone, error) {
	if len(names) == 0 {
		names = s.decidedTargets(ctx, ref)
	}
	if len(names) == 0 {
		return journal.CoreDone{}, noTargets()
	}
	targets, err := s.ProjectTargets(names)
	if err != nil {
		return journal.CoreDone{}, err
	}
	done, err := journal.PromoteCore{Ref: ref, Project: s.Settings.Project, Targets: targets, Approve: approve, Thresholds: s.Settings.Promotion.Thresholds}.Do(ctx, s.Vault)
	if err == nil {
		err = s.lookAt(ctx, &done, targets)
	}
	return done, err
}

// lookAt tells of the files that should hold a memory now and do not, and takes it out of
// those in which nobody wants it any more.
func (s *Session) lookAt(ctx context.Context, done *journal.CoreDone, targets []tier.CoreFile) error {
	d, err := s.Vault.Reading().Open(ctx, string(done.ID))
	if err != nil {
		return err
	}
	for _, t := range targets {
		now := readTarget(t)
		if _, change, err := now.Section(tier.SectionKey(s.Settings.Project, d.ID), tier.SectionText(d.Mem)); err == nil && change && !slices.Contains(done.Failed, t.Name) {
			done.Failed = append(done.Failed, t.Name)
			done.Files = slices.DeleteFunc(done.Files, func(file string) bool { return file == t.File })
		}
	}
	out, err := s.takeOut(ctx, string(d.ID), func(h *held) bool { return !h.user && !h.Edited && h.whyLeftOver(d.Mem) != "" })
	for _, file := range out.Files {
		done.Warnings = append(done.Warnings, string(d.ID)+" was taken out of "+file)
	}
	return err
}

// decidedTargets returns the targets that were decided on for a memory, whether or not they could be
// written, and those of the settings.
func (s *Session) decidedTargets(ctx context.Context, ref string) []string {
	all := slices.Clone(s.Settings.Core.Targets)
	d, err := s.Vault.Reading().Open(ctx, ref)
	if err != nil {
		return all
	}
	for _, name := range d.Mem.Header.CoreTargets {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

func noTargets() error {
	return vault.Errorf(vault.CodeRefused, "name one: --target claude_md, or set core: {targets: [claude_md]} in ~/.cp/config.yaml", tier.NoTargets)
}

// DemoteCore takes a memory out of the files that agents load: by a commit where one says that it
// is in core, else out of the files alone, where its copy is left over or in the user's own.
// ok is false for a memory that is in none.
func (s *Session) DemoteCore(ctx context.Context, ref string) (done journal.CoreDone, ok bool, err error) {
	d, err := s.Vault.Reading().Open(ctx, ref)
	if err != nil && vault.CodeOf(err) != vault.CodeNotFound {
		return done, false, err
	}
	if err == nil && (!d.Mem.Header.Core.IsZero() || len(d.Mem.Header.CoreTargets) > 0) {
		done, err = s.demoteCore(ctx, d)
		return done, true, err
	}
	done, err = s.takeOut(ctx, ref, func(*held) bool { return true })
	done.Unchanged = true
	return done, err != nil || len(done.Files) > 0, err
}

// demoteCore demotes a memory by a commit. A copy in the user's own files that somebody edited
// stays, and is told of.
func (s *Session) demoteCore(ctx context.Context, d *vault.Doc) (done journal.CoreDone, err error) {
	targets, err := s.targetsWith(d.ID, d.Mem.Header.CoreTargets, func(h *held) bool { return !h.user || !h.Edited })
	if err != nil {
		return done, err
	}
	done, err = journal.DemoteCore{Ref: string(d.ID), Project: s.Settings.Project, Targets: targets}.Do(ctx, s.Vault)
	if err != nil {
		return done, err
	}
	for _, h := range s.listCopies() {
		if h.ID.Is(d.ID) && h.user {
			done.Warnings = append(done.Warnings, h.File+" still has "+string(d.ID)+": take it out "+h.command(nil))
		}
	}
	return done, nil
}

// targetsWith reads the files of the project's targets, and all others that hold a copy of
// the memory which is wanted: the settings, and what stands beside the code, may have changed
// since.
func (s *Session) targetsWith(id vault.ID, names []string, wanted func(*held) bool) ([]tier.CoreFile, error) {
	all, err := s.ProjectTargets(names)
	if err != nil {
		return nil, err
	}
	for _, h := range s.listCopies() {
		if h.ID.Is(id) && wanted(h) && !slices.ContainsFunc(all, func(t tier.CoreFile) bool { return t.File == h.File }) {
			all = append(all, readTarget(tier.CoreFile{Name: h.name(), File: h.File}))
		}
	}
	return all, nil
}

// undoneSections returns what an undo makes of the files of agents: was is the memory before
// the operation that is taken back, and made the one after it; nil is one that is gone.
func (s *Session) undoneSections(was, made *vault.Memory) (all []vault.Section, err error) {
	id, before, after := vault.ID(""), decidedFor(was), decidedFor(made)
	if slices.Equal(before, after) {
		return nil, nil
	}
	for _, m := range []*vault.Memory{was, made} {
		if m != nil {
			id = m.ID
		}
	}
	targets, err := s.targetsWith(id, slices.Concat(before, after), func(h *held) bool { return !h.user })
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, t := range targets {
		text := ""
		if slices.Contains(before, t.Name) {
			text = tier.SectionText(was)
		}
		section, change, err := t.Section(tier.SectionKey(s.Settings.Project, id), text)
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

// decidedFor returns the targets in which a memory is to stand.
func decidedFor(m *vault.Memory) []string {
	if tier.WhyNotCore(m) != "" {
		return nil
	}
	return m.CoreTargets
}

// ProjectTargets reads the files of targets at the top of the code.
func (s *Session) ProjectTargets(names []string) ([]tier.CoreFile, error) {
	top, err := s.codeTop()
	if err != nil {
		return nil, err
	}
	return coreTargets(names, func(a tier.Adapter) (tier.CoreFile, error) {
		return coreTarget(a, s.projectFile(top, a), top), nil
	})
}

// userTargets reads the user's own files of targets.
func (s *Session) userTargets(names []string) ([]tier.CoreFile, error) {
	return coreTargets(names, func(a tier.Adapter) (tier.CoreFile, error) {
		at, err := s.userFile(a)
		return coreTarget(a, at, s.Settings.Home), err
	})
}

func coreTargets(names []string, read func(tier.Adapter) (tier.CoreFile, error)) (all []tier.CoreFile, err error) {
	for _, name := range names {
		a, err := tier.AdapterNamed(name)
		if err != nil {
			return nil, err
		}
		t, err := read(a)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// StaleTargets returns the targets of a memory that do not say what it says. Where it is not
// known which repository the vault's code is in there are none.
func (s *Session) StaleTargets(ctx context.Context, id vault.ID) (names []string, err error) {
	d, err := s.Vault.Reading().Open(ctx, string(id))
	if err != nil {
		return nil, err
	}
	targets, err := s.ProjectTargets(decidedFor(d.Mem))
	switch vault.CodeOf(err) {
	case vault.CodeNoGit, vault.CodeInvalid:
		return nil, nil
	}
	for _, t := range targets {
		_, change, err := t.Section(tier.SectionKey(s.Settings.Project, id), tier.SectionText(d.Mem))
		if err != nil || change {
			names = append(names, t.Name)
		}
	}
	return names, err
}
