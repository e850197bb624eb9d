package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree"
)

// asked is how many results a query gets: ten, and as many more as there may be
// paths that do not count.
const asked = 60

// system is one way to answer. dir is the folder that is asked; "" is the whole vault.
type system struct {
	name string
	ask  func(q labelled, dir string) (paths []string, err error)
}

// measure prints a line for each system, and one for each task of the questions.
func (s *set) measure(o options) error {
	systems, closeAll, err := s.open(o)
	if err != nil {
		return err
	}
	defer closeAll()
	for _, scope := range s.scopes {
		t := newTable(s.name + scope)
		for i, q := range s.queries {
			var paths []string
			dir := ""
			if scope == under {
				dir = q.Scope
			}
			for _, sys := range systems {
				from := time.Now()
				if paths, err = sys.ask(q, dir); err != nil {
					return err
				}
				t.add(sys.name, q, paths, time.Since(from))
			}
			if i%100 == 0 { // paths is recall's, which is the last
				if err := s.check(o.program, q, dir, paths); err != nil {
					return err
				}
			}
		}
		t.print()
	}
	return nil
}

// open makes a vault of the set, and the systems that answer from it.
func (s *set) open(o options) ([]system, func(), error) {
	v, mirror, err := s.vault(o.program)
	if err != nil {
		return nil, nil, err
	}
	systems := []system{}
	plain := &plain{}
	if !o.bare {
		if plain, err = loadPlain(s.root); err != nil {
			return nil, nil, err
		}
		systems = append(systems, system{"plain FTS5", plain.ask}, system{"search", searches(v, mirror)})
	}
	if o.words {
		systems = append(systems, system{"recall words", recalls(recall.Finder{Vault: v, Lexicon: mirror})})
	}
	systems = append(systems, system{"recall", recalls(recall.Finder{Vault: v, Lexicon: mirror, Web: mirror.Graph(), Reach: recall.DefaultReach})})
	return systems, func() { _ = mirror.Close(); plain.close() }, nil
}

// init makes a vault of the set where there is none yet.
func (s *set) init(program string) error {
	if _, err := os.Stat(filepath.Join(s.root, ".cp")); err == nil {
		return nil
	}
	for _, args := range [][]string{{"git", "init", "-q"}, {program, "init", "."}} {
		if _, err := runIn(s.root, args...); err != nil {
			return err
		}
	}
	return nil
}

// below asks within a folder as --under does: below the memory that the folder belongs to, if
// there is one.
func below(v *vault.Vault, dir string) (o vault.ListOptions, err error) {
	if dir == "" {
		return o, nil
	}
	_, owner, err := tree.FolderAt(context.Background(), v, vault.Path(dir))
	if o.Under = owner.ID; o.Under == "" {
		o.Dir = vault.Path(dir)
	}
	return o, err
}

// searches asks for words.
func searches(v *vault.Vault, mirror *index.DB) func(labelled, string) ([]string, error) {
	return func(q labelled, dir string) (paths []string, err error) {
		o, err := below(v, dir)
		if err != nil {
			return nil, err
		}
		o.Limit, o.Types, o.Status = asked, []string{"*"}, []string{"*"}
		hits, _, err := mirror.Search(context.Background(), q.Text, o)
		for _, h := range hits {
			paths = append(paths, string(h.Path))
		}
		return paths, err
	}
}

// recalls asks by a finder.
func recalls(f recall.Finder) func(labelled, string) ([]string, error) {
	return func(q labelled, dir string) (paths []string, err error) {
		o, err := below(f.Vault, dir)
		if err != nil {
			return nil, err
		}
		o.Limit = asked
		a, err := f.Recall(context.Background(), recall.Query{Text: q.Text, MinSimilarity: recall.DefaultSimilarity, Filter: o})
		for _, r := range a.Rows {
			paths = append(paths, string(r.Path))
		}
		return paths, err
	}
}

// vault makes a vault of the set, and opens it with the program's own mirror: each would take
// another one's for foreign, and what was muted would speak again.
func (s *set) vault(program string) (*vault.Vault, *index.DB, error) {
	if err := s.init(program); err != nil {
		return nil, nil, err
	}
	if _, err := runIn(s.root, program, "memory", "list", "--limit", "1"); err != nil {
		return nil, nil, err
	}
	leaves, err := s.mute()
	if err != nil {
		return nil, nil, err
	}
	store, err := worktree.Open(s.root, nil, worktree.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		return nil, nil, err
	}
	mirror, err := index.Open(filepath.Join(s.root, ".cp", "index.db"), index.Options{Source: store.Ports().Source, State: filepath.Join(s.root, ".git", "cp", "root"), Leaves: leaves})
	if err != nil {
		return nil, nil, err
	}
	return &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Now: time.Now}, mirror, nil
}

// check asks the built program and compares its answer.
func (s *set) check(program string, q labelled, dir string, want []string) error {
	args := []string{program, "memory", "recall", "--limit", fmt.Sprint(asked), "-o", "jsonl"}
	if dir != "" {
		args = append(args, "--under", dir)
	}
	out, err := runIn(s.root, append(args, "--", q.Text)...)
	if err != nil {
		return err
	}
	var got []string
	for line := range bytes.Lines(out) {
		var r struct{ Path string }
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		got = append(got, r.Path)
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the program and this one disagree about %q:\n%q\n%q", q.Text, got, want)
	}
	return nil
}

// runIn runs a program with no settings of the person.
func runIn(dir string, args ...string) ([]byte, error) {
	p := exec.Command(args[0], args[1:]...)
	p.Dir, p.Env = dir, append(os.Environ(), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "CP_AGENT=bench", "CP_VAULT=")
	var said bytes.Buffer
	p.Stderr = &said
	out, err := p.Output()
	if err != nil {
		return nil, fmt.Errorf("%q: %w\n%s", args, err, said.Bytes())
	}
	return out, nil
}
