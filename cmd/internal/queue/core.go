package queue

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// CoreFile is a file of an agent, as it is and as a memory would make it.
type CoreFile struct {
	Target  string // by which a decision names it
	File    string // absolute, links resolved
	Was, Is string // the whole text; Was is empty for a file that would be made
	Chosen  bool   // it is proposed, see propose
	Err     error  // why it cannot be written
}

// Core returns what a promotion would do to each file that agents load. It changes nothing.
func (r *One) Core(ctx context.Context, item journal.Item) (all []CoreFile, err error) {
	d, err := r.s.Vault.Reading().Open(ctx, string(item.ID))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, a := range tier.Adapters() {
		names = append(names, a.Name)
	}
	targets, err := r.s.ProjectTargets(names)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		all = append(all, coreFile(t, tier.Section{Key: tier.SectionKey(r.s.Settings.Project, d.ID), Text: tier.SectionText(d.Mem)}))
	}
	due := item.Targets
	if len(due) == 0 {
		due = r.s.Settings.Core.Targets
	}
	propose(all, due)
	return all, nil
}

// coreFile returns what a section would make of the file of a target.
func coreFile(t tier.CoreFile, s tier.Section) CoreFile {
	f := CoreFile{Target: t.Name, File: t.File, Was: string(t.Text), Is: string(t.Text)}
	_, change, err := t.Section(s.Key, s.Text)
	if err != nil || !change {
		f.Err = err
		return f
	}
	text, from := t.Text, tier.FileOrigin{}
	if text == nil {
		text, from = []byte(t.Head), tier.FileOrigin{Made: true, Folders: t.Folders}
	}
	is, err := tier.InsertSection(text, s, from)
	f.Is, f.Err = string(is), err
	return f
}

// propose chooses the files where a copy is due, or that the settings name. Where there are
// none it chooses the files that are there, each once, and else those of Claude Code and
// AGENTS.md.
func propose(all []CoreFile, due []string) {
	seen := map[string]bool{}
	for i := range all {
		f := &all[i]
		f.Chosen = f.Err == nil && (slices.Contains(due, f.Target) || len(due) == 0 && f.Was != "" && !seen[f.File])
		seen[f.File] = true
	}
	if len(due) > 0 || slices.ContainsFunc(all, func(f CoreFile) bool { return f.Chosen }) {
		return
	}
	for i := range all {
		all[i].Chosen = all[i].Err == nil && (all[i].Target == "claude_md" || all[i].Target == "agents_md")
	}
}

// toCore approves a memory and writes it into the files of the targets.
func (r *One) toCore(item journal.Item, d Decision) ([]journal.DecisionPart, *Outcome, error) {
	if len(d.Targets) == 0 {
		return nil, nil, vault.Errorf(vault.CodeInvalid, "choose one", "no file was chosen")
	}
	targets, err := r.s.ProjectTargets(d.Targets)
	if err != nil {
		return nil, nil, err
	}
	out := new(Outcome)
	verb := journal.PromoteCore{Ref: string(item.ID), Project: r.s.Settings.Project, Targets: targets, Approve: true, Thresholds: r.rules().Thresholds}
	part := func(ctx context.Context, tx *vault.Tx) error {
		done, err := verb.Plan(ctx, tx)
		out.Level, out.Files, out.Warnings = string(done.Level), done.Files, done.Warnings
		return err
	}
	return []journal.DecisionPart{part}, out, nil
}

// maxPlaces bounds the memories among which a person looks for a parent.
const maxPlaces = 100_000

// Places returns the open memories of the tree, below which an entry may go. The journal and
// its like, which keep no pointers, are none.
func (r *One) Places(ctx context.Context) (all []journal.NearMemory, err error) {
	err = r.s.Vault.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		rows, _, err := t.List(ctx, vault.ListOptions{Now: r.s.Vault.Now(), Limit: maxPlaces})
		for _, n := range rows {
			if !n.Quiet() {
				all = append(all, journal.NearMemory{ID: n.ID, Title: n.Title, Summary: n.Summary, Path: n.Path})
			}
		}
		return err
	})
	return all, err
}
