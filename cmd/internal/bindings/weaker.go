package bindings

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/header"
)

const (
	mostCommits = 100 // of the newest entries, whose commits are looked at
	few         = 3   // with fewer memories than this those that name the file follow
)

// addWeaker adds what is not bound to the file and still about it.
func (r Room) addWeaker(ctx context.Context, asked about.Binding, all *[]found) error {
	entries, err := r.changedBy(ctx, asked.Path)
	if err != nil {
		return err
	}
	add := func(p vault.Path, match int) {
		if !slices.ContainsFunc(*all, func(f found) bool { return f.path == p }) {
			*all = append(*all, found{path: p, match: match})
		}
	}
	for _, p := range entries {
		add(p, Commit)
	}
	if len(*all) >= few {
		return nil
	}
	named, err := r.naming(ctx, asked.Path)
	for _, p := range named {
		if len(*all) < few {
			add(p, Mentions)
		}
	}
	return err
}

// changedBy returns the entries whose commits changed a file, of the newest ones.
func (r Room) changedBy(ctx context.Context, name string) (out []vault.Path, err error) {
	var kinds []string
	for _, k := range header.Kinds() {
		kinds = append(kinds, string(k))
	}
	nodes, _, err := r.Vault.Mirror.List(ctx, vault.ListOptions{Types: kinds, Status: []string{"*"}, Commits: []string{"*"}, Limit: mostCommits, Now: r.Vault.Now()})
	if err != nil {
		return nil, err
	}
	judge, err := r.Judge()
	if err != nil || judge.Code.Past == nil {
		return nil, nil // without code nothing was changed
	}
	seen := make(map[string]bool)
	for _, n := range nodes {
		changed, ok := seen[n.Header.Commit]
		if !ok {
			changed = isChangedBy(ctx, judge.Code.Past, n.Header.Commit, name)
			seen[n.Header.Commit] = changed
		}
		if changed {
			out = append(out, n.Path)
		}
	}
	return out, ctx.Err()
}

// isChangedBy reports whether a commit changed a file.
func isChangedBy(ctx context.Context, past about.Past, commit, name string) bool {
	now, err := past.Blobs(ctx, commit, []string{name})
	if err != nil {
		return false
	}
	parent, err := past.Parent(ctx, commit)
	if err != nil {
		return false
	}
	was, err := past.Blobs(ctx, parent, []string{name})
	return err == nil && was[name] != now[name]
}

// naming returns memories whose text holds the path of a file, or its name.
func (r Room) naming(ctx context.Context, name string) (out []vault.Path, err error) {
	hits, _, err := r.Vault.Mirror.Search(ctx, name, vault.ListOptions{Limit: aboutLimit, Now: r.Vault.Now()})
	for _, h := range hits {
		text, _, err := r.Store.Read(h.Path)
		if err == nil && (strings.Contains(string(text), name) || strings.Contains(string(text), path.Base(name))) {
			out = append(out, h.Path)
		}
	}
	return out, err
}
