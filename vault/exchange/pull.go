package exchange

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
)

// Pull takes over what the branch upstream has.
type Pull struct {
	DryRun      bool
	AllowShrink bool // also when a large part of the vault would go at once
}

// Outcomes of a pull. They are promises: add, never change.
const (
	NothingThere = "nothing_there" // upstream has no such branch yet
	UpToDate     = "up_to_date"
	FastForward  = "fast_forward"
	Merged       = "merged"
)

// Pulled is the outcome of Pull.
type Pulled struct {
	Upstream  string          `json:"upstream"`
	Outcome   string          `json:"outcome"`
	Before    string          `json:"before"` // HEAD
	Commit    string          `json:"commit"` // HEAD now; with DryRun as before
	Created   []string        `json:"created"`
	Changed   []string        `json:"changed"`
	Removed   []string        `json:"removed"`
	Conflicts []sync.Conflict `json:"conflicts"` // with paths of the repository
	Outgoing  bool            `json:"outgoing"`  // HEAD has what upstream has not
	Synced    *sync.Synced    `json:"sync,omitempty"`
	vault.Warned
	nested []string // warnings of what came
	at     standing
}

// Pull fetches what upstream has and brings it into the vault, or says why not
// and changes nothing.
func (x *Exchange) Pull(ctx context.Context, o Pull) (Pulled, error) {
	at, err := x.fetchUpstream(ctx)
	if err != nil {
		return Pulled{}, err
	}
	return x.bring(ctx, o, at)
}

// bring takes over what was fetched.
func (x *Exchange) bring(ctx context.Context, o Pull, at standing) (Pulled, error) {
	var warnings []string
	if !o.DryRun {
		warnings = x.takeCounts(ctx, at.up)
	}
	out, err := x.joinUpstream(ctx, o, at)
	out.Warnings = slices.Concat(warnings, out.nested, out.Warnings)
	return out, err
}

func (x *Exchange) joinUpstream(ctx context.Context, o Pull, at standing) (Pulled, error) {
	out := Pulled{
		Upstream: at.up.String(), Outcome: NothingThere, Before: at.head.Commit, Commit: at.head.Commit,
		Created: []string{}, Changed: []string{}, Removed: []string{}, Conflicts: []sync.Conflict{}, at: at,
	}
	if at.tip == "" {
		out.Outgoing = at.head.Commit != ""
		return out, nil
	}
	if o.DryRun {
		_, err := x.plan(ctx, o, at.up, at.tip, &out)
		return out, err
	}
	return x.land(ctx, o, out)
}

// land makes the write, then the structural pass.
func (x *Exchange) land(ctx context.Context, o Pull, out Pulled) (Pulled, error) {
	at := out.at
	receipt, err := x.Vault.Update(ctx, "pull", vault.Scope{None: true}, func(ctx context.Context, _ vault.Tree) (*vault.Change, error) {
		return x.plan(ctx, o, at.up, at.tip, &out)
	})
	if err != nil {
		return out, err
	}
	out.Warn(receipt.Notes...)
	if err := x.History.SetSeen(ctx, at.up, at.tip); err != nil {
		return out, err
	}
	if receipt.Commit == "" {
		return out, nil
	}
	out.Commit = receipt.Commit
	synced, err := x.Vault.Sync(ctx, sync.Options{})
	if err != nil {
		return out, err
	}
	out.Synced = &synced
	out.Warnings = append(out.Warnings, synced.Warnings...)
	out.Conflicts = sync.WithoutRepeats(slices.Concat(out.Conflicts, x.inRepo(synced.Conflicts)))
	head, err := x.Vault.Store.Head(ctx)
	out.Commit = head.Commit
	out.Outgoing = out.Outgoing || head.Commit != at.tip
	return out, err
}

