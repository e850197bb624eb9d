package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/header"
)

// commitsIn returns the commits of a range that entries tell of, and those whose successors are in it.
func (s *Session) commitsIn(ctx context.Context, expr string) ([]string, error) {
	top, err := s.CodeTop()
	if err != nil {
		return nil, errNoCode(err)
	}
	within, err := s.app.Commits.ListRange(ctx, top, expr)
	if err != nil {
		return nil, err
	}
	all, err := s.anchors(ctx)
	if err != nil {
		return nil, err
	}
	in, others := []string{}, []header.Anchor(nil)
	for _, a := range all {
		if within[a.Commit] {
			in = append(in, a.Commit)
		} else {
			others = append(others, a)
		}
	}
	now, err := s.successors(ctx, top, others)
	for _, a := range others {
		if within[now.Next[a.Commit].Commit] {
			in = append(in, a.Commit)
		}
	}
	return in, err
}

// errNoCode is the error where no repository of code was found.
func errNoCode(err error) error {
	if vault.CodeOf(err) == vault.CodeNoGit {
		return vault.Errorf(vault.CodeNoGit, "run the command in the repository of the code", "there is no code repository here")
	}
	return err
}

// anchors returns the commits that the vault's entries tell of, each once.
func (s *Session) anchors(ctx context.Context) (all []header.Anchor, err error) {
	err = s.View(ctx, vault.Scope{}, func(vault.Tree) error {
		all, err = s.Tallies.Anchors(ctx)
		return err
	})
	return all, err
}

// successors returns what has become of commits, seen from HEAD of the code at top. What is known of
// that work tree is kept in the state's file anchors-<hash of top>, as JSON. It can be lost: it is
// found again.
func (s *Session) successors(ctx context.Context, top string, all []header.Anchor) (known header.Successors, err error) {
	if len(all) == 0 {
		return known, nil
	}
	sum := sha256.Sum256([]byte(top))
	file := ""
	if dir := s.State.StateDir(); dir != "" {
		file = filepath.Join(dir, "anchors-"+hex.EncodeToString(sum[:4]))
		if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &known) != nil {
			known = header.Successors{}
		}
	}
	had, was := len(known.Next), known.Head
	known, err = s.app.Commits.Follow(ctx, top, known, all)
	if err != nil || file == "" || len(known.Next) == had && known.Head == was {
		return known, err
	}
	if text, err := json.Marshal(known); err == nil {
		_ = disk.Replace(file, text, 0o600)
	}
	return known, nil
}

// Selection returns the files that pass the filters which say what an entry is about; nil where the
// filter names none of them.
func (s *Session) Selection(ctx context.Context, f Filter) (map[vault.Path]bool, error) {
	if f.Commits == "" && f.About == "" {
		return nil, nil
	}
	o, err := s.Options(ctx, Filter{Commits: f.Commits, About: f.About, Types: []string{"*"}, Status: []string{"*"}, Limit: math.MaxInt32})
	if err != nil {
		return nil, err
	}
	in := map[vault.Path]bool{}
	return in, s.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
		nodes, _, err := t.List(ctx, o)
		for i := range nodes {
			in[nodes[i].Path] = true
		}
		return err
	})
}
