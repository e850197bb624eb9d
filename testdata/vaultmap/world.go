// Package vaultmap is a vault in a map: what a verb's plan is tested on, without
// git and without a disk, in microseconds.
//
//	w := vaultmap.New(vaultmap.Files{"deploy.md": vaultmap.File("pf-aa1", "Deployment", "", "How we deploy.\n")})
//	w.Disk["deploy.md"] += "Typed since.\n"
//	out, receipt, err := vault.Do(ctx, w.Vault, tree.Move{Ref: "pf-aa1", Root: true}, vault.Options{})
//	w.Head() // what is committed afterwards
//
// Texts are all that it has: what a repository knows of them follows from the
// maps of its commits, and what the index knows from the map of the disk. A
// test of package index checks that the index says the same of the same files.
package vaultmap

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

// Files are texts by path.
type Files map[vault.Path]string

// Now is the clock's time.
var Now = time.Date(2026, 2, 7, 15, 30, 0, 0, time.UTC)

// World is a vault whose files and commits are maps. A test changes them as a
// person does.
type World struct {
	*vault.Vault
	Disk    Files        // the work tree
	Staged  Files        // the files of git's index that HEAD has otherwise
	Ignored []vault.Path // what git ignores
	LeftOut []vault.Path // what a sparse checkout leaves out
	Busy    string       // what is under way, as vault.Head has it
	Broken  []vault.Path // the files that cannot be read
	Partly  bool         // a part of the vault cannot be listed
	Fails   error        // what the next catch-ups say instead of an answer

	Blob func(id string) string // the text of a blob that a join with another history takes over

	Meanwhile func() (back func())              // called once: after a plan, before it is asked whether it holds; back is called then
	Plans     []vault.Change                    // those that were handed over to be committed
	Twice     func(first, second *vault.Change) // if set, every write is planned twice on the same base; called with both plans

	commits []commit // the newest last
	waiting []vault.Queued
	first   *vault.Change // see Twice
	mirror  *mirror
}

// commit is one commit with all of its files.
type commit struct {
	vault.Revision
	files Files
}

// New returns a vault whose only commit holds the files.
func New(files Files) *World {
	w := &World{Disk: maps.Clone(files), Staged: make(Files)}
	if w.Disk == nil {
		w.Disk = make(Files)
	}
	w.mirror = &mirror{w: w}
	s := store{w}
	w.Vault = &vault.Vault{
		Store:  vault.Store{Source: vault.Source{Files: s, Commits: s}, FileStatus: s, Snapshots: s, Writer: s, Recovery: s, Outbox: s},
		Mirror: vault.Mirror{Tree: vault.Tree{Places: w.mirror, Lists: lists{m: w.mirror}, Audit: w.mirror, Links: w.mirror, Saying: w.mirror.saying}, Refresher: w.mirror},
		Usage:  usage{}, Prefix: "pf", Agent: "tester", Now: func() time.Time { return Now }, Random: new(counter), Deliverable: tree.Deliverable(),
	}
	w.Commit("start")
	w.mirror.fill()
	return w
}

// Commit commits everything, as a person does.
func (w *World) Commit(subject string) {
	w.commit(vault.Revision{Subject: subject}, maps.Clone(w.Disk))
}

func (w *World) commit(r vault.Revision, files Files) string {
	r.Commit, r.Time = cmp.Or(r.Commit, fmt.Sprintf("%040x", len(w.commits)+1)), Now.Add(time.Duration(len(w.commits))*time.Second-time.Hour)
	w.commits = append(w.commits, commit{r, files})
	return r.Commit
}

// Head returns what HEAD holds.
func (w *World) Head() Files {
	if len(w.commits) == 0 {
		return Files{}
	}
	return w.commits[len(w.commits)-1].files
}

// At returns what a commit holds; nil where there is no such commit.
func (w *World) At(rev string) Files {
	if c := w.at(rev); c != nil {
		return c.files
	}
	return nil
}

// Unborn forgets all commits.
func (w *World) Unborn() { w.commits = nil }

// at returns the commit of an id, a prefix of one, HEAD, or of the one before ("^").
func (w *World) at(rev string) *commit {
	name, before := strings.CutSuffix(rev, "^")
	i := slices.IndexFunc(w.commits, func(c commit) bool { return len(name) >= 7 && strings.HasPrefix(c.Commit, name) })
	if name == "HEAD" {
		i = len(w.commits) - 1
	}
	if before {
		i--
	}
	if i < 0 {
		return nil
	}
	return &w.commits[i]
}

// History returns the vault with its past.
func (w *World) History() *past.History {
	a := archive{w: w}
	return &past.History{Vault: w.Vault, Archive: &past.Archive{Revisions: a, Trails: a, Texts: a}}
}

// counter is a source of ids that count: pf-00000001, pf-00000002, …
type counter uint

// Read fills b with the next number, a digit a byte.
func (c *counter) Read(b []byte) (int, error) {
	*c++
	for i, n := len(b)-1, *c; i >= 0; i, n = i-1, n/10 {
		b[i] = byte(n % 10)
	}
	return len(b), nil
}

// usage counts nothing.
type usage struct{ vault.Usage }

func (usage) Forget(context.Context, []vault.ID) error { return nil }

// blob is git's object id of a text.
func blob(text string) string {
	sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))
	return hex.EncodeToString(sum[:])
}

// Set puts files on the disk; an empty text takes one away.
func Set(files Files) func(*World) {
	return func(w *World) {
		for p, text := range files {
			w.Disk[p] = text
			if text == "" {
				delete(w.Disk, p)
			}
		}
	}
}

// Type replaces text in a file on disk, as an editor does.
func Type(p vault.Path, old, text string) func(*World) {
	return func(w *World) { w.Disk[p] = strings.Replace(w.Disk[p], old, text, 1) }
}

// Seen is what given leaves, known to the mirror.
func Seen(given ...func(*World)) func(*World) {
	return func(w *World) {
		for _, do := range given {
			do(w)
		}
		w.mirror.fill()
	}
}

// With returns the files and more of them; an empty text takes one away.
func (f Files) With(more Files) Files {
	w := World{Disk: maps.Clone(f)}
	Set(more)(&w)
	return w.Disk
}

// Verbs are those that the commits bear, the oldest first.
func (w *World) Verbs() (all []string) {
	for _, c := range w.commits {
		if c.Verb != "" {
			all = append(all, c.Verb)
		}
	}
	return all
}