// plan decides on the present HEAD what to take over. nil means nothing.
func (x *Exchange) plan(ctx context.Context, o Pull, up vault.Upstream, tip string, out *Pulled) (*vault.Change, error) {
	head, err := x.Vault.Store.Head(ctx)
	if err != nil {
		return nil, err
	}
	out.Before, out.Commit = head.Commit, head.Commit
	join, err := x.join(ctx, head.Commit, tip, out)
	if err != nil || join == nil {
		return nil, err
	}
	different, err := x.History.Differences(ctx, head.Commit, join.Tree)
	if err != nil {
		return nil, err
	}
	out.listDifferent(different)
	if err := x.shrinks(ctx, o, head.Commit, different); err != nil {
		return nil, err
	}
	if out.nested, err = x.findNestedRepos(ctx, join.Tree, different); err != nil {
		return nil, err
	}
	if join.Tree != join.Commit && !o.DryRun {
		if err := x.History.Pin(ctx, up, join.Tree); err != nil {
			return nil, err
		}
	}
	title := "merge of " + up.String()
	return &vault.Change{Verb: "pull", Title: title, Note: describeConflicts(out.Conflicts), Join: join, Edits: edits(different)}, nil
}

// join decides how HEAD takes over tip. It returns nil if HEAD has it already.
func (x *Exchange) join(ctx context.Context, head, tip string, out *Pulled) (*vault.Join, error) {
	held, err := x.History.Includes(ctx, head, tip)
	if err != nil {
		return nil, err
	}
	if held {
		out.Outcome, out.Outgoing = UpToDate, head != tip
		return nil, nil
	}
	behind := head == ""
	if !behind {
		if behind, err = x.History.Includes(ctx, tip, head); err != nil {
			return nil, err
		}
	}
	if behind {
		out.Outcome = FastForward
		return &vault.Join{Commit: tip, Base: head, Tree: tip}, nil
	}
	out.Outcome, out.Outgoing = Merged, true
	tree, err := x.merge(ctx, head, tip, out)
	return &vault.Join{Commit: tip, Base: head, Tree: tree}, err
}

// listDifferent lists the files that come and go.
func (out *Pulled) listDifferent(different []vault.Difference) {
	out.Created, out.Changed, out.Removed = []string{}, []string{}, []string{}
	for _, d := range different {
		switch {
		case d.From == "":
			out.Created = append(out.Created, d.Path)
		case d.Into == "":
			out.Removed = append(out.Removed, d.Path)
		default:
			out.Changed = append(out.Changed, d.Path)
		}
	}
}

func edits(different []vault.Difference) []vault.Edit {
	all := make([]vault.Edit, len(different))
	for i, d := range different {
		all[i] = vault.Edit{Path: vault.Path(d.Path), Taken: &d.Taken, Outside: true}
	}
	return all
}

// describeConflicts tells the commit's reader of the conflicts.
func describeConflicts(conflicts []sync.Conflict) string {
	lines := make([]string, len(conflicts))
	for i, c := range conflicts {
		lines[i] = c.Path + ": " + c.Detail
	}
	return strings.Join(lines, "\n")
}

// inRepo returns conflicts of the vault with paths of the repository.
func (x *Exchange) inRepo(all []sync.Conflict) []sync.Conflict {
	all = slices.Clone(all)
	for i := range all {
		all[i].Path = path.Join(x.Prefix, all[i].Path)
	}
	return all
}

// inVault returns a path of the repository as one of the vault, if it lies in it.
func (x *Exchange) inVault(path string) (vault.Path, bool) {
	if x.Prefix == "" {
		return vault.Path(path), true
	}
	rest, ok := strings.CutPrefix(path, x.Prefix+"/")
	return vault.Path(rest), ok
}

// isFactsFile reports whether a path of the repository is a facts file of the vault.
func (x *Exchange) isFactsFile(path string) bool {
	p, ok := x.inVault(path)
	return ok && p.IsFacts()
}

// isMemoryFile reports whether a path of the repository is a memory's file.
func (x *Exchange) isMemoryFile(path string) bool {
	p, ok := x.inVault(path)
	return ok && p.IsMarkdown() && !strings.Contains("/"+string(p), "/.")
}
