package app

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/worktree"
)

// place is a file that may hold copies of memories.
type place struct {
	file  string   // links resolved
	names []string // of the project's targets whose file it is
	user  bool     // it is the user's own
}

// held is a copy that a file has.
type held struct {
	vault.Copy
	place
	written bool // from this work tree, as its ledger says
}

// name is how a message calls the file.
func (h *held) name() string {
	return strings.Join(append(h.names[:len(h.names):len(h.names)], filepath.Base(h.File))[:1], "")
}

// whyLeftOver says why the copy is left over while the memory is m; empty for one that belongs there.
func (h *held) whyLeftOver(m *vault.Memory) string {
	if h.user {
		return tier.WhyNotInUserFile(m)
	}
	return tier.WhyNotInProject(m, h.names)
}

// ledger remembers what was written from this work tree.
func (s *Session) ledger() worktree.SectionLedger {
	return worktree.SectionLedgerIn(s.State.StateDir())
}

// findCopies returns the files in which copies of the vault's memories may stand: those of the
// targets by the settings, and those that were written before.
func (s *Session) findCopies() (all []place) {
	add := func(file, name string, user bool) {
		file = realFile(file)
		i := slices.IndexFunc(all, func(p place) bool { return p.file == file })
		if i < 0 {
			i, all = len(all), append(all, place{file: file, user: user})
		}
		if name != "" {
			all[i].names = append(all[i].names, name)
		}
	}
	written := s.ledger().ReadAll()
	tops := s.topsOf(written)
	for _, top := range tops {
		for _, a := range tier.Adapters() {
			add(s.projectFile(top, a), a.Name, false)
		}
	}
	for _, a := range tier.Adapters() {
		if at, err := s.userFile(a); err == nil {
			add(at, "", true)
		}
	}
	for _, w := range written {
		project := slices.ContainsFunc(tops, func(top string) bool { return isBeneath(top, w.File) })
		add(w.File, "", !project && isBeneath(s.Settings.Home, w.File))
	}
	return all
}

// topsOf returns the tops of the code, with those work trees of it that were written to from
// elsewhere: all of them share a vault on a branch of its own. Without a repository there are
// none.
func (s *Session) topsOf(written []worktree.SectionsWritten) []string {
	tops, _ := s.tops()
	tops = slices.Clone(tops)
	for _, w := range written {
		if s.app.Branches == nil || slices.ContainsFunc(tops, func(top string) bool { return isBeneath(top, w.File) }) {
			continue
		}
		top, err := s.app.GitTop(filepath.Dir(w.File))
		if err != nil {
			continue
		}
		if _, root, err := s.app.Branches.Name(top); err == nil && root == s.Root {
			tops = append(tops, top)
		}
	}
	return tops
}

// listCopies returns the copies of the vault's memories. A file that cannot be read has none.
func (s *Session) listCopies() (all []*held) {
	written := s.ledger().ReadAll()
	for _, p := range s.findCopies() {
		found, _, err := tier.ReadSections(readTarget(tier.CoreFile{File: p.file}).Text)
		if err != nil {
			continue
		}
		for _, c := range found {
			project, id := tier.SectionKeyParts(c.Key)
			h := &held{place: p, written: slices.Contains(written, worktree.SectionsWritten{File: p.file, Key: c.Key})}
			if project != s.Settings.Project && !h.written {
				continue
			}
			h.Copy = vault.Copy{ID: id, Edited: c.Edited, Section: vault.Section{File: p.file, Key: c.Key, Was: c.Text}, Stands: func(m *vault.Memory) bool { return h.whyLeftOver(m) == "" }}
			all = append(all, h)
		}
	}
	return all
}

// copies is [vault.Vault.Copies].
func (s *Session) copies(context.Context) (all []vault.Copy) {
	for _, h := range s.listCopies() {
		all = append(all, h.Copy)
	}
	return all
}

// LeftOver returns the copies that are left over in this clone's files and in the user's own:
// an act elsewhere, or by other means, ended their memories.
func (s *Session) LeftOver(ctx context.Context) (all []tier.LeftOver, err error) {
	for _, h := range s.listCopies() {
		d, err := s.Vault.Reading().Open(ctx, string(h.ID))
		gone := vault.CodeOf(err) == vault.CodeNotFound || err == nil && !d.ID.Is(h.ID)
		switch {
		case gone && !s.had(ctx, h):
			continue
		case gone:
			all = append(all, tier.LeftOver{ID: h.ID, File: h.File, Why: h.whyLeftOver(nil), Command: h.command(nil)})
		case err != nil:
			return all, err
		default:
			why := h.whyLeftOver(d.Mem)
			if why == "" && d.Superseded != "" {
				why = "it is superseded"
			}
			if why != "" {
				all = append(all, tier.LeftOver{ID: d.ID, Title: d.Mem.Title, File: h.File, Why: why, Command: h.command(d.Mem)})
			}
		}
	}
	return all, nil
}

// had reports whether a memory that is not there was one of the vault: a copy of another
// project's may carry the same name.
func (s *Session) had(ctx context.Context, h *held) bool {
	switch {
	case h.written:
		return true
	case h.user || s.Archive == nil:
		return false
	}
	_, _, err := s.Archive.FindDeletion(ctx, "HEAD", h.ID)
	return err == nil
}

// command returns what takes a copy out that is left over.
func (h *held) command(m *vault.Memory) string {
	switch {
	case h.Edited:
		return "in an editor, with its markers: it was edited since it was written"
	case h.user:
		return "cp memory demote " + string(h.ID) + " --user"
	case m != nil && tier.WhyNotCore(m) == "" && (!m.Core.IsZero() || len(m.CoreTargets) > 0):
		return "cp memory promote " + string(h.ID) + " --to core"
	}
	return "cp memory demote " + string(h.ID)
}

// takeOut takes copies of a memory out of files, and no commit tells of it. The memory need
// not be in the vault any more. Without any the outcome names no file.
func (s *Session) takeOut(ctx context.Context, ref string, wanted func(*held) bool) (journal.CoreDone, error) {
	out := journal.CoreDone{ID: vault.ID(ref), Files: []string{}}
	if d, err := s.Vault.Reading().Open(ctx, ref); err == nil {
		out.ID, out.Title, out.Level = d.ID, d.Mem.Title, tier.LevelOf(&d.Mem.Header)
	} else if vault.CodeOf(err) != vault.CodeNotFound {
		return out, err
	}
	for _, h := range s.listCopies() {
		if !h.ID.Is(out.ID) || !wanted(h) {
			continue
		}
		t := readTarget(tier.CoreFile{Name: h.name(), File: h.File})
		section, change, err := t.Section(h.Key, "")
		if err == nil && change {
			err = s.userWriter().Write(section)
		}
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, h.File)
	}
	return out, nil
}
