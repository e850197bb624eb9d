package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/worktree"
)

// The user's own files hold for all repositories of one person. What stands in them is told by
// the files alone: no commit says it, and the vault's other readers know nothing of it.

// PromoteUser writes a memory into the user's own files of the targets.
func (s *Session) PromoteUser(ctx context.Context, ref string, names []string, approve bool) (journal.CoreDone, error) {
	if len(names) == 0 {
		names = s.Settings.Core.Targets
	}
	if len(names) == 0 {
		return journal.CoreDone{}, noTargets()
	}
	targets, err := s.userTargets(names)
	if err != nil {
		return journal.CoreDone{}, err
	}
	if approve {
		if _, err := (journal.Approve{Ref: ref}).Do(ctx, s.Vault); err != nil {
			return journal.CoreDone{}, err
		}
	}
	d, err := s.Vault.Reading().Open(ctx, ref)
	if err != nil {
		return journal.CoreDone{}, err
	}
	h := &d.Mem.Header
	if tier.LevelOf(h) != tier.Core || tier.IsDenied(h) {
		if err := s.Settings.Promotion.Core(h, s.app.Now()); err != nil {
			return journal.CoreDone{}, err
		}
	}
	out := journal.CoreDone{ID: d.ID, Title: d.Mem.Title, Level: tier.LevelOf(h), Files: []string{}}
	return out, s.writeUser(&out, targets, tier.SectionText(d.Mem))
}

// DemoteUser takes a memory out of all of the user's own files. It need not be in the vault
// any more.
func (s *Session) DemoteUser(ctx context.Context, ref string) (journal.CoreDone, error) {
	out, err := s.takeOut(ctx, ref, func(h *held) bool { return h.user })
	if err != nil || len(out.Files) > 0 {
		return out, err
	}
	return out, vault.Errorf(vault.CodeRefused, "without --user it is taken out of the repository's files", "'%s' is in none of your own files", vault.Clip(ref, 80))
}

// writeUser writes the sections of a memory. A target that fails keeps the others from nothing.
func (s *Session) writeUser(out *journal.CoreDone, targets []tier.CoreFile, text string) error {
	var first error
	for _, t := range targets {
		section, change, err := t.Section(tier.SectionKey(s.Settings.Project, out.ID), text)
		if err == nil && change {
			err = s.userWriter().Write(section)
		}
		switch {
		case err != nil:
			out.Failed, out.Warnings = append(out.Failed, t.Name), append(out.Warnings, err.Error())
			if first == nil {
				first = err
			}
		case change && !slices.Contains(out.Files, t.File):
			out.Files = append(out.Files, t.File)
		}
	}
	if out.Unchanged = len(out.Files)+len(out.Failed) == 0; len(out.Failed) == len(targets) {
		return first
	}
	return nil
}

// userWriter writes sections outside of any operation.
func (s *Session) userWriter() worktree.SectionWriter {
	return worktree.SectionWriter{Op: "user", Keep: s.keepUser, SectionLedger: s.ledger()}
}

// keepUser takes the earlier file, now called name, away: the last one of each file is kept
// below ~/.cp.
func (s *Session) keepUser(name, path, _ string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	kept := filepath.Join(s.Settings.Home, ".cp", "displaced", strings.ReplaceAll(strings.Trim(path, "/"), "/", "%"))
	if err := disk.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	if err := disk.Replace(kept, text, 0o600); err != nil {
		return err
	}
	return disk.Remove(name)
}
